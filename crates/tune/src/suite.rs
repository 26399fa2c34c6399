//! `suite`: test positions with known best moves, solved or not, by one config or two.

mod report;

use std::{path::PathBuf, sync::atomic::AtomicBool};

use sextant_board::Epd;
use sextant_cli::{failure::Failure, output, progress::Progress};
use sextant_config::Config;
use sextant_play::{parse_suite, solve};
use sextant_search::{Engine, EngineSetup};

use self::report::{McNemar, Run};
use crate::{
    args::{LimitArgs, Override, Side},
    engine, jobs,
};

/// Nodes for each position when no limit is named.
const DEFAULT_NODES: u64 = 1_000_000;

/// Solve a test suite with one config, or compare two.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A file of positions in EPD with bm, am, dm or `bm #N`.
    file: PathBuf,
    #[command(flatten)]
    limits: LimitArgs,
    /// The preset or TOML file that solves it.
    #[arg(long, value_name = "FILE|PRESET", default_value = "default")]
    config: String,
    /// A second preset or file: solve the suite with both and compare.
    #[arg(long, value_name = "FILE|PRESET")]
    against: Option<String>,
    /// Change a tunable, as in search.iir=false; a: changes it in --config only, b: in --against.
    /// May be repeated.
    #[arg(long = "set", value_name = "[a:|b:]KEY=VALUE")]
    overrides: Vec<Override>,
    /// Table of each engine in MB [default: the config's].
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(i32).range(1..=65_536))]
    hash: Option<i32>,
    /// Positions searched at the same time, each with one thread.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

impl Args {
    fn setup(&self, name: &str, side: Side) -> Result<EngineSetup, Failure> {
        let mut config = Config::load(name).map_err(Failure::usage)?;
        Override::apply_all(&self.overrides, side, &mut config)
            .map_err(|error| Failure::usage(format!("--set: {error}")))?;
        config.engine.threads = 1;
        // Nothing lies between the engine and the position that could take time.
        config.engine.move_overhead = 0;
        config.engine.hash = self.hash.unwrap_or(config.engine.hash);
        engine::setup(config)
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let positions = read(args)?;
    let mut runs = vec![solve_all(&args.config, Side::A, args, &positions)?];
    if let Some(name) = &args.against {
        runs.push(solve_all(name, Side::B, args, &positions)?);
    }
    let comparison = match &runs[..] {
        [a, b] => Some(McNemar::new(a, b)),
        _ => None,
    };
    if args.json {
        let report = report::json(&args.file, &runs, &positions, comparison.as_ref());
        return output::print(format_args!("{report}\n"));
    }
    for run in &runs {
        output::print(run.text(&positions))?;
    }
    comparison.map_or(Ok(()), output::print)
}

fn read(args: &Args) -> Result<Vec<Epd>, Failure> {
    let file = args.file.display();
    let text = engine::read_positions(&args.file)?;
    let positions = parse_suite(&text);
    let positions = positions.map_err(|error| Failure::usage(format!("{file}:{error}")))?;
    if positions.is_empty() {
        let message = format!("{file} holds no position with bm, am or dm");
        return Err(Failure::usage(message));
    }
    Ok(positions)
}

fn solve_all(name: &str, side: Side, args: &Args, positions: &[Epd]) -> Result<Run, Failure> {
    let (setup, limits) = (args.setup(name, side)?, args.limits.limits(DEFAULT_NODES));
    let work =
        |engine: &mut Engine, epd, _: &dyn Fn() -> bool| Ok(Some(solve(engine, epd, &limits)));
    let progress = Progress::new(name, Some(positions.len() as u64));
    let mut solved = Vec::with_capacity(positions.len());
    let mut take = |one| {
        solved.push(one);
        progress.advance(1);
        Ok(())
    };
    let (never, mut left) = (AtomicBool::new(false), positions.iter());
    jobs::run(
        (&setup, args.threads),
        &never,
        &mut || Ok(left.next()),
        work,
        &mut take,
    )?;
    progress.finish();
    let name = name.to_owned();
    Ok(Run { name, solved })
}
