//! The arbiter: ends games that both players think are decided, or that the tablebases know.

use std::sync::Arc;

use sextant_board::{Color, Position, Score};
use sextant_syzygy::{Tablebase, Wdl};

use crate::ending::{Ending, GameResult};

#[derive(Clone)]
pub struct Rules {
    pub win: Option<WinRule>,
    pub draw: Option<DrawRule>,
    /// Tables that end a game after a capture or a pawn move; the fifty-move rule holds.
    pub tablebase: Option<Arc<Tablebase>>,
    /// A game of this many plies (the opening's not counted) is a draw.
    pub max_plies: u32,
}

/// A game is won when both players say so for long enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WinRule {
    /// Least score, from the winner's view.
    pub score: Score,
    /// Plies in a row, both sides' counted.
    pub plies: u32,
}

/// A game is drawn when both players say so for long enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// Greatest distance of the score from a draw, in centipawns.
    pub score: i32,
    /// Plies in a row, both sides' counted.
    pub plies: u32,
    /// Plies played before the first of them.
    pub from_ply: u32,
}

impl Rules {
    /// The ply limit of a game that the rules of chess have not ended. Longer ones are nearly
    /// always shuffles between captures.
    const LONGEST: u32 = 600;

    /// The rules of chess alone, and an end for endless games.
    pub fn natural() -> Rules {
        Rules {
            win: None,
            draw: None,
            tablebase: None,
            max_plies: Rules::LONGEST,
        }
    }
}

impl Default for Rules {
    /// Win: 7 pawns for 8 plies. Draw: within 8 centipawns for 16 plies after 60. These are a
    /// little more careful than what the field's test servers use (4 pawns for 6 plies, 10
    /// centipawns for 16 plies after move 40).
    fn default() -> Rules {
        Rules {
            win: Some(WinRule {
                score: Score::new(700),
                plies: 8,
            }),
            draw: Some(DrawRule {
                score: 8,
                plies: 16,
                from_ply: 60,
            }),
            ..Rules::natural()
        }
    }
}

pub(crate) struct Adjudicator<'a> {
    rules: &'a Rules,
    plies: u32,
    /// Plies in a row at which the mover called the game won for White, for Black.
    wins: [u32; 2],
    /// Plies in a row at which the mover called the game drawn.
    equal: u32,
}

impl Adjudicator<'_> {
    pub(crate) fn new(rules: &Rules) -> Adjudicator<'_> {
        Adjudicator {
            rules,
            plies: 0,
            wins: [0; 2],
            equal: 0,
        }
    }

    /// Hears the score that the player of `mover` gave to its own position before its move, and
    /// ends the game if that is enough.
    pub(crate) fn hear(&mut self, mover: Color, score: Score) -> Option<(GameResult, Ending)> {
        self.plies += 1;
        let for_white = if mover == Color::White { score } else { -score };
        if let Some(rule) = self.rules.win {
            let views = [(Color::White, for_white), (Color::Black, -for_white)];
            for ((color, score), plies) in views.into_iter().zip(&mut self.wins) {
                count(plies, score >= rule.score);
                if *plies >= rule.plies {
                    return Some((GameResult::win(color), Ending::WinAdjudicated));
                }
            }
        }
        if let Some(rule) = self.rules.draw {
            let counts = self.plies > rule.from_ply && score.raw().abs() <= rule.score;
            count(&mut self.equal, counts);
            if self.equal >= rule.plies {
                return Some((GameResult::Draw, Ending::DrawAdjudicated));
            }
        }
        (self.plies >= self.rules.max_plies).then_some((GameResult::Draw, Ending::TooLong))
    }
}

/// What the tables say about a position that a capture or a pawn move just led to: only there
/// the clock that they do not know is zero.
pub(crate) fn by_tables(rules: &Rules, position: &Position) -> Option<(GameResult, Ending)> {
    let tables = rules.tablebase.as_ref()?;
    if position.clock() > 0 {
        return None;
    }
    Some((table_result(tables, position)?, Ending::Tablebase))
}

/// What the tables say about a position whose half-move clock is 0, if they cover it: cursed wins
/// and blessed losses are draws.
pub fn table_result(tables: &Tablebase, position: &Position) -> Option<GameResult> {
    if position.board().occupied().len() > tables.max_men() {
        return None;
    }
    Some(match tables.wdl(position.board())? {
        Wdl::Win => GameResult::win(position.side_to_move()),
        Wdl::Loss => GameResult::win(!position.side_to_move()),
        Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => GameResult::Draw,
    })
}

fn count(run: &mut u32, holds: bool) {
    *run = if holds { *run + 1 } else { 0 };
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Rules = Rules {
        win: Some(WinRule {
            score: Score::new(500),
            plies: 4,
        }),
        draw: Some(DrawRule {
            score: 10,
            plies: 3,
            from_ply: 5,
        }),
        tablebase: None,
        max_plies: 30,
    };

    /// Plies until the end, and the end, when the players give these scores for White in turn and
    /// then stay at the last.
    fn end_of(scores: &[i32]) -> (usize, GameResult, Ending) {
        let mut adjudicator = Adjudicator::new(&RULES);
        for ply in 0.. {
            let for_white = Score::new(scores[ply.min(scores.len() - 1)]);
            let (mover, score) = match ply % 2 {
                0 => (Color::White, for_white),
                _ => (Color::Black, -for_white),
            };
            if let Some((result, ending)) = adjudicator.hear(mover, score) {
                return (ply + 1, result, ending);
            }
        }
        unreachable!("a game ends at the longest length");
    }

    #[test]
    fn both_must_agree_for_long_enough_and_draws_need_time() {
        let win = (GameResult::WhiteWins, Ending::WinAdjudicated);
        let loss = (GameResult::BlackWins, Ending::WinAdjudicated);
        let draw = (GameResult::Draw, Ending::DrawAdjudicated);
        let too_long = (GameResult::Draw, Ending::TooLong);
        // The sign flips with the mover: one side alone is not believed.
        let quarrel = [900, 100].repeat(20);
        for (scores, plies, (result, ending)) in [
            (&[600][..], 4, win),
            (&[31_990], 4, win),
            (&[-500], 4, loss),
            (&[600, 600, 600, 499, 600], 8, win),
            (&quarrel, 30, too_long),
            (&[0], 8, draw),
            (&[0, 0, 0, 0, 0, 10, -10, 11, 3], 11, draw),
            (&[20], 30, too_long),
        ] {
            assert_eq!(end_of(scores), (plies, result, ending), "{scores:?}");
        }
    }
}
