//! `data convert`: the quiet positions of games, for a trainer.

use sextant_board::{Color, Position};
use sextant_cli::{failure::Failure, output};
use sextant_search::Quiescence;

use super::{
    games::Inputs,
    points::{Points, PointsArgs},
    positions::{Label, Positions, PositionsArgs},
};
use crate::{
    args, engine,
    viriformat::{Game, Turn},
};

/// A move in a file of games has four bytes; the position that it becomes, scattered, about this
/// many times as many.
pub(super) const GROWTH: u64 = 12;

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    positions: PositionsArgs,
    #[command(flatten)]
    returns: Returns,
    #[command(flatten)]
    points: PointsArgs,
    #[command(flatten)]
    leaves: Leaves,
}

/// Quiet positions in the place of those that are not.
///
/// The score of a position whose best move takes is that of the position behind the exchange, and a
/// network is asked only there. A position in check is left out all the same: quiescence looks at
/// one quiet evasion, so the end of its line is not worth what the position is.
#[derive(clap::Args, Debug)]
struct Leaves {
    /// Take positions whose best move takes or promotes too, and write in the place of each
    /// position the quiet one in which its quiescence search ends.
    #[arg(long)]
    leaves: bool,
    /// With --leaves: the preset or TOML file whose quiescence and evaluation decide.
    #[arg(
        long,
        value_name = "CONFIG",
        default_value = "default",
        requires = "leaves"
    )]
    config: String,
}

/// λ-returns: scores that know what the rest of the game thought.
///
/// The score of a short search knows little of what only time shows; the result of the game knows
/// it, but is noisy. Between them lies the average of the scores of this position and of those
/// after it, each weighing λ times what the one before it weighs, and the result of the game the
/// rest: the return of TD(λ) (Sutton 1988; for chess KnightCap, Baxter, Tridgell and Weaver 1998).
/// The average is over expected points, not centipawns.
#[derive(clap::Args, Clone, Copy, Debug)]
struct Returns {
    /// Replace each score by its λ-return: the later scores and the result of its game count too,
    /// each ply less by this factor. 0 leaves the scores as they are, 1 leaves only the results.
    #[arg(long, value_name = "FACTOR", default_value_t = 0.0, value_parser = args::share::<f64>())]
    lambda: f64,
    /// Mix the result of the game into each score with this share, whatever --lambda says. Files
    /// with different shares can be learned together.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = args::share::<f64>())]
    result_share: f64,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let points = args.points.load()?;
    let mut input = args.inputs.open("reading")?;
    let mut positions = Positions::create(&args.positions, input.bytes() * GROWTH)?;
    let mut quiescence = args.leaves.quiescence()?;
    let mut games = 0;
    while let Some(game) = input.next_game()? {
        let group = positions.group(game.key());
        games += 1;
        let taught = args.returns.of(&game, &points);
        for (ply, ((position, turn), taught)) in game.positions().zip(taught).enumerate() {
            let best = quiescence.is_none().then_some(turn.mv);
            if !positions.keeps(&position, ply, turn.white_score, best) {
                continue;
            }
            let Some(quiet) = quiet(position, &mut quiescence) else {
                positions.leave_out();
                continue;
            };
            let label = Label::exact(taught.white_score, game.result);
            positions.add(&quiet, label, group)?;
        }
        positions.add_end(&game, group)?;
    }
    let report = positions.finish()?;
    output::print(format_args!("games      {games:>12}\n{report}"))
}

/// The position, or the end of its quiescence, if there is one.
fn quiet(position: Position, quiescence: &mut Option<Quiescence>) -> Option<Position> {
    match quiescence {
        None => Some(position),
        Some(quiescence) => quiescence.leaf(&position),
    }
}

impl Leaves {
    fn quiescence(&self) -> Result<Option<Quiescence>, Failure> {
        if !self.leaves {
            return Ok(None);
        }
        // Quiescence alone needs next to no table.
        let setup = engine::load(&self.config, 1)?;
        setup.quiescence().map(Some).map_err(Failure::work)
    }
}

