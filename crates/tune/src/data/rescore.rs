//! `data rescore`: the same games, every position searched again.

use sextant_cli::{failure::Failure, signals};
use sextant_search::{Engine, Limits};

use super::games::{Files, check_interrupt};
use crate::{
    args::{self, SearchArgs},
    engine, jobs,
    viriformat::{Game, Turn},
};

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    search: SearchArgs,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let SearchArgs {
        config,
        soft_nodes,
        hash,
        threads,
    } = &args.search;
    let setup = engine::load(config, *hash)?;
    let limits = args::limits(*soft_nodes, args::usual_hard(*soft_nodes));
    let work = |engine: &mut Engine, game, is_over: &dyn Fn() -> bool| {
        Ok(rescored(engine, &limits, game, is_over))
    };
    let mut input = args.files.inputs.open("searching")?;
    let mut output = args.files.create()?;
    let mut next = || input.next_game();
    let mut write = |game: Game| output.write(&game.to_bytes());
    jobs::run(
        (&setup, *threads),
        signals::flag(),
        &mut next,
        work,
        &mut write,
    )?;
    check_interrupt()?;
    output.finish()
}

/// The game with new scores; `None` if nobody wants it any more.
fn rescored(
    engine: &mut Engine,
    limits: &Limits,
    mut game: Game,
    is_over: &dyn Fn() -> bool,
) -> Option<Game> {
    engine.new_game();
    let mut line = sextant_search::Game::new(game.start.clone());
    for turn in &mut game.turns {
        if is_over() {
            return None;
        }
        let outcome = engine.arm_and_go(&line, limits);
        let color = line.position().side_to_move();
        *turn = Turn::new(turn.mv, color, outcome.score().raw() as i16);
        line.play(turn.mv);
    }
    Some(game)
}
