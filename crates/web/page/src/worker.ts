// The engine in a worker: fetches it, feeds it messages, and asks the page between nodes whether to stop.
//
// A worker that computes hears nothing. So each search gets an address of a blob that the page withdraws when the search
// is to end; the worker tries to read it about every 50 ms. That needs no header from the web host, as shared memory would.

import init, { Conversation } from "../wasm/sextant_wasm.js";

/** What the page hands to its workers: with `network` one is to think, else it knows the rules alone. */
export type Order = { network: boolean } | { text: string; permit?: string };
/** What they hand back: a message of the engine, or how much of it is there, from 0 to 1. */
export type Report = { text: string } | { loaded: number } | { ready: true } | { failed: string };

const LOOK_EVERY = 50;

let permit: string | undefined;
let looked = 0;

const report = (report: Report) => postMessage(report);

function isWithdrawn(): boolean {
  const request = new XMLHttpRequest();
  try {
    request.open("GET", permit!, false);
    request.send();
    return request.status !== 200;
  } catch {
    return true;
  }
}

function isStopped(): boolean {
  const now = performance.now();
  if (permit === undefined || now - looked < LOOK_EVERY) return false;
  looked = now;
  return isWithdrawn();
}

Object.assign(globalThis, { sextantSay: (text: string) => report({ text }), sextantIsStopped: isStopped });

/** Reads a file piece by piece and tells how far it is. */
async function stream(address: URL): Promise<Uint8Array> {
  const reply = await fetch(address);
  if (!reply.ok || !reply.body) throw new Error(`${address.pathname}: ${reply.status} ${reply.statusText}`);
  // The header of a network says how long it is; what the host says may be the length on the wire.
  const parts: Uint8Array[] = [];
  let [length, total] = [0, 0];
  const reader = reply.body.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const part = piece.value;
    parts.push(part);
    length += part.length;
    if (total === 0 && part.length >= 56) total = 64 + new DataView(part.buffer, part.byteOffset).getUint32(52, true);
    if (total > 0) report({ loaded: Math.min(1, length / total) });
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

const conversation = new Promise<Conversation>((resolve, reject) => {
  onmessage = async ({ data }: MessageEvent<Order>) => {
    if ("text" in data) {
      permit = data.permit;
      looked = 0;
      (await conversation).hear(data.text);
      return;
    }
    try {
      const [network] = await Promise.all([data.network ? stream(new URL(/* @vite-ignore */ "./network.nnue", import.meta.url)) : undefined, init()]);
      const engine = new Conversation();
      if (network) engine.load(network);
      resolve(engine);
      report({ ready: true });
    } catch (error) {
      report({ failed: error instanceof Error ? error.message : String(error) });
      reject(error);
    }
  };
});
conversation.catch(() => {});
