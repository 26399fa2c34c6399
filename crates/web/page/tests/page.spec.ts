// The page in a real browser, as a person uses it: by mouse and by keys, on a desktop and on a phone.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

import AxeBuilder from "@axe-core/playwright";
import { expect, test, type Page } from "@playwright/test";

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 360, height: 740 };

const square = (page: Page, name: string) => page.locator(`[data-square="${name}"]`);
const state = (page: Page) => page.locator("#state");
const moves = (page: Page) => page.locator("#moves button");

/** Ends what a test started, once its page is gone. */
let onTestFinished = () => {};
test.afterEach(async ({ page }) => {
  await page.close();
  onTestFinished();
  onTestFinished = () => {};
});

// Nothing may go wrong silently, and nothing may come from elsewhere.
test.beforeEach(async ({ page, baseURL }) => {
  page.on("pageerror", (error) => {
    throw error;
  });
  page.on("console", (message) => expect(message.type(), message.text()).not.toBe("error"));
  page.on("request", (request) => expect(new URL(request.url()).host).toBe(new URL(baseURL!).host));
});

/** What keeps people out: rules of the WCAG, and what does not fit into the width. */
async function faults(page: Page) {
  const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]).analyze();
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  return [...violations.map((it) => `${it.id}: ${it.nodes.map((node) => node.target).join(" ")}`), ...(wider > 0 ? [`${wider} pixels too wide`] : [])];
}

/** Starts a game from a position. */
async function begin(page: Page, choices: { fen?: string; color?: string; number?: string; nodes?: string }) {
  await page.locator("[name=color]").selectOption(choices.color ?? "w");
  await page.locator("[name=strength]").selectOption("full");
  await page.locator("[name=time]").selectOption("nodes");
  await page.locator("[name=nodes]").fill(choices.nodes ?? "3000");
  await page.locator("[name=position]").selectOption(choices.fen ? "fen" : choices.number ? "chess960" : "standard");
  if (choices.fen) await page.locator("[name=fen]").fill(choices.fen);
  if (choices.number) await page.locator("[name=number]").fill(choices.number);
  await page.locator("#begin").click();
}

async function byMouse(page: Page, from: string, to: string) {
  await square(page, from).click();
  await square(page, to).click();
}

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, selector: string) {
  const has = () => page.evaluate((selector) => document.activeElement!.matches(selector), selector);
  for (let presses = 0; presses < 60 && !(await has()); presses++) await page.keyboard.press("Tab");
  await expect(page.locator(selector)).toBeFocused();
}

/** Starts a game from a position without a mouse. */
async function beginByKeys(page: Page, fen: string) {
  for (const [name, words] of [["strength", "full"], ["time", "fixed nodes"], ["nodes", "3000"], ["position", "a FEN"], ["fen", fen]]) {
    await tabTo(page, `[name=${name}]`);
    if (name === "nodes" || name === "fen") await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(words);
  }
  await tabTo(page, "#begin");
  await page.keyboard.press("Enter");
}

/** Walks over the board with the arrow keys and chooses both squares with Enter. */
async function byKeys(page: Page, from: string, to: string) {
  for (const name of [from, to]) {
    const at = await page.locator("[role=gridcell][tabindex='0']").getAttribute("data-square");
    const [files, ranks] = [name.charCodeAt(0) - at!.charCodeAt(0), Number(name[1]) - Number(at![1])];
    for (let step = 0; step < Math.abs(files); step++) await page.keyboard.press(files > 0 ? "ArrowRight" : "ArrowLeft");
    for (let step = 0; step < Math.abs(ranks); step++) await page.keyboard.press(ranks > 0 ? "ArrowUp" : "ArrowDown");
    await expect(square(page, name)).toBeFocused();
    await page.keyboard.press("Enter");
  }
}

// Two rooks against a king that has two squares to go to: 1. Ra7 Kf8 or Kh8, 2. Rb8 mate.
const LADDER = "6k1/8/8/8/8/8/R7/1R4K1 w - - 0 1";

async function byTouch(page: Page, from: string, to: string) {
  await square(page, from).tap();
  await square(page, to).tap();
}

