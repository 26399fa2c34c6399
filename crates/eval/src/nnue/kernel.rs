//! The loops over neurons. All arithmetic wraps, and the bounds of a [`Network`](super::Network)
//! make sure that no result does.

use super::block::{Block, LANES};
use super::network::ACTIVATION_ONE;

/// `to` = `from` + all of `add` - all of `sub`; all rows have the same length.
#[inline]
pub(super) fn update<const A: usize, const S: usize>(
    from: &[Block],
    to: &mut [Block],
    add: [&[Block]; A],
    sub: [&[Block]; S],
) {
    let size = to.len();
    let from = &from[..size];
    let add = add.map(|row| &row[..size]);
    let sub = sub.map(|row| &row[..size]);
    for i in 0..size {
        let mut block = from[i];
        for row in add {
            plus(&mut block, &row[i]);
        }
        for row in sub {
            minus(&mut block, &row[i]);
        }
        to[i] = block;
    }
}

/// `to` + `row`.
#[inline]
pub(super) fn add(to: &mut [Block], row: &[Block]) {
    for (to, block) in to.iter_mut().zip(row) {
        plus(to, block);
    }
}

/// `to` - `row`.
#[inline]
pub(super) fn subtract(to: &mut [Block], row: &[Block]) {
    for (to, block) in to.iter_mut().zip(row) {
        minus(to, block);
    }
}

#[inline]
fn plus(to: &mut Block, block: &Block) {
    for (to, number) in to.0.iter_mut().zip(block.0) {
        *to = to.wrapping_add(number);
    }
}

#[inline]
fn minus(to: &mut Block, block: &Block) {
    for (to, number) in to.0.iter_mut().zip(block.0) {
        *to = to.wrapping_sub(number);
    }
}

/// The sum of activation times weight, where a neuron's activation is the square of its sum clipped
/// to 0..=[`ACTIVATION_ONE`].
#[inline]
pub(super) fn dot(neurons: &[Block], weights: &[Block]) -> i32 {
    dot_portable(neurons, weights)
}

/// [`dot`] for any processor.
#[inline]
pub(super) fn dot_portable(neurons: &[Block], weights: &[Block]) -> i32 {
    let mut sums = [0_i32; LANES / 2];
    for (neurons, weights) in neurons.iter().zip(weights) {
        let (pairs, _) = neurons.0.as_chunks::<2>();
        let (weights, _) = weights.0.as_chunks::<2>();
        for ((sum, pair), weights) in sums.iter_mut().zip(pairs).zip(weights) {
            // Activation times weight fits into 16 bits: a vector instruction multiplies those by
            // the activation and adds neighbours at once.
            let product = |i: usize| {
                let activation = pair[i].clamp(0, ACTIVATION_ONE as i16);
                let weighted = activation.wrapping_mul(weights[i]);
                i32::from(weighted) * i32::from(activation)
            };
            *sum = sum.wrapping_add(product(0)).wrapping_add(product(1));
        }
    }
    sums.into_iter().fold(0, i32::wrapping_add)
}
