//! `train`: learns a network from positions with scores and results.
//!
//! The network has two copies of one hidden layer, one for each side's perspective, and its output
//! is the points that the side to move can expect. Stochastic gradient descent on the CPU: a
//! position has at most 32 active inputs, so that the first layer is a sum of some rows, and its
//! gradient is added to the same rows. A network's floats are an array ([`weights::Shape`]); while
//! they are learned they stand in tiles of neurons ([`tiles`]).

mod adam;
mod backward;
mod batch;
mod buckets;
mod checkpoint;
mod chunk;
mod export;
mod factorizer;
#[cfg(test)]
mod fixture;
mod forward;
mod head;
mod matrix;
mod model;
mod neurons;
mod occurrences;
mod options;
mod pairs;
mod perspectives;
mod record;
mod refit;
mod relations;
mod rows;
mod session;
mod start;
mod stream;
mod target;
mod tiles;
mod trainer;
mod weights;

use std::path::PathBuf;

use sextant_cli::{failure::Failure, signals};

#[cfg(fuzzing)]
pub(crate) use self::checkpoint::fuzz_checkpoint;
pub(crate) use self::options::KingBuckets;
pub(crate) use self::record::{RECORD_BYTES, Record, RecordFault, known, placed};
use self::{options::Options, session::Session};

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

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut session = if args.resume {
        Session::resume(&args.out)?
    } else {
        Session::begin(args.options.clone(), &args.out)?
    };
    session.run(signals::flag())
}
