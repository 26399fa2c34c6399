//! The network evaluation.
//!
//! Each side sees the board from its own end: one input for every (piece, square) pair, mirrored so
//! that its own king stands on files a to d. A wide first layer turns each side's inputs into an
//! accumulator, squared clipped ReLU follows, and one row of output weights reads both
//! accumulators, the side to move's first. All of it is 16-bit integers, so every build computes
//! the same value.

mod accumulator;
mod architecture;
mod error;
mod features;
mod format;
mod kernel;
mod network;
mod numbers;

pub(crate) use accumulator::Accumulators;
pub use architecture::{Architecture, FEATURES};
pub use error::NetError;
pub use features::Perspective;
pub use kernel::kernels;
pub use network::{Network, Parameters};
pub use numbers::{
    ACTIVATION_ONE, FEATURE_MAX, MAX_HIDDEN, MAX_SCALE, OUTPUT_BUCKETS, OUTPUT_MAX, WEIGHT_ONE,
};
