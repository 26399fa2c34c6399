//! `fit`: learns what moves should cost from the engine's own deeper searches.
//!
//! [`collect`] watches shallow searches, picks nodes as they were before their moves were tried and
//! labels them by deeper searches in engines that know nothing else; a file keeps these [`samples`].
//! [`learn`] fits a conditional logit ([`logit`]) to most games and turns probabilities into
//! [`prices`]; [`report`] lets games that it never saw judge.

mod collect;
mod learn;
mod logit;
mod positions;
mod prices;
mod report;
mod samples;

use std::{collections::BTreeSet, path::PathBuf};

use clap::builder::PossibleValuesParser;
use sextant_cli::{failure::Failure, files, output, signals};
use sextant_config::{Config, GapSource, Parameter};

pub(crate) use self::logit::Cholesky;
use self::{
    learn::NOMINAL,
    prices::PriceList,
    report::Report,
    samples::{Parts, SampleArgs},
};
use crate::{engine::Base, keys};

/// How a fitted config came to be.
const MADE: &str = "Learned from searches: `sextant-tune fit`";

/// Where samples come from, and what becomes of them.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    samples: SampleArgs,
    /// Where the fitted config goes.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// What is fitted: only prices are left.
    #[arg(long, default_value = "prices", value_parser = model, hide = true)]
    model: String,
    /// The gap by which quiet moves grow dearer: in the score that they are sorted by, or in the
    /// static evaluation after the move, which costs the search time [default: that of the config].
    #[arg(long, value_parser = PossibleValuesParser::new(GapSource::WORDS), value_name = "SOURCE")]
    gap_source: Option<String>,
    /// Keys that keep their values, as in 'extensions.recapture' or 'extensions.phase'; may be
    /// repeated.
    #[arg(long, value_name = "PATTERN")]
    except: Vec<String>,
}

/// Refuses what was once fitted.
fn model(word: &str) -> Result<String, &'static str> {
    match word {
        "prices" => Ok(word.to_owned()),
        "reductions" | "both" => Err(
            "reductions are not learned any more: in 3,968 games learned ones were not shown to be \
             better; `spsa --keys 'reductions.*'` tunes them by games",
        ),
        _ => Err("the only model is prices"),
    }
}

/// Makes samples, fits, and reports.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let SampleArgs { config, seed, .. } = &args.samples;
    let base = Base::load(config)?;
    let kept = keys::matching_all("except", &args.except)?;
    let gap = gap(args, &base.config, &kept)?;
    check_files(args)?;
    if let Some(out) = &args.out {
        base.text(&base.config, out, MADE)?;
        files::check_writable(out)?;
    }
    let blocks = collect::collect(&args.samples, signals::flag())?;
    let parts = Parts::of(&blocks, *seed)?;
    let samples = parts.counts().iter().sum();
    output::note(format_args!(
        "fitting to {}",
        output::counted(samples, "sample")
    ));

    let bounds = prices::bounds(&PriceList::of(&base.config), &kept, &parts.train);
    let ridge = learn::best_ridge(&parts.train, &parts.valid, gap)?;
    let learned = learn::learn(&parts.train, gap, ridge, &bounds)?;
    check_scale(&kept, learned.prices.mean(&parts.train))?;
    let fitted = learned.prices.written(&base.config)?;
    let games: BTreeSet<u64> = blocks.iter().map(|block| block.group).collect();
    let report = Report {
        parts: &parts,
        name: config,
        base: &base.config,
        fitted: &fitted,
        learned: &learned,
        ridge,
        seed: *seed,
        kept: &kept,
        games: games.len(),
    };
    let text = report.text()?;
    let write = |out: &PathBuf| Ok(format!("\n{}\n", base.write(&fitted, out, MADE)?));
    match args.out.as_ref().map(write).transpose() {
        Ok(line) => output::print(text + &line.unwrap_or_default()),
        Err(failure) => {
            // What was found is worth seeing even so.
            let _ = output::print(text);
            Err(failure)
        }
    }
}

/// The gap by which quiet moves grow dearer.
fn gap(args: &Args, base: &Config, kept: &[Parameter]) -> Result<GapSource, Failure> {
    let present = base.extensions.gap_source;
    let mut named = [GapSource::Order, GapSource::Eval].into_iter();
    let wanted = named.find(|one| args.gap_source.as_deref() == Some(one.word()));
    let wanted = wanted.unwrap_or(present);
    let is_kept = |one: &Parameter| keys::name(one) == "extensions.gap_source";
    if wanted != present && kept.iter().any(is_kept) {
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
    let inputs = args.samples.inputs.iter();
    let mut taken: Vec<_> = inputs.map(|path| ("the positions", path.clone())).collect();
    let samples = args.samples.samples.iter().cloned();
    let recipe = args
        .samples
        .samples
        .iter()
        .map(|path| files::beside(path, ".toml"));
    let samples = samples.map(|path| ("--samples", path));
    let recipe = recipe.map(|path| ("the recipe of --samples", path));
    let out = args.out.iter().map(|path| ("--out", path.clone()));
    for (option, path) in samples.chain(recipe).chain(out) {
        let same = taken.iter().find(|(_, other)| files::is_same(&path, other));
        if let Some((what, other)) = same {
            return Err(Failure::usage(format!(
                "{option} {} is the same file as {what}, {}, which must not be lost; name another",
                path.display(),
                other.display()
            )));
        }
        taken.push((option, path));
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
