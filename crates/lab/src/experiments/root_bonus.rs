//! Experiment 6: Ronald de Man's bonuses at the root.

pub mod black_box;
pub mod variety;

use crate::error::LabError;
use crate::experiment::{Context, Experiment};
use crate::report::{Figure, Finding, Report, Verdict};

/// Bonuses outside the search.
pub struct RootBonus;

impl Experiment for RootBonus {
    fn name(&self) -> &'static str {
        "root-bonus"
    }

    fn title(&self) -> &'static str {
        "Bonuses for root moves"
    }

    fn claim(&self) -> &'static str {
        "Root moves can be given bonuses without touching the search or its hash table: shift the \
         window by the bonus and add it to the result. The search is a black box whose answer is \
         exact inside its window and a bound outside. That serves development, randomness and \
         more (Ronald de Man, after the Chess Programming Wiki)."
    }

    fn run(&self, context: &Context<'_>) -> Result<Report, LabError> {
        let count = context.sized(2_000, 50_000);
        let trees = black_box::on_trees(count, context.seed);
        let chess = black_box::on_chess(context)?;
        let variety = variety::measure(context)?;
        let widest = variety.last();
        let mut findings = vec![Finding::tested(
            trees.right == trees.tried && chess.right == chess.tried,
            format!(
                "{} of {} searches of synthetic trees and {} of {} of chess positions, with \
                 bonuses and windows drawn by lot, gave max(value + bonus) inside the window and a \
                 true bound outside.",
                trees.right, trees.tried, chess.right, chess.tried
            ),
        )];
        if let (Some(none), Some(widest)) = (variety.first(), widest) {
            findings.push(Finding::tested(
                widest.moves > none.moves,
                format!(
                    "Random bonuses make variety: from the initial position the engine chose {} \
                     first move(s) without and {} with the largest bonus, at {:.0} centipawns of \
                     pure score on average. What that costs in games was not measured here.",
                    none.moves, widest.moves, widest.loss
                ),
            ));
        }
        Ok(Report {
            tables: vec![black_box::table(trees, chess), variety::table(&variety)],
            figures: vec![Figure::Chart(variety::chart(&variety))],
            verdict: Verdict::of("The black box is one.".to_owned(), findings),
        })
    }
}
