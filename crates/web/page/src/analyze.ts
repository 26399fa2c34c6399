// A game under the engine's eyes.

import { explore } from "../../../view/assets/tree.js";
import { endText, type App, type View } from "./app";
import { $, complain, h, messageOf, recall, remember } from "./dom";
import type { End, Info, PgnGame, Search } from "./engine";
import { START, nameOf, squares } from "./fen";
import { Graph } from "./graph";
import { big, judgement, scoreText, type Judgement } from "./score";
import { showVerdict } from "./tables";

/** Nodes for each position when the whole game is judged. */
const GAME_NODES = 200_000;
/** Characters of a PGN; the server takes messages of 256 KiB. */
const MAX_TEXT = 120_000;
/** Broken games of a PGN that are named. */
const MAX_FAULTS = 3;

export class AnalyzeView implements View {
  readonly name = "analyze";
  private graph = new Graph($("graph"));
  private search?: Search;
  private lines: Info[] = [];
  private judged: (Judgement | undefined)[] = [];
  private games: PgnGame[] = [];
  /** The game that was loaded; other moves may have been tried since. */
  private loaded?: PgnGame;
  /** The position that is being judged with the whole game. */
  private judging: number | null = null;
  private isActive = false;
  private tabled = "";
  private showTree = explore($("search"), (fen, last, label) => this.showNode(fen, last, label));

  constructor(private app: App) {
    this.graph.onjump = (ply) => void app.walk(ply);
    const kept = recall<{ run: boolean; multipv: string; budgets: boolean }>("analysis");
    if (kept) {
      $<HTMLInputElement>("run").checked = kept.run;
      $<HTMLInputElement>("multipv").value = kept.multipv;
      $<HTMLInputElement>("budgets").checked = kept.budgets;
    }
    for (const id of ["run", "multipv", "budgets"]) {
      $(id).onchange = () => {
        $<HTMLInputElement>("multipv").value = String(this.wanted);
        const [run, budgets] = ["run", "budgets"].map((id) => $<HTMLInputElement>(id).checked);
        remember("analysis", { run, budgets, multipv: $<HTMLInputElement>("multipv").value });
        this.restart();
      };
    }
    // A search is recorded only while somebody wants to see it as a tree.
    $("explorer").ontoggle = () => this.isActive && this.judging === null && this.restart();
    $("explore").onclick = () => ($("search").hidden ? this.search?.stop() : this.restart());
    $("budget-ply").oninput = () => this.bars();
    $("judge").onclick = () => void this.judgeGame();
    $("play-on").onclick = () => app.open("play", { fen: app.game.position.fen });
    $("copy-fen").onclick = () => void this.copy(app.game.position.fen, "FEN");
    $("copy-pgn").onclick = () => void this.copy(this.pgn(), "PGN");
    $("copy-link").onclick = () => void this.copy(location.href, "link");
    $<HTMLFormElement>("load").onsubmit = (event) => {
      event.preventDefault();
      void this.load($<HTMLTextAreaElement>("text").value.trim());
    };
    $("games").onchange = () => this.choose(Number($<HTMLSelectElement>("games").value));
    // A search that nobody sees ends.
    document.addEventListener("visibilitychange", () => this.isActive && this.judging === null && this.restart());
  }

  async enter(parameters: URLSearchParams) {
    this.isActive = true;
    const start = parameters.get("start") ?? parameters.get("fen") ?? START;
    const moves = (parameters.get("moves") ?? "").split(",").filter(Boolean);
    this.judged = [];
    this.loaded = undefined;
    const ply = Number(parameters.get("ply") ?? moves.length);
    await this.app.set({ start, moves }, Number.isInteger(ply) ? Math.max(0, Math.min(ply, moves.length)) : moves.length);
    this.recallLoaded();
  }

  leave() {
    this.isActive = false;
    this.judging = null;
    this.drop();
    $("bar").hidden = true;
  }

  ready() {
    void this.app.set(this.app.game.text, this.app.game.ply);
  }

  private drop() {
    this.search?.drop();
    this.search = undefined;
  }

  async move(uci: string) {
    await this.app.play(uci);
  }

