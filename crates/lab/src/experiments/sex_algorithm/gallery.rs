//! The SEX horizon effect, picture by picture: positions that two budgets see earlier than one,
//! and positions where they cost.

use super::contenders::{Family, Spending};
use super::problems::{Problem, Solved};
use super::solving::{Run, of};
use crate::report::{Cell, Table};

/// Entries on either side.
const SHOWN: usize = 8;
/// Nodes must differ by this factor to be worth showing.
const FACTOR: f64 = 2.0;

/// A position that one of the two searches solved much earlier.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Which problem.
    pub problem: usize,
    /// When the single budget solved it.
    pub single: Option<Solved>,
    /// When two budgets did.
    pub double: Option<Solved>,
    /// Nodes of the single budget over those of two; an unsolved problem counts with the limit.
    factor: f64,
}

/// The gallery.
#[derive(Clone, Debug, Default)]
pub struct Gallery {
    /// Seen earlier with two budgets, the greatest gain first.
    pub gains: Vec<Entry>,
    /// Seen later, the greatest loss first.
    pub losses: Vec<Entry>,
}

impl Gallery {
    /// Compares the second generation with the single budget at the paper's prices.
    #[must_use]
    pub fn of(runs: &[Run], limit: u64) -> Gallery {
        let find = |spending| of(runs, Family::Cyrus, spending);
        let (Some(single), Some(double)) =
            (find(Spending::SingleBudget), find(Spending::BothSpent))
        else {
            return Gallery::default();
        };
        let nodes = |solved: &Option<Solved>| solved.map_or(limit, |s| s.nodes).max(1) as f64;
        let entries = single.solved.iter().zip(&double.solved).enumerate();
        let mut all: Vec<Entry> = entries
            .map(|(problem, (single, double))| Entry {
                problem,
                single: *single,
                double: *double,
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
    #[must_use]
    pub fn table(&self, problems: &[Problem]) -> Table {
        let mut table = Table::new(
            "gallery",
            "The SEX horizon effect at Cyrus 68K's prices: where two budgets (until both are \
             spent) see the combination earlier than one, and where they cost",
            &[
                "two budgets are",
                "problem",
                "move",
                "depth, one",
                "depth, two",
                "nodes, one",
                "nodes, two",
                "position",
            ],
        );
        let sides = [("faster", &self.gains), ("slower", &self.losses)];
        for (word, entries) in sides {
            for entry in entries.iter().take(SHOWN) {
                let problem = &problems[entry.problem];
                table.row([
                    word.into(),
                    problem.name.as_str().into(),
                    problem.answer().into(),
                    cell(entry.single, |s| s.depth.into()),
                    cell(entry.double, |s| s.depth.into()),
                    cell(entry.single, |s| s.nodes.into()),
                    cell(entry.double, |s| s.nodes.into()),
                    problem.fen().into(),
                ]);
            }
        }
        table
    }

    /// Gains that come at a lower nominal depth too: the combination really fits into less budget.
    #[must_use]
    pub fn shallower(&self) -> usize {
        let depth = |solved: Option<Solved>| solved.map_or(u32::MAX, |s| s.depth);
        let earlier = |entry: &&Entry| depth(entry.double) < depth(entry.single);
        self.gains.iter().filter(earlier).count()
    }
}

fn cell(solved: Option<Solved>, pick: fn(Solved) -> Cell) -> Cell {
    solved.map_or_else(|| "not solved".into(), pick)
}
