//! `data distill`: positions that nobody played, each with what an evaluation says of it, from which
//! a network learns what another one knows (Hinton, Vinyals and Dean, "Distilling the Knowledge in a
//! Neural Network", 2015). There is no end of them, and their labels are without noise.
//!
//! The positions are some random moves away from those of games: such as a search meets, good moves
//! and bad ones.

use sextant_board::{Position, Random, Score};
use sextant_cli::{failure::Failure, output, signals};
use sextant_eval::EvalState;
use sextant_play::{GameResult, play_random};
use sextant_search::EngineSetup;

use super::{
    convert::GROWTH,
    games::{Inputs, check_interrupt},
    points::PointsArgs,
    positions::{Label, Positions, PositionsArgs},
};
use crate::{
    engine, jobs,
    viriformat::{self, white_view},
};

/// Keeps the moves apart from the split and the order.
const MOVES: u64 = 0x006d_6f76_6573;

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    positions: PositionsArgs,
    /// Presets or TOML files whose evaluations teach: the mean of their values is written, so let
    /// them have the same mean |value|. `net judge` says whether the mean errs less than the best.
    #[arg(long, value_name = "CONFIG", num_args = 1.., default_value = "default")]
    config: Vec<String>,
    /// Positions made of each position of a game.
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1_000))]
    per_position: u16,
    /// Random moves that lead to each, at most; one at least.
    #[arg(long, value_name = "N", default_value_t = 2)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=100))]
    moves: u16,
    /// Games at the same time; the file does not depend on it.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    #[command(flatten)]
    points: PointsArgs,
}

/// What became of the positions of a game.
struct Taught {
    /// The game's.
    key: u64,
    result: GameResult,
    /// Each with its ply in the game and its value from White's view.
    found: Vec<(usize, Position, i16)>,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let points = args.points.load()?;
    let setups = args.config.iter().map(|config| engine::load(config, 1));
    let setups: Vec<EngineSetup> = setups.collect::<Result<_, _>>()?;
    let mut input = args.inputs.open("reading")?;
    let bytes = input
        .bytes()
        .saturating_mul(GROWTH * u64::from(args.per_position));
    let mut positions = Positions::create(&args.positions, bytes)?;
    let mut numbers = 0..;
    let mut next = || Ok(input.next_game()?.zip(numbers.next()));
    let worker = || {
        let teachers = setups.iter().map(EngineSetup::evaluation);
        let mut teachers: Vec<EvalState> =
            teachers.collect::<Result<_, _>>().map_err(Failure::work)?;
        Ok(move |job: (viriformat::Game, u64), _: &dyn Fn() -> bool| {
            Ok(Some(teach(args, &mut teachers, job)))
        })
    };
    let mut take = |taught: Taught| {
        let group = positions.group(taught.key);
        for (ply, position, white_value) in taught.found {
            if positions.keeps(&position, ply, white_value, None) {
                let score = points.written(white_value, &position);
                positions.add(&position, Label::exact(score, taught.result), group)?;
            }
        }
        Ok(())
    };
    jobs::run_workers(args.threads, signals::flag(), &mut next, worker, &mut take)?;
    check_interrupt()?;
    output::print(positions.finish()?)
}

/// Leaves the positions of a game by random moves.
fn teach(
    args: &Args,
    teachers: &mut [EvalState],
    (game, number): (viriformat::Game, u64),
) -> Taught {
    let mut random = Random::of_item(args.positions.seed ^ MOVES, number);
    let mut found = Vec::new();
    for (ply, (position, _)) in game.positions().enumerate() {
        for _ in 0..args.per_position {
            let moves = 1 + random.below(args.moves.into());
            let mut changed = position.clone();
            if !play_random(&mut changed, moves, &mut random) {
                continue;
            }
            let value = mean_value(teachers, &changed);
            let white_value = white_view(changed.side_to_move(), value);
            found.push((ply, changed, white_value));
        }
    }
    Taught {
        key: game.key(),
        result: game.result,
        found,
    }
}

/// What the teachers say of a position in the mean, in centipawns from the mover's view.
fn mean_value(teachers: &mut [EvalState], position: &Position) -> i16 {
    let count = teachers.len() as i32;
    let values = teachers.iter_mut().map(|teacher| {
        teacher.reset(position);
        Score::eval(teacher.value(position)).raw()
    });
    (values.sum::<i32>() / count) as i16
}

#[cfg(test)]
mod tests {
    use sextant_board::{Color, MoveSets};
    use sextant_config::{Config, EvalKind};

    use super::*;
    use crate::viriformat::{Game, Turn};

    #[derive(clap::Parser)]
    struct Cli {
        #[command(flatten)]
        args: Args,
    }

    #[test]
    fn each_is_a_move_away_from_its_game_with_what_the_evaluation_says() {
        let mut random = Random::new(3);
        let (start, mut turns) = (Position::startpos(), Vec::new());
        let mut position = start.clone();
        for _ in 0..60 {
            let legal: Vec<_> = MoveSets::generate(&position).iter().collect();
            let mv = legal[random.below(legal.len())];
            turns.push(Turn { mv, white_score: 0 });
            position.play(mv);
        }
        let result = GameResult::Draw;
        let game = Game {
            start,
            result,
            turns,
        };
        let line = "data games.vf --out out.bin --moves 1 --per-position 3";
        let args = <Cli as clap::Parser>::parse_from(line.split(' ')).args;
        let setup = EngineSetup::new(Config::default(), |_| unreachable!()).unwrap();
        let engine = setup.engine().unwrap();
        let mut teachers = [setup.evaluation().unwrap(), classical()];
        let taught = teach(&args, &mut teachers[..1], (game.clone(), 7)).found;
        let by_classical = teach(&args, &mut teachers[1..], (game.clone(), 7)).found;
        let by_both = teach(&args, &mut teachers, (game.clone(), 7)).found;
        assert!(taught.len() > 170, "{}", taught.len());
        let positions: Vec<Position> = game.positions().map(|(position, _)| position).collect();
        let mut differ = 0;
        for (i, (ply, found, white_value)) in taught.iter().enumerate() {
            let legal = MoveSets::generate(&positions[*ply]);
            let mut after = legal.iter().map(|mv| positions[*ply].make(mv).0);
            assert!(after.any(|position| position.key() == found.key()));
            let sign = match found.side_to_move() {
                Color::White => 1,
                Color::Black => -1,
            };
            // An evaluation that knows of the fifty moves.
            let faded = engine.evaluate(found).raw() * 200 / (200 - i32::from(found.clock()));
            assert!((sign * i32::from(*white_value) - faded).abs() <= 2);
            let other = by_classical[i].2;
            assert_eq!(by_both[i].2, (white_value + other) / 2);
            differ += usize::from(*white_value != other);
        }
        assert!(differ > 100, "{differ}");
        let again = teach(&args, &mut teachers[..1], (game, 7)).found;
        assert!(again.iter().zip(&taught).all(|(a, b)| a.2 == b.2));
    }

    fn classical() -> EvalState {
        let mut config = Config::default();
        config.eval.kind = EvalKind::Classical;
        let setup = EngineSetup::new(config, |_| unreachable!()).unwrap();
        setup.evaluation().unwrap()
    }
}
