// What the views of the page share: the board, the game, the engine, the address.

import type { Board } from "./board";
import { $, announce, complain, decoded, h, messageOf } from "./dom";
import type { Engine, GameText, Hello } from "./engine";
import { START, sideOf } from "./fen";
import { Game } from "./game";

export interface View {
  readonly name: string;
  /** Shows itself as its part of the address says. */
  enter(parameters: URLSearchParams): Promise<void>;
  leave(): void;
  /** The game or the shown position changed. */
  changed(): void;
  /** The user moves. */
  move(uci: string): Promise<void>;
  /** The engine can be reached (again). */
  ready(): void;
}

export class App {
  readonly game: Game;
  hello?: Hello;
  private views = new Map<string, View>();
  private view?: View;
  /** The view has shown what the address says. */
  private isEntered = false;

  constructor(
    readonly engine: Engine,
    readonly board: Board,
  ) {
    this.game = new Game(() => engine);
    board.onmove = (move) => void this.view?.move(move.uci);
    $("first").onclick = () => this.walk(0);
    $("previous").onclick = () => this.walk(this.game.ply - 1);
    $("next").onclick = () => this.walk(this.game.ply + 1);
    $("last").onclick = () => this.walk(this.game.moves.length);
    $("flip").onclick = () => {
      board.flip();
      this.changed();
    };
    $<HTMLFormElement>("enter").onsubmit = (event) => {
      event.preventDefault();
      this.typed();
    };
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", () => void this.route());
  }

  add(view: View) {
    this.views.set(view.name, view);
  }

  /** The engine can be reached: shows what the address says, or goes on with it. */
  async ready(hello: Hello) {
    this.hello = hello;
    complain("");
    if (this.isEntered) this.view?.ready();
    else await this.route();
  }

  open(name: string, parameters: Record<string, string>) {
    const hash = `#${name}${query(parameters)}`;
    if (hash === location.hash) void this.route();
    else location.hash = hash;
  }

  /** Puts what is shown into the address. */
  address(parameters: Record<string, string>, push: boolean) {
    const hash = `#${this.view?.name}${query(parameters)}`;
    if (hash === location.hash) return;
    if (push) history.pushState(null, "", hash);
    else history.replaceState(null, "", hash);
  }

  private async route() {
    const [name, text] = location.hash.slice(1).split("?");
    // Addresses of the table page of old are a FEN.
    const old = name.includes("/") ? decoded(name) : "";
    const named = this.views.get(old ? "tables" : name || "play");
    const view = named ?? this.views.get("play")!;
    const names = [...this.views.keys()].map((name) => `#${name}`).join(", ");
    complain(named ? "" : `There is no #${name} here; the views are ${names}. Play is shown instead.`);
    this.view?.leave();
    this.view = view;
    document.title = `${view.name[0].toUpperCase()}${view.name.slice(1)} - Sextant`;
    for (const panel of document.querySelectorAll<HTMLElement>("[data-view]")) {
      panel.hidden = !panel.dataset.view!.split(" ").includes(view.name);
    }
    for (const link of document.querySelectorAll("nav a")) {
      const isHere = link.getAttribute("href") === `#${view.name}`;
      if (isHere) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    // Without an engine there is nothing to show yet.
    this.isEntered = this.hello !== undefined;
    if (this.isEntered) await view.enter(new URLSearchParams(old ? { fen: old.replaceAll("_", " ") } : text));
  }

  /** Takes over a game; one that is none is told, and the initial position stands for it. */
  async set(text: GameText, ply?: number) {
    try {
      if (await this.game.set(text, ply)) this.changed();
    } catch (error) {
      complain(`${messageOf(error)}. The initial position is shown instead.`);
      if (await this.game.set({ start: START, moves: [] }).catch(() => false)) this.changed();
    }
  }

  async walk(ply: number) {
    if (await this.game.walk(ply).catch(() => false)) {
      this.changed();
      this.tell();
    }
  }

  async play(uci: string): Promise<boolean> {
    try {
      if (!(await this.game.play(uci))) return false;
    } catch (error) {
      complain(messageOf(error));
      return false;
    }
    complain("");
    this.changed();
    this.tell();
    return true;
  }

  /** Says what was played last. */
  private tell() {
    const { game } = this;
    const { san } = game.position;
    const end = game.end ? `. ${endText(game.end)}` : "";
    announce(san ? `${game.number(game.ply - 1)} ${san}${end}` : "The position before the first move");
  }

  changed() {
    this.list();
    const { game } = this;
    for (const id of ["first", "previous"]) $<HTMLButtonElement>(id).disabled = game.ply === 0;
    for (const id of ["next", "last"]) $<HTMLButtonElement>(id).disabled = game.isAtEnd;
    this.view?.changed();
  }

  private list() {
    const { game } = this;
    const items = game.plies.slice(1).map((it, index) => {
      const isWhite = sideOf(game.plies[index].fen) === "w";
      const number = isWhite || index === 0 ? h("span", { className: "number" }, game.number(index)) : "";
      const button = h("button", { type: "button" }, it.san ?? "");
      button.onclick = () => void this.walk(index + 1);
      if (index + 1 === game.ply) button.setAttribute("aria-current", "step");
      return h("li", {}, number, button);
    });
    const held = $("moves").contains(document.activeElement);
    $("moves").replaceChildren(...items);
    const current = $("moves").querySelector<HTMLElement>("[aria-current]");
    if (held) (current ?? $("moves").querySelector("button"))?.focus();
    if (current) $("moves").scrollTop = current.offsetTop - $("moves").clientHeight / 2;
  }

  /** Arrow keys walk through the game wherever they mean nothing else. */
  private key(event: KeyboardEvent) {
    const target = event.target as Element;
    if (target.closest("input, select, textarea, dialog, nav") || event.altKey || event.ctrlKey || event.metaKey) return;
    const to: Record<string, number> = { ArrowLeft: this.game.ply - 1, ArrowRight: this.game.ply + 1, Home: 0, End: this.game.moves.length };
    if (!(event.key in to) || this.view?.name === "tables") return;
    event.preventDefault();
    void this.walk(to[event.key]);
  }

  private typed() {
    const input = $<HTMLInputElement>("typed");
    const word = input.value.trim();
    const bare = (text: string) => text.replace(/[+#!?=x-]/g, "").replaceAll("0", "O");
    const move = this.legal.find((it) => bare(it.san) === bare(word) || it.uci === bare(word).toLowerCase());
    if (!move) {
      complain(word ? `${word} is no legal move here; write it as in Nf3, exd5, O-O, e8=Q or g1f3` : "Write a move, such as Nf3");
      return;
    }
    input.value = "";
    complain("");
    void this.view?.move(move.uci);
  }

  /** The moves that the user may make now. */
  legal: Game["legal"] = [];
}

const query = (parameters: Record<string, string>) => {
  const pairs = Object.entries(parameters).filter(([, value]) => value !== "");
  // Slashes and commas may stand in a fragment; blanks are underscores, so that links survive mail.
  const words = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.replaceAll(" ", "_")).replaceAll("%2F", "/").replaceAll("%2C", ",")}`);
  return words.length ? `?${words.join("&")}` : "";
};

/** How a game ended, in words. */
export function endText(end: { result: string; reason: string }): string {
  const reason = end.reason[0].toUpperCase() + end.reason.slice(1);
  const who = end.result === "1-0" ? "White wins" : end.result === "0-1" ? "Black wins" : "Draw";
  return `${reason}. ${who} (${end.result})`;
}
