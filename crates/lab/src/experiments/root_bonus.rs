//! Experiment 6: Ronald de Man's bonuses at the root.

pub mod black_box;
pub mod games;
pub mod small_choices;
pub mod variety;

use crate::error::LabError;
use crate::experiment::{Context, Experiment};
use crate::report::{Figure, Finding, Report, Verdict};
use crate::stats::{LEVEL, probability, sign_test};
use games::Match;
use small_choices::Answers;

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
        let small = small_choices::ask(context)?;
        let costs = games::variety(context)?;
        let traps = games::traps(context)?;
        let all_right = trees.right == trees.tried && chess.right == chess.tried;
        let mut findings = vec![Finding::tested(
            all_right,
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
                     pure score on average.",
                    none.moves, widest.moves, widest.loss
                ),
            ));
        }
        findings.extend(small_findings(&small));
        findings.extend(game_findings(&costs, &traps));
        let matches: Vec<Match> = costs.into_iter().chain(traps).collect();
        Ok(Report {
            tables: vec![
                black_box::table(trees, chess),
                variety::table(&variety),
                games::opening_lines(context)?,
                games::table(&matches),
                small_choices::table(&small),
            ],
            figures: vec![Figure::Chart(variety::chart(&variety))],
            verdict: Verdict::of(summary(all_right).to_owned(), findings),
        })
    }
}

fn summary(all_right: bool) -> &'static str {
    if all_right {
        "The black box is one."
    } else {
        "The black box is none."
    }
}

fn small_findings(answers: &Answers) -> Vec<Finding> {
    let Answers {
        needless,
        needed,
        trades,
    } = answers;
    let text = format!(
        "Needless under-promotions in {} positions: {} without and {} with a penalty; needed ones \
         found in {} positions: {} and {}.",
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
        Finding::partly(text)
    } else {
        Finding::tested(harmless && needless.with == 0, text)
    };
    vec![
        promotion,
        Finding::tested(
            trades.with > trades.without,
            format!(
                "Even trades in KRvKR and KQvKQ: taken in {} of {} positions without and {} with a \
                 bonus for captures.",
                trades.without, trades.positions, trades.with
            ),
        ),
    ]
}

/// Both matches began from the same endings, so they are compared ending by ending.
fn trap_finding(without: &Match, with: &Match) -> Finding {
    let (more, fewer) = with.openings_against(without);
    let p = sign_test(more, fewer);
    Finding::by_test(
        p < LEVEL,
        more > fewer,
        format!(
            "Giving material away in drawn endings in the hope of a mistake: {}; {}; more wins \
             with the bonus from {more} endings and fewer from {fewer} ({}, sign test).",
            without.words(),
            with.words(),
            probability(p)
        ),
    )
}

fn game_findings(costs: &[Match], traps: &[Match]) -> Vec<Finding> {
    let mut findings: Vec<Finding> = costs
        .iter()
        .map(|game| Finding::noted(format!("The price of variety: {}.", game.words())))
        .collect();
    if let [without, with] = traps {
        findings.push(trap_finding(without, with));
    } else {
        findings.push(Finding::noted(
            "The trap in drawn endings was skipped: there are no tables. Give their folder with \
             --tables.",
        ));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Outcome;

    #[test]
    fn the_summary_says_what_was_found() {
        assert_ne!(summary(true), summary(false));
    }

    #[test]
    fn traps_are_judged_by_a_test_and_not_by_the_larger_number() {
        let outcome = |with: &[usize]| {
            let without = Match::of_wins(&[1; 8]);
            trap_finding(&without, &Match::of_wins(with)).outcome
        };
        assert_eq!(outcome(&[2; 8]), Some(Outcome::Holds));
        assert_eq!(outcome(&[0; 8]), Some(Outcome::Fails));
        assert_eq!(outcome(&[0, 0, 2, 0, 1, 1, 1, 1]), Some(Outcome::Undecided));
        assert_eq!(outcome(&[2, 2, 1, 1, 1, 1, 1, 1]), Some(Outcome::Undecided));
    }
}
