// The board: 64 squares for mouse, touch and keyboard. It knows no rules; it takes the legal moves that it is given.
// cm-chessboard, the one npm board with a fitting license, cannot be used by keys, writes style attributes, which our
// Content-Security-Policy forbids, and its pieces are under CC BY-SA and CC BY-NC-SA.

import { $, h, piece, svg } from "./dom";
import type { LegalMove } from "./engine";
import { FILES, kindName, pieceName, squares, type Side, type Squares } from "./fen";

export interface Shown {
  fen: string;
  /** Moves that may be made here; none where the board is only to be looked at. */
  legal: LegalMove[];
  last?: string;
  check: boolean;
}

export interface Arrow {
  uci: string;
  /** From 0 to 1. */
  weight: number;
}

/** Pixels that a pointer moves before it drags. */
const DRAG = 6;

export class Board {
  onmove: (move: LegalMove) => void = () => {};
  /** A square was chosen while pieces are set up. */
  onsquare: ((square: string) => void) | null = null;
  private shown: Shown = { fen: "", legal: [], check: false };
  private pieces: Squares = new Map();
  private cells = new Map<string, HTMLElement>();
  private flipped = false;
  private selected = "";
  private focused = "e2";
  private arrows: SVGElement;

  constructor(private root: HTMLElement) {
    root.setAttribute("role", "grid");
    root.setAttribute("aria-label", "Chessboard: arrow keys walk, Enter chooses, Escape lets go");
    this.arrows = svg("svg", { class: "arrows", viewBox: "0 0 8 8", "aria-hidden": "true" });
    this.build();
    root.addEventListener("keydown", (event) => this.key(event));
    root.addEventListener("pointerdown", (event) => this.press(event));
  }

  get isFlipped() {
    return this.flipped;
  }

  flip(side?: Side) {
    const flipped = side ? side === "b" : !this.flipped;
    if (flipped === this.flipped) return;
    this.flipped = flipped;
    const held = this.root.contains(document.activeElement);
    this.build();
    this.draw();
    if (held) this.cells.get(this.focused)?.focus();
  }

  show(shown: Shown) {
    const before = this.shown;
    this.shown = shown;
    this.selected = "";
    this.pieces = squares(shown.fen);
    this.draw();
    if (shown.last && shown.last !== before.last && before.fen) this.slide(shown.last);
  }

  point(arrows: Arrow[]) {
    this.arrows.replaceChildren(...arrows.map((arrow) => this.arrow(arrow)));
  }

  private build() {
    this.root.replaceChildren();
    this.cells.clear();
    const ranks = [8, 7, 6, 5, 4, 3, 2, 1];
    const files = [...FILES];
    if (this.flipped) {
      ranks.reverse();
      files.reverse();
    }
    for (const rank of ranks) {
      const row = h("div", { role: "row", className: "row" });
      for (const file of files) {
        const dark = (FILES.indexOf(file) + rank) % 2 === 1;
        const cell = h("div", { role: "gridcell", className: `square ${dark ? "dark" : "light"}`, tabIndex: -1 });
        cell.dataset.square = file + rank;
        if (rank === ranks[7]) cell.dataset.file = file;
        if (file === files[0]) cell.dataset.rank = String(rank);
        cell.addEventListener("focus", () => this.focusOn(file + rank));
        this.cells.set(file + rank, cell);
        row.append(cell);
      }
      this.root.append(row);
    }
    this.root.append(this.arrows);
  }

  private draw() {
    const { legal, last, check, fen } = this.shown;
    const from = new Set(legal.map((move) => move.from));
    const to = new Set(this.movesOf(this.selected).flatMap((move) => move.to));
    const king = check ? (fen.split(" ")[1] === "b" ? "k" : "K") : "";
    for (const [square, cell] of this.cells) {
      const letter = this.pieces.get(square);
      const isLast = !!last && (last.slice(0, 2) === square || last.slice(2, 4) === square);
      const words = [square, letter ? pieceName(letter) : "empty"];
      if (letter && letter === king) words.push("in check");
      if (to.has(square)) words.push("can be reached");
      cell.setAttribute("aria-label", words.join(", "));
      cell.setAttribute("aria-selected", String(square === this.selected));
      cell.classList.toggle("movable", from.has(square));
      cell.classList.toggle("target", to.has(square));
      cell.classList.toggle("taken", to.has(square) && !!letter);
      cell.classList.toggle("selected", square === this.selected);
      cell.classList.toggle("last", isLast);
      cell.classList.toggle("check", !!letter && letter === king);
      cell.tabIndex = square === this.focused ? 0 : -1;
      cell.replaceChildren(...(letter ? [piece(letter)] : []));
    }
  }

  private focusOn(square: string) {
    this.cells.get(this.focused)!.tabIndex = -1;
    this.focused = square;
    this.cells.get(square)!.tabIndex = 0;
  }