  changed() {
    const { app } = this;
    const { game } = app;
    const { fen } = game.position;
    app.legal = game.legal;
    this.showGame();
    const isNormal = game.start === START;
    const moves = game.moves.join(",");
    app.address({ start: isNormal ? "" : game.start, moves, ply: game.isAtEnd ? "" : String(game.ply) }, false);
    this.keepLoaded();
    this.recallJudged();
    this.draw();
    // Whoever walks elsewhere ends the judging of the game.
    if (game.ply !== this.judging) this.judging = null;
    if (this.judging === null) this.restart();
    const isTabled = !!app.hello && squares(fen).size <= app.hello.men;
    $("tabled").hidden = !isTabled;
    if (isTabled && this.tabled !== fen) void showVerdict($("analyze-verdict"), fen, (uci) => void this.move(uci));
    this.tabled = isTabled ? fen : "";
  }

  /** Is the game the one that was loaded, to its last move? */
  private get isAsLoaded() {
    const { start, moves } = this.app.game;
    return this.loaded?.start === start && this.loaded.moves.join() === moves.join();
  }

  private pgn() {
    const { game } = this.app;
    return this.loaded && this.isAsLoaded ? this.loaded.text : game.pgn(game.end?.result ?? "*", this.loaded?.tags ?? []);
  }

  /** Remembers whose game it is, and shows it. */
  private keepLoaded() {
    const { loaded, app } = this;
    if (loaded) remember("loaded", { game: JSON.stringify(app.game.text), loaded });
    const names = loaded ? `${tag(loaded, "White")} – ${tag(loaded, "Black")}` : "";
    $("players").textContent = loaded ? `${names}, ${this.isAsLoaded ? tag(loaded, "Result") : "with other moves"}` : "";
  }

  /** After a reload the address has the moves alone. */
  private recallLoaded() {
    const kept = recall<{ game: string; loaded: PgnGame }>("loaded");
    if (kept?.game !== JSON.stringify(this.app.game.text)) return;
    this.loaded = kept.loaded;
    this.keepLoaded();
  }

  private showGame() {
    const { game, board } = this.app;
    const { fen, uci, check } = game.position;
    board.show({ fen, legal: game.legal, last: uci, check });
    $("board").removeAttribute("aria-description");
  }

  /** How many lines are to be shown. */
  private get wanted(): number {
    return Math.max(1, Math.min(10, Math.round(Number($<HTMLInputElement>("multipv").value)) || 1));
  }

  /** Searches the shown position, if that is wanted and anybody can see it. */
  private restart() {
    this.drop();
    if (!$("search").hidden) this.showGame();
    $("search").hidden = true;
    this.lines = [];
    const { app } = this;
    const { game } = app;
    this.show();
    if (game.end) this.noteEnd(game.end);
    const isWanted = $<HTMLInputElement>("run").checked && !document.hidden && !game.end && (app.hello?.engines ?? 0) > 0;
    $("thinking").textContent = game.end ? endText(game.end) : isWanted ? "Sextant thinks …" : "Analysis is off";
    this.explored(isWanted ? "The search is recorded, with one thread." : "No search is running.", isWanted);
    if (!isWanted) return;
    const multipv = this.wanted;
    const budgets = $<HTMLInputElement>("budgets").checked;
    const tree = $<HTMLDetailsElement>("explorer").open;
    const hear = (info: Info) => this.hear(info);
    const search = app.engine.search({ game: game.shown, multipv, budgets, tree }, hear, (tree) => {
      if (this.search !== search) return;
      $("search").hidden = false;
      this.explored("The search as it was when it stopped. The board shows the selected node.", true);
      this.showTree(tree);
    });
    this.search = search;
    search.best.catch((error) => {
      if (this.search === search) $("thinking").textContent = messageOf(error);
    });
  }

  private explored(text: string, isSearched: boolean) {
    $("explorer-state").textContent = text;
    $("explore").textContent = $("search").hidden ? "Stop and walk through it" : "Search again";
    $<HTMLButtonElement>("explore").disabled = !isSearched;
  }