for (const [name, viewport, pointing] of [["a desktop", DESKTOP, byMouse], ["a phone", PHONE, byTouch]] as const) {
  test.describe(`on ${name}`, () => {
    test.use({ viewport, hasTouch: viewport === PHONE, isMobile: viewport === PHONE });
    for (const move of [pointing, byKeys]) {
      test(`a game is played to mate, ${move.name}`, async ({ page }) => {
        await page.goto("/");
        await expect(page.locator("#connection")).toHaveText(/^Sextant /);
        await (move === byKeys ? beginByKeys(page, LADDER) : begin(page, { fen: LADDER }));
        await expect(state(page)).toHaveText("Your move: White");
        if (move === byKeys) await tabTo(page, "[role=gridcell][tabindex='0']");
        await move(page, "a2", "a7");
        await expect(moves(page)).toHaveCount(2);
        await move(page, "b1", "b8");
        await expect(state(page)).toHaveText("Checkmate. White wins (1-0)");
        await expect(moves(page)).toHaveText(["Ra7", /^K/, "Rb8#"]);
        await page.reload();
        await expect(state(page)).toHaveText("Checkmate. White wins (1-0)");
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(wider).toBeLessThanOrEqual(0);
      });
    }
  });
}

test("a piece is dragged, and dropped where it may not go it returns", async ({ page }) => {
  await page.goto("/");
  await begin(page, {});
  const center = async (name: string) => {
    const box = (await square(page, name).boundingBox())!;
    return [box.x + box.width / 2, box.y + box.height / 2] as const;
  };
  const drag = async (from: string, to: string) => {
    await page.mouse.move(...(await center(from)));
    await page.mouse.down();
    await page.mouse.move(...(await center(to)), { steps: 4 });
    await page.mouse.up();
  };
  await drag("e2", "e5");
  await expect(square(page, "e2").locator(".piece")).toHaveCount(1);
  await expect(moves(page)).toHaveCount(0);
  await drag("e2", "e4");
  await expect(moves(page).first()).toHaveText("e4");
});

test("the engine mates as White, moves are taken back, and a game is resigned", async ({ page }) => {
  await page.goto("/");
  await begin(page, { color: "b", fen: "7k/8/6K1/8/8/8/8/R7 w - - 0 1" });
  await expect(state(page)).toHaveText("Checkmate. White wins (1-0)");
  await begin(page, {});
  await page.locator("#typed").fill("e4");
  await page.keyboard.press("Enter");
  await expect(moves(page)).toHaveCount(2);
  await page.locator("#takeback").click();
  await expect(moves(page)).toHaveCount(0);
  await page.locator("#resign").click();
  await expect(state(page)).toHaveText("Resignation. Black wins (0-1)");
});

test("a pawn is promoted by keys, and draws have names", async ({ page }) => {
  await page.goto("/");
  await begin(page, { fen: "8/P6k/8/8/8/8/7K/8 w - - 0 1" });
  await page.locator("[role=gridcell][tabindex='0']").focus();
  await byKeys(page, "a7", "a8");
  await expect(page.locator("#promotion")).toBeVisible();
  await page.getByRole("button", { name: "knight" }).press("Enter");
  await expect(moves(page).first()).toHaveText("a8=N");
  await expect(state(page)).toHaveText("Insufficient material. Draw (1/2-1/2)");
});

test("Chess960 castles by the rook's square", async ({ page }) => {
  await page.goto("/");
  await page.goto("/#analyze?start=4k3/8/8/8/8/8/8/5KR1_w_G_-_0_1");
  await expect(square(page, "g1")).toHaveAttribute("aria-label", "g1, white rook");
  await byMouse(page, "f1", "g1");
  await expect(moves(page)).toHaveText(["O-O"]);
  await page.goto("/#play");
  await begin(page, { number: "0" });
  await expect(square(page, "a1")).toHaveAttribute("aria-label", "a1, white bishop");
});

test("the page finds its engine again", async ({ page }) => {
  const open: { close(): Promise<void> }[] = [];
  await page.routeWebSocket("**/engine", (socket) => {
    const server = socket.connectToServer();
    open.push(socket);
    socket.onClose(() => server.close());
  });
  await page.goto("/#analyze?moves=e2e4");
  await expect(page.locator("#lines li")).toHaveCount(3);
  await open[0].close();
  await expect(page.locator("#connection")).toContainText("The page tries again");
  await expect(page.locator("#connection")).toHaveText(/^Sextant /);
  await expect(page.locator("#lines li")).toHaveCount(3);
  await expect(moves(page)).toHaveText(["e4"]);
  expect(open.length).toBe(2);
});

