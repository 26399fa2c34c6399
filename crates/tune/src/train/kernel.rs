//! The inner loops, in the shape that the compiler turns into vector instructions: flat ones over
//! slices of equal length (nested ones over blocks became gathers, seven times slower), and sums in
//! [`LANES`] parts, because floating point forbids changing the order of summation.
//!
//! No `mul_add`: without the FMA feature it is a library call, and the loops wait for memory anyway.

/// Parts of a sum.
const LANES: usize = 32;

/// `sum += row`, for every element.
pub(super) fn add(sum: &mut [f32], row: &[f32]) {
    for (sum, &row) in sum.iter_mut().zip(row) {
        *sum += row;
    }
}

/// The squared clipped ReLU (SCReLU): 0 below 0, 1 above 1, the square between.
fn screlu(value: f32) -> f32 {
    let clipped = value.clamp(0.0, 1.0);
    clipped * clipped
}

/// The output layer: the weighted sum of the activations of `hidden`, whose length is a multiple of
/// [`LANES`].
pub(super) fn output(hidden: &[f32], weights: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    let (hidden, _) = hidden.as_chunks::<LANES>();
    let (weights, _) = weights.as_chunks::<LANES>();
    for (hidden, weights) in hidden.iter().zip(weights) {
        for lane in 0..LANES {
            lanes[lane] += screlu(hidden[lane]) * weights[lane];
        }
    }
    lanes.iter().sum()
}

/// Propagates `gradient`, that of the loss at the output, back through the output layer.
///
/// `hidden` comes in as the sums before the activation and goes out as the gradient at those sums;
/// the gradient at the output weights is added to `weight_gradient`.
pub(super) fn output_backward(
    gradient: f32,
    hidden: &mut [f32],
    weights: &[f32],
    weight_gradient: &mut [f32],
) {
    let pairs = weights.iter().zip(weight_gradient);
    for (hidden, (&weight, weight_gradient)) in hidden.iter_mut().zip(pairs) {
        let clipped = hidden.clamp(0.0, 1.0);
        *weight_gradient += gradient * clipped * clipped;
        // Flat where the clipping bites.
        let inner = if *hidden == clipped { clipped } else { 0.0 };
        *hidden = 2.0 * gradient * weight * inner;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_activation_is_a_clipped_square() {
        for (value, expected) in [(-1.0, 0.0), (0.0, 0.0), (0.5, 0.25), (1.0, 1.0), (9.0, 1.0)] {
            assert!((screlu(value) - expected).abs() < 1e-7, "{value}");
        }
    }

    #[test]
    fn sums_are_those_of_a_plain_loop() {
        let hidden: Vec<f32> = (0..96).map(|i| i as f32 / 60.0 - 0.4).collect();
        let weights: Vec<f32> = (0..96).map(|i| (i % 7) as f32 - 3.0).collect();
        let products = hidden.iter().zip(&weights).map(|(&h, &w)| screlu(h) * w);
        assert!((output(&hidden, &weights) - products.sum::<f32>()).abs() < 1e-3);

        let mut sum = hidden.clone();
        add(&mut sum, &weights);
        assert!((0..96).all(|i| sum[i] == hidden[i] + weights[i]));
    }
}
