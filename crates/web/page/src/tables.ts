// What the endgame tables say: the verdict, the moves grouped in words, and a board to set up positions on.

import type { App, View } from "./app";
import { $, complain, h, messageOf, piece } from "./dom";
import { colorOf, nameOf, pieceName, placement, sideOf, squares } from "./fen";

interface Judged {
  error?: string;
  problem?: string;
  category: string;
  dtz: number | null;
  precise_dtz: number | null;
  checkmate: boolean;
  stalemate: boolean;
  insufficient_material: boolean;
  moves: (Judged & { uci: string; san: string })[];
}

const VERDICTS: Record<string, string> = {
  win: "wins",
  "syzygy-win": "wins (the 50-move clock is not counted)",
  "maybe-win": "wins, or is a ply too late for the 50-move rule",
  "cursed-win": "would win, but for the 50-move rule",
  draw: "draws",
  "blessed-loss": "would lose, but for the 50-move rule",
  "maybe-loss": "loses, or is saved by a ply by the 50-move rule",
  "syzygy-loss": "loses (the 50-move clock is not counted)",
  loss: "loses",
  unknown: "is not known to the tables",
};

// A move's category is the opponent's.
const GROUPS: [string, string, string[]][] = [
  ["won", "Winning", ["loss", "syzygy-loss", "maybe-loss"]],
  ["drawn", "Winning, but for the 50-move rule", ["blessed-loss"]],
  ["drawn", "Drawing", ["draw"]],
  ["drawn", "Losing, but for the 50-move rule", ["cursed-win"]],
  ["lost", "Losing", ["win", "syzygy-win", "maybe-win"]],
  ["unknown", "Unknown", ["unknown"]],
];

let asked = 0;

/** Asks for a verdict and shows it. */
export async function showVerdict(root: HTMLElement, fen: string, play: (uci: string) => void) {
  const number = ++asked;
  const address = `standard?fen=${encodeURIComponent(fen)}`;
  const reply: Judged = await fetch(address)
    .then((reply) => reply.json())
    .catch((error) => ({ error: `the tables are out of reach: ${messageOf(error)}` }));
  if (number !== asked) return;
  root.replaceChildren(h("p", { className: "verdict", role: "status" }, verdict(reply, fen)));
  for (const [kind, name, categories] of GROUPS) {
    const moves = (reply.moves ?? []).filter((move) => categories.includes(move.category));
    if (moves.length === 0) continue;
    const buttons = moves.map((move) => {
      const words = move.checkmate ? "mate" : move.dtz ? `DTZ ${Math.abs(move.dtz)}` : "";
      const button = h("button", { type: "button", className: kind }, move.san, h("small", {}, words && ` ${words}`));
      button.dataset.uci = move.uci;
      button.onclick = () => play(move.uci);
      return h("li", {}, button);
    });
    root.append(h("h3", {}, `${name} (${moves.length})`), h("ul", { className: "tabled" }, ...buttons));
  }
}

function verdict(reply: Judged, fen: string): string {
  if (reply.error) return reply.error;
  if (reply.checkmate) return "Checkmate";
  if (reply.stalemate) return "Stalemate: a draw";
  if (reply.insufficient_material) return "Nobody can mate: a draw";
  // Many tables count full moves.
  const plies = Math.abs(reply.dtz ?? 0);
  const more = reply.precise_dtz === null ? ` or ${plies + 1}` : "";
  const dtz = plies ? `, DTZ ${plies}${more}` : "";
  const problem = reply.category === "unknown" && reply.problem ? `: ${reply.problem}` : "";
  return `${nameOf(sideOf(fen))} ${VERDICTS[reply.category]}${dtz}${problem}`;
}

const FIRST = "8/3r4/8/8/8/2k5/8/K6Q w - - 0 1";

export class TablesView implements View {
  readonly name = "tables";
  private hand: string | null = null;
  private line = "";

  constructor(private app: App) {
    const letters = [..."KQRBNPkqrbnp"];
    const buttons = letters.map((letter) => this.tool(letter, pieceName(letter), piece(letter)));
    $("palette").append(...buttons, this.tool("", "empty square", "✕"));
    for (const input of document.getElementsByName("side")) input.onchange = () => this.turn((input as HTMLInputElement).value);
    $("kings").onclick = () => this.setUp("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    $("back").onclick = () => history.back();
    $("mainline").onclick = () => void this.showLine();
    $("tables-load").onsubmit = (event) => {
      event.preventDefault();
      void this.load(($("tables-fen") as HTMLInputElement).value);
    };
    $("tables-analyze").onclick = () => this.app.open("analyze", { start: this.fen });
  }

  private get fen() {
    return this.app.game.position.fen;
  }

  async enter(parameters: URLSearchParams) {
    await this.app.set({ start: parameters.get("fen") ?? FIRST, moves: [] });
  }

  ready() {
    void this.app.set(this.app.game.text);
  }

  leave() {
    this.pick(null);
  }

  changed() {
    const { app, fen } = this;
    app.address({ fen }, false);
    ($("tables-fen") as HTMLInputElement).value = fen;
    app.board.show({ fen, legal: app.game.legal, check: app.game.position.check });
    app.board.point([]);
    for (const input of document.getElementsByName("side")) (input as HTMLInputElement).checked = (input as HTMLInputElement).value === sideOf(fen);
    if (this.line !== fen) $("line").textContent = "";
    void showVerdict($("verdict"), fen, (uci) => void this.move(uci));
  }

  async move(uci: string) {
    // Each position has an address of its own, so that the browser's back takes a move back.
    const reply = await this.app.engine.position({ start: this.fen, moves: [uci] }).catch((error) => complain(messageOf(error)));
    if (reply) this.setUp(reply.plies[1].fen);
  }

  // What is no position changes nothing.
  private async load(start: string) {
    const reply = await this.app.engine.position({ start, moves: [] }).catch((error) => complain(messageOf(error)));
    if (reply) this.setUp(reply.plies[0].fen);
  }

  private setUp(fen: string) {
    this.app.open("tables", { fen });
  }

  private turn(side: string) {
    this.setUp(`${this.fen.split(" ")[0]} ${side} - - 0 1`);
  }

  private tool(letter: string, name: string, content: Node | string) {
    const button = h("button", { type: "button", "aria-label": name, "aria-pressed": "false" }, content);
    button.dataset.piece = letter;
    button.onclick = () => this.pick(this.hand === letter ? null : letter);
    return button;
  }

  private pick(letter: string | null) {
    this.hand = letter;
    for (const button of $("palette").querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.dataset.piece === letter));
    }
    this.app.board.onsquare = letter === null ? null : (square) => this.put(square);
  }

  private put(square: string) {
    const hand = this.hand ?? "";
    const found = squares(this.fen);
    // There is one king a side: setting it moves it.
    if (hand.toLowerCase() === "k") for (const [at, letter] of found) if (letter === hand) found.delete(at);
    if (hand === "" || found.get(square) === hand) found.delete(square);
    else if (found.get(square)?.toLowerCase() !== "k" || colorOf(found.get(square)!) === colorOf(hand)) found.set(square, hand);
    this.setUp(`${placement(found)} ${sideOf(this.fen)} - - 0 1`);
  }

  private async showLine() {
    const address = `standard/mainline?fen=${encodeURIComponent(this.fen)}`;
    const reply = await fetch(address).then((reply) => reply.json()).catch((error) => ({ error: messageOf(error) }));
    this.line = this.fen;
    $("line").textContent = reply.error ?? (reply.mainline.map((step: { san: string }) => step.san).join(" ") || "no line");
  }
}
