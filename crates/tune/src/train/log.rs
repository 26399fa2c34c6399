//! The losses of a run: a table for programs and a chart for people.

use serde::{Deserialize, Serialize};
use sextant_cli::chart::{Axis, Chart, Series, Style};

/// What was measured after a superbatch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Row {
    /// Number of the superbatch, from 1.
    pub(super) superbatch: u64,
    /// Positions seen so far, repetitions counted.
    pub(super) positions: u64,
    /// Learning rate of its last batch.
    pub(super) rate: f32,
    /// Mean loss of its batches, each before its step.
    pub(super) train: f64,
    /// Mean loss of the validation positions after it.
    pub(super) valid: f64,
}

/// The rows so far, and what to compare them with.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Log {
    /// Validation loss of the best constant expectation.
    pub(super) constant: f64,
    /// One for each superbatch.
    pub(super) rows: Vec<Row>,
}

/// The best constant is drawn where it belongs up to this many times the worst loss.
const FAR: f64 = 2.0;

impl Log {
    /// The table as comma-separated values, the last column the same in each row.
    pub(super) fn csv(&self) -> String {
        let mut text = "superbatch,positions,rate,train_loss,valid_loss,constant_loss\n".to_owned();
        for row in &self.rows {
            text += &format!(
                "{},{},{:e},{:.6},{:.6},{:.6}\n",
                row.superbatch, row.positions, row.rate, row.train, row.valid, self.constant
            );
        }
        text
    }

    /// Training and validation loss over the positions seen, and the best constant's loss.
    pub(super) fn chart(&self) -> Chart {
        let losses = || self.rows.iter().flat_map(|row| [row.train, row.valid]);
        let low = losses().fold(self.constant, f64::min);
        let worst = losses().fold(low, f64::max);
        // Losses worse than a constant are cut off: they would hide all the others. So is a constant
        // that a trained network left far behind; its name says how high it is.
        let (top, constant) = if self.constant <= FAR * worst {
            (self.constant, "best constant".to_owned())
        } else {
            (worst, format!("best constant {:.3}, above", self.constant))
        };
        let room = (top - low).max(1e-4) * 0.08;
        let series = |label: &str, value: &dyn Fn(&Row) -> f64| {
            let points = self.rows.iter();
            let points = points.map(|row| (row.positions as f64 / 1e6, value(row)));
            Series::new(label, Style::Line, points.collect())
        };
        Chart {
            title: String::new(),
            x: Axis::linear("million positions seen"),
            y: Axis::linear("mean loss").between(low - room, top + room),
            series: vec![
                series("training", &|row| row.train),
                series("validation", &|row| row.valid),
                series(&constant, &|_| self.constant),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chart_names_its_lines_and_says_how_far_away_the_constant_is() {
        for (constant, name) in [
            (0.15, ">\nbest constant\n<"),
            (0.5, "best constant 0.500, above"),
        ] {
            let row = |superbatch: u64, train, valid| Row {
                superbatch,
                positions: superbatch * 1_000_000,
                rate: 0.001,
                train,
                valid,
            };
            let rows = vec![row(1, 0.1, 0.11), row(2, 0.09, 0.1)];
            let svg = Log { constant, rows }.chart().to_svg().unwrap();
            for name in ["training", "validation", name, "million positions seen"] {
                assert!(svg.contains(name), "{name}");
            }
        }
    }
}