test("a clock runs out", async ({ page }) => {
  await page.goto("/");
  await page.locator("[name=time]").selectOption("clock");
  await page.locator("[name=minutes]").fill("0.1");
  await page.locator("[name=increment]").fill("0");
  await page.locator("#begin").click();
  await byMouse(page, "e2", "e4");
  await expect(page.locator("#clock-bottom")).toHaveClass(/running/);
  await expect(state(page)).toHaveText("White is out of time. Black wins (0-1)");
});

test("a game is analyzed, walked through and kept over a reload", async ({ page }) => {
  await page.goto("/#analyze");
  await page.locator("#text").fill('[White "A"]\n\n1. e4 {best} e5 2. Qh5?! Nc6 3. Bc4 Nf6?? 4. Qxf7# 1-0');
  await page.getByRole("button", { name: "Load" }).click();
  await expect(moves(page)).toHaveCount(7);
  await expect(page.locator("#lines li")).toHaveCount(3);
  await expect(page.locator("#budget-w-text")).toHaveText(/^White: [\d.]+ of [\d.]+ SX left$/);
  await expect(page.locator(".arrows g")).toHaveCount(3);
  await page.locator("#last").click();
  await expect(page.locator("#thinking")).toHaveText("Checkmate. White wins (1-0)");
  await page.locator("#previous").focus();
  await page.keyboard.press("ArrowLeft");
  await expect(page.locator("#lines li").first()).toContainText("#1");
  await page.locator("#judge").click();
  await expect(page.locator("#graph")).toHaveAttribute("aria-label", /8 of 8 positions judged/);
  await expect(page.locator("#judge")).toHaveText("Judge every move");
  await page.locator("#first").click();
  await expect(page.locator("#first")).toBeDisabled();
  await page.reload();
  await expect(moves(page)).toHaveCount(7);
  await expect(page.locator("#graph")).toHaveAttribute("aria-label", /8 of 8 positions judged/);
  await expect(page.locator("#lines li")).toHaveCount(3);
});

test("a game that was loaded keeps its names, comments, variations and result", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const copied = async () => {
    await page.locator("#copied").evaluate((element) => (element.textContent = ""));
    await page.locator("#copy-pgn").click();
    await expect(page.locator("#copied")).toHaveText("The PGN is copied.");
    return page.evaluate(() => navigator.clipboard.readText());
  };
  await page.goto("/#analyze");
  await page.locator("#text").fill('[White "Ann"] [Black "Bob \\"B\\""] [Result "1-0"] 1. e4 {good} e5 2. Nf3 (2. f4 exf4) Nc6 1-0');
  await page.getByRole("button", { name: "Load" }).click();
  await expect(page.locator("#players")).toHaveText('Ann – Bob "B", 1-0');
  const tags = '[White "Ann"]\n[Black "Bob \\"B\\""]\n';
  const whole = `${tags}[Result "1-0"]\n\n1. e4 {good} 1... e5 2. Nf3 (2. f4 exf4) 2... Nc6 1-0\n`;
  expect(await copied()).toBe(whole);
  await page.locator("#last").click();
  await expect(page.locator("#last")).toBeDisabled();
  await page.reload();
  await expect(page.locator("#players")).toHaveText('Ann – Bob "B", 1-0');
  expect(await copied()).toBe(whole);
  await page.locator("#typed").fill("Bb5");
  await page.keyboard.press("Enter");
  await expect(page.locator("#players")).toHaveText('Ann – Bob "B", with other moves');
  expect(await copied()).toBe(`${tags}[Result "*"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n`);
  // Another game has nothing of it.
  await page.goto("/#analyze?moves=d2d4");
  await expect(moves(page)).toHaveText(["d4"]);
  await expect(page.locator("#players")).toHaveText("");
});

test("broken games hide no others", async ({ page }) => {
  await page.goto("/#analyze");
  await page.locator("#text").fill('1. d4 Ke4 *\n\n[White "Ann"]\n\n1. e4 *');
  await page.getByRole("button", { name: "Load" }).click();
  await expect(moves(page)).toHaveText(["e4"]);
  await expect(page.locator("#complaint")).toHaveText(/^line 1: game 1: .*\. The game that can be read is here\.$/);
  await page.locator("#text").fill('1. c4 *\n\n1. d4 Ke4 *\n\n[White "Ann"]\n\n1. e4 *');
  await page.getByRole("button", { name: "Load" }).click();
  await expect(page.locator("#complaint")).toHaveText(/^line 3: game 2: .*\. The 2 games that can be read are here\.$/);
  await page.locator("#games").selectOption("3. Ann – ?, ?");
  await expect(moves(page)).toHaveText(["e4"]);
});