impl Returns {
    /// The moves with returns in the place of the scores.
    fn of(&self, game: &Game, points: &Points) -> Vec<Turn> {
        let mut turns = game.turns.clone();
        if self.lambda == 0.0 && self.result_share == 0.0 && points.curves.is_none() {
            return turns;
        }
        let now = game
            .positions()
            .map(|(position, turn)| points.of(turn.white_score, &position));
        let now: Vec<f64> = now.collect();
        let result = game.result.half_points(Color::White) as f64 / 2.0;
        let mut later = result;
        for (turn, now) in turns.iter_mut().zip(now).rev() {
            later += (1.0 - self.lambda) * (now - later);
            turn.white_score = points.score(later + self.result_share * (result - later));
        }
        turns
    }
}

#[cfg(test)]
mod tests {
    use sextant_board::Position;
    use sextant_play::GameResult::{self, BlackWins, Draw, WhiteWins};

    use super::*;

    const ONE_CURVE: Points = Points {
        scale: 250.0,
        curves: None,
    };

    /// White's scores after the returns, in a game of knights that come and go.
    fn returns(returns: Returns, scores: &[i16], result: GameResult) -> Vec<i16> {
        read(returns, &ONE_CURVE, scores, result)
    }

    fn read(returns: Returns, points: &Points, scores: &[i16], result: GameResult) -> Vec<i16> {
        let moves = ["g1f3", "g8f6", "f3g1", "f6g8"].map(|mv| mv.parse().unwrap());
        let turns = moves.into_iter().cycle().zip(scores);
        let game = Game {
            start: Position::startpos(),
            result,
            turns: turns
                .map(|(mv, &white_score)| Turn { mv, white_score })
                .collect(),
        };
        let turns = returns.of(&game, points);
        turns.iter().map(|turn| turn.white_score).collect()
    }

    fn lambda(lambda: f64) -> Returns {
        Returns {
            lambda,
            result_share: 0.0,
        }
    }

    #[test]
    fn without_lambda_nothing_changes_and_at_one_the_result_alone_is_left() {
        let scores = [12, -40, 3_000, -32_000];
        assert_eq!(returns(lambda(0.0), &scores, Draw), scores);
        assert_eq!(returns(lambda(1.0), &[500, -500], Draw), [0, 0]);
        assert_eq!(returns(lambda(1.0), &[0, 0], WhiteWins), [10_000, 10_000]);
        assert_eq!(returns(lambda(1.0), &[0, 0], BlackWins), [-10_000, -10_000]);
    }

    /// Half of what was thought then and half of what was known a ply later, in points.
    #[test]
    fn later_scores_count_by_points() {
        let points = |score: i16| 1.0 / (1.0 + (-f64::from(score) / 250.0).exp());
        let found = returns(lambda(0.5), &[100, 700, 0], Draw);
        assert_eq!(found[2], 0);
        assert!((points(found[1]) - (points(700) + 0.5) / 2.0).abs() < 1e-3);
        assert!((points(found[0]) - (points(100) + points(found[1])) / 2.0).abs() < 1e-3);
    }

    #[test]
    fn the_result_has_its_share() {
        let of_share = |result_share| Returns {
            result_share,
            ..lambda(0.0)
        };
        let scores = [250, -250];
        assert_eq!(returns(of_share(0.0), &scores, WhiteWins), scores);
        assert_eq!(returns(of_share(1.0), &scores, Draw), [0, 0]);
        // 0.731 and half a point; what is between 0.731 and 0.5 is worth 118 centipawns.
        assert_eq!(returns(of_share(0.5), &scores, Draw), [118, -118]);
    }

    /// With all men on the board 104 centipawns win every second game and lose one of six.
    #[test]
    fn a_score_means_the_points_of_its_curve() {
        let points = Points {
            curves: Some(Points::TWO_LINES),
            ..ONE_CURVE
        };
        let found = read(lambda(0.0), &points, &[104, 0, -104], Draw);
        assert_eq!(found[1], 0);
        assert_eq!(found[0], -found[2]);
        assert!((175..=181).contains(&found[0]), "{found:?}");
    }
}
