// A game against the engine.

import { endText, type App, type View } from "./app";
import { $, THIS_TAB, announce, complain, messageOf, recall, remember } from "./dom";
import type { End, Go, Info, Limits, Search } from "./engine";
import { START, isBare, nameOf, other, sideOf, type Side } from "./fen";
import { judgement } from "./score";

interface Settings {
  color: "w" | "b" | "random";
  strength: "full" | "elo" | "skill";
  elo: number;
  skill: number;
  time: "clock" | "movetime" | "nodes";
  minutes: number;
  increment: number;
  seconds: number;
  nodes: number;
  position: "standard" | "chess960" | "fen";
  number: string;
  fen: string;
}

/** Milliseconds left. */
type Clocks = Record<Side, number>;

interface State {
  settings: Settings;
  color: Side;
  start: string;
  moves: string[];
  /** At the begin of each move; one entry more than moves. */
  clocks: Clocks[];
  /** When the side to move began to think; `null` while no clock runs. */
  since: number | null;
  over: End | null;
}

const NUMBERS = ["elo", "skill", "minutes", "increment", "seconds", "nodes"] as const;
const CHOICES = ["color", "strength", "time", "position", "number", "fen"] as const;

export class PlayView implements View {
  readonly name = "play";
  private state?: State;
  private search?: Search;
  private form = $<HTMLFormElement>("setup");

  constructor(private app: App) {
    const kept = recall<Settings>("settings");
    if (kept) for (const name of [...NUMBERS, ...CHOICES]) this.field(name).value = String(kept[name] ?? this.field(name).value);
    this.form.onchange = () => this.unfold();
    this.form.onsubmit = (event) => {
      event.preventDefault();
      void this.begin(this.settings());
    };
    $("takeback").onclick = () => void this.takeBack();
    $("resign").onclick = () => this.finish({ result: this.lossOf(this.state!.color), reason: "resignation" });
    $("review").onclick = () => app.open("analyze", { start: app.game.start, moves: app.game.moves.join(",") });
    this.unfold();
    setInterval(() => this.tick(), 100);
  }

  async enter(parameters: URLSearchParams) {
    const fen = parameters.get("fen");
    const kept = recall<State>("game", THIS_TAB);
    if (fen) {
      this.field("position").value = "fen";
      this.field("fen").value = fen.replaceAll("_", " ");
      this.unfold();
    }
    if (kept && !fen) {
      this.state = kept;
      await this.load();
    } else {
      this.state = undefined;
      await this.app.set({ start: fen ?? START, moves: [] });
    }
    this.app.board.flip(this.state?.color ?? "w");
  }

  leave() {
    this.search?.drop();
    this.search = undefined;
    $("clock-top").hidden = $("clock-bottom").hidden = true;
  }

  ready() {
    void this.load();
  }

  private field(name: string): HTMLInputElement {
    return this.form.elements.namedItem(name) as HTMLInputElement;
  }

  private settings(): Settings {
    const numbers = NUMBERS.map((name) => [name, Number(this.field(name).value)]);
    const choices = CHOICES.map((name) => [name, this.field(name).value]);
    return Object.fromEntries([...numbers, ...choices]) as Settings;
  }

  /** Shows the fields that the choices ask for. */
  private unfold() {
    const { strength, time, position, elo, skill } = this.settings();
    for (const row of this.form.querySelectorAll<HTMLElement>("[data-for]")) {
      row.hidden = ![strength, time, position].includes(row.dataset.for as never);
      for (const input of row.querySelectorAll("input")) input.disabled = row.hidden;
    }
    $("elo-value").textContent = String(elo);
    $("skill-value").textContent = String(skill);
  }

  private async begin(settings: Settings) {
    this.leave();
    remember("settings", settings);
    const color = settings.color === "random" ? (Math.random() < 0.5 ? "w" : "b") : settings.color;
    const number = settings.number === "" ? Math.floor(960 * Math.random()) : settings.number;
    const starts = { standard: START, chess960: `chess960:${number}`, fen: settings.fen.trim() };
    const all = 60_000 * settings.minutes;
    try {
      await this.app.game.set({ start: starts[settings.position], moves: [] });
    } catch (error) {
      return complain(messageOf(error));
    }
    complain("");
    this.app.board.flip(color);
    this.state = { settings, color, start: this.app.game.start, moves: [], clocks: [{ w: all, b: all }], since: null, over: null };
    history.replaceState(null, "", "#play");
    announce(`A new game. You play ${nameOf(color)}.`);
    this.go();
  }

  /** Goes on with the game that was kept. */
  private async load() {
    const { state } = this;
    if (!state) return this.app.changed();
    try {
      await this.app.game.set({ start: state.start, moves: state.moves });
    } catch (error) {
      return complain(messageOf(error));
    }
    this.go();
  }

  /** Whoever is to move begins to think, unless the game is over. */
  private go() {
    const { state } = this;
    if (!state) return;
    state.over ??= this.app.game.end;
    if (state.over) state.since = null;
    else if (state.settings.time === "clock" && state.moves.length > 0) state.since ??= Date.now();
    remember("game", state, THIS_TAB);
    this.app.changed();
    if (!state.over && this.side !== state.color) void this.think();
  }

  private get side(): Side {
    const { plies } = this.app.game;
    return sideOf(plies[plies.length - 1].fen);
  }

  async move(uci: string) {
    if (this.search || !this.state || this.state.over) return;
    await this.press(uci);
  }

