// What wasm-bindgen makes of crates/wasm; `scripts/web` puts it into the folder `wasm`.
declare module "*/wasm/sextant_wasm.js" {
  export default function init(): Promise<unknown>;
  export class Conversation {
    load(network: Uint8Array): void;
    hear(text: string): void;
  }
}
