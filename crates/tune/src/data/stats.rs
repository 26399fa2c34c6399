//! `data stats`: what is in files of games.

use std::collections::HashSet;

use sextant_board::{Color, Phase, Position};
use sextant_cli::{failure::Failure, output};
use sextant_play::GameResult;

use super::{
    filter::{Cause, Filter},
    histogram::bars,
    input::Inputs,
};
use crate::viriformat::{Game, Turn};

/// The arguments of `data stats`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    filter: Filter,
}

/// Upper ends of the score classes, from the side to move's view; the last one has none.
const SCORES: [i32; 15] = [
    -2000, -1000, -500, -300, -200, -100, -50, 50, 100, 200, 300, 500, 1000, 2000, 3000,
];
/// Upper ends of the classes of game lengths, in plies.
const LENGTHS: [usize; 7] = [20, 40, 80, 120, 160, 240, 320];

#[derive(Debug, Default)]
struct Stats {
    games: u64,
    starts: HashSet<u64>,
    results: [u64; 3],
    lengths: [u64; LENGTHS.len() + 1],
    positions: u64,
    lost: [u64; Cause::ALL.len()],
    kept: u64,
    /// Of the kept ones: the score, the phase, and the points that the side to move made, by score.
    scores: [u64; SCORES.len() + 1],
    half_points: [u64; SCORES.len() + 1],
    phases: [u64; Phase::COUNT],
    absolute: u64,
}

/// Prints what is in the files.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let mut input = args.inputs.open("reading")?;
    let mut stats = Stats::default();
    while let Some(game) = input.next_game()? {
        stats.count(&game, &args.filter);
    }
    output::print(stats.text())
}

/// The class of a value among classes with these upper ends.
fn class<T: PartialOrd>(ends: &[T], value: &T) -> usize {
    ends.partition_point(|end| end < value)
}

impl Stats {
    fn count(&mut self, game: &Game, filter: &Filter) {
        self.games += 1;
        self.starts.insert(game.start.key());
        self.results[game.result.half_points(Color::White)] += 1;
        self.lengths[class(&LENGTHS, &game.turns.len())] += 1;
        game.visit(|position, turn| {
            self.positions += 1;
            match filter.cause(position, turn) {
                Some(cause) => self.lost[cause as usize] += 1,
                None => self.keep(position, turn, game.result),
            }
        });
    }

    fn keep(&mut self, position: &Position, turn: Turn, result: GameResult) {
        let color = position.side_to_move();
        let score = match color {
            Color::White => i32::from(turn.white_score),
            Color::Black => -i32::from(turn.white_score),
        };
        self.kept += 1;
        self.absolute += u64::from(score.unsigned_abs());
        let class = class(&SCORES, &score);
        self.scores[class] += 1;
        self.half_points[class] += result.half_points(color) as u64;
        self.phases[Phase::of(position.board()).index()] += 1;
    }

    fn text(&self) -> String {
        let games = self.games.max(1) as f64;
        let [black, draws, white] = self.results;
        let mut text = format!(
            "games        {:>12}  from {} different starts\n\
             positions    {:>12}  {:.1} a game\n",
            self.games,
            self.starts.len(),
            self.positions,
            self.positions as f64 / games,
        );
        text.push_str("results\n");
        text.push_str(&bars(&[
            ("White wins", white),
            ("draws", draws),
            ("Black wins", black),
        ]));
        text.push_str("plies a game\n");
        text.push_str(&bars(&rows(&LENGTHS, &self.lengths)));
        text.push_str("positions kept for training and left out\n");
        let mut kept = vec![("kept", self.kept)];
        kept.extend(Cause::ALL.map(|cause| (cause.text(), self.lost[cause as usize])));
        text.push_str(&bars(&kept));
        text.push_str(&format!(
            "scores of the kept ones for the side to move, in centipawns (mean distance from 0: \
             {:.0})\n",
            self.absolute as f64 / self.kept.max(1) as f64
        ));
        text.push_str(&bars(&rows(&SCORES, &self.scores)));
        text.push_str("what they scored, in per cent\n");
        text.push_str(&self.outcomes());
        text.push_str("phases of the kept ones, 0 the opening\n");
        let phases: Vec<_> = (0..).map(|n: u32| n.to_string()).zip(self.phases).collect();
        text.push_str(&bars(&phases));
        text
    }

    /// The mean result by score: what an evaluation should foresee.
    fn outcomes(&self) -> String {
        let labels = rows(&SCORES, &self.half_points);
        let lines = labels
            .iter()
            .zip(self.scores)
            .filter(|(_, count)| *count > 0);
        lines
            .map(|((label, half_points), count)| {
                let mean = 50.0 * *half_points as f64 / count as f64;
                format!("  {label:>13} {mean:5.1}\n")
            })
            .collect()
    }
}

/// Labels for classes with these upper ends.
fn rows<T: std::fmt::Display>(ends: &[T], counts: &[u64]) -> Vec<(String, u64)> {
    let label = |index: usize| match (index.checked_sub(1).map(|i| &ends[i]), ends.get(index)) {
        (None, Some(end)) => format!("to {end}"),
        (Some(start), Some(end)) => format!("{start}..{end}"),
        (Some(start), None) => format!("over {start}"),
        (None, None) => String::new(),
    };
    counts
        .iter()
        .enumerate()
        .map(|(index, &count)| (label(index), count))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_end_with_their_upper_end() {
        assert_eq!(
            [0, 10, 11, 20, 21].map(|value| class(&[10, 20], &value)),
            [0, 0, 1, 1, 2]
        );
        let labels: Vec<_> = rows(&[10, 20], &[1, 2, 3])
            .into_iter()
            .map(|row| row.0)
            .collect();
        assert_eq!(labels, ["to 10", "10..20", "over 20"]);
    }
}
