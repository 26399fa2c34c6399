// A game with a shown position: what the views share.

import type { Engine, GameText, LegalMove, PositionReply } from "./engine";
import { START, numberOf, sideOf } from "./fen";

export class Game {
  start = START;
  moves: string[] = [];
  /** Moves before the shown position. */
  ply = 0;
  private whole?: PositionReply;
  private here?: PositionReply;
  private changes = 0;

  constructor(private engine: () => Engine) {}

  get text(): GameText {
    return { start: this.start, moves: this.moves };
  }

  /** The game up to the shown position. */
  get shown(): GameText {
    return { start: this.start, moves: this.moves.slice(0, this.ply) };
  }

  get plies() {
    return this.whole?.plies ?? [{ fen: this.start, check: false }];
  }

  get position() {
    return this.plies[this.ply] ?? this.plies[0];
  }

  get side() {
    return sideOf(this.position.fen);
  }

  get legal(): LegalMove[] {
    return this.here?.legal ?? [];
  }

  /** How the game ends in the shown position. */
  get end() {
    return this.here?.end ?? null;
  }

  get isAtEnd() {
    return this.ply === this.moves.length;
  }

  /** Takes over a game; `false` if another change came before the engine had answered. */
  async set(text: GameText, ply = text.moves.length): Promise<boolean> {
    const change = ++this.changes;
    const shown = { start: text.start, moves: text.moves.slice(0, ply) };
    const whole = await this.engine().position(text);
    const here = ply < text.moves.length ? await this.engine().position(shown) : whole;
    if (change !== this.changes) return false;
    // A drawn Chess960 position or a FEN without counters is complete from here on.
    this.start = whole.plies[0].fen;
    this.moves = whole.plies.slice(1).map((it) => it.uci ?? "");
    this.ply = here.plies.length - 1;
    this.whole = whole;
    this.here = here;
    return true;
  }

  /** Shows another position of the game. */
  walk(ply: number): Promise<boolean> {
    const within = Math.max(0, Math.min(ply, this.moves.length));
    return within === this.ply ? Promise.resolve(false) : this.set(this.text, within);
  }

  /** Plays a move in the shown position; the rest of the game is dropped unless it begins with it. */
  play(uci: string): Promise<boolean> {
    if (this.moves[this.ply] === uci) return this.walk(this.ply + 1);
    return this.set({ start: this.start, moves: [...this.moves.slice(0, this.ply), uci] });
  }

  /** The number before a move, such as `12.` or `12...`. */
  number(ply: number): string {
    const { fen } = this.plies[ply];
    return `${numberOf(fen)}${sideOf(fen) === "w" ? "." : "..."}`;
  }

  /** The game with tags of its own; those of its result and its start are added. */
  pgn(result: string, own: [string, string][]): string {
    const isNormal = this.start === START;
    const ours = [["Result", result], ...(isNormal ? [] : [["SetUp", "1"], ["FEN", this.start]])];
    const kept = own.filter(([name]) => !["result", "setup", "fen"].includes(name.toLowerCase()));
    const tags = [...kept, ...ours].map(([name, value]) => `[${name} "${value.replace(/["\\]/g, "\\$&")}"]`);
    const words = this.plies.slice(1).map((it, index) => {
      const number = index === 0 || sideOf(this.plies[index].fen) === "w" ? `${this.number(index)} ` : "";
      return number + it.san;
    });
    return `${tags.join("\n")}\n\n${[...words, result].join(" ")}\n`;
  }
}
