import { fileURLToPath } from "node:url";

import { defineConfig } from "vite";

// Relative addresses, so that the folder can lie anywhere; names without hashes, since the server embeds the files and
// asks browsers to compare their tags.
export default defineConfig(({ mode }) => ({
  base: "./",
  // `--mode alone` is the page of `scripts/web`, which has its engine with it.
  resolve: { alias: mode === "alone" ? [{ find: "./connect", replacement: fileURLToPath(new URL("src/alone.ts", import.meta.url)) }] : [] },
  build: {
    target: "es2022",
    modulePreload: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      output: { entryFileNames: "page.js", assetFileNames: "page.[ext]" },
    },
  },
  worker: {
    format: "es",
    rollupOptions: { output: { entryFileNames: "worker.js", assetFileNames: "[name].[ext]" } },
  },
  server: { proxy: { "/engine": { target: "http://127.0.0.1:9000", ws: true }, "/standard": "http://127.0.0.1:9000" } },
}));
