//! What neurons pass on, kept between the passes forward and backward. A batch of them is larger than
//! the processor's caches, and a step waits for the memory; so they take half the bytes of floats.

use super::rows::{Row, WIDTH};

/// From here to its double a float's bits count in steps of a 32,768th, which spares a conversion
/// that compilers do one by one.
const BASE: f32 = 256.0;

/// A neuron's step.
#[cfg(test)]
const STEP: f32 = BASE * f32::EPSILON;

/// The sums of a tile's neurons, clipped to 0 to 1, in steps of a 32,768th.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Neurons([u16; WIDTH]);

impl Neurons {
    pub(super) const SILENT: Neurons = Neurons([0; WIDTH]);

    #[inline(always)]
    pub(super) fn of(sums: &Row) -> Neurons {
        let mut neurons = Neurons::SILENT;
        for (steps, sum) in neurons.0.iter_mut().zip(&sums.0) {
            *steps = ((sum.clamp(0.0, 1.0) + BASE).to_bits() - BASE.to_bits()) as u16;
        }
        neurons
    }

    /// From 0 to 1.
    #[inline(always)]
    pub(super) fn values(&self) -> Row {
        let mut values = Row::ZERO;
        for (value, &steps) in values.0.iter_mut().zip(&self.0) {
            *value = value_of(steps);
        }
        values
    }

    /// The value of one, from 0 to 1.
    #[inline(always)]
    pub(super) fn value(&self, neuron: usize) -> f32 {
        value_of(self.0[neuron])
    }
}

#[inline(always)]
fn value_of(steps: u16) -> f32 {
    f32::from_bits(BASE.to_bits() + u32::from(steps)) - BASE
}

/// What is passed back to the sum of a neuron with this value: nothing where the clipping bites.
#[inline(always)]
pub(super) fn through_clipping(value: f32, gradient: f32) -> f32 {
    if value > 0.0 && value < 1.0 {
        gradient
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_clipped_and_nearly_as_they_were() {
        for sum in [-3.0, -0.2, 0.0, 4e-5, 0.3, 0.77, 1.0 - 4e-5, 1.0, 1.2, 40.0] {
            let neurons = Neurons::of(&Row([sum; WIDTH]));
            let [value, same] = [neurons.values().0[5], neurons.value(5)];
            assert_eq!(value, same);
            let off = value - f32::clamp(sum, 0.0, 1.0);
            assert!(off.abs() <= 0.5 * STEP, "{sum} {off}");
            let passed = if sum > 0.0 && sum < 1.0 { 2.0 } else { 0.0 };
            assert_eq!(through_clipping(value, 2.0), passed, "{sum}");
        }
    }
}
