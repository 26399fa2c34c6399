import { defineConfig } from "@playwright/test";

// scripts/check-page says which server and which browser.
const server = process.env.SEXTANT_WEB ?? "../../../target/release/sextant-web";
const port = 9417;

export default defineConfig({
  testDir: "tests",
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
    command: `${server} --bind 127.0.0.1:${port} --path ../../syzygy/testdata --hash 16 --engines 3`,
    url: `http://127.0.0.1:${port}/health`,
    stdout: "ignore",
  },
});
