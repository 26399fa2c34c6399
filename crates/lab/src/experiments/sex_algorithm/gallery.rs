//! The SEX horizon effect: positions that two budgets see earlier than one, and positions where they
//! cost.

use sextant_board::to_fen;
use sextant_play::Since;

use super::{
    contenders::{Family, Spending},
    problems::Problem,
    solving::{Run, of},
};
use crate::experiments::prelude::*;

/// Entries on either side of the table.
const SHOWN: usize = 8;
/// Nodes must differ by this factor to be worth showing.
const FACTOR: f64 = 2.0;

/// A position that one of the two searches solved much earlier.
#[derive(Clone, Debug)]
struct Entry {
    problem: usize,
    /// When the single budget solved it, and when two budgets did.
    single: Option<Since>,
    double: Option<Since>,
    /// Nodes of the single budget over those of two; an unsolved problem counts with the limit.
    factor: f64,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Gallery {
    /// Seen earlier with two budgets, the greatest gain first.
    gains: Vec<Entry>,
    /// Seen later, the greatest loss first.
    losses: Vec<Entry>,
}

impl Gallery {
    /// Compares the second generation with the single budget at the paper's prices.
    pub(super) fn of(runs: &[Run], limit: u64) -> Gallery {
        let find = |spending| of(runs, Family::Cyrus, spending);
        let (Some(single), Some(double)) =
            (find(Spending::SingleBudget), find(Spending::BothSpent))
        else {
            return Gallery::default();
        };
        let nodes = |solved: Option<Since>| solved.map_or(limit, |s| s.nodes).max(1) as f64;
        let pairs = single.solved.iter().zip(&double.solved).enumerate();
        let mut all: Vec<Entry> = pairs
            .map(|(problem, (&single, &double))| Entry {
                problem,
                single,
                double,
                factor: nodes(single) / nodes(double),
            })
            .collect();
        all.sort_by(|a, b| b.factor.total_cmp(&a.factor));
        let gains = all.iter().filter(|entry| entry.factor >= FACTOR);
        let losses = all.iter().rev().filter(|e| e.factor <= 1.0 / FACTOR);
        Gallery {
            gains: gains.cloned().collect(),
            losses: losses.cloned().collect(),
        }
    }

    /// Both sides of the gallery as a table.
    pub(super) fn table(&self, problems: &[Problem]) -> Table {
        let gains = self.gains.iter().take(SHOWN).map(|entry| ("faster", entry));
        let losses = self
            .losses
            .iter()
            .take(SHOWN)
            .map(|entry| ("slower", entry));
        let rows = gains.chain(losses);
        let rows = rows.map(|(word, entry)| (word, entry, &problems[entry.problem]));
        let solved = |solved: Option<Since>, pick: fn(Since) -> Cell| {
            solved.map_or_else(|| "not solved".into(), pick)
        };
        let title = "The SEX horizon effect at Cyrus 68K's prices: where two budgets (until both are \
                     spent) see the combination earlier than one, and where they cost";
        Table::of("gallery", title, &rows.collect::<Vec<_>>())
            .column("two budgets are", |row| row.0)
            .column("problem", |row| row.2.name.as_str())
            .column("move", |row| row.2.answer())
            .column("depth, one", |row| solved(row.1.single, |s| s.depth.into()))
            .column("depth, two", |row| solved(row.1.double, |s| s.depth.into()))
            .column("nodes, one", |row| solved(row.1.single, |s| s.nodes.into()))
            .column("nodes, two", |row| solved(row.1.double, |s| s.nodes.into()))
            .column("position", |row| to_fen(&row.2.epd.position, false))
            .done()
    }

    pub(super) fn finding(&self, problems: usize) -> Finding {
        // At a lower nominal depth too, the combination really fits into less budget.
        let depth = |solved: Option<Since>| solved.map_or(u32::MAX, |s| s.depth);
        let is_shallower = |entry: &&Entry| depth(entry.double) < depth(entry.single);
        let shallower = self.gains.iter().filter(is_shallower).count();
        let text = format!(
            "The SEX horizon effect: of {problems} problems, two budgets solved {} with at most \
             half the nodes of one, {shallower} of them at a lower nominal depth; they cost at \
             least twice the nodes in {}.",
            self.gains.len(),
            self.losses.len()
        );
        // A sample without such a position says nothing about others.
        if shallower > 0 {
            Finding::tested(true, text)
        } else {
            Finding::new(Outcome::HoldsInPart, text)
        }
    }
}
