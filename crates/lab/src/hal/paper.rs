//! The paper's own numbers: its table 1, and its table 2 worked out again.

use cozy_chess::Board;
use serde::Deserialize;

use crate::error::LabError;
use crate::stats::{TTest, critical_t};

/// Table 1 of the paper, 23 of whose 24 rows survive.
const TABLE_1: &str = include_str!("../../testdata/hal-table1.csv");

/// Nodes with optimization in row 9 as they are printed.
pub const ROW_9_PRINTED: f64 = 7_855_657.0;
/// The same with one of the doubled digits taken out: it makes table 2 come out.
pub const ROW_9_MENDED: f64 = 785_657.0;

/// A row of table 1: HAL's answer to one move of White.
#[derive(Clone, Debug, Deserialize)]
pub struct Row {
    /// Number of the move in the game.
    pub move_number: u32,
    /// White's move as printed.
    pub white_printed: String,
    /// HAL's move as printed.
    pub black_printed: String,
    /// White's move with misprints mended.
    pub white_uci: String,
    /// HAL's move with misprints mended.
    pub black_uci: String,
    /// Nodes of the run that tried a quiet move first.
    pub nodes_with_optimization: f64,
    /// Nodes of the run that did not.
    pub nodes_without_optimization: f64,
    /// Cut-offs of the run without.
    pub cutoffs_without_optimization: f64,
    /// Cut-offs of the run with.
    pub cutoffs_with_optimization: f64,
    /// Seconds of the run with.
    pub seconds_with_optimization: f64,
    /// Seconds of the run without.
    pub seconds_without_optimization: f64,
}

/// Reads table 1.
///
/// # Errors
/// Only if the built-in copy were damaged.
pub fn table_1() -> Result<Vec<Row>, LabError> {
    csv::Reader::from_reader(TABLE_1.as_bytes())
        .deserialize()
        .collect::<Result<Vec<Row>, _>>()
        .map_err(|error| damaged(error.to_string()))
}

/// The positions in which HAL had to move, one for each row, and the moves replayed to get there.
///
/// # Errors
/// Only if the built-in copy were damaged.
pub fn positions(rows: &[Row]) -> Result<Vec<Board>, LabError> {
    let mut board = Board::default();
    let mut positions = Vec::with_capacity(rows.len());
    for row in rows {
        play(&mut board, &row.white_uci)?;
        positions.push(board.clone());
        play(&mut board, &row.black_uci)?;
    }
    Ok(positions)
}

fn play(board: &mut Board, uci: &str) -> Result<(), LabError> {
    let mv = cozy_chess::util::parse_uci_move(board, uci).map_err(|e| damaged(e.to_string()))?;
    board
        .try_play(mv)
        .map_err(|_| damaged(format!("{uci} is illegal in {board}")))
}

fn damaged(cause: String) -> LabError {
    LabError::BadTable {
        table: "hal-table1.csv",
        cause,
    }
}

/// Nodes without the optimization less nodes with it, row by row.
#[must_use]
pub fn differences(rows: &[Row]) -> Vec<f64> {
    rows.iter()
        .map(|row| row.nodes_without_optimization - row.nodes_with_optimization)
        .collect()
}

/// The natural logarithm of nodes without over nodes with, row by row.
#[must_use]
pub fn log_ratios(rows: &[Row]) -> Vec<f64> {
    rows.iter()
        .map(|row| (row.nodes_without_optimization / row.nodes_with_optimization).ln())
        .collect()
}

/// The rows with the misprint of row 9 mended.
#[must_use]
pub fn mended(rows: &[Row]) -> Vec<Row> {
    let mut mended = rows.to_vec();
    for row in &mut mended {
        if row.nodes_with_optimization == ROW_9_PRINTED {
            row.nodes_with_optimization = ROW_9_MENDED;
        }
    }
    mended
}

/// What table 2 prints.
#[derive(Clone, Copy, Debug)]
pub struct Table2 {
    /// Sample size.
    pub count: usize,
    /// Student's t.
    pub t: f64,
    /// Lower end of the 95 % interval of the mean difference.
    pub lower: f64,
    /// Probability by one tail.
    pub p_one_tail: f64,
    /// Probability by two tails.
    pub p_two_tails: f64,
}

/// Table 2 as printed. The mean and the upper end are printed with three digits only and left
/// out; they follow.
pub const TABLE_2: Table2 = Table2 {
    count: 24,
    t: 2.631_78,
    lower: 326_237.0,
    p_one_tail: 0.007_454,
    p_two_tails: 0.014_908,
};