test("the present search is walked through as a tree", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await page.goto("/#analyze?moves=e2e4");
  await page.locator("#explorer summary").click();
  await expect(page.locator("#budget")).toBeHidden();
  await expect(page.locator("#lines li")).toHaveCount(3);
  await page.locator("#explore").click();
  await page.getByRole("tree").focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.locator(".tree [aria-selected=true]")).toHaveAttribute("aria-level", "2");
  await page.getByLabel("Line", { exact: true }).fill("1... e5");
  await page.keyboard.press("Enter");
  await expect(square(page, "e5")).toHaveAttribute("aria-label", "e5, black pawn");
  await expect(page.locator("#search dl")).toContainText("White has left");
  expect(await faults(page)).toEqual([]);
  // The game is where it was.
  await page.locator("#explore").click();
  await expect(square(page, "e5")).toHaveAttribute("aria-label", "e5, empty");
  await expect(page.locator("#lines li")).toHaveCount(3);
});

test("what is no position and no game is told", async ({ page }) => {
  await page.goto("/#analyze?start=8/8/8/nonsense");
  await expect(page.locator("#complaint")).toContainText("The initial position is shown instead");
  await expect(square(page, "e1")).toHaveAttribute("aria-label", "e1, white king");
  await page.goto("/#play?fen=K7");
  await expect(page.locator("#complaint")).toContainText("The initial position is shown instead");
  await page.goto("/#analyze?moves=e2e4,e2e4");
  await expect(page.locator("#complaint")).toContainText("move 2");
  await page.locator("#text").fill("1. e4 e5 2. Ke3");
  await page.getByRole("button", { name: "Load" }).click();
  await expect(page.locator("#complaint")).toContainText("line 1: game 1");
  await page.locator("#typed").fill("Ke9");
  await page.keyboard.press("Enter");
  await expect(page.locator("#complaint")).toContainText("Ke9 is no legal move");
});

test("a position before the # counts like one after it, and views that are none are named", async ({ page }) => {
  await page.goto("/?fen=4k3/8/8/8/8/8/8/4KQ2+w+-+-+0+1#analyze");
  await expect(square(page, "f1")).toHaveAttribute("aria-label", "f1, white queen");
  await page.goto("/?fen=rubbish");
  await expect(page.locator("#complaint")).toContainText("The initial position is shown instead");
  await page.goto("/?fen=rubbish#tables?fen=8/3r4/8/8/8/2k5/8/K6Q_w_-_-_0_1");
  await expect(square(page, "h1")).toHaveAttribute("aria-label", "h1, white queen");
  await page.goto("/#nonsense");
  await expect(page.locator("#complaint")).toHaveText("There is no #nonsense here; the views are #play, #analyze, #tables. Play is shown instead.");
  await page.goto("/#8/8/%");
  await expect(page.locator("#complaint")).toBeVisible();
  await page.goto("/#play");
  await expect(page.locator("#complaint")).toBeHidden();
});

test("the number of lines is kept within its limits", async ({ page }) => {
  await page.goto("/#analyze");
  for (const [typed, shown] of [["0", "1"], ["-3", "1"], ["999", "10"], ["", "1"], ["2.4", "2"]]) {
    await page.locator("#multipv").fill(typed);
    await page.locator("#multipv").press("Enter");
    await expect(page.locator("#multipv")).toHaveValue(shown);
    await expect(page.locator("#lines li")).toHaveCount(Number(shown));
  }
});

test("another tab plays a game of its own", async ({ page, context }) => {
  await page.goto("/");
  await begin(page, {});
  await page.locator("#typed").fill("e4");
  await page.keyboard.press("Enter");
  await expect(moves(page)).toHaveCount(2);
  const other = await context.newPage();
  await other.goto("/");
  await expect(state(other)).toHaveText("Choose, then start a game.");
  await expect(moves(other)).toHaveCount(0);
  await page.reload();
  await expect(moves(page)).toHaveCount(2);
});

