//! What training can fail of.

use std::{io, path::PathBuf};

/// Why a run cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TrainError {
    #[error("cannot read {}: {cause}", path.display())]
    Read { path: PathBuf, cause: io::Error },
    #[error("cannot write {}: {cause}; what was saved before is untouched", path.display())]
    Write { path: PathBuf, cause: io::Error },
    #[error(
        "{}: {bytes} bytes are no whole number of 32-byte records: the file is cut short, or was \
         not made by `sextant-tune data convert`",
        path.display()
    )]
    TornRecords { path: PathBuf, bytes: u64 },
    #[error("there are no positions in {files}: `sextant-tune data convert` makes such files")]
    NoPositions { files: String },
    #[error(
        "{}, record {index}: {fault}; the file was not made by `sextant-tune data convert`, or is \
         damaged",
        path.display()
    )]
    BadRecord {
        path: PathBuf,
        index: u64,
        fault: RecordFault,
    },
    #[error("{option} is {found}: allowed is {allowed}")]
    Option {
        option: &'static str,
        found: String,
        allowed: &'static str,
    },
    #[error("{}: {fault}; begin anew with another --out, or name another checkpoint", path.display())]
    Checkpoint {
        path: PathBuf,
        fault: CheckpointFault,
    },
    #[error("{}: {fault}", path.display())]
    Init {
        path: PathBuf,
        fault: sextant_eval::nnue::NetError,
    },
    #[error(
        "{}: has {found}, where {wanted} is asked for: --init takes fewer neurons, a divisor of the \
         output buckets, and king buckets that the asked-for ones divide further",
        path.display()
    )]
    InitShape {
        path: PathBuf,
        found: String,
        wanted: String,
    },
    #[error("cannot draw the losses: {0}")]
    Drawing(String),
    #[error(
        "interrupted after {batches} of {all} batches; all is saved, `sextant-tune train --resume \
         --out {}` goes on",
        out.display()
    )]
    Interrupted {
        batches: u64,
        all: u64,
        out: PathBuf,
    },
    #[error(
        "the outputs have a mean size of {output:.1e}, and no weights can be stretched so far that it \
         is {wanted:.0} centipawns: train longer, or take the checkpoint with --init and ask for less \
         with --match-mean-abs"
    )]
    Faint { output: f32, wanted: f32 },
    #[error("{0}")]
    Network(#[from] sextant_eval::nnue::NetError),
    #[error("a damaged record ({0}) was met, but is there no more: did the files change?")]
    FaultGone(RecordFault),
    #[error("the thread that reads the data has ended early")]
    ReaderGone,
    #[error(
        "{} holds a run already: --resume goes on with it, another --out begins a new one",
        out.display()
    )]
    Taken { out: PathBuf },
    #[error(
        "{} is there already, and no checkpoint that it belongs to; name another --out, or move it \
         away",
        path.display()
    )]
    InTheWay { path: PathBuf },
    #[error(
        "another `sextant-tune train` is at work in {}; name another --out, or stop it",
        out.display()
    )]
    Busy { out: PathBuf },
    #[error("the loss is no longer a number at batch {batch}: try a lower --rate")]
    Diverged { batch: u64 },
}

/// What is wrong with a record of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum RecordFault {
    #[error("{0} men on the board, where 2 to 32 can be")]
    Men(u32),
    #[error("a man of kind {0}, where 0 to 5 and 8 to 13 are known")]
    Kind(u8),
    #[error("the kings are not where the record says")]
    Kings,
    #[error("result {0}, where 0, 1 and 2 are known")]
    Result(u8),
}

/// What is wrong with a checkpoint.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CheckpointFault {
    #[error(
        "no checkpoint of this version of `sextant-tune train` (and no network, which --init takes too)"
    )]
    Foreign,
    #[error("{found} bytes, where {wanted} were written: the file is cut short or damaged")]
    Length { found: usize, wanted: usize },
    #[error("its contents do not fit their checksum: the file is damaged")]
    Checksum,
    #[error("its header cannot be read: {0}")]
    Header(#[from] toml::de::Error),
    #[error("it holds another number of parameters than the network that is asked for has")]
    OtherShape,
    #[error("{} is not what it was when the run began: the same positions are needed to go on", file.display())]
    OtherData { file: PathBuf },
}
