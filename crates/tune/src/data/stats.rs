//! `data stats`: what is in files of games.

use std::{collections::HashSet, fmt::Display};

use sextant_board::{Color, Phase, Position};
use sextant_cli::{failure::Failure, output};
use sextant_play::GameResult;

use super::{
    filter::{CAUSES, Filter},
    games::Inputs,
};
use crate::viriformat::{Game, Turn};

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    filter: Filter,
}

/// Width of the longest bar.
const WIDTH: u64 = 50;
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
    lost: [u64; CAUSES.len()],
    kept: u64,
    /// Of the kept ones: the score, the phase, and the points that the side to move made, by score.
    scores: [u64; SCORES.len() + 1],
    half_points: [u64; SCORES.len() + 1],
    phases: [u64; Phase::COUNT],
    absolute: u64,
}

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
        for (ply, (position, turn)) in game.positions().enumerate() {
            self.positions += 1;
            match filter.cause(&position, ply, turn.white_score, Some(turn.mv)) {
                Some(cause) => self.lost[cause] += 1,
                None => self.keep(&position, turn, game.result),
            }
        }
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
        let kept = [("kept", self.kept)].into_iter();
        let kept = kept.chain(CAUSES.into_iter().zip(self.lost));
        let phases = (0..).map(|n: u32| n.to_string()).zip(self.phases);
        format!(
            "games        {:>12}  from {} different starts\n\
             positions    {:>12}  {:.1} a game\n\
             results\n{}\
             plies a game\n{}\
             positions kept for training and left out\n{}\
             scores of the kept ones for the side to move, in centipawns (mean distance from 0: \
             {:.0})\n{}\
             what they scored, in per cent\n{}\
             phases of the kept ones, 0 the opening\n{}",
            self.games,
            self.starts.len(),
            self.positions,
            self.positions as f64 / games,
            bars([
                ("White wins", white),
                ("draws", draws),
                ("Black wins", black)
            ]),
            bars(rows(&LENGTHS, &self.lengths)),
            bars(kept),
            self.absolute as f64 / self.kept.max(1) as f64,
            bars(rows(&SCORES, &self.scores)),
            self.outcomes(),
            bars(phases),
        )
    }

    /// The mean result by score: what an evaluation should foresee.
    fn outcomes(&self) -> String {
        let rows = rows(&SCORES, &self.half_points).zip(self.scores);
        let rows = rows.filter(|(_, count)| *count > 0);
        rows.map(|((label, half_points), count)| {
            let mean = 50.0 * half_points as f64 / count as f64;
            format!("  {label:>13} {mean:5.1}\n")
        })
        .collect()
    }
}

/// Labels for classes with these upper ends.
fn rows<T: Display>(ends: &[T], counts: &[u64]) -> impl Iterator<Item = (String, u64)> {
    let label = |index: usize| match (index.checked_sub(1).map(|i| &ends[i]), ends.get(index)) {
        (None, Some(end)) => format!("to {end}"),
        (Some(start), Some(end)) => format!("{start}..{end}"),
        (Some(start), None) => format!("over {start}"),
        (None, None) => String::new(),
    };
    let counts = counts.iter().enumerate();
    counts.map(move |(index, &count)| (label(index), count))
}

/// A line for each count: its label, its share, a bar.
fn bars<L: AsRef<str>>(rows: impl IntoIterator<Item = (L, u64)>) -> String {
    let rows: Vec<_> = rows.into_iter().collect();
    let total: u64 = rows.iter().map(|(_, count)| count).sum();
    let most = rows.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let lengths = rows.iter().map(|(label, _)| label.as_ref().chars().count());
    let width = lengths.max().unwrap_or(0);
    let mut text = String::new();
    for (label, count) in &rows {
        let (label, share) = (label.as_ref(), 100.0 * *count as f64 / total.max(1) as f64);
        let bar = "#".repeat((count * WIDTH).div_ceil(most.max(1)) as usize);
        let line = format!("  {label:>width$} {count:>11} {share:5.1} % {bar}");
        text += line.trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_end_with_their_upper_end() {
        let classes = [0, 10, 11, 20, 21].map(|value| class(&[10, 20], &value));
        assert_eq!(classes, [0, 0, 1, 1, 2]);
        let labels = rows(&[10, 20], &[1, 2, 3]).map(|(label, _)| label);
        assert!(labels.eq(["to 10", "10..20", "over 20"]));
    }

    #[test]
    fn the_largest_bar_fills_the_width_and_small_ones_are_seen() {
        let text = bars([("a", 1000), ("bb", 1), ("c", 0)]);
        let lengths = text.lines().map(|line| line.matches('#').count());
        assert!(lengths.eq([50, 1, 0]));
        assert!(text.starts_with("   a        1000  99.9 % #"), "{text}");
        assert_eq!(bars::<&str>([]), "");
    }
}
