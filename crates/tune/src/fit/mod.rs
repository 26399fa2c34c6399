//! `fit`: learns what moves should cost, and how late moves should be reduced, from the engine's own
//! deeper searches.
//!
//! [`collect`] makes samples: nodes of shallow searches as they were before their moves were tried
//! ([`watch`], [`facts`]), labelled by deeper searches in engines that know nothing else
//! ([`searches`]), and kept in a file ([`store`]). [`prices`] and [`reductions`] are the two models,
//! a conditional logit ([`choice`]) and a sequential one ([`hazard`]); [`study`] fits them and lets
//! games that they never saw judge.

mod args;
mod bootstrap;
mod calibration;
mod chart;
mod choice;
mod collect;
mod contest;
mod facts;
mod files;
mod fixed;
mod hazard;
mod likelihood;
mod optimise;
mod outcome;
mod parts;
mod pgn;
#[cfg(test)]
mod planted;
mod positions;
mod prices;
mod recipe;
mod reductions;
mod report;
mod rivals;
mod sample;
mod searches;
mod show;
mod split;
mod store;
mod study;
mod summary;
mod table;
mod watch;

use std::time::Instant;

pub(crate) use args::Args;
use args::{Gap, Model};
use sextant_config::{Config, GapSource, Parameter};

use self::{
    outcome::{Outcome, Prices, Reductions},
    parts::Parts,
    study::Study,
};
use crate::{
    base::Base,
    failure::Failure,
    interrupt, keys,
    say::{self, counted},
};

/// How a fitted config came to be.
const MADE: &str = "Learned from searches: `sextant-tune fit`";

/// Makes samples, fits, and reports.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let base = Base::load(&args.config)?;
    let others = others(args)?;
    let kept = kept(args)?;
    let gap = gap(args, &base.config, &kept)?;
    files::check(args)?;
    if let Some(out) = &args.out {
        base.text(&base.config, out, MADE)?;
        report::check_writable(out)?;
    }
    if let Some(folder) = &args.report {
        report::prepare(folder)?;
    }
    let collected = collect::collect(args, interrupt::flag())?;
    let parts = Parts::of(&collected.blocks, args.seed)?;
    let study = Study {
        parts: &parts,
        base: (&args.config, &base.config),
        others: &others,
        kept: &kept,
        gap,
        bootstrap: args.bootstrap,
        seed: args.seed,
    };
    let start = Instant::now();
    let samples = parts.counts().iter().sum();
    say::note(format_args!("fitting to {}", counted(samples, "sample")));
    let (fitted, prices, reductions) = fit(&study, args.model)?;
    let outcome = Outcome {
        fit: study.task(args.model, &fitted),
        samples: summary::of(&collected.blocks, parts.counts()),
        recipe: collected.recipe,
        prices,
        reductions,
    };
    say::note(format_args!(
        "fitted in {:.0} s",
        start.elapsed().as_secs_f64()
    ));
    go_on()?;
    let written = write(args, &base, &fitted, &outcome);
    let text = show::text(&outcome);
    match written {
        Ok(lines) => say::out(text + &lines),
        Err(failure) => {
            // What was found is worth seeing even so.
            let _ = say::out(text);
            Err(failure)
        }
    }
}

/// Asked between steps that last.
///
/// # Errors
/// [`Failure`] if somebody has stopped the run.
fn go_on() -> Result<(), Failure> {
    if interrupt::is_set() {
        return Err(Failure::interrupted(
            "stopped while fitting; neither config nor report is written",
        ));
    }
    Ok(())
}

/// The fitted config, and what was found.
fn fit(
    study: &Study<'_>,
    model: Model,
) -> Result<(Config, Option<Prices>, Option<Reductions>), Failure> {
    let mut config = study.base.1.clone();
    let (with_prices, with_reductions) = (model != Model::Reductions, model != Model::Prices);
    if with_reductions {
        // Before the prices, which take long.
        study.check_late_moves()?;
    }
    let prices = with_prices.then(|| study.prices(&mut config)).transpose()?;
    let reductions = with_reductions.then(|| study.reductions(&mut config));
    Ok((config, prices, reductions.transpose()?))
}

/// Writes the config and the files of the report, and says what was written.
fn write(args: &Args, base: &Base, fitted: &Config, outcome: &Outcome) -> Result<String, Failure> {
    let mut lines = String::new();
    if let Some(out) = &args.out {
        let out_name = out.display();
        lines += &if *fitted == base.config {
            format!(
                "\nnothing changed: every weight rounds to what it was; {out_name} is not written\n"
            )
        } else {
            base.write(fitted, out, MADE)?;
            format!("\nwritten: {out_name}\n")
        };
    }
    if let Some(folder) = &args.report {
        report::write(outcome, folder)?;
        lines += &format!("\nwritten: {}\n", folder.display());
    }
    Ok(lines)
}

/// The parameters that are not to be changed.
fn kept(args: &Args) -> Result<Vec<Parameter>, Failure> {
    if args.except.is_empty() {
        return Ok(Vec::new());
    }
    keys::matching_all("except", &args.except).map_err(Failure::usage)
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

/// The configs to compare with.
fn others(args: &Args) -> Result<Vec<(String, Config)>, Failure> {
    let others = args.compare.iter().filter(|name| **name != args.config);
    others
        .map(|name| Ok((name.clone(), Config::load(name).map_err(Failure::usage)?)))
        .collect()
}
