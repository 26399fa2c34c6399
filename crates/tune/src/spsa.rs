//! `spsa`: tunes numbers of a config by games of the engine against itself.
//!
//! Every iteration moves all parameters a little, each up or down at random, lets the two opposite
//! players meet, and follows the winner. A run is a function of its seed, its options and the
//! engine: the number of threads does not matter, and a run that was killed goes on as if nothing
//! had happened, because its state is replaced whole after every iteration.

mod args;
mod gains;
mod games;
mod idle;
mod optimizer;
mod paths;
mod session;
mod show;
mod state;
mod verify;

use std::path::Path;

pub(crate) use args::Args;
pub(crate) use gains::rate;
use sextant_cli::{failure::Failure, files, output, signals};

use self::{session::Session, state::State};
use crate::base::Base;

/// How a tuned config came to be.
const MADE: &str = "Tuned by games: `sextant-tune spsa`";

/// Begins a run, goes on with one, or shows one.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if let Some(path) = &args.show {
        return show(path, args.out.as_deref());
    }
    let mut session = match (&args.state, &args.resume) {
        (_, Some(path)) => Session::resume(path, args.concurrency)?,
        (Some(path), None) => Session::begin(args, path)?,
        (None, None) => {
            return Err(Failure::usage(
                "name a file with --state, --resume or --show",
            ));
        }
    };
    session.run(signals::flag())
}

fn show(path: &Path, out: Option<&Path>) -> Result<(), Failure> {
    let state = State::load(path)?;
    output::print(format_args!("{}\n", show::text(&state)))?;
    let Some(out) = out else { return Ok(()) };
    let config = paths::found_config(&state.recipe.config, path);
    if files::is_same(out, path) || files::is_same(out, Path::new(&config)) {
        return Err(Failure::usage(format!(
            "the run needs {} as it is; name another file with --out",
            out.display()
        )));
    }
    let base = Base::load(&config)?;
    let tuned = state.tuned(&base.config)?;
    if tuned == base.config {
        return output::print(format_args!(
            "\nnothing changed: every value rounds to where it began; {} is not written\n",
            out.display()
        ));
    }
    base.write(&tuned, out, MADE)?;
    output::print(format_args!("\nwritten: {}\n", out.display()))
}
