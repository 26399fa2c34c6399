//! `data rescore`: the same games, every position searched again.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use sextant_board::Color;
use sextant_search::{Engine, Limits};

use super::{
    input::{self, Input},
    output::Output,
};
use crate::{
    engine::{self, Mind},
    failure::Failure,
    games::Game,
    in_order::{self, Work},
    interrupt, say,
};

/// How often the log gets a line.
const IN_LOG: Duration = Duration::from_secs(30);

/// The arguments of `data rescore`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Files of games.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// No new iteration once a position took this many nodes.
    #[arg(long, value_name = "N", default_value_t = 1_200)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    soft_nodes: u64,
    /// Games searched at the same time; the file does not depend on it.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// A preset or a TOML file.
    #[arg(long, value_name = "CONFIG", default_value = "default")]
    config: String,
    /// Table of each game in MB.
    #[arg(long, value_name = "MB", default_value_t = 4)]
    #[arg(value_parser = clap::value_parser!(i32).range(1..=65_536))]
    hash: i32,
}

/// The jobs are games.
struct Rescoring {
    mind: Mind,
    limits: Limits,
}

impl Work for Rescoring {
    type Job = Game;
    type Worker = Engine;
    type Done = Game;

    fn worker(&self) -> Result<Engine, Failure> {
        self.mind.engine()
    }

    fn work(
        &self,
        engine: &mut Engine,
        mut game: Game,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<Game>, Failure> {
        engine.new_game();
        let mut line = sextant_search::Game::new(game.start.clone());
        for turn in &mut game.turns {
            if is_over() {
                return Ok(None);
            }
            let outcome = engine.go_armed(&line, &self.limits, 1, &mut |_| ());
            let raw = outcome.score().raw() as i16;
            turn.white_score = match line.position().side_to_move() {
                Color::White => raw,
                Color::Black => -raw,
            };
            line.play(turn.mv);
        }
        Ok(Some(game))
    }
}

/// Searches the games of the files again.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let rescoring = Rescoring {
        mind: Mind::load(&args.config, args.hash)?,
        limits: engine::limits(args.soft_nodes, engine::usual_hard(args.soft_nodes)),
    };
    let mut input = Input::new(&args.files, "searching")?;
    let mut output = Output::new(&args.out)?;
    let (mut games, mut bytes) = (0_u64, Vec::new());
    let mut logged = Instant::now();
    let mut jobs = || input.next_game();
    in_order::run(
        &rescoring,
        &mut jobs,
        args.threads,
        interrupt::flag(),
        &mut |game| {
            bytes.clear();
            game.write_to(&mut bytes);
            games += 1;
            if logged.elapsed() >= IN_LOG {
                logged = Instant::now();
                say::note(format_args!("games {games}"));
            }
            output.write(&bytes)
        },
    )?;
    if interrupt::is_set() {
        return Err(input::stopped());
    }
    output.finish()?;
    let games = say::counted(games, "game");
    say::out(format_args!("{games} in {}\n", args.out.display()))
}