  /** The board follows the node of the tree that is selected. */
  private showNode(fen: string, last: number[], label: string) {
    const name = (at: number) => "abcdefgh"[at % 8] + (8 - (at >> 3));
    this.app.board.show({ fen, legal: [], last: last.map(name).join(""), check: false });
    this.app.board.point([]);
    $("board").setAttribute("aria-description", label);
  }

  private hear(info: Info) {
    if (info.bound && this.lines[info.multipv - 1]) return;
    this.lines[info.multipv - 1] = info;
    if (info.multipv === 1 && !info.bound) this.note(judgement(info, this.app.game.side));
    this.show();
  }

  /** Keeps what is known of the shown position. */
  private note(judged: Judgement) {
    const { game } = this.app;
    if ((this.judged[game.ply]?.depth ?? -1) <= judged.depth) this.judged[game.ply] = judged;
    remember("judged", { game: JSON.stringify(game.text), judged: this.judged });
    this.draw();
  }

  private noteEnd({ result }: End) {
    this.note({ depth: 999, text: result, expected: { "1-0": 1, "0-1": 0 }[result] ?? 0.5 });
  }

  private recallJudged() {
    const { game } = this.app;
    const kept = recall<{ game: string; judged: (Judgement | null)[] }>("judged");
    if (kept?.game === JSON.stringify(game.text)) this.judged = kept.judged.map((it) => it ?? undefined);
    else if (kept) {
      // Another move was played: what came before it stays true.
      const old = JSON.parse(kept.game) as { start: string; moves: string[] };
      let same = 0;
      while (same < game.moves.length && game.moves[same] === old.moves[same]) same++;
      this.judged = old.start === game.start ? kept.judged.slice(0, same + 1).map((it) => it ?? undefined) : [];
    }
    this.judged.length = game.moves.length + 1;
  }

  private draw() {
    const { game } = this.app;
    this.graph.show([...this.judged], game.ply);
    const judged = this.judged[game.ply];
    $("bar").hidden = false;
    const percent = Math.round(100 * (judged?.expected ?? 0.5));
    $("white-part").style.height = `${percent}%`;
    $("white-part").classList.toggle("below", !this.app.board.isFlipped);
    const text = judged ? `${judged.text}; White may expect ${percent}%` : "not judged yet";
    $("bar").setAttribute("aria-label", `Evaluation: ${text}`);
    $("evaluation").textContent = judged ? `${judged.text} (White may expect ${percent}%)` : "…";
  }

  private show() {
    const { game, board } = this.app;
    const lines = this.lines.filter(Boolean);
    const best = lines[0];
    if (best) $("thinking").textContent = `Depth ${best.depth}/${best.seldepth}, ${big(best.nodes)} nodes, ${big(best.nps)}/s, hash ${Math.round(best.hashfull / 10)}%`;
    $("lines").replaceChildren(...lines.map((line) => this.line(line)));
    board.point(lines.slice(0, 5).map((line, index) => ({ uci: line.pv[0] ?? "a1a1", weight: 1 / (1 + index) })).filter((it) => it.uci !== "a1a1"));
    const isTree = $<HTMLDetailsElement>("explorer").open;
    $("budget").hidden = !$<HTMLInputElement>("budgets").checked || isTree || game.end !== null;
    const slider = $<HTMLInputElement>("budget-ply");
    const most = Math.max(0, (best?.budgets?.length ?? 1) - 1);
    slider.max = String(Math.max(most, Number(slider.value)));
    this.bars();
  }

  private line(info: Info) {
    const { game } = this.app;
    const score = (info.bound === "lower" ? "≥ " : info.bound === "upper" ? "≤ " : "") + scoreText(info.score, game.side);
    const moves = info.san.slice(0, 16).map((san, index) => {
      const button = h("button", { type: "button" }, san);
      button.onclick = () => void this.playLine(info.pv.slice(0, index + 1));
      return button;
    });
    return h("li", {}, h("strong", {}, score), h("span", { className: "number" }, game.number(game.ply)), ...moves);
  }

  private async playLine(moves: string[]) {
    const { game } = this.app;
    const { start, moves: before } = game.shown;
    await this.app.set({ start, moves: [...before, ...moves] });
  }

