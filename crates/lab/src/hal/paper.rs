//! The paper's own numbers: its table 1, and its table 2 worked out again.

use cozy_chess::Board;
use serde::Deserialize;
use sextant_cli::failure::Failure;

use crate::{
    report::{Cell, Finding, Table, real, table, tested},
    stats::{TTest, critical_t},
};

/// Table 1 of the paper, 23 of whose 24 rows survive.
const TABLE_1: &str = include_str!("../../testdata/hal-table1.csv");

/// Nodes with optimization in row 9 as they are printed.
const ROW_9_PRINTED: f64 = 7_855_657.0;
/// The same with one of the doubled digits taken out: it makes table 2 come out.
const ROW_9_MENDED: f64 = 785_657.0;

/// A row of table 1: HAL's answer to one move of White, by a run that tried a quiet move first
/// (with optimization) and by one that did not.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Row {
    pub(crate) move_number: u32,
    /// White's move and HAL's as printed.
    pub(crate) white_printed: String,
    pub(crate) black_printed: String,
    /// Both with misprints mended.
    white_uci: String,
    black_uci: String,
    pub(crate) nodes_with_optimization: f64,
    pub(crate) nodes_without_optimization: f64,
    cutoffs_without_optimization: f64,
    cutoffs_with_optimization: f64,
    pub(crate) seconds_with_optimization: f64,
    pub(crate) seconds_without_optimization: f64,
}

impl Row {
    fn saved_nodes(&self) -> f64 {
        self.nodes_without_optimization - self.nodes_with_optimization
    }
}

pub(crate) fn table_1() -> Result<Vec<Row>, Failure> {
    let mut reader = csv::Reader::from_reader(TABLE_1.as_bytes());
    let rows = reader.deserialize().collect::<Result<Vec<Row>, _>>();
    rows.map_err(damaged)
}

/// The positions in which HAL had to move, one for each row.
pub(crate) fn positions(rows: &[Row]) -> Result<Vec<Board>, Failure> {
    let mut board = Board::default();
    let mut play = |uci: &str| {
        let mv = cozy_chess::util::parse_uci_move(&board, uci).map_err(damaged)?;
        let before = board.clone();
        let illegal = |_| damaged(format!("{uci} is illegal in {before}"));
        board.try_play(mv).map_err(illegal)?;
        Ok::<Board, Failure>(board.clone())
    };
    let each = rows.iter().map(|row| {
        let position = play(&row.white_uci)?;
        play(&row.black_uci)?;
        Ok(position)
    });
    each.collect()
}

/// Only if the built-in copy were damaged.
fn damaged(cause: impl std::fmt::Display) -> Failure {
    let text = format!("the built-in table hal-table1.csv is damaged: {cause}");
    Failure::work(text)
}

/// The rows with the misprint of row 9 mended.
pub(crate) fn mended(rows: &[Row]) -> Vec<Row> {
    let mut mended = rows.to_vec();
    for row in &mut mended {
        if row.nodes_with_optimization == ROW_9_PRINTED {
            row.nodes_with_optimization = ROW_9_MENDED;
        }
    }
    mended
}

/// Table 2 as printed; the mean and the upper end have three digits only and follow.
mod table_2 {
    pub(super) const COUNT: usize = 24;
    pub(super) const T: f64 = 2.631_78;
    /// Lower end of the 95 % interval of the mean difference.
    pub(super) const LOWER: f64 = 326_237.0;
    pub(super) const P_ONE_TAIL: f64 = 0.007_454;
    pub(super) const P_TWO_TAILS: f64 = 0.014_908;
}

/// The difference of the row that was lost, so that 24 rows have the mean of table 2. Mean and
/// error follow from its two exact entries: the mean is t errors, and the lower end is that less
/// the critical t.
fn lost_difference(rows: &[Row]) -> Option<f64> {
    let error = table_2::LOWER / (table_2::T - critical_t(table_2::COUNT)?);
    let sum = table_2::T * error * table_2::COUNT as f64;
    Some(sum - mended(rows).iter().map(Row::saved_nodes).sum::<f64>())
}

