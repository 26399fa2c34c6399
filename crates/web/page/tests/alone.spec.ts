// The page of `scripts/web` in a real browser: no server but one for files. What it shares with the page of the server is
// tested there.

import { expect, test } from "@playwright/test";

// The strictest policy that a host may set, as docs/how-to/static-page.md has it.
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' blob:";

test.beforeEach(async ({ context, page, baseURL }) => {
  await context.route("**", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), "content-security-policy": POLICY } });
  });
  page.on("pageerror", (error) => {
    throw error;
  });
  page.on("request", (request) => expect(["blob:", "data:"].includes(new URL(request.url()).protocol) || new URL(request.url()).host === new URL(baseURL!).host, request.url()).toBe(true));
});

// 1. Ra7 leaves two squares, and 2. Rb8 mates on both.
test("a game is played to mate", async ({ page }) => {
  await page.goto("/#play");
  await expect(page.locator("#connection")).toHaveText(/^Sextant \d/);
  await page.locator("[name=strength]").selectOption("full");
  await page.locator("[name=time]").selectOption("nodes");
  await page.locator("[name=nodes]").fill("3000");
  await page.locator("[name=position]").selectOption("fen");
  await page.locator("[name=fen]").fill("6k1/8/8/8/8/8/1R6/R5K1 w - - 0 1");
  await page.locator("#begin").click();
  for (const [move, count] of [["Ra7", 2], ["Rb8", 3]] as const) {
    await page.locator("#typed").fill(move);
    await page.keyboard.press("Enter");
    await expect(page.locator("#moves button")).toHaveCount(count);
  }
  await expect(page.locator("#state")).toContainText("White wins (1-0)");
});

test("a search without an end stops when it is told to, and is shown as a tree", async ({ page }) => {
  await page.goto("/#analyze");
  await expect(page.locator("#lines li").first()).toBeVisible();
  await page.locator("#explorer summary").click();
  await expect(page.locator("#thinking")).toHaveText(/^Depth (1\d|[6-9])/);
  await page.locator("#explore").click();
  await expect(page.locator(".row").first()).toBeVisible();
  await expect(page.locator("#search")).toContainText("side to move");
  // The same worker goes on: a new move asks for a new search at once.
  await page.locator("#typed").fill("e4");
  await page.keyboard.press("Enter");
  await expect(page.locator("#search")).toBeHidden();
  await expect(page.locator("#lines li").first()).toContainText("1...");
  await expect(page.locator("#connection")).toHaveText(/^Sextant \d/);
});

// In a position that nobody can open, the deepest iteration comes within seconds, with lines of more than ninety moves.
test("the deepest search fits into the stack of a worker", async ({ page }) => {
  await page.goto("/#analyze?fen=4k3/8/p1p1p1p1/P1P1P1P1/8/8/8/4K3_w_-_-_0_1");
  await expect(page.locator("#thinking")).toHaveText(/^Depth \d{3}\//, { timeout: 50_000 });
  await page.locator("#run").uncheck();
  await expect(page.locator("#thinking")).toHaveText("Analysis is off");
  await page.locator("#run").check();
  await expect(page.locator("#thinking")).toHaveText(/^Depth/);
});

test("a damaged network is refused", async ({ page }) => {
  await page.route("**/network.nnue", async (route) => {
    const reply = await route.fetch();
    const body = Buffer.from(await reply.body());
    body[1000] ^= 1;
    await route.fulfill({ body });
  });
  await page.goto("/#play");
  await expect(page.locator("#connection")).toContainText("No engine");
  await expect(page.locator("#connection")).toContainText("checksum");
});