/// Table 2 from its two exact entries, and the row that must have been lost.
#[derive(Clone, Copy, Debug)]
pub struct Reconstruction {
    /// Mean difference: t standard errors, where the lower end is that less the critical t.
    pub mean: f64,
    /// Standard error of the mean difference.
    pub error: f64,
    /// Difference of the lost row, so that 24 rows have this mean.
    pub lost_difference: f64,
    /// The t-test of the 23 surviving rows (row 9 mended) and the lost one.
    pub test: TTest,
}

/// Works table 2 out from its own t and lower bound, and tests whether the surviving rows agree.
///
/// # Errors
/// When there are too few rows.
pub fn reconstruct(rows: &[Row]) -> Result<Reconstruction, LabError> {
    let critical = critical_t(TABLE_2.count)?;
    let error = TABLE_2.lower / (TABLE_2.t - critical);
    let mean = TABLE_2.t * error;
    let mut differences = differences(&mended(rows));
    let lost_difference = mean * TABLE_2.count as f64 - differences.iter().sum::<f64>();
    differences.push(lost_difference);
    Ok(Reconstruction {
        mean,
        error,
        lost_difference,
        test: TTest::of(&differences)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_game_replays_and_black_is_to_move_in_every_position() {
        let rows = table_1().unwrap();
        assert_eq!(rows.len(), 23);
        let positions = positions(&rows).unwrap();
        assert!(
            positions
                .iter()
                .all(|board| board.side_to_move() == cozy_chess::Color::Black)
        );
        let last = positions.last().unwrap().to_string();
        assert_eq!(positions.len(), 23, "{last}");
    }

    #[test]
    fn as_printed_the_surviving_rows_show_nothing_significant() {
        let test = TTest::of(&differences(&table_1().unwrap())).unwrap();
        assert!((test.t - 1.61).abs() < 0.005, "{test:?}");
        assert!(!test.significant());
    }

    #[test]
    fn with_row_nine_mended_the_nodes_fall_in_all_rows_but_one() {
        let rows = mended(&table_1().unwrap());
        assert_eq!(differences(&rows).iter().filter(|&&d| d > 0.0).count(), 22);
        let test = TTest::of(&log_ratios(&rows)).unwrap();
        assert!((test.t - 4.70).abs() < 0.01, "{test:?}");
        let sum = |pick: fn(&Row) -> f64| rows.iter().map(pick).sum::<f64>();
        let ratio = sum(|r| r.nodes_with_optimization) / sum(|r| r.nodes_without_optimization);
        assert!((ratio - 0.552).abs() < 0.0005, "{ratio}");
    }

    #[test]
    fn table_two_comes_out_with_the_mended_row_and_one_lost_row() {
        let found = reconstruct(&table_1().unwrap()).unwrap();
        assert!((found.mean - 1.5247e6).abs() < 100.0, "{found:?}");
        assert!(
            (found.lost_difference - 4.416e6).abs() < 5_000.0,
            "{found:?}"
        );
        assert!((found.test.t - TABLE_2.t).abs() < 0.001, "{found:?}");
        assert!(
            (found.test.interval.0 - TABLE_2.lower).abs() < 500.0,
            "{found:?}"
        );
        assert!(
            (found.test.interval.1 - 2.723e6).abs() < 1_000.0,
            "{found:?}"
        );
        assert!(
            (found.test.p_one_tail - TABLE_2.p_one_tail).abs() < 5e-6,
            "{found:?}"
        );
        assert!(
            (found.test.p_two_tails - TABLE_2.p_two_tails).abs() < 1e-5,
            "{found:?}"
        );
    }

    #[test]
    fn cut_offs_fall_with_the_nodes_and_not_by_the_node() {
        let rows = mended(&table_1().unwrap());
        let sum = |pick: fn(&Row) -> f64| rows.iter().map(pick).sum::<f64>();
        assert!((sum(|r| r.cutoffs_with_optimization) / 1e6 - 4.22).abs() < 0.01);
        assert!((sum(|r| r.cutoffs_without_optimization) / 1e6 - 7.48).abs() < 0.01);
        let seconds = [
            sum(|r| r.seconds_with_optimization),
            sum(|r| r.seconds_without_optimization),
        ];
        assert!((seconds[0] - 432.7).abs() < 0.1 && (seconds[1] - 818.6).abs() < 0.1);
    }
}
