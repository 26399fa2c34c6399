//! The numbers of a network: the blocks that hold them, their units, and the bounds within which
//! the engine can run it.

use bytemuck::{Pod, Zeroable};

/// Numbers in a block.
pub(super) const LANES: usize = 32;

/// A cache line of numbers, aligned as one, so that no vector load crosses a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct Block(pub(super) [i16; LANES]);

/// A cache line of 8-bit weights: for each neuron of the second layer those of four inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct Line(pub(super) [[i8; INPUTS]; LAYER_1]);

/// Two cache lines of 16-bit weights: for each neuron of the third layer those of two inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct InputPairs(pub(super) [[i16; 2]; LAYER_2]);

/// Weights of a relation, one for each neuron of the second layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(32))]
pub(super) struct RelationRow(pub(super) [i16; LAYER_1]);

/// Inputs of the second layer whose weights stand together: as many bytes as vectors multiply and
/// add up at once.
pub(super) const INPUTS: usize = 4;

/// A cache line of products, the inputs of the second layer.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct Products(pub(super) [u8; 2 * LANES]);

/// `numbers` in blocks; what is left over at the end is dropped.
pub(super) fn blocks(numbers: &[i16]) -> Box<[Block]> {
    let (whole, _) = numbers.as_chunks::<LANES>();
    whole.iter().map(|&lanes| Block(lanes)).collect()
}

/// The opposite of [`blocks`].
pub(super) fn numbers(blocks: &[Block]) -> &[i16] {
    bytemuck::cast_slice(blocks)
}

/// The largest hidden size: neurons in each half of the hidden layer.
pub const MAX_HIDDEN: u16 = 1024;

/// The allowed numbers of output buckets.
pub const OUTPUT_BUCKETS: [u8; 4] = [1, 2, 4, 8];

/// An activation of 1.0, and the unit of feature weights and biases.
pub const ACTIVATION_ONE: i32 = 255;

/// The unit of output weights.
pub const WEIGHT_ONE: i32 = 64;

/// The unit of the second layer's weights, which stay within half of one: a neuron adds up hundreds
/// of them, and their rounding with them.
pub const PAIR_WEIGHT_ONE: i32 = 256;

/// Neurons of the second layer, where there is one.
pub const LAYER_1: usize = 16;

/// Neurons of the third layer, where there is one.
pub const LAYER_2: usize = 32;

/// The unit of products of two activations: their 16 bits without the lowest nine, rounded. With
/// halves cut off, all of them together would be seen too small.
pub const PRODUCT_ONE: i32 = (ACTIVATION_ONE * ACTIVATION_ONE + PRODUCT_HALF) >> PRODUCT_SHIFT;
pub(super) const PRODUCT_SHIFT: u32 = 9;
pub(super) const PRODUCT_HALF: i32 = 1 << (PRODUCT_SHIFT - 1);

/// The unit of the second layer's sums and biases.
pub const SUM_ONE: i32 = PRODUCT_ONE * PAIR_WEIGHT_ONE;

/// The unit of the weights of relations: with all that a board can have at their largest, a sum
/// still fits into 32 bits.
pub const RELATION_ONE: i32 = SUM_ONE / RELATION_STEP;
pub(super) const RELATION_STEP: i32 = 8;

/// An activation of 1.0 of the second and third layer, small enough for 16 bits, and for sums of
/// weighted activations in 32.
pub const LAYER_ONE: i32 = SUM_ONE / 4;

/// The unit of the third layer's and the last weights.
pub const STACK_WEIGHT_ONE: i32 = 1024;

/// Largest feature weight or bias: 32 pieces and a bias of this size still fit into 16 bits.
pub const FEATURE_MAX: i16 = i16::MAX / 33;

/// Largest output weight: its product with an activation still fits into 16 bits.
pub const OUTPUT_MAX: i16 = (i16::MAX as i32 / ACTIVATION_ONE) as i16 - 1;

/// Largest scale, in centipawns.
pub const MAX_SCALE: i32 = 10_000;

/// Largest sum of output weights of one sign: with every activation at its largest the sum still
/// fits into 32 bits.
pub(super) const SUM_MAX: i64 = i32::MAX as i64 / (ACTIVATION_ONE as i64 * ACTIVATION_ONE as i64);
