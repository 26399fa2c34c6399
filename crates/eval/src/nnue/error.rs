//! What can be wrong with a network.

use super::{
    format::FORMATS,
    numbers::{FEATURE_MAX, MAX_HIDDEN, MAX_SCALE, OUTPUT_MAX},
};

/// A network cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(
    missing_docs,
    reason = "the messages say what the variants and fields mean"
)]
pub enum NetError {
    #[error(
        "no network is embedded in this build; name a file with EvalFile, or build with one (make EVALFILE=...)"
    )]
    NoneEmbedded,
    #[error(
        "not a Sextant network: the file does not begin with the word \"Sextant\\n\"; use one written by `sextant-tune train`"
    )]
    Foreign,
    #[error(
        "network format {0}; this version reads {one}, {three} and {related}",
        one = FORMATS[0].1,
        three = FORMATS[1].1,
        related = FORMATS[2].1
    )]
    Version(u32),
    #[error(
        "{found} in byte 15 of a network of format {version}, {wanted} expected; copy the file again"
    )]
    Layers { version: u32, found: u8, wanted: u8 },
    #[error("{0} neurons, of which pairs are to be made; allowed are multiples of 64")]
    Halves(u16),
    #[error("network of {found} bytes, {wanted} expected: the file is {}; copy it again", if found < wanted { "cut short" } else { "too long" })]
    Length { found: usize, wanted: usize },
    #[error("damaged network: checksum {found:016x}, {wanted:016x} expected; copy the file again")]
    Hash { found: u64, wanted: u64 },
    #[error("hidden layer of {0} neurons; allowed are multiples of 32 from 32 to {MAX_HIDDEN}")]
    Hidden(u16),
    #[error(
        "king buckets up to {highest} without bucket {missing}; they must be numbered from 0 without a gap"
    )]
    KingBuckets { missing: u8, highest: u8 },
    #[error("{0} output buckets; allowed are 1, 2, 4 and 8")]
    OutputBuckets(u8),
    #[error("scale {0}; allowed is 1 to {MAX_SCALE}")]
    Scale(i32),
    #[error("{found} {what}, {wanted} expected by the architecture")]
    Count {
        what: &'static str,
        found: usize,
        wanted: usize,
    },
    #[error(
        "feature weight {0}; at most ±{FEATURE_MAX} is allowed, so that no accumulator overflows"
    )]
    FeatureWeight(i16),
    #[error("output weight {0}; at most ±{OUTPUT_MAX} is allowed (clip at 1.98 in training)")]
    OutputWeight(i16),
    #[error(
        "output weights of one sign add up to {found}; at most {allowed} is allowed, so that no sum overflows"
    )]
    Overflow { found: i64, allowed: i64 },
    #[error(
        "a sum of layer {layer} can reach {found}; at most {allowed} is allowed, so that none overflows"
    )]
    Sum { layer: u8, found: i64, allowed: i64 },
}
