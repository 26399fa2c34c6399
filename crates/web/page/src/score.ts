// Scores for people, from White's view.

import type { Info, Score } from "./engine";
import type { Side } from "./fen";

export interface Judgement {
  depth: number;
  /** Pawns or mate. */
  text: string;
  /** What White may expect, from 0 to 1. */
  expected: number;
}

export function judgement(info: Info, side: Side): Judgement {
  const [win, draw] = info.wdl;
  const expected = (win + draw / 2) / 1000;
  return { depth: info.depth, text: scoreText(info.score, side), expected: side === "w" ? expected : 1 - expected };
}

export function scoreText(score: Score, side: Side): string {
  const turned = side === "w" ? 1 : -1;
  if ("mate" in score) {
    if (score.mate === 0) return side === "w" ? "0-1" : "1-0";
    return `${turned * score.mate > 0 ? "" : "-"}#${Math.abs(score.mate)}`;
  }
  const pawns = (turned * score.cp) / 100;
  // UCI tells a win by endgame tables as some 200 pawns.
  if (Math.abs(pawns) > TABLE_PAWNS) return `${pawns > 0 ? "+" : "-"}TB`;
  return `${pawns > 0 ? "+" : pawns < 0 ? "-" : ""}${Math.abs(pawns).toFixed(2)}`;
}

/** No evaluation is as large. */
const TABLE_PAWNS = 190;

export function big(count: number): string {
  if (count >= 1e9) return `${(count / 1e9).toFixed(2)} G`;
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)} M`;
  return count >= 1e4 ? `${Math.round(count / 1e3)} k` : String(count);
}
