//! The unit of storage: a cache line of 16-bit numbers.

/// Numbers in a block.
pub(super) const LANES: usize = 32;

/// A cache line of numbers, aligned as one, so that no vector load crosses a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Block(pub(super) [i16; LANES]);

impl Block {
    pub(super) const ZERO: Block = Block([0; LANES]);
}

/// `numbers` in blocks; what is left over at the end is dropped.
pub(super) fn blocks(numbers: &[i16]) -> Box<[Block]> {
    let (whole, _) = numbers.as_chunks::<LANES>();
    whole.iter().map(|&lanes| Block(lanes)).collect()
}

/// The numbers one by one.
pub(super) fn numbers(blocks: &[Block]) -> impl Iterator<Item = i16> {
    blocks.iter().flat_map(|block| block.0)
}
