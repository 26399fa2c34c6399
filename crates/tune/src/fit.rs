//! `fit`: learns what moves should cost from the engine's own deeper searches.
//!
//! [`collect`] watches shallow searches, picks nodes as they were before their moves were tried and
//! gives them [`label`]s by searches in engines that know nothing else; a file keeps these [`samples`].
//! [`learn`] fits a conditional logit ([`logit`]) to most games and turns probabilities into
//! [`prices`]; [`report`] lets games that it never saw judge.

mod collect;
mod label;
mod learn;
mod logit;
mod prices;
mod report;
mod samples;

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use sextant_cli::{failure::Failure, files, output, signals};
use sextant_config::Parameter;

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
    /// Keys that keep their values, as in 'extensions.recapture' or 'extensions.phase'; may be
    /// repeated.
    #[arg(long, value_name = "PATTERN")]
    except: Vec<String>,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let SampleArgs { config, seed, .. } = &args.samples;
    let base = Base::load(config)?;
    let kept = keys::matching_all("except", &args.except)?;
    if let Some(out) = &args.out {
        check_out(out, &args.samples)?;
        base.text(&base.config, out, MADE)?;
        files::check_writable(out)?;
    }
    let blocks = collect::collect(&args.samples, signals::flag())?;
    let parts = Parts::of(&blocks, *seed)?;
    let samples = parts.train.len() + parts.test.len();
    let samples = output::counted(samples as u64, "sample");
    output::note(format_args!("fitting to {samples}"));

    let before = PriceList::of(&base.config);
    let bounds = prices::bounds(&before, &kept, &parts.train);
    let learned = learn::learn(&parts.train, before.source, &bounds)?;
    check_scale(&kept, learned.prices.mean(&parts.train))?;
    let fitted = learned.prices.written(&base.config)?;
    let games: BTreeSet<u64> = blocks.iter().map(|block| block.group).collect();
    let report = Report {
        parts: &parts,
        name: config,
        base: &base.config,
        fitted: &fitted,
        learned: &learned,
        seed: *seed,
        kept: &kept,
        games: games.len(),
    };
    // The config first: the report may go to a full disk.
    let written = args.out.as_ref().map(|out| base.write(&fitted, out, MADE));
    let text = report.text()?;
    match written.transpose() {
        Ok(line) => output::print(text + &line.map_or(String::new(), |line| format!("\n{line}\n"))),
        Err(failure) => {
            // What was found is worth seeing even so.
            let _ = output::print(text);
            Err(failure)
        }
    }
}

/// Refuses to write over games or samples.
fn check_out(out: &Path, args: &SampleArgs) -> Result<(), Failure> {
    let samples = [args.samples.clone(), files::beside(&args.samples, ".toml")];
    let mut taken = args.inputs.iter().cloned().chain(samples);
    match taken.find(|path| files::is_same(out, path)) {
        Some(path) => Err(Failure::usage(format!(
            "--out {} is the same file as {}, which must not be lost; name another",
            out.display(),
            path.display()
        ))),
        None => Ok(()),
    }
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
