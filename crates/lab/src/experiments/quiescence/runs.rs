//! HAL's runs: every variant on every position of the game, with and without the quiet move first.

use cozy_chess::Board;

use crate::error::LabError;
use crate::experiment::Context;
use crate::game::chess::Chess;
use crate::hal::search::{Statistics, think};
use crate::hal::{Reading, Settings, StandPat};
use crate::report::{Cell, Table};
use crate::stats::{TTest, probability};

/// A way to search, to be run with and without the optimization.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// Name in tables.
    pub name: &'static str,
    reading: Reading,
    stand_pat: StandPat,
}

/// HAL in its three readings, and HAL with the right to stand pat.
pub const VARIANTS: [Variant; 5] = [
    Variant {
        name: "as printed",
        reading: Reading::AsPrinted,
        stand_pat: StandPat::Never,
    },
    Variant {
        name: "as meant",
        reading: Reading::AsMeant,
        stand_pat: StandPat::Never,
    },
    Variant {
        name: "as described",
        reading: Reading::AsDescribed,
        stand_pat: StandPat::Never,
    },
    Variant {
        name: "as meant, may stand pat",
        reading: Reading::AsMeant,
        stand_pat: StandPat::WithQuietMoves,
    },
    Variant {
        name: "as meant, stands pat instead of quiet moves",
        reading: Reading::AsMeant,
        stand_pat: StandPat::TacticalOnly,
    },
];

/// One variant's statistics, position by position.
#[derive(Clone, Debug)]
pub struct Pairs {
    /// Which variant.
    pub variant: Variant,
    /// Without the optimization.
    pub without: Vec<Statistics>,
    /// With it.
    pub with: Vec<Statistics>,
}

impl Pairs {
    /// Runs a variant both ways on all positions. Both runs of a position follow each other, so
    /// that a busy machine disturbs both.
    #[must_use]
    pub fn run(variant: Variant, base: Settings, boards: &[Board], context: &Context<'_>) -> Pairs {
        context.progress.begin(boards.len() as u64, variant.name);
        let settings = |quiet_first| Settings {
            reading: variant.reading,
            stand_pat: variant.stand_pat,
            quiet_first,
            ..base
        };
        let mut pairs = Pairs {
            variant,
            without: Vec::new(),
            with: Vec::new(),
        };
        for board in boards {
            let position = Chess::new(board.clone(), 0);
            pairs
                .without
                .push(think(&position, &settings(false)).statistics);
            pairs
                .with
                .push(think(&position, &settings(true)).statistics);
            context.progress.step();
        }
        pairs
    }

    /// Nodes without less nodes with, position by position.
    #[must_use]
    pub fn differences(&self) -> Vec<f64> {
        self.each(|without, with| without.nodes as f64 - with.nodes as f64)
    }

    /// Logarithms of nodes without over nodes with.
    #[must_use]
    pub fn log_ratios(&self) -> Vec<f64> {
        self.each(|without, with| (without.nodes as f64 / with.nodes as f64).ln())
    }

    /// Cut-offs per node with less without.
    #[must_use]
    pub fn cut_off_rates(&self) -> Vec<f64> {
        let rate = |s: &Statistics| s.cut_offs as f64 / s.nodes as f64;
        self.each(|without, with| rate(with) - rate(without))
    }

    /// All nodes with the optimization over all nodes without.
    #[must_use]
    pub fn ratio_of_sums(&self) -> f64 {
        nodes(&self.with) as f64 / nodes(&self.without) as f64
    }

    /// Positions that took fewer nodes with the optimization.
    #[must_use]
    pub fn fewer(&self) -> usize {
        self.differences()
            .iter()
            .filter(|&&difference| difference > 0.0)
            .count()
    }

    fn each(&self, compare: impl Fn(&Statistics, &Statistics) -> f64) -> Vec<f64> {
        self.without
            .iter()
            .zip(&self.with)
            .map(|(without, with)| compare(without, with))
            .collect()
    }
}

fn nodes(runs: &[Statistics]) -> u64 {
    runs.iter().map(|run| run.nodes).sum()
}

/// What each variant took, with and without.
#[must_use]
pub fn table(all: &[Pairs]) -> Table {
    let mut table = Table::new(
        "hal-runs",
        "HAL on the positions of the paper's game: sums over all positions",
        &[
            "search",
            "quiet first",
            "nodes",
            "below full width (%)",
            "cut-offs",
            "cut-offs per node",
            "seconds",
        ],
    );
    for pairs in all {
        for (word, runs) in [("no", &pairs.without), ("yes", &pairs.with)] {
            let cut_offs: u64 = runs.iter().map(|run| run.cut_offs).sum();
            let below: u64 = runs.iter().map(|run| run.quiescence_nodes).sum();
            let total = nodes(runs) as f64;
            table.row([
                pairs.variant.name.into(),
                word.into(),
                nodes(runs).into(),
                Cell::real(100.0 * below as f64 / total, 1),
                cut_offs.into(),
                Cell::real(cut_offs as f64 / total, 4),
                Cell::real(runs.iter().map(|run| run.time.as_secs_f64()).sum(), 2),
            ]);
        }
    }
    table
}

/// The paired tests of each variant.
///
/// # Errors
/// When there are too few positions.
pub fn test_table(all: &[Pairs]) -> Result<Table, LabError> {
    let mut table = Table::new(
        "hal-tests",
        "Paired t-tests of our runs: does the quiet move first save nodes? (alpha 0.05, two tails)",
        &[
            "search",
            "positions",
            "fewer nodes in",
            "nodes with / without",
            "t of differences",
            "p",
            "t of log ratios",
            "p of log ratios",
            "without / with, mean",
            "95 % from",
            "to",
        ],
    );
    for pairs in all {
        let plain = TTest::of(&pairs.differences())?;
        let log = TTest::of(&pairs.log_ratios())?;
        table.row([
            pairs.variant.name.into(),
            log.count.into(),
            pairs.fewer().into(),
            Cell::real(pairs.ratio_of_sums(), 3),
            Cell::real(plain.t, 2),
            probability(plain.p_two_tails).into(),
            Cell::real(log.t, 2),
            probability(log.p_two_tails).into(),
            Cell::real(log.mean.exp(), 3),
            Cell::real(log.interval.0.exp(), 3),
            Cell::real(log.interval.1.exp(), 3),
        ]);
    }
    Ok(table)
}
