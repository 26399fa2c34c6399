//! Experiment 5: Wheeler's optimization of quiescence search (2024), a quiet move before the
//! captures.

mod in_engine;

use cozy_chess::Board;

use crate::experiments::prelude::*;
use crate::{
    game::chess::Chess,
    hal::{
        Reading::{self, Described, Meant, Printed},
        Settings, StandPat,
        paper::{self, Row},
        search::{Statistics, think},
    },
};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "quiescence",
    title: "Quiescence: a quiet move before the captures",
    claim: "At the last ply of a search whose quiescence extends captures and promotions, trying a \
            move that is neither of them first improves alpha-beta's pruning significantly: paired t = \
            2.63 on the nodes of 24 positions of one game (Wheeler 2024, An Optimization Method for \
            Quiescence in Chess-Playing Automata).",
    takes_hours: false,
    run,
};

/// HAL in its three readings, and HAL with the right to stand pat: each is run with and without the
/// optimization.
const VARIANTS: [(&str, Reading, StandPat); 5] = [
    ("as printed", Printed, StandPat::Never),
    ("as meant", Meant, StandPat::Never),
    ("as described", Described, StandPat::Never),
    ("as meant, may stand pat", Meant, StandPat::WithQuietMoves),
    (
        "as meant, stands pat instead of quiet moves",
        Meant,
        StandPat::TacticalOnly,
    ),
];
/// Place of the reading "as meant" among them.
const AS_MEANT: usize = 1;

fn run(context: &Context) -> Result<Report, Failure> {
    let rows = paper::table_1()?;
    let boards = paper::positions(&rows)?;
    let base = Settings::new(Meant, context.sized(2, 5));
    let all = VARIANTS.map(|variant| Pairs::run(variant, base, &boards));
    let variants = in_engine::run(context)?;
    let mut findings = Vec::from(paper::findings());
    findings.extend(all.iter().filter_map(Pairs::finding));
    findings.push(why(&all));
    findings.extend(in_engine::findings(&variants));
    let effect = match all[AS_MEANT].log_test().filter(TTest::significant) {
        Some(test) if test.mean > 0.0 => "saves nodes",
        Some(_) => "costs nodes",
        None => "neither clearly saves nor costs nodes",
    };
    Ok(Report {
        tables: vec![
            runs_table(&all),
            test_table(&all),
            by_move_table(&rows, &all[AS_MEANT]),
            in_engine::table(&variants),
        ],
        figures: vec![by_move_chart(&rows, &all[AS_MEANT])],
        summary: format!(
            "In HAL's search as meant the quiet move first {effect}, while the code as printed has \
             no quiescence to improve, and the printed table needs two repairs."
        ),
        findings,
    })
}

/// One variant's statistics, position by position, without and with the optimization.
struct Pairs {
    name: &'static str,
    without: Run<&'static str, Statistics>,
    with: Run<&'static str, Statistics>,
}

fn nodes(run: &Statistics) -> u64 {
    run.nodes
}

