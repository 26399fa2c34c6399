//! `net`: inspects and judges networks, changes their scale, takes their mean, and makes one whose
//! value is always 0.

mod judge;
mod mean;
mod samples;

use std::path::{Path, PathBuf};

use sextant_cli::{
    failure::Failure,
    files::{self, NewFile},
    output,
};
use sextant_eval::nnue::{Architecture, FEATURES, NetError, Network, Parameters};

pub(crate) use self::judge::promised;
use crate::train::KingBuckets;

#[derive(clap::Subcommand, Debug)]
pub(crate) enum Command {
    /// Shows what is in network files.
    #[command(after_help = "Example:\n  sextant-tune net info net.nnue")]
    Info {
        /// Files that `train` or `net zero` wrote.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Checks that the engine accepts network files; prints nothing if it does.
    #[command(after_help = "Example:\n  sextant-tune net verify net.nnue")]
    Verify {
        /// Files that `train` or `net zero` wrote.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Says how well static evaluations, and their mean, foretell deep searches or games, by kind of
    /// position.
    Judge(judge::Args),
    /// Writes a network again with another scale: all its values grow or shrink alike.
    ///
    /// The margins of the search are in centipawns. They keep their meaning if the own scale that `net
    /// judge` prints is that of the network before: multiply the scale of the header, which `net info`
    /// shows, by the ratio of the two.
    #[command(after_help = "Example:\n  sextant-tune net scale run/net.nnue 190 scaled.nnue")]
    Scale {
        /// A file that `train` or `net zero` wrote.
        file: PathBuf,
        /// Centipawns for an output of one.
        scale: i32,
        /// The file to write; one that is there already is not replaced.
        out: PathBuf,
    },
    /// Writes the mean of the weights of several networks.
    ///
    /// They must have three layers and one shape, and come from one network, as two runs that
    /// begin with the same `--init` do. One that is named twice counts twice.
    #[command(
        after_help = "Example:\n  sextant-tune net mean mean.nnue before.nnue after/net.nnue"
    )]
    Mean {
        /// The file to write; one that is there already is not replaced.
        out: PathBuf,
        /// Files that `train` wrote.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Writes a network whose value is always 0: what a trained one must beat.
    #[command(after_help = "Example:\n  sextant-tune net zero zero.nnue --hidden 64")]
    Zero {
        /// The file to write; one that is there already is not replaced.
        out: PathBuf,
        /// Neurons of each perspective: a multiple of 32 up to 1024.
        #[arg(long, default_value_t = 32)]
        hidden: u16,
    },
}

pub(crate) fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Info { files } => files.iter().try_for_each(|path| {
            let network = read(path)?;
            output::print(format_args!("{}\n{}\n", path.display(), describe(&network)))
        }),
        Command::Verify { files } => files.iter().try_for_each(|path| read(path).map(drop)),
        Command::Judge(args) => judge::run(args),
        Command::Scale { file, scale, out } => {
            let network = scaled(&read(file)?, *scale).map_err(Failure::usage)?;
            write(&network, out)
        }
        Command::Mean { out, files } => {
            let networks: Result<Vec<_>, _> = files.iter().map(|path| read(path)).collect();
            write(&mean::of(&networks?)?, out)
        }
        Command::Zero { out, hidden } => {
            let network = zero(*hidden).map_err(Failure::usage)?;
            write(&network, out)
        }
    }
}

fn write(network: &Network, out: &Path) -> Result<(), Failure> {
    // A network that was trained is easily named by mistake.
    let mut file = NewFile::new(out)?;
    file.write(&network.to_bytes())?;
    Ok(file.finish()?)
}

fn read(path: &Path) -> Result<Network, Failure> {
    Network::from_bytes(&files::read(path, files::LARGEST_NETWORK)?)
        .map_err(|error| Failure::work(format!("{}: {error}", path.display())))
}

fn describe(network: &Network) -> String {
    let architecture = network.architecture();
    let parameters = network.parameters();
    let king_buckets = KingBuckets::of(architecture);
    let largest = |values: &[i16]| {
        let sizes = values.iter().map(|value| value.unsigned_abs());
        sizes.max().unwrap_or(0)
    };
    let outputs = match &*parameters.stacks {
        [] => format!("output weight {}", largest(&parameters.output_weights)),
        stacks => {
            let second = stacks.iter().flat_map(|stack| &stack.weights_1);
            let second = second.map(|weight| weight.unsigned_abs()).max();
            format!("weight of the second layer {}", second.unwrap_or(0))
        }
    };
    format!(
        "  name           {:016x}\n  architecture   {architecture}\n  king buckets   {king_buckets}\n  \
         header scale   {} centipawns\n  largest        feature weight {}, feature bias {}, {outputs}",
        network.hash(),
        parameters.scale,
        largest(&parameters.feature_weights),
        largest(&parameters.feature_biases),
    )
}

fn scaled(network: &Network, scale: i32) -> Result<Network, NetError> {
    let parameters = Parameters {
        scale,
        ..network.parameters()
    };
    Network::new(network.architecture().clone(), &parameters)
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
        ..Parameters::default()
    };
    Network::new(architecture, &parameters)
}
