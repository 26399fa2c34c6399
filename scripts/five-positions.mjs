// Writes docs/how-to/five-positions.md and its pictures from the output of the real program.
// usage: node scripts/five-positions.mjs        (after `cargo build --release -p sextant` and `npm ci` in crates/web/page)
// Takes pngquant, and Chromium from CHROMIUM or /usr/bin/chromium.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = new URL("..", import.meta.url).pathname;
const { chromium } = createRequire(join(root, "crates/web/page/package.json"))("@playwright/test");

const POSITIONS = [
  {
    name: "mate",
    title: "A mate",
    fen: "r1b3kr/ppp1Bp1p/1b6/n2P4/2p3q1/2Q2N2/P4PPP/RN2R1K1 w - - 1 1",
    why: "Bf6",
    line: "Qxh8 Kxh8 Bf6",
    before: "The bishop wins the rook. What is wrong with it?",
    after: "The sacrifice has one answer. Each rival ends as soon as one answer shows that it mates no sooner.",
  },
  {
    name: "quiet",
    title: "A quiet position",
    fen: "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9",
    why: "e4",
    line: "e4 dxe4 Nxe4",
    before: "The break in the center costs a pawn.",
    after: "Reduced moves have fractions of plies left, and most nodes end because a move beat beta.",
  },
  {
    name: "tables",
    title: "An endgame with tables",
    fen: "8/8/8/4k3/1p6/1P6/3PK3/8 w - - 0 1",
    why: "d4",
    tables: "crates/syzygy/testdata",
    nodes: "30k",
    line: "d4 Kxd4",
    before: "Five men, and tables of four: the search finds its way to a capture, and the tables know what comes of it.",
    after: "With four men left the tables know the result, and the transposition table remembers what they said.",
  },
  {
    name: "zugzwang",
    title: "A zugzwang",
    fen: "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1",
    why: "Rf1",
    nodes: "1M",
    line: "Rf1 Rxf1 Kxf1",
    before: "King and rook hold king and rook in the corner; whoever runs out of pawn moves has to let go.",
    after: "After an exchange only pawns can move. White's other first moves lose even if Black passes: the null move beat beta.",
  },
  {
    name: "lost",
    title: "A lost position",
    fen: "7k/8/5KQ1/8/8/8/8/7r b - - 0 1",
    why: "Rh6",
    line: "Rf1 Ke6",
    before: "Every move loses; which of them lasts longest?",
    after: "The tree's scores are White's. Checks by the rook cost the most visits, because each of them has to be refuted.",
  },
];

const folder = mkdtempSync(join(tmpdir(), "five-"));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-lcd-text"] });
const page = await browser.newPage({ viewport: { width: 1000, height: 800 }, colorScheme: "light" });
page.on("pageerror", (error) => {
  throw error;
});
const parts = [];
for (const { name, title, fen, why, tables, nodes = "100k", line, before, after } of POSITIONS) {
  const tree = join(folder, `${name}.html`);
  const options = tables ? ["-o", `SyzygyPath=${tables}`] : [];
  const words = ["analyze", fen, "--nodes", nodes, "--why", why, "--tree"];
  const output = execFileSync("target/release/sextant", [...options, ...words, tree], { cwd: root, encoding: "utf8" });
  const sentences = output.slice(output.indexOf("\nWhy") + 1).split("\n\nThe line of")[0];
  await page.goto(`file://${tree}`);
  await page.getByLabel("Line", { exact: true }).fill(line);
  await page.keyboard.press("Enter");
  await page.getByRole("tree").press("ArrowRight");
  const said = await page.locator("[data-part=said]").textContent();
  if (said) throw new Error(`${name}: ${said}`);
  const picture = join(root, `docs/how-to/five-${name}.png`);
  await page.screenshot({ path: picture });
  execFileSync("pngquant", ["--force", "--output", picture, picture]);
  const command = ["sextant", ...options, `analyze "${fen}"`, ...words.slice(2), `${name}.html`].join(" ");
  parts.push(`## ${title}\n\n${before}\n\n\`\`\`text\n${command}\n\n${sentences}\n\`\`\`\n\n${after}\n\n![${title} as a tree](five-${name}.png)\n`);
}
await browser.close();
rmSync(folder, { recursive: true });
const intro = `# Five positions, seen from inside

[\`--why\` and \`--tree\`](see-it-think.md) on positions of different kind. \`scripts/five-positions.mjs\` writes this page
and its pictures from what the program says.
`;
writeFileSync(join(root, "docs/how-to/five-positions.md"), [intro, ...parts].join("\n"));
