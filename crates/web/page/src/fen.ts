// As much of a FEN as drawing and setting up a board takes; the rules are the engine's.

export type Side = "w" | "b";
/** Piece letters by square name. */
export type Squares = Map<string, string>;

export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
export const FILES = "abcdefgh";

export function squares(fen: string): Squares {
  const found: Squares = new Map();
  fen
    .split(/[\s_]/)[0]
    .split("/")
    .forEach((row, down) => {
      let file = 0;
      for (const letter of row) {
        if (letter >= "1" && letter <= "8") file += Number(letter);
        else found.set(FILES[file++] + (8 - down), letter);
      }
    });
  return found;
}

export function placement(squares: Squares): string {
  const rows = [];
  for (let rank = 8; rank > 0; rank--) {
    let row = "";
    let empty = 0;
    for (const file of FILES) {
      const letter = squares.get(file + rank);
      if (letter) {
        row += (empty || "") + letter;
        empty = 0;
      } else empty++;
    }
    rows.push(row + (empty || ""));
  }
  return rows.join("/");
}

export const sideOf = (fen: string): Side => (fen.split(/[\s_]/)[1] === "b" ? "b" : "w");
export const numberOf = (fen: string): number => Number(fen.split(/[\s_]/)[5]) || 1;
export const colorOf = (letter: string): Side => (letter === letter.toUpperCase() ? "w" : "b");
export const other = (side: Side): Side => (side === "w" ? "b" : "w");
export const nameOf = (side: Side) => (side === "w" ? "White" : "Black");

const PIECES: Record<string, string> = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
export const pieceName = (letter: string) => `${nameOf(colorOf(letter)).toLowerCase()} ${PIECES[letter.toLowerCase()]}`;
export const kindName = (kind: string) => PIECES[kind];

/** Only a king is left. */
export function isBare(fen: string, side: Side): boolean {
  return [...squares(fen).values()].filter((letter) => colorOf(letter) === side).length === 1;
}
