// The bench of the engine as WebAssembly: its nodes, then the seconds of the processor that they took.
// usage: node scripts/wasm-bench.mjs DEPTH [NETWORK]        (after scripts/web)
import { readFileSync } from "node:fs";

const read = (path) => readFileSync(new URL(`../crates/${path}`, import.meta.url));
const { initSync, signature } = await import("../crates/web/page/wasm/sextant_wasm.js");
initSync({ module: read("web/page/wasm/sextant_wasm_bg.wasm") });
const network = process.argv[3] ? readFileSync(process.argv[3]) : read("eval/nets/default.nnue");
const start = process.cpuUsage();
const nodes = signature(Number(process.argv[2]), network);
console.log(`${nodes}\n${(process.cpuUsage(start).user / 1e6).toFixed(3)}`);
