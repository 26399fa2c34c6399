//! `fit`: learns what moves should cost from the engine's own deeper searches.
//!
//! [`collect`] makes samples: nodes of shallow searches as they were before their moves were tried
//! ([`watch`], [`sample`]), labeled by deeper searches in engines that know nothing else, and kept in
//! a file ([`store`]). [`learn`] fits a conditional logit ([`logit`]) to most games and turns
//! probabilities into prices ([`price_list`]); [`report`] lets games that it never saw judge
//! ([`parts`]).

mod args;
mod collect;
mod learn;
mod logit;
mod parts;
mod positions;
mod price_list;
mod report;
mod sample;
mod store;
mod watch;

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

pub(crate) use args::Args;
use args::Gap;
use sextant_cli::{failure::Failure, files, output, signals};
use sextant_config::{Config, GapSource, Parameter};

use self::{
    learn::NOMINAL,
    parts::Parts,
    price_list::{Bounds, PriceList},
    report::Report,
};
use crate::{base::Base, keys};

/// How a fitted config came to be.
const MADE: &str = "Learned from searches: `sextant-tune fit`";

/// Makes samples, fits, and reports.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let base = Base::load(&args.config)?;
    let kept = keys::matching_all("except", &args.except).map_err(Failure::usage)?;
    let gap = gap(args, &base.config, &kept)?;
    check_files(args)?;
    if let Some(out) = &args.out {
        base.text(&base.config, out, MADE)?;
        files::check_writable(out)?;
    }
    let blocks = collect::collect(args, signals::flag())?;
    let parts = Parts::of(&blocks, args.seed)?;
    let samples = parts.counts().iter().sum();
    output::note(format_args!(
        "fitting to {}",
        output::counted(samples, "sample")
    ));

    let bounds = Bounds::new(&PriceList::of(&base.config), &kept, &parts.train);
    let ridge = learn::best_ridge(&parts.train, &parts.valid, gap)?;
    let learned = learn::learn(&parts.train, gap, ridge, &bounds)?;
    check_scale(&kept, learned.prices.mean(&parts.train))?;
    let mut fitted = base.config.clone();
    learned.prices.write(&mut fitted);
    let games: BTreeSet<u64> = blocks.iter().map(|block| block.group).collect();
    let report = Report {
        parts: &parts,
        name: &args.config,
        base: &base.config,
        fitted: &fitted,
        learned: &learned,
        ridge,
        seed: args.seed,
        kept: &kept,
        games: games.len(),
    };
    let text = report.text()?;
    go_on()?;
    let written = args.out.as_deref().map(|out| write(&base, &fitted, out));
    match written.transpose() {
        Ok(line) => output::print(text + &line.unwrap_or_default()),
        Err(failure) => {
            // What was found is worth seeing even so.
            let _ = output::print(text);
            Err(failure)
        }
    }
}

/// Asked between steps that last.
///
/// # Errors
/// [`Failure`] if somebody has stopped the run.
fn go_on() -> Result<(), Failure> {
    if signals::is_interrupted() {
        return Err(Failure::interrupted(
            "stopped while fitting; nothing is written",
        ));
    }
    Ok(())
}

/// Writes the config, and says so.
fn write(base: &Base, fitted: &Config, out: &Path) -> Result<String, Failure> {
    let name = out.display();
    if *fitted == base.config {
        return Ok(format!(
            "\nnothing changed: every weight rounds to what it was; {name} is not written\n"
        ));
    }
    base.write(fitted, out, MADE)?;
    Ok(format!("\nwritten: {name}\n"))
}

/// The gap by which quiet moves grow dearer.
fn gap(args: &Args, base: &Config, kept: &[Parameter]) -> Result<GapSource, Failure> {
    let present = base.extensions.gap_source;
    let wanted = match args.gap_source {
        Some(Gap::Order) => GapSource::Order,
        Some(Gap::Eval) => GapSource::Eval,
        None => present,
    };
    let is_kept = kept
        .iter()
        .any(|one| keys::name(one) == "extensions.gap_source");
    if is_kept && wanted != present {
        return Err(Failure::usage(format!(
            "--except keeps extensions.gap_source = {:?}, and --gap-source asks for {:?}; leave one of \
             them out",
            present.word(),
            wanted.word()
        )));
    }
    Ok(wanted)
}

/// Refuses to write over positions or samples.
fn check_files(args: &Args) -> Result<(), Failure> {
    let of_samples = args.samples.iter().flat_map(|path| {
        let recipe = files::beside(path, ".toml");
        [
            ("--samples", path.clone()),
            ("the recipe of --samples", recipe),
        ]
    });
    let of_samples: Vec<(&str, PathBuf)> = of_samples.collect();
    let out = args.out.iter().map(|path| ("--out", path.clone()));
    let written = of_samples.iter().cloned().chain(out);
    for (index, (option, path)) in written.enumerate() {
        let positions = args.inputs.iter().map(|path| ("the positions", path));
        let samples = of_samples
            .iter()
            .map(|(what, path)| (*what, path))
            .take(index);
        for (what, other) in positions.chain(samples) {
            if files::is_same(&path, other) {
                return Err(Failure::usage(format!(
                    "{option} {} is the same file as {what}, {}, which must not be lost; name another",
                    path.display(),
                    other.display()
                )));
            }
        }
    }
    Ok(())
}

/// Refuses to keep so much that nothing makes the best moves cost what they should.
fn check_scale(kept: &[Parameter], mean: f64) -> Result<(), Failure> {
    let are_kept = kept.iter().any(|one| one.spec.section == "extensions");
    if are_kept && (mean - NOMINAL).abs() > 0.01 {
        return Err(Failure::usage(format!(
            "with the prices that --except keeps the best moves cost {mean:.2} SX on average whatever \
             the others are, and not {NOMINAL:.0}; keep fewer of them"
        )));
    }
    Ok(())
}
