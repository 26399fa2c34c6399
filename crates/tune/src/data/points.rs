//! Scores as expected points, and back: one unit for all phases.
//!
//! A centipawn of a network is worth twice as many points in the opening as in the ending. Read by
//! curves that know the material, and written on one logistic scale, it is worth the same in both.

use std::path::PathBuf;

use sextant_board::Position;
use sextant_cli::failure::Failure;
use sextant_search::{WdlModel, material};

use super::{positions::FARTHEST, wdl};
use crate::net::promised;

/// Centipawns that make 73 % of the points in the labels of positions, if nothing else is said.
pub(crate) const LABEL_SCALE: u16 = 250;

/// Which points scores are worth.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct PointsArgs {
    /// Read scores as the points that these games made of them with the pieces that were left, by
    /// the curves of `data wdl`, not by one curve for the opening and the ending. The best are games
    /// of the same network that thinks longer.
    #[arg(long, value_name = "GAMES", num_args = 1..)]
    curves: Vec<PathBuf>,
    /// Centipawns that make 73 % of the points in the scores that are written: give the training's
    /// `--scale` the same number (its own default is another, 400).
    #[arg(long, value_name = "CP", default_value_t = LABEL_SCALE)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=2_000))]
    scale: u16,
}

impl PointsArgs {
    /// Fits the curves, if there are games for them.
    pub(super) fn load(&self) -> Result<Points, Failure> {
        let fitted = (!self.curves.is_empty()).then(|| wdl::of_games(&self.curves));
        Ok(Points {
            scale: self.scale.into(),
            curves: fitted.transpose()?,
        })
    }
}

/// What the scores of some games or searches mean.
#[derive(Clone, Copy, Debug)]
pub(super) struct Points {
    /// Centipawns that make 73 % of the points: the unit of the scores that are written, and
    /// without curves of those that are read.
    pub(super) scale: f64,
    /// What scores win and lose, by material.
    pub(super) curves: Option<WdlModel>,
}

impl Points {
    /// The points that a score promises, 0 to 1, from the view that the score has.
    pub(super) fn of(&self, score: i16, position: &Position) -> f64 {
        let Some(curves) = self.curves else {
            return promised(score.into(), self.scale);
        };
        let men = material(position.board());
        let [win, loss] = curves.win_and_loss(score.into(), men);
        (1.0 + win - loss) / 2.0
    }

    /// The score that promises so many points.
    pub(super) fn score(&self, points: f64) -> i16 {
        // Whatever the points round to.
        let farthest = f64::from(FARTHEST);
        let score = self.scale * (points / (1.0 - points)).ln();
        score.clamp(-farthest, farthest).round() as i16
    }

    /// A score in the unit of those that are written.
    pub(super) fn written(&self, score: i16, position: &Position) -> i16 {
        match self.curves {
            None => score,
            Some(_) => self.score(self.of(score, position)),
        }
    }
}

#[cfg(test)]
mod tests {
    use sextant_board::parse_fen;

    use super::*;

    impl Points {
        /// Curves that a bare board and all men decide.
        pub(in crate::data) const TWO_LINES: WdlModel = WdlModel {
            middle: [5.94, -1.29, 0.0],
            spread: [4.39, 0.43, 0.0],
        };
    }

    /// With all men on the board 104 centipawns win every second game and lose one of six: 67 % of
    /// the points, where one curve for all phases has 60 %. With next to none they win little.
    #[test]
    fn a_score_means_what_it_wins() {
        let opening = Position::startpos();
        let ending = parse_fen("8/8/4k3/4p3/8/4K3/4P3/8 w - - 0 1").unwrap();
        let by_phase = Points {
            scale: 250.0,
            curves: Some(Points::TWO_LINES),
        };
        let [many, few] = [&opening, &ending].map(|position| by_phase.written(104, position));
        assert!((175..=181).contains(&many), "{many}");
        assert!((1..60).contains(&few), "{few}");
        assert_eq!(by_phase.written(-104, &opening), -many);
        assert_eq!(by_phase.written(32_000, &opening), FARTHEST);
        let as_they_are = Points {
            curves: None,
            ..by_phase
        };
        assert_eq!(as_they_are.written(104, &ending), 104);
    }
}