/// A sample's name, its test and the decimals that mean something.
pub(crate) type PaperTest = (&'static str, TTest, usize);

/// The paper's table 1 tested in every way; `None` if the rows are too few.
pub(crate) fn tests(rows: &[Row]) -> Option<[PaperTest; 6]> {
    let right = mended(rows);
    let test = |value: fn(&Row) -> f64| TTest::of(right.iter().map(value));
    let printed = TTest::of(rows.iter().map(Row::saved_nodes))?;
    let saved = right.iter().map(Row::saved_nodes);
    let rebuilt = TTest::of(saved.chain([lost_difference(rows)?]))?;
    let nodes = test(|row| (row.nodes_without_optimization / row.nodes_with_optimization).ln())?;
    let seconds =
        test(|row| (row.seconds_without_optimization / row.seconds_with_optimization).ln())?;
    let cut_offs = test(|row| {
        row.cutoffs_with_optimization / row.nodes_with_optimization
            - row.cutoffs_without_optimization / row.nodes_without_optimization
    })?;
    Some([
        ("table 1 as printed", printed, 0),
        ("row 9 mended", test(Row::saved_nodes)?, 0),
        ("row 9 mended and the lost row: table 2", rebuilt, 0),
        ("log of nodes without / with, row 9 mended", nodes, 3),
        ("log of seconds without / with", seconds, 3),
        ("cut-offs per node, with less without", cut_offs, 4),
    ])
}

/// Every test as a row, and what the paper prints.
pub(crate) fn table(tests: &[PaperTest; 6]) -> Table {
    let title = "The paper's table 1 tested again (nodes without less nodes with, unless said \
                 otherwise)";
    let mut table = table!("paper-tests", title, tests, |row| {
        "sample" => row.0,
        "rows" => row.1.count,
        "mean" => Cell::Real(row.1.mean, row.2),
        "t" => real(row.1.t, 3),
        "p, one tail" => real(row.1.p_one_tail, 6),
        "p, two tails" => real(row.1.p_two_tails, 6),
        "95 % from" => Cell::Real(row.1.interval[0], row.2),
        "to" => Cell::Real(row.1.interval[1], row.2),
    });
    table.rows.push(vec![
        "table 2 as printed".into(),
        table_2::COUNT.into(),
        "1.52E+06".into(),
        Cell::Real(table_2::T, 5),
        Cell::Real(table_2::P_ONE_TAIL, 6),
        Cell::Real(table_2::P_TWO_TAILS, 6),
        Cell::Real(table_2::LOWER, 0),
        "2.72E+06".into(),
    ]);
    table
}

/// What the tests say about the paper, and whether its claim stands.
pub(crate) fn findings(rows: &[Row], tests: &[PaperTest; 6]) -> [Finding; 4] {
    let [printed, _, rebuilt, nodes, _, cut_offs] = tests.map(|test| test.1);
    let [mean, from, to] = nodes.factors();
    let right = mended(rows);
    let saved = right.iter().filter(|row| row.saved_nodes() > 0.0);
    [
        tested!(
            printed.significant(),
            "Table 1 as printed (23 of 24 rows survive) shows no significant difference: t = {:.2}, \
             two-sided p = {:.3}.",
            printed.t,
            printed.p_two_tails
        ),
        tested!(
            (rebuilt.t - table_2::T).abs() < 0.001,
            "Table 2 comes out (t = {:.5}, interval from {:.0}) if row 9's 7855657 is read as \
             785657 and the lost row's difference was {:.0}.",
            rebuilt.t,
            rebuilt.interval[0],
            lost_difference(rows).unwrap_or_default()
        ),
        tested!(
            nodes.significant(),
            "With row 9 mended the optimization saved nodes in {} of 23 rows; on log ratios t = \
             {:.2}, {}: the mean saving is a factor {mean:.2} ({from:.2} to {to:.2}).",
            saved.count(),
            nodes.t,
            nodes.p()
        ),
        tested!(
            cut_offs.significant(),
            "\"Pruning is improved\" cannot mean more cut-offs: their number falls with the nodes, \
             and per node there is no clear difference (t = {:.1}, p = {:.2}).",
            cut_offs.t,
            cut_offs.p_two_tails
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Outcome::Holds;

    fn near(found: f64, known: f64, error: f64) {
        assert!((found - known).abs() < error, "{found} is not {known}");
    }

    #[test]
    fn the_printed_game_replays_and_black_is_to_move_in_every_position() {
        let positions = positions(&table_1().unwrap()).unwrap();
        assert_eq!(positions.len(), 23);
        let blacks = |board: &Board| board.side_to_move() == cozy_chess::Color::Black;
        assert!(positions.iter().all(blacks));
    }

    #[test]
    fn as_printed_nothing_is_significant_and_mended_table_two_comes_out() {
        let rows = table_1().unwrap();
        let tests = tests(&rows).unwrap();
        let rebuilt = tests[2].1;
        near(rebuilt.t, table_2::T, 0.001);
        near(rebuilt.interval[0], table_2::LOWER, 500.0);
        near(rebuilt.interval[1], 2.723e6, 1_000.0);
        near(rebuilt.mean, 1.5247e6, 100.0);
        near(rebuilt.p_one_tail, table_2::P_ONE_TAIL, 5e-6);
        near(rebuilt.p_two_tails, table_2::P_TWO_TAILS, 1e-5);
        let verdicts = findings(&rows, &tests).map(|finding| finding.outcome == Some(Holds));
        assert_eq!(verdicts, [false, true, true, false]);
    }

    #[test]
    fn cut_offs_fall_with_the_nodes_and_not_by_the_node() {
        let rows = mended(&table_1().unwrap());
        let sum = |pick: fn(&Row) -> f64| rows.iter().map(pick).sum::<f64>();
        let nodes = sum(|r| r.nodes_with_optimization) / sum(|r| r.nodes_without_optimization);
        near(nodes, 0.552, 0.0005);
        near(sum(|r| r.cutoffs_with_optimization) / 1e6, 4.22, 0.01);
        near(sum(|r| r.cutoffs_without_optimization) / 1e6, 7.48, 0.01);
        near(sum(|r| r.seconds_with_optimization), 432.7, 0.1);
        near(sum(|r| r.seconds_without_optimization), 818.6, 0.1);
    }
}
