import { defineConfig } from "@playwright/test";

// scripts/check-page says which server and which browser, scripts/check-wasm which folder to look at in its place.
const folder = process.env.WEB_FOLDER;
const server = process.env.SEXTANT_WEB ?? "../../../target/release/sextant-web";
const port = 9417;

export default defineConfig({
  testDir: "tests",
  testMatch: folder ? "alone.spec.ts" : "page.spec.ts",
  timeout: 60_000,
  expect: { timeout: 15_000 },
  workers: 1,
  // A machine may be busy for a while.
  retries: 2,
  reporter: "list",
  use: {
    baseURL: `http://127.0.0.1:${port}/`,
    launchOptions: { executablePath: process.env.CHROMIUM || undefined, args: ["--no-sandbox"] },
  },
  webServer: {
    command: folder
      ? `python3 -m http.server --bind 127.0.0.1 --directory ${folder} ${port}`
      : `${server} --bind 127.0.0.1:${port} --path ../../syzygy/testdata --hash 16 --engines 3`,
    url: `http://127.0.0.1:${port}/favicon.svg`,
    stderr: "ignore",
    stdout: "ignore",
  },
});
