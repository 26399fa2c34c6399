//! The evaluation as a sum of counted weights: for people (the `eval` command) and for fitting.

use sextant_board::{Board, Color};

use super::{
    endgame, formula, pawns, psq,
    table::{COUNT, TERMS, WEIGHTS},
    weights::{Tally, Weight},
};

/// How often one side earns each weight.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Counts(Vec<i32>);

impl Default for Counts {
    fn default() -> Counts {
        Counts(vec![0; COUNT])
    }
}

impl Tally for Counts {
    fn add(&mut self, weight: Weight, count: i32) {
        self.0[weight.0] += count;
    }
}

fn count(board: &Board) -> [Counts; Color::NUM] {
    let structure = pawns::structure(board);
    let mut sides = [Counts::default(), Counts::default()];
    for us in Color::ALL {
        let side = &mut sides[us as usize];
        psq::tally(board, us, side);
        pawns::tally(board, &structure, us, side);
    }
    formula::tally_dynamic(board, &structure, &mut sides);
    sides
}

/// A position as the fit sees it.
///
/// With `mg` and `eg` the sums of `count * weight` over `counts`, White's view of the position in
/// centipawns, before tempo and the fifty-move fade, is exactly
/// `(mg * phase + eg * (24 - phase) * scale / 64) / 24` in integers rounding towards zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// 24 with all pieces on the board, 0 with pawns and kings only.
    pub phase: i32,
    /// How much of the endgame half counts, in 64ths.
    pub scale: i32,
    /// Index of a weight in [`WEIGHTS`] and its count, White's minus Black's, where not zero.
    pub counts: Vec<(usize, i32)>,
}

impl Trace {
    /// The trace of a board; `None` where the value is no sum of weights (dead draws, mating a
    /// bare king).
    #[must_use]
    pub fn of(board: &Board) -> Option<Trace> {
        if endgame::is_dead_draw(board) || endgame::mating_side(board).is_some() {
            return None;
        }
        let [white, black] = count(board);
        let counts: Vec<(usize, i32)> = (0..COUNT)
            .map(|i| (i, white.0[i] - black.0[i]))
            .filter(|&(_, count)| count != 0)
            .collect();
        let eg: i32 = counts
            .iter()
            .map(|&(i, count)| WEIGHTS[i].eg() * count)
            .sum();
        Some(Trace {
            phase: formula::phase(board),
            scale: formula::scale(board, eg),
            counts,
        })
    }
}

/// One line of the explanation: a term with both sides' (middlegame, endgame) sums in centipawns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The term's name in the table of weights.
    pub name: &'static str,
    /// White's sums.
    pub white: (i32, i32),
    /// Black's sums.
    pub black: (i32, i32),
    /// What the term adds to White's view, tapered by the phase, in centipawns.
    pub tapered: i32,
}

/// Every term that either side has, largest effect first.
pub(crate) fn explain(board: &Board) -> Vec<Line> {
    let [white, black] = count(board);
    let phase = formula::phase(board);
    let mut lines: Vec<Line> = TERMS
        .iter()
        .map(|&(name, term)| {
            let of = |side: &Counts| {
                let weights = term.first()..term.first() + term.count();
                weights.fold((0, 0), |(mg, eg), i| {
                    let count = side.0[i];
                    (mg + count * WEIGHTS[i].mg(), eg + count * WEIGHTS[i].eg())
                })
            };
            let (white, black) = (of(&white), of(&black));
            let (mg, eg) = (white.0 - black.0, white.1 - black.1);
            let tapered = (mg * phase + eg * (formula::PHASE_ONE - phase)) / formula::PHASE_ONE;
            Line {
                name,
                white,
                black,
                tapered,
            }
        })
        .filter(|line| line.white != (0, 0) || line.black != (0, 0))
        .collect();
    lines.sort_by_key(|line| -line.tapered.abs());
    lines
}