test("tables judge what is set up, and the address is shared", async ({ page }) => {
  await page.goto("/#tables?fen=8/3r4/8/8/8/2k5/8/K6Q_w_-_-_0_1");
  await expect(page.locator("#verdict .verdict")).toHaveText("White wins, DTZ 3 or 4");
  await expect(page.locator("#verdict h3").first()).toHaveText("Winning (15)");
  await page.locator("#mainline").click();
  await expect(page.locator("#line")).toHaveText(/^Qc6\+ .*#$/);
  await page.locator("[data-uci=h1c6]").click();
  await expect(page.locator("#verdict .verdict")).toHaveText(/^Black loses/);
  await page.locator("#back").click();
  await expect(page.locator("#verdict .verdict")).toHaveText(/^White wins/);
  await page.getByText("What is DTZ?").click();
  await expect(page.getByText("It is not the distance to mate")).toBeVisible();
  await page.locator("#tables-fen").fill("8/P7/8/8/8/8/7k/K7 w");
  await page.keyboard.press("Enter");
  await expect(page.locator("#verdict .verdict")).toHaveText("White wins, DTZ 1");
  await page.locator("#tables-fen").fill("8/P7 w");
  await page.keyboard.press("Enter");
  await expect(page.locator("#complaint")).toContainText("needs 8 ranks and has 2");
  await expect(page.locator("#verdict .verdict")).toHaveText("White wins, DTZ 1");
  await page.locator("#tables-fen").fill("8/3r4/8/8/8/2k5/8/K6Q w - - 0 1");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "black rook" }).click();
  await square(page, "d7").click();
  await expect(page).toHaveURL(/8\/8\/8\/8\/8\/2k5\/8\/K6Q/);
  await expect(page.locator("#verdict .verdict")).toHaveText(/^White wins/);
});

test("an analysis asks the tables", async ({ page }) => {
  await page.goto("/#analyze?start=8/3r4/8/8/8/2k5/8/K6Q_w_-_-_0_1");
  await expect(page.locator("#analyze-verdict .verdict")).toHaveText("White wins, DTZ 3 or 4");
  await page.locator("#analyze-verdict [data-uci=h1c6]").click();
  await expect(moves(page)).toHaveText(["Qc6+"]);
});

test("a token is asked for once", async ({ page }) => {
  const token = "correct horse battery staple";
  const server = spawn(process.env.SEXTANT_WEB ?? "../../../target/release/sextant-web", ["--bind", "127.0.0.1:0", "--token", token]);
  onTestFinished = () => void server.kill();
  const told = createInterface(server.stdout);
  const address = await new Promise<string>((found) => told.on("line", (line) => line.startsWith("Open ") && found(line.split(" ")[1])));
  page.removeAllListeners("request");
  await page.goto(`${address}#analyze`);
  for (const [says, tried] of [["This server asks for a token.", "wrong"], ["That is not the token of this server.", token]]) {
    await expect(page.locator("#token-form")).toBeVisible();
    await expect(page.locator("#connection")).toHaveText(says);
    await page.locator("#token").fill(tried);
    await page.locator("#token").press("Enter");
  }
  await expect(page.locator("#lines li")).toHaveCount(3);
  await page.reload();
  await expect(page.locator("#lines li")).toHaveCount(3);
  await page.evaluate(() => localStorage.clear());
  await page.evaluate(() => sessionStorage.clear());
  await page.goto(`${address}#token=${encodeURIComponent(token)}`);
  await page.reload();
  await expect(page.locator("#connection")).toHaveText(/^Sextant /);
  expect(page.url()).toBe(address);
});

test("pages share the engines, and one too many is told", async ({ context }) => {
  const pages = await Promise.all([1, 2, 3, 4].map(() => context.newPage()));
  for (const page of pages.slice(0, 3)) {
    await page.goto("/#analyze");
    await expect(page.locator("#lines li")).toHaveCount(3);
  }
  await pages[3].goto("/#analyze");
  await expect(pages[3].locator("#thinking")).toContainText("all 3 engines are thinking");
  // A closed page frees its engine at once.
  await pages[0].close();
  await pages[3].locator("#run").uncheck();
  await pages[3].locator("#run").check();
  await expect(pages[3].locator("#lines li")).toHaveCount(3);
});

for (const [view, scheme] of [["play", "light"], ["play", "dark"], ["analyze", "light"], ["analyze", "dark"], ["tables", "light"], ["tables", "dark"]] as const) {
  test(`the view ${view} is accessible in ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize(PHONE);
    await page.goto(view === "analyze" ? "/#analyze?moves=e2e4" : `/#${view}`);
    const ready = { play: "#state:not(:empty)", analyze: "#lines li", tables: "#verdict li" }[view];
    await page.locator(ready).first().waitFor();
    expect(await faults(page)).toEqual([]);
  });
}