  /** What each side has left along the best line. */
  private bars() {
    const best = this.lines[0];
    const budgets = best?.budgets ?? [];
    const at = Math.min(Number($<HTMLInputElement>("budget-ply").value), budgets.length - 1);
    const played = best?.san.slice(0, Math.max(0, at)).join(" ") ?? "";
    const where = played ? `after ${played}` : "at the root";
    $("budget-where").textContent = budgets.length ? where : best ? "not known for this line" : "no line yet";
    $("budget-ply").setAttribute("aria-valuetext", where);
    for (const [index, side] of (["w", "b"] as const).entries()) {
      const [left, all] = [budgets[at]?.[index] ?? 0, budgets[0]?.[index] ?? 1];
      // Cheap moves may leave more than there was.
      const most = Math.max(1, ...budgets.flat());
      $(`budget-${side}`).style.width = `${(100 * Math.max(0, left)) / most}%`;
      $(`budget-${side}-text`).textContent = budgets.length ? `${nameOf(side)}: ${left.toFixed(2)} of ${all.toFixed(2)} SX left` : nameOf(side);
    }
  }

  private async judgeGame() {
    if (this.judging !== null) {
      this.judging = null;
      return this.restart();
    }
    const { game, engine } = this.app;
    $("judge").textContent = "Stop";
    try {
      for (let ply = 0; ply <= game.moves.length; ply++) {
        this.judging = ply;
        this.drop();
        this.lines = [];
        await game.walk(ply);
        this.app.changed();
        $("thinking").textContent = `Position ${ply + 1} of ${game.moves.length + 1}`;
        if (game.end) this.noteEnd(game.end);
        else {
          this.search = engine.search({ game: game.shown, limits: { nodes: GAME_NODES } }, (info) => this.hear(info));
          await this.search.best;
        }
        if (this.judging !== ply) break;
      }
    } catch (error) {
      complain(messageOf(error));
    }
    $("judge").textContent = "Judge every move";
    const isDone = this.judging !== null;
    this.judging = null;
    if (isDone) this.restart();
  }

  private async copy(text: string, name: string) {
    const isCopied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
    // Without a secure context there is no clipboard.
    $("copied").textContent = isCopied ? `The ${name} is copied.` : text;
  }

  /** A FEN or the games of a PGN. */
  private async load(text: string) {
    complain("");
    const isFen = /^\S+\/\S+\/\S+\/\S+\/\S+\/\S+\/\S+\/\S+(\s|_|$)/.test(text) && !text.includes("\n");
    if (isFen) {
      this.games = [];
      $("games-row").hidden = true;
      return this.app.open("analyze", { start: text });
    }
    if (text.length > MAX_TEXT) return complain(`This text has ${text.length} characters; at most ${MAX_TEXT} are read at once. Paste fewer games.`);
    try {
      const { games, errors } = await this.app.engine.pgn(text);
      if (errors.length > 0) complain(faults(errors, games.length));
      if (games.length === 0) return;
      this.games = games;
      const name = (game: PgnGame) => `${game.number}. ${tag(game, "White")} – ${tag(game, "Black")}, ${tag(game, "Result")}`;
      const options = games.map((game, index) => h("option", { value: String(index) }, name(game)));
      $("games").replaceChildren(...options);
      $("games-row").hidden = games.length < 2;
      this.choose(0);
    } catch (error) {
      complain(messageOf(error));
    }
  }

  private choose(index: number) {
    this.loaded = this.games[index];
    const { start, moves } = this.loaded;
    void this.app.set({ start, moves }, 0);
  }
}

const tag = (game: PgnGame, name: string) => game.tags.find(([it]) => it === name)?.[1] ?? "?";

/** Names the first broken games of a PGN, and says how many can be read. */
function faults(errors: string[], games: number): string {
  const more = errors.length > MAX_FAULTS ? [`and ${errors.length - MAX_FAULTS} more`] : [];
  const read = games === 0 ? "" : games === 1 ? " The game that can be read is here." : ` The ${games} games that can be read are here.`;
  return `${[...errors.slice(0, MAX_FAULTS), ...more].join("; ")}.${read}`;
}
