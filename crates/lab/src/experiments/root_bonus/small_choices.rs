//! De Man's two small uses: no needless under-promotion, and trades in trivially drawn endings.

use cozy_chess::Piece;
use sextant_board::{Move, MoveSets, parse_fen};

use crate::experiments::prelude::*;
use crate::random::Dice;

/// Bonus and penalty tried, in centipawns.
const SIZE: i32 = 60;

/// Positions that only an under-promotion wins: a queen would stalemate (at once, and after a check
/// in Saavedra's study), or a knight's check wins the queen.
const NEEDED: [&str; 4] = [
    "8/2P5/8/8/3r4/8/2K5/k7 w - - 0 1",
    "8/5P1k/5K2/8/8/8/8/8 w - - 0 1",
    "8/8/8/8/8/5k2/5p1K/8 b - - 0 1",
    "8/3P1k2/2q5/8/8/8/P7/K7 w - - 0 1",
];

/// How often a choice was made, without and with the bonus.
#[derive(Clone, Copy, Debug)]
struct Choices {
    positions: usize,
    without: u64,
    with: u64,
}

#[derive(Debug)]
pub(super) struct Answers {
    /// Promotions that are taken at once: how often the engine promotes to less than a queen.
    needless: Choices,
    /// Positions that need an under-promotion: how often it is found.
    needed: Choices,
    /// KRvKR and KQvKQ with a trade on the board: how often it is taken.
    trades: Choices,
}

pub(super) fn ask(context: &Context) -> Result<Answers, Failure> {
    let mut dice = Dice::new(context.settings.seed);
    let count = context.sized(10, 200);
    let nodes = context.sized(300, 1_500);
    let doomed = ["KPvKR", "KPvKQ", "KPvKB", "KRPvKR"];
    let doomed = scatter(&mut dice, &doomed, count, doomed_promotion);
    let trades = scatter(&mut dice, &["KRvKR", "KQvKQ"], count, even_trade);
    let needed = NEEDED.iter().filter_map(|fen| parse_fen(fen).ok());
    let needed: Vec<Position> = needed.collect();
    let choices = |positions: &[Position], nodes, set: fn(&mut Config, i32), chosen: Chosen| {
        let count = |size| {
            let mut config = context.config.clone();
            set(&mut config, size);
            let chosen = |engine: &mut FreshEngine, position: &Position| {
                let best = engine.search(position, &to_nodes(nodes)).best;
                best.is_some_and(|mv| chosen(position, mv))
            };
            let run = Run::measure("small choices at the root", (), &config, positions, chosen)?;
            Ok::<_, Failure>(run.sum(|&chosen| chosen.into()))
        };
        Ok::<_, Failure>(Choices {
            positions: positions.len(),
            without: count(0)?,
            with: count(SIZE)?,
        })
    };
    let penalty = |config: &mut Config, size| config.root_bonus.underpromotion = size;
    let capture = |config: &mut Config, size| config.root_bonus.trivial_draw_capture = size;
    Ok(Answers {
        needless: choices(&doomed, nodes, penalty, is_underpromotion)?,
        needed: choices(&needed, 20 * nodes, penalty, is_underpromotion)?,
        trades: choices(&trades, nodes, capture, Position::is_capture)?,
    })
}

fn scatter(
    dice: &mut Dice,
    names: &[&str],
    count: usize,
    accepted: fn(&Position) -> bool,
) -> Vec<Position> {
    const PATIENCE: usize = 20_000;
    let each = count / names.len() + 1;
    let mut found = Vec::new();
    for name in names {
        found.extend(dice.endings(name, PATIENCE, accepted).take(each));
    }
    found
}

/// Whether a move in this position is the one that is asked about.
type Chosen = fn(&Position, Move) -> bool;

fn is_underpromotion(_: &Position, mv: Move) -> bool {
    mv.promotion.is_some_and(|piece| piece != Piece::Queen)
}

/// What moves to the square of `mv` can be taken there on the next move.
fn is_answered(position: &Position, mv: Move) -> bool {
    let after = position.make(mv).0;
    MoveSets::generate(&after)
        .iter()
        .any(|reply| reply.to == mv.to)
}

/// Every promotion can be taken on the next move.
fn doomed_promotion(position: &Position) -> bool {
    let moves = MoveSets::generate(position);
    let is_promotion = |mv: &Move| mv.promotion == Some(Piece::Queen);
    let promotions: Vec<Move> = moves.iter().filter(is_promotion).collect();
    !promotions.is_empty() && promotions.iter().all(|&mv| is_answered(position, mv))
}

/// The two equal pieces can be traded, and taking one for nothing is not on.
fn even_trade(position: &Position) -> bool {
    let moves = MoveSets::generate(position);
    let mut captures = moves.iter().filter(|&mv| position.is_capture(mv));
    let first = captures.next();
    first.is_some_and(|mv| is_answered(position, mv)) && captures.next().is_none()
}

impl Answers {
    pub(super) fn table(&self) -> Table {
        let needless = "needless under-promotions (the new piece is taken at once)";
        let rows = [
            (needless, self.needless),
            ("needed under-promotions that were found", self.needed),
            ("even trades taken in KRvKR and KQvKQ", self.trades),
        ];
        let title = "Choices at the root, without and with a bonus or penalty of 60 centipawns";
        table!("small-choices", title, rows, |row| {
            "question" => row.0,
            "positions" => row.1.positions,
            "without" => row.1.without,
            "with" => row.1.with,
        })
    }

    pub(super) fn findings(&self) -> [Finding; 2] {
        let Answers {
            needless,
            needed,
            trades,
        } = self;
        let text = format!(
            "Needless under-promotions in {} positions: {} without and {} with a penalty; needed \
             ones found in {} positions: {} and {}.",
            needless.positions,
            needless.without,
            needless.with,
            needed.positions,
            needed.without,
            needed.with
        );
        let harmless = needed.with >= needed.without;
        let promotion = if needless.with < needless.without && needless.with > 0 && harmless {
            // Some of those that are left may be as good as a queen that is taken.
            Finding::new(Outcome::HoldsInPart, text)
        } else {
            Finding::tested(harmless && needless.with == 0, text)
        };
        let text = format!(
            "Even trades in KRvKR and KQvKQ: taken in {} of {} positions without and {} with a \
             bonus for captures.",
            trades.without, trades.positions, trades.with
        );
        [
            promotion,
            Finding::tested(trades.with > trades.without, text),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::quick;

    #[test]
    fn a_penalty_makes_no_needed_underpromotion_impossible_and_a_bonus_makes_trades() {
        let answers = ask(&quick(1, "default")).unwrap();
        let Answers {
            needless,
            needed,
            trades,
        } = answers;
        assert!(needless.positions >= 10 && trades.positions >= 10);
        assert!(needless.with <= needless.without);
        assert_eq!(needed.positions, NEEDED.len());
        assert!(needed.with >= 2, "{answers:?}");
        assert!(
            trades.with >= trades.without && trades.with > 0,
            "{answers:?}"
        );
    }
}
