//! `net`: looks at files of networks, and makes one that says nothing.

use std::path::{Path, PathBuf};

use sextant_eval::nnue::{Architecture, FEATURES, NetError, Network, Parameters};

use crate::{
    failure::Failure,
    say,
    train::{KingBuckets, write_whole},
};

/// The subcommands of `net`.
#[derive(clap::Subcommand, Debug)]
pub(crate) enum Command {
    /// Says what is in a network's file.
    Info {
        /// Files that `train` or `net zero` wrote.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Checks that the engine takes these files; silent if it does.
    Verify {
        /// Files that `train` or `net zero` wrote.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Writes a network that calls every position equal: what a trained one must beat.
    Zero {
        /// The file to write; one that is there already is not replaced.
        out: PathBuf,
        /// Neurons of each perspective: a multiple of 32 up to 1024.
        #[arg(long, default_value_t = 32)]
        hidden: u16,
    },
}

/// What can go wrong with a network's file.
#[derive(Debug, thiserror::Error)]
enum NetFileError {
    #[error("cannot read {}: {cause}", path.display())]
    Read {
        path: PathBuf,
        cause: std::io::Error,
    },
    #[error("{}: {fault}", path.display())]
    Bad { path: PathBuf, fault: NetError },
}

/// Runs a subcommand of `net`.
pub(crate) fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Info { files } => files.iter().try_for_each(|path| {
            let network = read(path).map_err(Failure::work)?;
            say::out(format_args!("{}\n{}\n", path.display(), describe(&network)))
        }),
        Command::Verify { files } => files.iter().try_for_each(|path| {
            read(path).map_err(Failure::work)?;
            Ok(())
        }),
        Command::Zero { out, hidden } => {
            // A network that was trained is easily named by mistake.
            if out.is_file() {
                return Err(Failure::usage(format!(
                    "{} is there already; name another file or remove it",
                    out.display()
                )));
            }
            let network = zero(*hidden).map_err(Failure::usage)?;
            write_whole(out, &network.to_bytes()).map_err(Failure::work)
        }
    }
}

fn read(path: &Path) -> Result<Network, NetFileError> {
    let bytes = std::fs::read(path).map_err(|cause| NetFileError::Read {
        path: path.to_owned(),
        cause,
    })?;
    Network::from_bytes(&bytes).map_err(|fault| NetFileError::Bad {
        path: path.to_owned(),
        fault,
    })
}

fn describe(network: &Network) -> String {
    let architecture = network.architecture();
    let parameters = network.parameters();
    let king_buckets = KingBuckets::of(architecture);
    let largest = |values: &[i16]| {
        let sizes = values.iter().map(|value| value.unsigned_abs());
        sizes.max().unwrap_or(0)
    };
    format!(
        "  name           {:016x}\n  architecture   {architecture}\n  king buckets   {king_buckets}\n  \
         header scale   {} centipawns\n  largest        feature weight {}, feature bias {}, output \
         weight {}",
        network.hash(),
        parameters.scale,
        largest(&parameters.feature_weights),
        largest(&parameters.feature_biases),
        largest(&parameters.output_weights),
    )
}

/// A network whose value is always 0.
fn zero(hidden: u16) -> Result<Network, NetError> {
    let architecture = Architecture::plain(hidden)?;
    let hidden = usize::from(hidden);
    let parameters = Parameters {
        feature_weights: vec![0; FEATURES * hidden],
        feature_biases: vec![0; hidden],
        output_weights: vec![0; 2 * hidden],
        output_biases: vec![0],
        scale: 400,
    };
    Network::new(architecture, &parameters)
}
