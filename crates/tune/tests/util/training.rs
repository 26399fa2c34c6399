//! Runs of the trainer on next to nothing.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use bulletformat::{BulletFormat, ChessBoard};
use sextant_board::Random;

use super::{binary, told};

/// Writes records of positions with a few men; who has more of them has the better score.
pub(crate) fn records(path: &Path, count: usize, seed: u64) {
    let mut random = Random::new(seed);
    let mut bytes = Vec::new();
    for _ in 0..count {
        let mut middle = ["1"; 8];
        let mut score = 0;
        for square in &mut middle {
            let (man, value) = [("1", 0), ("N", 300), ("n", -300), ("Q", 900)][random.below(4)];
            *square = man;
            score += value;
        }
        let result = ["0.0", "0.5", "1.0"][random.below(3)];
        let text = format!(
            "7k/8/8/{}/8/8/8/K7 w - - 0 1 | {score} | {result}",
            middle.concat()
        );
        let board: ChessBoard = text.parse().unwrap();
        bytes.extend_from_slice(ChessBoard::as_bytes_slice(&[board]));
    }
    fs::write(path, bytes).unwrap();
}

/// A folder with data to train on.
pub(crate) struct Place {
    pub(crate) folder: tempfile::TempDir,
}

impl Place {
    pub(crate) fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        records(&folder.path().join("train.bin"), 3000, 1);
        records(&folder.path().join("valid.bin"), 300, 2);
        Place { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The command of a short run of the smallest network.
    pub(crate) fn train(&self, out: &str, more: &[&str]) -> Command {
        let mut command = binary();
        command
            .current_dir(&self.folder)
            .args(["train", "--out", out]);
        command.args([
            "--data",
            "train.bin",
            "--valid",
            "valid.bin",
            "--hidden",
            "32",
        ]);
        command.args(["--batch", "256", "--superbatch", "3", "--save-every", "1"]);
        command.args(more);
        command
    }

    /// A run's last validation loss, and that of the best constant.
    pub(crate) fn last_losses(&self, out: &str) -> (f64, f64) {
        let log = fs::read_to_string(self.path(out).join("log.csv")).unwrap();
        let last = log.lines().last().unwrap().split(',');
        let numbers: Vec<f64> = last.map(|field| field.parse().unwrap()).collect();
        let [.., valid, constant] = numbers[..] else {
            panic!("{log}")
        };
        (valid, constant)
    }

    /// What a command that fails says.
    pub(crate) fn refusal(&self, mut command: Command) -> (Option<i32>, String) {
        let (code, _, err) = told(command.output().unwrap());
        assert!(!err.contains("panicked"), "{err}");
        (code, err)
    }
}