  /** Plays a move of either side and presses the clock. */
  private async press(uci: string) {
    const state = this.state!;
    const [side, clocks] = [this.side, this.left()];
    if (!(await this.app.play(uci))) return;
    if (state.moves.length > 0) clocks[side] += 1_000 * state.settings.increment;
    state.moves = [...this.app.game.moves];
    state.clocks.push(clocks);
    state.since = null;
    this.go();
  }

  private async think() {
    const { app, state } = this;
    if (!state || this.search) return;
    const go: Go = { game: app.game.text, limits: this.limits(state.settings), options: options(state.settings) };
    const search = app.engine.search(go, (info) => this.hear(info));
    this.search = search;
    this.status();
    try {
      const best = await search.best;
      if (this.search !== search) return;
      this.search = undefined;
      if (best) {
        await app.game.walk(app.game.moves.length);
        await this.press(best);
      }
    } catch (error) {
      if (this.search === search) this.search = undefined;
      complain(messageOf(error));
      // All engines may be busy; the game goes on when one is free.
      if (app.hello && this.state === state) setTimeout(() => this.state === state && !state.over && this.side !== state.color && void this.think(), 2_000);
    }
  }

  private limits({ time, seconds, nodes, increment }: Settings): Limits {
    if (time === "movetime") return { movetime: Math.round(1_000 * seconds) };
    if (time === "nodes") return { nodes };
    return { clock: Math.max(1, Math.round(this.left()[this.side])), increment: 1_000 * increment };
  }

  private hear(info: Info) {
    const { text } = judgement(info, this.side);
    $("thought").textContent = `depth ${info.depth}, ${text}, ${info.san.slice(0, 6).join(" ")}`;
  }

  /** The clocks now. */
  private left(): Clocks {
    const state = this.state!;
    const clocks = { ...state.clocks[state.clocks.length - 1] };
    if (state.since !== null) clocks[this.side] -= Date.now() - state.since;
    return clocks;
  }

  private async takeBack() {
    const state = this.state!;
    const was = this.side;
    this.search?.drop();
    this.search = undefined;
    // Back to the user's last decision.
    const count = was === state.color ? 2 : 1;
    const length = Math.max(0, state.moves.length - count);
    state.moves = state.moves.slice(0, length);
    state.clocks = state.clocks.slice(0, length + 1);
    state.since = null;
    state.over = null;
    await this.load();
    announce("Taken back");
  }

  private lossOf(side: Side) {
    return side === "w" ? "0-1" : "1-0";
  }

  private finish(over: End) {
    this.search?.drop();
    this.search = undefined;
    this.state!.clocks[this.state!.clocks.length - 1] = this.left();
    this.state!.over = over;
    this.go();
    announce(endText(over));
  }

  private tick() {
    const { state, app } = this;
    if (!state || state.since === null || $("play-panel").hidden) return;
    this.clocks();
    const side = this.side;
    if (this.left()[side] > 0) return;
    const { plies } = app.game;
    const isDraw = isBare(plies[plies.length - 1].fen, other(side));
    const reason = `${nameOf(side)} is out of time`;
    this.finish(isDraw ? { result: "1/2-1/2", reason: `${reason}, but nobody can mate` } : { result: this.lossOf(side), reason });
  }

  changed() {
    const { app, state } = this;
    const { game } = app;
    const mayMove = !!state && !state.over && game.isAtEnd && game.side === state.color && !this.search;
    app.legal = mayMove ? game.legal : [];
    app.board.show({ fen: game.position.fen, legal: app.legal, last: game.position.uci, check: game.position.check });
    app.board.point([]);
    const isPlaying = !!state && !state.over;
    $<HTMLButtonElement>("takeback").disabled = !state || state.moves.length < (state.color === "w" ? 1 : 2);
    $<HTMLButtonElement>("resign").disabled = !isPlaying;
    $<HTMLButtonElement>("review").disabled = game.moves.length === 0;
    this.status();
    this.clocks();
  }

  private status() {
    const { state, app } = this;
    if (this.search === undefined) $("thought").textContent = "";
    let text = "Choose, then start a game.";
    if (app.hello?.engines === 0) text = "This server has no engine; it serves the tables alone.";
    else if (state?.over) text = endText(state.over);
    else if (state && this.side !== state.color) text = "Sextant thinks …";
    else if (state) text = `${app.game.position.check ? "Check. " : ""}Your move: ${nameOf(state.color)}`;
    if ($("state").textContent !== text) $("state").textContent = text;
  }

  private clocks() {
    const { state, app } = this;
    const isShown = !!state && state.settings.time === "clock";
    const top = app.board.isFlipped ? "w" : "b";
    for (const [id, side] of [["clock-top", top], ["clock-bottom", other(top)]] as [string, Side][]) {
      $(id).hidden = !isShown;
      if (!isShown) continue;
      const who = side === state.color ? "You" : "Sextant";
      const text = `${who} (${nameOf(side)}): ${clock(this.left()[side])}`;
      if ($(id).textContent !== text) $(id).textContent = text;
      $(id).classList.toggle("running", state.since !== null && this.side === side);
    }
  }
}

function options({ strength, elo, skill }: Settings): Go["options"] {
  if (strength === "elo") return { UCI_LimitStrength: true, UCI_Elo: elo };
  return strength === "skill" ? { "Skill Level": skill } : {};
}

function clock(milliseconds: number): string {
  const all = Math.max(0, milliseconds) / 1_000;
  const [minutes, seconds] = [Math.floor(all / 60), all % 60];
  return all < 20 ? `0:${seconds.toFixed(1).padStart(4, "0")}` : `${minutes}:${String(Math.floor(seconds)).padStart(2, "0")}`;
}
