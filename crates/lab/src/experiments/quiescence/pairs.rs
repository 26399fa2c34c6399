//! HAL's runs: every variant on every position of the game, with and without the quiet move first.

use cozy_chess::Board;

use crate::experiments::prelude::*;
use crate::{
    game::chess::Chess,
    hal::{
        Reading, Settings, StandPat,
        search::{Statistics, think},
    },
};

/// A way to search, to be run with and without the optimization.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variant(&'static str, Reading, StandPat);

/// HAL in its three readings, and HAL with the right to stand pat.
pub(super) const VARIANTS: [Variant; 5] = [
    Variant("as printed", Reading::Printed, StandPat::Never),
    Variant("as meant", Reading::Meant, StandPat::Never),
    Variant("as described", Reading::Described, StandPat::Never),
    Variant(
        "as meant, may stand pat",
        Reading::Meant,
        StandPat::WithQuietMoves,
    ),
    Variant(
        "as meant, stands pat instead of quiet moves",
        Reading::Meant,
        StandPat::TacticalOnly,
    ),
];

/// One variant's statistics, position by position, without and with the optimization.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    name: &'static str,
    pub(super) without: Vec<Statistics>,
    pub(super) with: Vec<Statistics>,
}

impl Pairs {
    /// Runs a variant both ways on all positions. Both runs of a position follow each other, so
    /// that a busy machine disturbs both.
    pub(super) fn run(variant: Variant, base: Settings, boards: &[Board]) -> Pairs {
        let Variant(name, reading, stand_pat) = variant;
        let both = track(name, boards).map(|board| {
            let position = Chess::new(board.clone(), 0);
            let run = |quiet_first| {
                let settings = Settings {
                    reading,
                    stand_pat,
                    quiet_first,
                    ..base
                };
                think(&position, &settings).1
            };
            (run(false), run(true))
        });
        let (without, with) = both.unzip();
        Pairs {
            name,
            without,
            with,
        }
    }

    /// Nodes without less nodes with, position by position.
    fn differences(&self) -> impl Iterator<Item = f64> {
        self.each(|without, with| without.nodes as f64 - with.nodes as f64)
    }

    /// A test of the logarithms of nodes without over nodes with.
    pub(super) fn log_test(&self) -> Option<TTest> {
        TTest::of(self.each(|without, with| (without.nodes as f64 / with.nodes as f64).ln()))
    }

    /// All nodes with the optimization over all nodes without.
    pub(super) fn ratio_of_sums(&self) -> f64 {
        nodes(&self.with) as f64 / nodes(&self.without) as f64
    }

    /// Positions that took fewer nodes with the optimization.
    fn fewer(&self) -> usize {
        self.differences().filter(|&saved| saved > 0.0).count()
    }

    fn each(&self, compare: impl Fn(&Statistics, &Statistics) -> f64) -> impl Iterator<Item = f64> {
        let pairs = self.without.iter().zip(&self.with);
        pairs.map(move |(without, with)| compare(without, with))
    }

    pub(super) fn finding(&self) -> Option<Finding> {
        let log = self.log_test()?;
        let rate = |run: &Statistics| run.cut_offs as f64 / run.nodes as f64;
        let rate = TTest::of(self.each(|without, with| rate(with) - rate(without)));
        let rate = rate.map_or("equal".to_owned(), |test| format!("{:+.4}", test.mean));
        let [mean, from, to] = log.factors();
        let text = format!(
            "HAL {}: {:.3} times the nodes with the quiet move first; fewer in {} of {} positions; \
             mean saving a factor {mean:.2} ({from:.2} to {to:.2}), t = {:.2}, {} (two tails), {} \
             (one); cut-offs per node {rate}.",
            self.name,
            self.ratio_of_sums(),
            self.fewer(),
            log.count,
            log.t,
            probability(log.p_two_tails),
            probability(log.p_one_tail),
        );
        Some(Finding::by_test(log.significant(), log.mean > 0.0, text))
    }
}

pub(super) fn nodes(runs: &[Statistics]) -> u64 {
    runs.iter().map(|run| run.nodes).sum()
}

/// What each variant took, with and without.
pub(super) fn table(all: &[Pairs]) -> Table {
    let rows = all.iter().flat_map(|pairs| {
        let ways = [("no", &pairs.without), ("yes", &pairs.with)];
        ways.map(|(word, runs)| (pairs.name, word, runs))
    });
    type Row<'a> = (&'static str, &'static str, &'a Vec<Statistics>);
    let sum = |row: &Row<'_>, pick: fn(&Statistics) -> u64| row.2.iter().map(pick).sum::<u64>();
    let share = move |row: &Row<'_>, pick| sum(row, pick) as f64 / nodes(row.2) as f64;
    let title = "HAL on the positions of the paper's game: sums over all positions";
    Table::of("hal-runs", title, &rows.collect::<Vec<_>>())
        .column("search", |row| row.0)
        .column("quiet first", |row| row.1)
        .column("nodes", |row| nodes(row.2))
        .real("below full width (%)", 1, |row| {
            100.0 * sum(row, |run| run.quiescence_nodes) as f64 / nodes(row.2) as f64
        })
        .column("cut-offs", |row| sum(row, |run| run.cut_offs))
        .real("cut-offs per node", 4, |row| share(row, |run| run.cut_offs))
        .real("seconds", 2, |row| {
            row.2.iter().map(|run| run.time.as_secs_f64()).sum::<f64>()
        })
        .done()
}

/// The paired tests of each variant.
pub(super) fn test_table(all: &[Pairs]) -> Table {
    let tested = all.iter().filter_map(|pairs| {
        let plain = TTest::of(pairs.differences())?;
        Some((pairs, plain, pairs.log_test()?))
    });
    let title = "Paired t-tests of our runs: does the quiet move first save nodes? (alpha 0.05, two \
                 tails)";
    Table::of("hal-tests", title, &tested.collect::<Vec<_>>())
        .column("search", |row| row.0.name)
        .column("positions", |row| row.2.count)
        .column("fewer nodes in", |row| row.0.fewer())
        .real("nodes with / without", 3, |row| row.0.ratio_of_sums())
        .real("t of differences", 2, |row| row.1.t)
        .column("p", |row| probability(row.1.p_two_tails))
        .real("t of log ratios", 2, |row| row.2.t)
        .column("p of log ratios", |row| probability(row.2.p_two_tails))
        .real("without / with, mean", 3, |row| row.2.factors()[0])
        .real("95 % from", 3, |row| row.2.factors()[1])
        .real("to", 3, |row| row.2.factors()[2])
        .done()
}
