// The types of tree.js for the page of sextant-web.

/** The data that `sextant_view::tree::Recorder` makes of a search. */
export interface SearchTree {
  fen: string;
  total: number;
  iterations: [number | null, number, number][];
  words: string[];
  rows: (number | string | null)[][];
}

export function explore(
  host: HTMLElement,
  onselect: (fen: string, last: number[], label: string) => void,
): (search: SearchTree) => void;