impl Pairs {
    /// Runs a variant both ways on all positions.
    fn run(variant: (&'static str, Reading, StandPat), base: Settings, boards: &[Board]) -> Pairs {
        let (name, reading, stand_pat) = variant;
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
        let run = |variant, each| Run { variant, each };
        Pairs {
            name,
            without: run("no", without),
            with: run("yes", with),
        }
    }

    /// Nodes that the optimization saved, position by position.
    fn saved(&self) -> Vec<f64> {
        self.without.excess(&self.with, |run| run.nodes as f64)
    }

    /// A test of the logarithms of nodes without over nodes with.
    fn log_test(&self) -> Option<TTest> {
        self.with.savings(&self.without, nodes)
    }

    /// All nodes with the optimization over all nodes without.
    fn ratio_of_sums(&self) -> f64 {
        self.with.ratio_to(&self.without, nodes)
    }

    /// Positions that took fewer nodes with the optimization.
    fn fewer(&self) -> usize {
        let saved = self.saved().into_iter();
        saved.filter(|&saved| saved > 0.0).count()
    }

    fn finding(&self) -> Option<Finding> {
        let log = self.log_test()?;
        let [mean, from, to] = log.factors();
        let text = format!(
            "HAL {}: with the quiet move first nodes fall by a mean factor of {mean:.2} ({from:.2} \
             to {to:.2}, {}), in {} of {} positions.",
            self.name,
            log.p(),
            self.fewer(),
            log.count,
        );
        Some(Finding::by_test(log.significant(), log.mean > 0.0, text))
    }
}

/// His explanation and ours: without stand-pat the quiet move is what stand-pat is elsewhere.
fn why(all: &[Pairs; 5]) -> Finding {
    let [_, as_meant, _, may, instead] = all.each_ref().map(|pairs| 1.0 / pairs.ratio_of_sums());
    noted!(
        "In HAL the quiet move does what standing pat does elsewhere: it saves a factor of \
         {as_meant:.1} without stand-pat, of {may:.1} with it, and of {instead:.1} where stand-pat \
         replaces quiet moves below the full width."
    )
}

fn runs_table(all: &[Pairs]) -> Table {
    let rows = all
        .iter()
        .flat_map(|pairs| [(pairs.name, &pairs.without), (pairs.name, &pairs.with)]);
    let title = "HAL on the positions of the paper's game: sums over all positions";
    table!("hal-runs", title, &rows.collect::<Vec<_>>(), |row| {
        "search" => row.0,
        "quiet first" => row.1.variant,
        "nodes" => row.1.sum(nodes),
        "below full width (%)" => real(100.0 * row.1.rate(|run| run.quiescence_nodes, nodes), 1),
        "cut-offs" => row.1.sum(|run| run.cut_offs),
        "cut-offs per node" => real(row.1.rate(|run| run.cut_offs, nodes), 4),
    })
}

fn test_table(all: &[Pairs]) -> Table {
    let tested = all.iter().filter_map(|pairs| {
        let plain = TTest::of(pairs.saved())?;
        Some((pairs, plain, pairs.log_test()?))
    });
    let title = "Paired t-tests of our runs: does the quiet move first save nodes? (alpha 0.05, two \
                 tails)";
    table!("hal-tests", title, &tested.collect::<Vec<_>>(), |row| {
        "search" => row.0.name,
        "positions" => row.2.count,
        "fewer nodes in" => row.0.fewer(),
        "nodes with / without" => real(row.0.ratio_of_sums(), 3),
        "t of differences" => real(row.1.t, 2),
        "p" => row.1.p(),
        "t of log ratios" => real(row.2.t, 2),
        "p of log ratios" => row.2.p(),
        "without / with, mean" => real(row.2.factors()[0], 3),
        "95 % from" => real(row.2.factors()[1], 3),
        "to" => real(row.2.factors()[2], 3),
    })
}

fn by_move_table(rows: &[Row], pairs: &Pairs) -> Table {
    let ours = pairs.without.each.iter().zip(&pairs.with.each);
    let rows: Vec<_> = rows.iter().zip(ours).collect();
    let title = "Nodes move by move: the paper's table 1 as printed, and HAL as meant here";
    table!("hal-by-move", title, rows, |row| {
        "move" => row.0.move_number,
        "White" => row.0.white_printed.as_str(),
        "HAL" => row.0.black_printed.as_str(),
        "paper, without" => real(row.0.nodes_without_optimization, 0),
        "paper, with" => real(row.0.nodes_with_optimization, 0),
        "ours, without" => row.1.0.nodes,
        "ours, with" => row.1.1.nodes,
    })
}

/// Wheeler's figure 5, nodes move by move: the paper's and ours.
fn by_move_chart(rows: &[Row], pairs: &Pairs) -> Chart {
    let mended = paper::mended(rows);
    let moves = || rows.iter().map(|row| f64::from(row.move_number));
    let theirs = |nodes: fn(&Row) -> f64| moves().zip(mended.iter().map(nodes));
    let ours = |run: &Run<_, Statistics>| {
        let nodes = run.each.iter().map(|run| run.nodes as f64);
        moves().zip(nodes).collect::<Vec<_>>()
    };
    let with = theirs(|row| row.nodes_with_optimization);
    let without = theirs(|row| row.nodes_without_optimization);
    let title = "Nodes for each move (row 9 mended)";
    Chart::new(title, "move of the game", "nodes")
        .log_y()
        .line("the paper's with optimization", with)
        .dashed("the paper's without", without)
        .line("ours with optimization", ours(&pairs.with))
        .dashed("ours without", ours(&pairs.without))
}