  private movesOf(square: string) {
    return square ? this.shown.legal.filter((move) => move.from === square) : [];
  }

  private key(event: KeyboardEvent) {
    const turned = this.flipped ? -1 : 1;
    const steps: Record<string, [number, number]> = {
      ArrowUp: [0, turned],
      ArrowDown: [0, -turned],
      ArrowLeft: [-turned, 0],
      ArrowRight: [turned, 0],
    };
    const step = steps[event.key];
    if (step) {
      const file = FILES.indexOf(this.focused[0]) + step[0];
      const square = (FILES[file] ?? "") + (Number(this.focused[1]) + step[1]);
      this.cells.get(square)?.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      this.choose(this.focused);
    } else if (event.key === "Escape") {
      this.selected = "";
      this.draw();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Selects a piece, or moves the selected one. */
  private choose(square: string) {
    if (this.onsquare) return this.onsquare(square);
    if (this.selected && this.tryMove(this.selected, square)) return;
    this.selected = square !== this.selected && this.movesOf(square).length > 0 ? square : "";
    this.draw();
  }

  private tryMove(from: string, to: string): boolean {
    const moves = this.movesOf(from).filter((move) => move.to.includes(to));
    if (moves.length === 0) return false;
    this.selected = "";
    if (moves.length === 1) this.onmove(moves[0]);
    else this.promote(moves);
    return true;
  }

  private promote(moves: LegalMove[]) {
    const dialog = $<HTMLDialogElement>("promotion");
    const white = this.shown.fen.split(" ")[1] === "w";
    const buttons = [..."qrbn"].map((kind) => {
      const letter = white ? kind.toUpperCase() : kind;
      const button = h("button", { type: "button", "aria-label": kindName(kind) }, piece(letter));
      button.onclick = () => {
        dialog.close();
        const move = moves.find((move) => move.promotion === kind);
        if (move) this.onmove(move);
      };
      return button;
    });
    dialog.querySelector(".choices")!.replaceChildren(...buttons);
    dialog.onclose = () => this.draw();
    dialog.showModal();
  }

  private press(event: PointerEvent) {
    const cell = (event.target as Element).closest<HTMLElement>(".square");
    if (!cell || event.button !== 0) return;
    const square = cell.dataset.square!;
    event.preventDefault();
    cell.focus({ preventScroll: true });
    const before = this.selected;
    if (this.onsquare || this.movesOf(square).length === 0 || (before && this.movesOf(before).some((move) => move.to.includes(square)))) {
      return this.choose(square);
    }
    this.selected = square;
    this.draw();
    this.drag(event, square, before);
  }

  /** Follows the pointer until it is let go: on another square it moves, on the same it selects. */
  private drag(start: PointerEvent, square: string, before: string) {
    const figure = this.cells.get(square)!.querySelector<SVGElement>(".piece")!;
    let dragged = false;
    const move = (event: PointerEvent) => {
      const [x, y] = [event.clientX - start.clientX, event.clientY - start.clientY];
      dragged ||= Math.hypot(x, y) > DRAG;
      if (dragged) figure.style.transform = `translate(${x}px, ${y}px)`;
      figure.classList.toggle("dragged", dragged);
    };
    const end = (event: PointerEvent) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      const under = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>(".square");
      const target = under?.dataset.square ?? "";
      if (event.type === "pointerup" && dragged && target !== square && this.tryMove(square, target)) return;
      this.selected = !dragged && before !== square ? square : "";
      this.draw();
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  private center(square: string): [number, number] {
    const [x, y] = [FILES.indexOf(square[0]) + 0.5, 8.5 - Number(square[1])];
    return this.flipped ? [8 - x, 8 - y] : [x, y];
  }

  private arrow({ uci, weight }: Arrow): SVGElement {
    const [x1, y1] = this.center(uci.slice(0, 2));
    const [x2, y2] = this.center(uci.slice(2, 4));
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const width = 0.08 + 0.12 * weight;
    const [bx, by] = [x2 - 0.4 * dx, y2 - 0.4 * dy];
    const tip = `${x2},${y2} ${bx - 0.25 * dy},${by + 0.25 * dx} ${bx + 0.25 * dy},${by - 0.25 * dx}`;
    const line = svg("line", { x1, y1, x2: bx, y2: by, "stroke-width": width });
    return svg("g", { opacity: 0.35 + 0.5 * weight }, line, svg("polygon", { points: tip }));
  }

  /** Lets the piece that moved come from where it stood. */
  private slide(uci: string) {
    const figure = this.cells.get(uci.slice(2, 4))?.querySelector(".piece");
    if (!figure || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const [from, to] = [this.center(uci.slice(0, 2)), this.center(uci.slice(2, 4))];
    const [x, y] = [100 * (from[0] - to[0]), 100 * (from[1] - to[1])];
    figure.animate([{ transform: `translate(${x}%, ${y}%)` }, { transform: "none" }], { duration: 150, easing: "ease-out" });
  }
}
