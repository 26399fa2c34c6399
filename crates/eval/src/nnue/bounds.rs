//! The units of a network's numbers, and the bounds within which the engine can run it.

/// Most neurons in each half of the hidden layer.
pub const MAX_HIDDEN: u16 = 1024;

/// The allowed numbers of output buckets.
pub const OUTPUT_BUCKETS: [u8; 4] = [1, 2, 4, 8];

/// An activation of 1.0, and the unit of feature weights and biases.
pub const ACTIVATION_ONE: i32 = 255;

/// The unit of output weights.
pub const WEIGHT_ONE: i32 = 64;

/// Largest feature weight or bias: 32 pieces and a bias of this size still fit into 16 bits.
pub const FEATURE_MAX: i16 = i16::MAX / 33;

/// Largest output weight: its product with an activation still fits into 16 bits.
pub const OUTPUT_MAX: i16 = (i16::MAX as i32 / ACTIVATION_ONE) as i16 - 1;

/// Largest scale, in centipawns.
pub const MAX_SCALE: i32 = 10_000;

/// Largest sum of output weights of one sign: with every activation at its largest the sum still
/// fits into 32 bits.
pub(super) const SUM_MAX: i64 = i32::MAX as i64 / (ACTIVATION_ONE as i64 * ACTIVATION_ONE as i64);
