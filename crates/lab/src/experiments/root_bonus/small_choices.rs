//! De Man's two small uses: no needless under-promotion, and trades in trivially drawn endings.

use cozy_chess::Piece;
use sextant_board::{MoveSets, Position, parse_fen};
use sextant_config::Config;

use crate::engine::{Subject, to_nodes};
use crate::error::LabError;
use crate::experiment::Context;
use crate::experiments::syzygy::endings;
use crate::game::Dice;
use crate::report::Table;

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// Positions.
    pub positions: usize,
    /// Chosen without the bonus.
    pub without: usize,
    /// Chosen with it.
    pub with: usize,
}

/// The three questions.
#[derive(Clone, Copy, Debug)]
pub struct Answers {
    /// Promotions that are taken at once: how often the engine promotes to less than a queen.
    pub needless: Choices,
    /// Positions that need an under-promotion: how often it is found.
    pub needed: Choices,
    /// KRvKR and KQvKQ with a trade on the board: how often it is taken.
    pub trades: Choices,
}

/// Asks them.
///
/// # Errors
/// When the engine cannot be had.
pub fn ask(context: &Context<'_>) -> Result<Answers, LabError> {
    let mut dice = Dice::new(context.seed);
    let count = context.sized(10, 200);
    let nodes = context.sized(300, 1_500);
    context.progress.begin(6, "small choices at the root");
    let penalty = |config: &mut Config, size| config.root_bonus.underpromotion = size;
    let capture = |config: &mut Config, size| config.root_bonus.trivial_draw_capture = size;
    let doomed = scatter(
        &mut dice,
        &["KPvKR", "KPvKQ", "KPvKB", "KRPvKR"],
        count,
        doomed_promotion,
    );
    let needed: Vec<Position> = NEEDED
        .iter()
        .filter_map(|fen| parse_fen(fen).ok())
        .collect();
    let trades = scatter(&mut dice, &["KRvKR", "KQvKQ"], count, even_trade);
    Ok(Answers {
        needless: choices(context, &doomed, nodes, penalty, is_underpromotion)?,
        needed: choices(context, &needed, 20 * nodes, penalty, is_underpromotion)?,
        trades: choices(context, &trades, nodes, capture, Position::is_capture)?,
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
        let lots = (0..PATIENCE).filter_map(|_| endings::random(name, dice));
        found.extend(lots.filter(accepted).take(each));
    }
    found
}

fn choices(
    context: &Context<'_>,
    positions: &[Position],
    nodes: u64,
    set: fn(&mut Config, i32),
    chosen: fn(&Position, sextant_board::Move) -> bool,
) -> Result<Choices, LabError> {
    let count = |size| {
        let mut config = context.config.clone();
        set(&mut config, size);
        let mut subject = Subject::new(&config)?;
        let right = positions.iter().filter(|position| {
            let outcome = subject.search(position, &to_nodes(nodes), &mut |_| {});
            outcome.best.is_some_and(|mv| chosen(position, mv))
        });
        let right = right.count();
        context.progress.step();
        Ok::<usize, LabError>(right)
    };
    Ok(Choices {
        positions: positions.len(),
        without: count(0)?,
        with: count(SIZE)?,
    })
}

fn is_underpromotion(_: &Position, mv: sextant_board::Move) -> bool {
    mv.promotion.is_some_and(|piece| piece != Piece::Queen)
}

/// Every promotion can be taken on the next move.
fn doomed_promotion(position: &Position) -> bool {
    let promotions: Vec<_> = MoveSets::generate(position)
        .iter()
        .filter(|mv| mv.promotion == Some(Piece::Queen))
        .collect();
    let taken = |mv: &sextant_board::Move| {
        let after = position.make(*mv).0;
        MoveSets::generate(&after)
            .iter()
            .any(|reply| reply.to == mv.to)
    };
    !promotions.is_empty() && promotions.iter().all(taken)
}

/// The two equal pieces can be traded, and taking one for nothing is not on.
fn even_trade(position: &Position) -> bool {
    let moves = MoveSets::generate(position);
    let mut captures = moves.iter().filter(|&mv| position.is_capture(mv));
    let Some(mv) = captures.next() else {
        return false;
    };
    let after = position.make(mv).0;
    let retaken = MoveSets::generate(&after)
        .iter()
        .any(|reply| reply.to == mv.to);
    retaken && captures.next().is_none()
}

/// The answers as a table.
#[must_use]
pub fn table(answers: &Answers) -> Table {
    let mut table = Table::new(
        "small-choices",
        "Choices at the root, without and with a bonus or penalty of 60 centipawns",
        &["question", "positions", "without", "with"],
    );
    let rows = [
        (
            "needless under-promotions (the new piece is taken at once)",
            answers.needless,
        ),
        ("needed under-promotions that were found", answers.needed),
        ("even trades taken in KRvKR and KQvKQ", answers.trades),
    ];
    for (question, choices) in rows {
        table.row([
            question.into(),
            choices.positions.into(),
            choices.without.into(),
            choices.with.into(),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_penalty_makes_no_needed_underpromotion_impossible_and_a_bonus_makes_trades() {
        let answers = ask(&Context::quick(1)).unwrap();
        assert!(answers.needless.positions >= 10 && answers.trades.positions >= 10);
        assert!(answers.needless.with <= answers.needless.without);
        assert_eq!(answers.needed.positions, NEEDED.len());
        assert!(answers.needed.with >= 2, "{answers:?}");
        let trades = answers.trades;
        assert!(
            trades.with >= trades.without && trades.with > 0,
            "{answers:?}"
        );
    }
}
