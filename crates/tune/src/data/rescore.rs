//! `data rescore`: the same games, every position searched again.

use sextant_cli::{failure::Failure, signals};
use sextant_search::{Engine, EngineSetup, Limits};

use super::{input::Inputs, output::OutputArgs};
use crate::{
    engine::{self, SearchArgs},
    ordered::{self, Work},
    viriformat::{Game, Turn},
};

/// The arguments of `data rescore`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    search: SearchArgs,
}

/// The jobs are games.
struct Rescoring {
    engine: EngineSetup,
    limits: Limits,
}

impl Work for Rescoring {
    type Job = Game;
    type Worker = Engine;
    type Done = Vec<u8>;
    type Error = Failure;

    fn worker(&self) -> Result<Engine, Failure> {
        self.engine.engine_on_caller().map_err(Failure::work)
    }

    fn work(
        &self,
        engine: &mut Engine,
        mut game: Game,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<u8>>, Failure> {
        engine.new_game();
        let mut line = sextant_search::Game::new(game.start.clone());
        for turn in &mut game.turns {
            if is_over() {
                return Ok(None);
            }
            let outcome = engine.go_armed(&line, &self.limits, 1, &mut |_| ());
            let color = line.position().side_to_move();
            *turn = Turn::new(turn.mv, color, outcome.score().raw() as i16);
            line.play(turn.mv);
        }
        Ok(Some(game.to_bytes()))
    }
}

/// Searches the games of the files again.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let SearchArgs {
        soft_nodes,
        hash,
        threads,
        ..
    } = args.search;
    let rescoring = Rescoring {
        engine: engine::load(&args.search.config, hash)?,
        limits: engine::limits(soft_nodes, engine::usual_hard(soft_nodes)),
    };
    let mut input = args.inputs.open("searching")?;
    let mut output = args.output.create()?;
    ordered::run(
        &rescoring,
        &mut || input.next_game(),
        threads,
        signals::flag(),
        &mut |game| output.write(&game),
    )?;
    if signals::is_interrupted() {
        return Err(super::interrupted());
    }
    output.finish()
}
