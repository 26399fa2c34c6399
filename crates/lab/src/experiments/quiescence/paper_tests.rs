//! The paper's statistics, done again on what it prints.

use crate::error::LabError;
use crate::hal::paper::{
    ROW_9_MENDED, ROW_9_PRINTED, Reconstruction, Row, TABLE_2, differences, log_ratios, mended,
    reconstruct,
};
use crate::report::{Cell, Finding, Table};
use crate::stats::{TTest, probability};

/// The paper's table, tested in every way.
pub struct PaperTests {
    printed: TTest,
    mended: TTest,
    mended_log: TTest,
    cut_off_rate: TTest,
    log_seconds: TTest,
    reconstruction: Reconstruction,
    rows: Vec<Row>,
}

impl PaperTests {
    /// Tests table 1.
    ///
    /// # Errors
    /// When there are too few rows.
    pub fn of(rows: &[Row]) -> Result<PaperTests, LabError> {
        let right = mended(rows);
        let rate = |row: &Row| {
            row.cutoffs_with_optimization / row.nodes_with_optimization
                - row.cutoffs_without_optimization / row.nodes_without_optimization
        };
        let seconds =
            |row: &Row| (row.seconds_without_optimization / row.seconds_with_optimization).ln();
        Ok(PaperTests {
            printed: TTest::of(&differences(rows))?,
            mended: TTest::of(&differences(&right))?,
            mended_log: TTest::of(&log_ratios(&right))?,
            cut_off_rate: TTest::of(&right.iter().map(rate).collect::<Vec<_>>())?,
            log_seconds: TTest::of(&right.iter().map(seconds).collect::<Vec<_>>())?,
            reconstruction: reconstruct(rows)?,
            rows: right,
        })
    }

    /// Every test as a row.
    #[must_use]
    pub fn table(&self) -> Table {
        let mut table = Table::new(
            "paper-tests",
            "The paper's table 1 tested again (nodes without less nodes with, unless said otherwise)",
            &[
                "sample",
                "rows",
                "mean",
                "t",
                "p, one tail",
                "p, two tails",
                "95 % from",
                "to",
            ],
        );
        let tests = [
            ("table 1 as printed", &self.printed, 0),
            ("row 9 mended", &self.mended, 0),
            (
                "row 9 mended and the lost row: table 2",
                &self.reconstruction.test,
                0,
            ),
            (
                "log of nodes without / with, row 9 mended",
                &self.mended_log,
                3,
            ),
            ("log of seconds without / with", &self.log_seconds, 3),
            (
                "cut-offs per node, with less without",
                &self.cut_off_rate,
                4,
            ),
        ];
        for (name, test, decimals) in tests {
            table.row([
                name.into(),
                test.count.into(),
                Cell::real(test.mean, decimals),
                Cell::real(test.t, 3),
                Cell::real(test.p_one_tail, 6),
                Cell::real(test.p_two_tails, 6),
                Cell::real(test.interval.0, decimals),
                Cell::real(test.interval.1, decimals),
            ]);
        }
        table.row([
            "table 2 as printed".into(),
            TABLE_2.count.into(),
            "1.52E+06".into(),
            Cell::real(TABLE_2.t, 5),
            Cell::real(TABLE_2.p_one_tail, 6),
            Cell::real(TABLE_2.p_two_tails, 6),
            Cell::real(TABLE_2.lower, 0),
            "2.72E+06".into(),
        ]);
        table
    }

    /// What they say.
    #[must_use]
    pub fn findings(&self) -> Vec<Finding> {
        let lost = self.reconstruction.lost_difference;
        let rebuilt = &self.reconstruction.test;
        let agrees = (rebuilt.t - TABLE_2.t).abs() < 0.001
            && (rebuilt.interval.0 - TABLE_2.lower).abs() < 500.0;
        let fewer = differences(&self.rows).iter().filter(|&&d| d > 0.0).count();
        vec![
            Finding::tested(
                self.printed.significant(),
                format!(
                    "Table 1 as printed (23 of 24 rows survive) shows no significant difference: \
                     t = {:.2}, two-sided p = {:.3}.",
                    self.printed.t, self.printed.p_two_tails
                ),
            ),
            Finding::tested(
                agrees,
                format!(
                    "Table 2 comes out (t = {:.5}, interval from {:.0}) if row 9's {ROW_9_PRINTED} \
                     is read as {ROW_9_MENDED} and the lost row's difference was {lost:.0}.",
                    rebuilt.t, rebuilt.interval.0
                ),
            ),
            Finding::tested(
                self.mended_log.significant() && self.mended_log.mean > 0.0,
                format!(
                    "With row 9 mended the optimization saved nodes in {fewer} of {} rows; on log \
                     ratios t = {:.2}, {}: the mean saving is a factor {:.2} ({:.2} to \
                     {:.2}).",
                    self.rows.len(),
                    self.mended_log.t,
                    probability(self.mended_log.p_two_tails),
                    self.mended_log.mean.exp(),
                    self.mended_log.interval.0.exp(),
                    self.mended_log.interval.1.exp()
                ),
            ),
            Finding::tested(
                self.cut_off_rate.significant() && self.cut_off_rate.mean > 0.0,
                format!(
                    "\"Pruning is improved\" cannot mean more cut-offs: their number falls with \
                     the nodes, and per node there is no clear difference (t = {:.1}, p = {:.2}).",
                    self.cut_off_rate.t, self.cut_off_rate.p_two_tails
                ),
            ),
        ]
    }
}
