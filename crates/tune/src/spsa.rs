//! `spsa`: tunes numbers of a config by games of the engine against itself.
//!
//! Every iteration moves all parameters a little, each up or down at random, lets the two opposite
//! players meet, and follows the winner. A run is a function of its seed, its options and the
//! engine: the number of threads does not matter, and a run that was killed goes on as if nothing
//! had happened, because its state is replaced whole after every iteration.

mod games;
mod keeper;
mod optimizer;
mod session;
mod show;
mod state;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use sextant_cli::{amount, failure::Failure, files, output, signals};

#[cfg(fuzzing)]
pub(crate) use self::state::fuzz_state;
use self::{
    session::{MADE, NewRun, Session},
    state::State,
};
use crate::{args::Deadline, engine::Base};

const NEW_RUN: [&str; 4] = ["keys", "except", "Options", "Gains"];

/// What is to be tuned, and how.
#[derive(clap::Args, Debug)]
#[command(group = clap::ArgGroup::new("which").required(true).args(["state", "resume", "show"]))]
pub(crate) struct Args {
    /// Begin a run and keep it in this file, which is replaced after every iteration. A chart
    /// goes beside it.
    #[arg(long, value_name = "FILE", requires = "keys")]
    state: Option<PathBuf>,
    /// Go on with a run; it keeps all its options.
    #[arg(long, value_name = "FILE", conflicts_with_all = NEW_RUN)]
    resume: Option<PathBuf>,
    /// Print the values of a run, at any time; with --out also write them as a config.
    #[arg(long, value_name = "FILE", conflicts_with_all = NEW_RUN, conflicts_with = "concurrency")]
    show: Option<PathBuf>,
    /// Where the tuned config goes [default: beside the state, as in run.tuned.toml].
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    out: Option<PathBuf>,
    /// Games at the same time; the results do not depend on it.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Begin no iteration after this time, such as 30m or 8h; the run can be resumed.
    #[arg(long, value_name = "TIME", value_parser = amount::time, conflicts_with = "show")]
    max_time: Option<Duration>,
    #[command(flatten)]
    new: NewRun,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let out = args.out.as_deref();
    let mut session = match (&args.state, &args.resume, &args.show) {
        (Some(path), _, _) => Session::begin(&args.new, path, out, args.concurrency)?,
        (_, Some(path), _) => Session::resume(path, args.concurrency)?,
        (_, _, Some(path)) => return show(path, out),
        (None, None, None) => return Err(Failure::usage("name a file with --state")),
    };
    session.run(signals::flag(), Deadline::after(args.max_time))
}

fn show(path: &Path, out: Option<&Path>) -> Result<(), Failure> {
    let state = State::load(path)?;
    output::print(format_args!("{}\n", show::text(&state)))?;
    let Some(out) = out else { return Ok(()) };
    let config = state.found_config();
    if files::is_same(out, path) || files::is_same(out, Path::new(&config)) {
        return Err(Failure::usage(format!(
            "the run needs {} as it is; name another file with --out",
            out.display()
        )));
    }
    let base = Base::load(&config)?;
    let written = base.write(&state.tuned(&base.config)?, out, MADE)?;
    output::print(format_args!("\n{written}\n"))
}
