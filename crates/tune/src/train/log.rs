//! The losses of a run: a table for programs and a picture for people.

use serde::{Deserialize, Serialize};

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
}
