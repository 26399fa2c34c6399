//! What can be wrong with a network.

use super::numbers::{FEATURE_MAX, MAX_HIDDEN, MAX_SCALE, OUTPUT_MAX};

/// A network cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetError {
    /// No network is built into this program.
    #[error(
        "no network is embedded in this build; name a file with EvalFile, or build with one (make EVALFILE=...)"
    )]
    NoneEmbedded,
    /// The file is of some other kind.
    #[error(
        "not a Sextant network: the file does not begin with the word \"Sextant\\n\"; use one written by `sextant-tune train`"
    )]
    Foreign,
    /// The file has a later or an earlier format.
    #[error("network format {found}; this version reads format {wanted}")]
    Version {
        /// The format of the file.
        found: u32,
        /// The format that is read.
        wanted: u32,
    },
    /// The file is not as long as its header says.
    #[error("network of {found} bytes, {wanted} expected: the file is {}; copy it again", if found < wanted { "cut short" } else { "too long" })]
    Length {
        /// Length of the file in bytes.
        found: usize,
        /// Length in bytes that the header asks for.
        wanted: usize,
    },
    /// The bytes are not those that were written.
    #[error("damaged network: checksum {found:016x}, {wanted:016x} expected; copy the file again")]
    Hash {
        /// The checksum of the bytes.
        found: u64,
        /// The checksum in the header.
        wanted: u64,
    },
    /// A size of the hidden layer that the engine cannot run.
    #[error("hidden layer of {0} neurons; allowed are multiples of 32 from 32 to {MAX_HIDDEN}")]
    Hidden(u16),
    /// King buckets that are not numbered from 0 without a gap.
    #[error(
        "king buckets up to {highest} without bucket {missing}; they must be numbered from 0 without a gap"
    )]
    KingBuckets {
        /// The first number that no square has.
        missing: u8,
        /// The highest number that a square has.
        highest: u8,
    },
    /// A number of output buckets that does not divide the piece counts evenly.
    #[error("{0} output buckets; allowed are 1, 2, 4 and 8")]
    OutputBuckets(u8),
    /// A scale that no network has.
    #[error("scale {0}; allowed is 1 to {MAX_SCALE}")]
    Scale(i32),
    /// Not as many parameters as the architecture has.
    #[error("{found} {what}, {wanted} expected by the architecture")]
    Count {
        /// Which kind of parameters, such as "feature weights".
        what: &'static str,
        /// How many were given.
        found: usize,
        /// How many the architecture has.
        wanted: usize,
    },
    /// A feature weight or bias with which an accumulator could overflow.
    #[error(
        "feature weight {0}; at most ±{FEATURE_MAX} is allowed, so that no accumulator overflows"
    )]
    FeatureWeight(i16),
    /// An output weight with which a 16-bit product could overflow.
    #[error("output weight {0}; at most ±{OUTPUT_MAX} is allowed (clip at 1.98 in training)")]
    OutputWeight(i16),
    /// Output weights whose sum could overflow.
    #[error(
        "output weights of one sign add up to {found}; at most {allowed} is allowed, so that no sum overflows"
    )]
    Overflow {
        /// The sum of the weights of one sign.
        found: i64,
        /// The largest safe sum.
        allowed: i64,
    },
}
