//! `train`: learns a network from positions with scores and results.
//!
//! The network has two copies of one hidden layer, one for each side's view of the board, and says
//! how many points the side to move can expect. Stochastic gradient descent on the CPU: the first
//! layer sees at most 32 of its inputs a position, so that it is a sum of some rows, and its slopes
//! are some rows added to. Everything is an array of floats of the same form ([`weights::Shape`]).

mod chart;
mod checkpoint;
mod display;
mod error;
mod export;
mod fingerprint;
#[cfg(test)]
mod fixture;
mod folder;
mod gradient;
mod kernel;
mod king_buckets;
mod log;
mod optimiser;
mod options;
mod record;
mod schedule;
mod session;
mod start;
mod stream;
mod target;
mod trainer;
mod weights;

use std::path::PathBuf;

pub(crate) use self::{checkpoint::write_whole, king_buckets::KingBuckets};
use self::{error::TrainError, options::Options, session::Session};
use crate::{failure::Failure, interrupt};

/// The arguments of `train`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Folder for checkpoint.sxt, log.csv, loss.svg and net.nnue.
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Go on with the run in --out; it keeps all its options.
    #[arg(long, conflicts_with = "Options")]
    resume: bool,
    #[command(flatten)]
    options: Options,
}

/// Trains a network.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut session = if args.resume {
        Session::resume(&args.out)
    } else {
        Session::begin(args.options.clone(), &args.out)
    }
    .map_err(Failure::usage)?;
    session.run(interrupt::flag()).map_err(|error| match error {
        TrainError::Interrupted { .. } => Failure::interrupted(error),
        error => Failure::work(error),
    })
}
