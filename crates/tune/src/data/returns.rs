//! λ-returns: scores that know what the rest of the game thought.
//!
//! The score of a short search knows little of what only time shows; the result of the game knows it,
//! but is noisy. Between them lies the average of the scores of this position and of those after it,
//! each weighing λ times what the one before it weighs, and the result of the game the rest: the return
//! of TD(λ) (Sutton 1988; for chess KnightCap, Baxter, Tridgell and Weaver 1998). The average is over
//! expected points, not centipawns.

use sextant_board::Color;
use sextant_play::GameResult;

use crate::viriformat::Turn;

/// How far scores look ahead.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(super) struct Returns {
    /// Replace each score by its λ-return: the later scores and the result of its game count too,
    /// each ply less by this factor. 0 leaves the scores as they are, 1 leaves only the results.
    #[arg(long, value_name = "FACTOR", default_value_t = 0.0, value_parser = super::share())]
    lambda: f64,
    /// Centipawns that make 73 % of the points, for --lambda: give the training's `--scale` the
    /// same number (its own default is another, 400).
    #[arg(long, value_name = "CP", default_value_t = 250)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=2_000))]
    scale: u16,
}

/// No return is farther from zero, whatever the expectation rounds to.
const FARTHEST: f64 = 10_000.0;

impl Returns {
    /// Puts the returns in the place of the scores.
    pub(super) fn replace(&self, turns: &mut [Turn], result: GameResult) {
        if self.lambda == 0.0 {
            return;
        }
        let scale = f64::from(self.scale);
        let mut later = result.half_points(Color::White) as f64 / 2.0;
        for turn in turns.iter_mut().rev() {
            let now = 1.0 / (1.0 + (-f64::from(turn.white_score) / scale).exp());
            later += (1.0 - self.lambda) * (now - later);
            let score = scale * (later / (1.0 - later)).ln();
            turn.white_score = score.clamp(-FARTHEST, FARTHEST).round() as i16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn returns(lambda: f64, scores: &[i16], result: GameResult) -> Vec<i16> {
        let mv = "a1a2".parse().unwrap();
        let turns = scores.iter().map(|&white_score| Turn { mv, white_score });
        let mut turns: Vec<Turn> = turns.collect();
        Returns { lambda, scale: 250 }.replace(&mut turns, result);
        turns.iter().map(|turn| turn.white_score).collect()
    }

    #[test]
    fn without_lambda_nothing_changes() {
        let scores = [12, -40, 3_000, -32_000];
        assert_eq!(returns(0.0, &scores, GameResult::Draw), scores);
    }

    #[test]
    fn the_result_alone_is_left_at_one() {
        use GameResult::{BlackWins, Draw, WhiteWins};
        assert_eq!(returns(1.0, &[500, -500], Draw), [0, 0]);
        assert_eq!(returns(1.0, &[0, 0], WhiteWins), [10_000, 10_000]);
        assert_eq!(returns(1.0, &[0, 0], BlackWins), [-10_000, -10_000]);
    }

    /// Half of what was thought then and half of what was known a ply later, in points.
    #[test]
    fn later_scores_count_by_points() {
        let points = |score: i16| 1.0 / (1.0 + (-f64::from(score) / 250.0).exp());
        let found = returns(0.5, &[100, 700, 0], GameResult::Draw);
        assert_eq!(found[2], 0);
        assert!((points(found[1]) - (points(700) + 0.5) / 2.0).abs() < 1e-3);
        assert!((points(found[0]) - (points(100) + points(found[1])) / 2.0).abs() < 1e-3);
    }

    /// What White gains Black loses.
    #[test]
    fn colors_are_alike() {
        use GameResult::{BlackWins, WhiteWins};
        let scores = [30, -120, 45, 800];
        let mirrored = scores.map(|score: i16| -score);
        let white = returns(0.9, &scores, WhiteWins);
        let black = returns(0.9, &mirrored, BlackWins);
        assert_eq!(white, black.iter().map(|&score| -score).collect::<Vec<_>>());
    }
}
