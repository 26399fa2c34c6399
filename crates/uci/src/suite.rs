//! `sextant suite`: test positions with known best moves, solved or not.

mod compare;
mod judge;

use std::{
    fs,
    io::IsTerminal,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value, json};
use sextant_board::{Epd, to_fen};
use sextant_search::{Engine, Game, Limits};

use self::{compare::McNemar, judge::Verdict};
use crate::{
    analyse::LimitArgs,
    cli::{Failure, Setup},
    options::Settings,
    output::Output,
    tables,
};

/// Nodes for each position when no limit is named.
const DEFAULT_NODES: u64 = 1_000_000;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A file of positions in EPD with bm, am, dm or `bm #N`.
    file: String,
    #[command(flatten)]
    limits: LimitArgs,
    /// A second preset or file: solve the suite with both and compare.
    #[arg(long, value_name = "FILE|PRESET")]
    against: Option<String>,
    /// Positions searched at the same time, each with one thread.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// A config and how it did.
struct Run {
    name: String,
    verdicts: Vec<Verdict>,
}

pub(crate) fn run(args: &Args, setup: &Setup, output: &Output) -> Result<(), Failure> {
    let positions = read(&args.file)?;
    let default = || Limits {
        nodes: Some(DEFAULT_NODES),
        ..Limits::default()
    };
    let limits = args.limits.limits().unwrap_or_else(default);
    let mut runs = vec![solve_all(
        setup.config.as_deref(),
        setup.settings()?,
        args,
        &limits,
        &positions,
    )?];
    if let Some(name) = &args.against {
        let other = Setup {
            config: Some(name.clone()),
            ..setup.clone()
        };
        runs.push(solve_all(
            Some(name),
            other.settings()?,
            args,
            &limits,
            &positions,
        )?);
    }
    let comparison = match &runs[..] {
        [a, b] => Some(McNemar::of(&a.verdicts, &b.verdicts)),
        _ => None,
    };
    if args.json {
        output.line(to_json(args, &runs, &positions, comparison.as_ref()));
    } else {
        runs.iter()
            .for_each(|run| output.line(to_text(run, &positions)));
        if let ([a, b], Some(comparison)) = (&runs[..], comparison) {
            output.line(comparison.to_text(&a.name, &b.name));
        }
    }
    Ok(())
}

/// The positions that say what is right; a line that cannot be read ends it all.
fn read(file: &str) -> Result<Vec<Epd>, Failure> {
    let text = fs::read(file).map_err(|error| format!("cannot read {file}: {error}"))?;
    let text = String::from_utf8_lossy(&text);
    let mut positions = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.trim().trim_start_matches('\u{feff}');
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut epd = Epd::parse(line).map_err(|error| format!("{file}:{}: {error}", i + 1))?;
        if judge::has_answer(&epd) {
            // What has no name is called by its place in the file.
            epd.id.get_or_insert_with(|| format!("line {}", i + 1));
            positions.push(epd);
        }
    }
    if positions.is_empty() {
        return Err(format!("{file} holds no position with bm, am or dm").into());
    }
    Ok(positions)
}

fn solve_all(
    name: Option<&str>,
    settings: Settings,
    args: &Args,
    limits: &Limits,
    positions: &[Epd],
) -> Result<Run, Failure> {
    let mut config = settings.config;
    config.engine.threads = 1;
    let name = name.unwrap_or("default").to_owned();
    let bar = progress(&name, positions.len());
    let next = AtomicUsize::new(0);
    let verdicts = Mutex::new(Vec::with_capacity(positions.len()));
    // Each thread has an engine of its own, so that the result does not depend on their number.
    let engines = (0..args.threads).map(|_| tables::engine(config.clone()));
    let engines = engines.collect::<Result<Vec<_>, _>>()?;
    thread::scope(|scope| {
        for mut engine in engines {
            let (next, verdicts, bar) = (&next, &verdicts, &bar);
            scope.spawn(move || {
                while let Some((i, epd)) = take(next, positions) {
                    let verdict = solve(&mut engine, epd, limits);
                    verdicts
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push((i, verdict));
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    let mut verdicts = verdicts
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    verdicts.sort_by_key(|(i, _)| *i);
    Ok(Run {
        name,
        verdicts: verdicts.into_iter().map(|(_, verdict)| verdict).collect(),
    })
}

fn take<'a>(next: &AtomicUsize, positions: &'a [Epd]) -> Option<(usize, &'a Epd)> {
    let i = next.fetch_add(1, Ordering::Relaxed);
    positions.get(i).map(|epd| (i, epd))
}

/// Searches as in a new game, so that the order of the positions does not matter.
fn solve(engine: &mut Engine, epd: &Epd, limits: &Limits) -> Verdict {
    engine.new_game();
    let mut judge = judge::Judge::new(epd);
    let game = Game::new(epd.position.clone());
    let outcome = engine.go_armed(&game, limits, 1, &mut |event| judge.hear(&event));
    judge.verdict(&outcome)
}

fn progress(name: &str, count: usize) -> ProgressBar {
    let target = if std::io::stderr().is_terminal() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let bar = ProgressBar::with_draw_target(Some(count as u64), target);
    if let Ok(style) = ProgressStyle::with_template("{prefix} {bar:40} {pos}/{len} {eta}") {
        bar.set_style(style);
    }
    bar.with_prefix(name.to_owned())
}

fn to_text(run: &Run, positions: &[Epd]) -> String {
    let mut lines = Vec::new();
    for (verdict, epd) in run.verdicts.iter().zip(positions) {
        let id = epd.id.as_deref().unwrap_or_default();
        lines.push(format!("{id:<30} {}", verdict.to_text(epd)));
    }
    lines.push(judge::summary(&run.name, &run.verdicts));
    lines.join("\n")
}

fn to_json(args: &Args, runs: &[Run], positions: &[Epd], comparison: Option<&McNemar>) -> Value {
    let runs = runs.iter().map(|run| {
        let rows = run.verdicts.iter().zip(positions).map(|(verdict, epd)| {
            let mut row = json!({ "id": epd.id, "fen": to_fen(&epd.position, true) });
            if let (Value::Object(row), Value::Object(more)) = (&mut row, verdict.to_json(epd)) {
                row.extend(more);
            }
            row
        });
        json!({
            "config": run.name,
            "totals": judge::totals(&run.verdicts),
            "positions": rows.collect::<Vec<_>>(),
        })
    });
    json!({
        "suite": args.file,
        "runs": runs.collect::<Vec<_>>(),
        "mcnemar": comparison.copied().map(McNemar::to_json),
    })
}
