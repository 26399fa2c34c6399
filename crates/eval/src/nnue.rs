//! The network evaluation.
//!
//! Each side sees the board from its own end: one input for every (piece, square) pair, mirrored so
//! that its own king stands on files a to d. A wide first layer turns each side's inputs into an
//! accumulator, and one row of output weights reads the squared clipped ReLU of both, the side to
//! move's first; or pairs of neurons are multiplied and two more layers follow ([`Layers`]), the first
//! of which may also read how pieces stand to each other ([`Relations`]). All of it is integers, so
//! every build computes the same value.

mod accumulator;
mod architecture;
mod error;
mod features;
mod format;
mod kernel;
mod network;
mod numbers;
mod related;
mod relations;
mod stack;

pub(crate) use accumulator::Accumulators;
pub use architecture::{Architecture, FEATURES, Layers};
pub use error::NetError;
pub use features::Perspective;
pub use kernel::kernels;
pub use network::{Network, Parameters};
pub use numbers::{
    ACTIVATION_ONE, FEATURE_MAX, LAYER_1, LAYER_2, LAYER_ONE, MAX_HIDDEN, MAX_SCALE,
    OUTPUT_BUCKETS, OUTPUT_MAX, PAIR_WEIGHT_ONE, PRODUCT_ONE, RELATION_ONE, STACK_WEIGHT_ONE,
    SUM_ONE, WEIGHT_ONE,
};
pub use relations::{RELATIONS, Relations, Sides};
pub use stack::{Rest, Stack};
