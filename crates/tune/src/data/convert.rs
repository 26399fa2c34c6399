//! `data convert`: the quiet positions of games, for a trainer.

use sextant_board::Color;
use sextant_cli::{failure::Failure, output};

use super::{
    games::Inputs,
    positions::{Label, Positions, PositionsArgs},
};
use crate::{
    args,
    viriformat::{Game, Turn},
};

/// A move in a file of games has four bytes; the position that it becomes, scattered, about this
/// many times as many.
const GROWTH: u64 = 12;
/// No λ-return is farther from zero, whatever the expectation rounds to.
const FARTHEST: f64 = 10_000.0;

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    positions: PositionsArgs,
    #[command(flatten)]
    returns: Returns,
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
    /// Centipawns that make 73 % of the points, for --lambda: give the training's `--scale` the
    /// same number (its own default is another, 400).
    #[arg(long, value_name = "CP", default_value_t = 250)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=2_000))]
    scale: u16,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let mut input = args.inputs.open("reading")?;
    let mut positions = Positions::create(&args.positions, input.bytes() * GROWTH)?;
    let mut games = 0;
    while let Some(game) = input.next_game()? {
        let group = positions.group(games);
        games += 1;
        for ((position, turn), taught) in game.positions().zip(args.returns.of(&game)) {
            if positions.keeps(&position, turn.white_score, Some(turn.mv)) {
                let label = Label::exact(taught.white_score, game.result);
                positions.add(&position, label, group)?;
            }
        }
    }
    let report = positions.finish()?;
    output::print(format_args!("games      {games:>12}\n{report}"))
}

impl Returns {
    /// The moves with returns in the place of the scores.
    fn of(&self, game: &Game) -> Vec<Turn> {
        let mut turns = game.turns.clone();
        if self.lambda == 0.0 {
            return turns;
        }
        let scale = f64::from(self.scale);
        let mut later = game.result.half_points(Color::White) as f64 / 2.0;
        for turn in turns.iter_mut().rev() {
            let now = 1.0 / (1.0 + (-f64::from(turn.white_score) / scale).exp());
            later += (1.0 - self.lambda) * (now - later);
            let score = scale * (later / (1.0 - later)).ln();
            turn.white_score = score.clamp(-FARTHEST, FARTHEST).round() as i16;
        }
        turns
    }
}

#[cfg(test)]
mod tests {
    use sextant_board::Position;
    use sextant_play::GameResult::{self, BlackWins, Draw, WhiteWins};

    use super::*;

    fn returns(lambda: f64, scores: &[i16], result: GameResult) -> Vec<i16> {
        let mv = "a1a2".parse().unwrap();
        let turns = scores.iter().map(|&white_score| Turn { mv, white_score });
        let game = Game {
            start: Position::startpos(),
            result,
            turns: turns.collect(),
        };
        let turns = Returns { lambda, scale: 250 }.of(&game);
        turns.iter().map(|turn| turn.white_score).collect()
    }

    #[test]
    fn without_lambda_nothing_changes_and_at_one_the_result_alone_is_left() {
        let scores = [12, -40, 3_000, -32_000];
        assert_eq!(returns(0.0, &scores, Draw), scores);
        assert_eq!(returns(1.0, &[500, -500], Draw), [0, 0]);
        assert_eq!(returns(1.0, &[0, 0], WhiteWins), [10_000, 10_000]);
        assert_eq!(returns(1.0, &[0, 0], BlackWins), [-10_000, -10_000]);
    }

    /// Half of what was thought then and half of what was known a ply later, in points.
    #[test]
    fn later_scores_count_by_points() {
        let points = |score: i16| 1.0 / (1.0 + (-f64::from(score) / 250.0).exp());
        let found = returns(0.5, &[100, 700, 0], Draw);
        assert_eq!(found[2], 0);
        assert!((points(found[1]) - (points(700) + 0.5) / 2.0).abs() < 1e-3);
        assert!((points(found[0]) - (points(100) + points(found[1])) / 2.0).abs() < 1e-3);
    }
}
