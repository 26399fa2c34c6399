//! The layers behind the accumulators, where there are three: what one output bucket has.
//!
//! The second layer reads the products of both accumulators, as bytes with 8-bit weights. A neuron
//! that is read by the third layer is read twice, as it is (clipped ReLU) and squared, so that its
//! sign need not decide what it can say. All sums are 32-bit integers that cannot overflow.

use bytemuck::{Pod, Zeroable, cast_slice};

use super::{
    error::NetError,
    numbers::{INPUTS, InputPairs, LAYER_1, LAYER_2, LAYER_ONE, Line, STACK_WEIGHT_ONE, SUM_ONE},
};

/// The largest bias of the second layer: the sum of all products times weights is far smaller.
const BIAS_MAX: i32 = 1 << 30;

/// The layers of an output bucket, as training hands them over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stack {
    /// For each of [`LAYER_1`] neurons a row of `hidden` numbers: the products of the side to move,
    /// then those of the other side. One is [`PAIR_WEIGHT_ONE`](super::PAIR_WEIGHT_ONE).
    pub weights_1: Vec<i8>,
    /// The second and third layer.
    pub rest: Rest,
}

/// What of a [`Stack`] has the same size in every network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Rest {
    /// One is [`SUM_ONE`].
    pub biases_1: [i32; LAYER_1],
    /// For each neuron of the third layer the weights of all neurons of the second, then of their
    /// squares; one is [`STACK_WEIGHT_ONE`].
    pub weights_2: [[i16; 2 * LAYER_1]; LAYER_2],
    /// One is `LAYER_ONE * STACK_WEIGHT_ONE`.
    pub biases_2: [i32; LAYER_2],
    /// One is [`STACK_WEIGHT_ONE`].
    pub weights_3: [i16; LAYER_2],
    /// One is `LAYER_ONE * STACK_WEIGHT_ONE`.
    pub bias_3: i32,
}

/// The length of a stack in a file.
pub(super) fn file_bytes(hidden: usize) -> usize {
    LAYER_1 * hidden + size_of::<Rest>()
}

impl Stack {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let weights: &[u8] = cast_slice(&self.weights_1);
        [weights, bytemuck::bytes_of(&self.rest)].concat()
    }

    /// The stack of bytes whose number is [`file_bytes`].
    pub(super) fn from_bytes(bytes: &[u8]) -> Stack {
        let (weights, rest) = bytes.split_at(bytes.len() - size_of::<Rest>());
        Stack {
            weights_1: bytemuck::pod_collect_to_vec(weights),
            rest: bytemuck::pod_read_unaligned(rest),
        }
    }

    /// Can no sum overflow?
    pub(super) fn check(&self) -> Result<(), NetError> {
        let Rest {
            biases_1,
            weights_2,
            biases_2,
            weights_3,
            bias_3,
        } = &self.rest;
        let reaches = |weights: &[i16], bias: i32| {
            let sizes = weights.iter().map(|&weight| i64::from(weight).abs());
            sizes.sum::<i64>() * i64::from(LAYER_ONE) + i64::from(bias).abs()
        };
        let second = biases_1.iter().map(|&bias| (1, i64::from(bias).abs()));
        let third = weights_2.iter().zip(biases_2);
        let third = third.map(|(weights, &bias)| (2, reaches(weights, bias)));
        let last = (3, reaches(weights_3, *bias_3));
        for (layer, found) in second.chain(third).chain([last]) {
            let allowed = i64::from(if layer == 1 { BIAS_MAX } else { i32::MAX });
            if found > allowed {
                return Err(NetError::Sum {
                    layer,
                    found,
                    allowed,
                });
            }
        }
        Ok(())
    }

    fn lines(&self) -> Box<[Line]> {
        let hidden = self.weights_1.len() / LAYER_1;
        let rows: Vec<&[i8]> = self.weights_1.chunks(hidden).collect();
        let line = |first: usize| {
            let inputs = |neuron: usize| std::array::from_fn(|input| rows[neuron][first + input]);
            Line(std::array::from_fn(inputs))
        };
        (0..hidden).step_by(INPUTS).map(line).collect()
    }
}

/// What the third layer reads: the neurons of the second, then their squares.
pub(super) type Activations = [i16; 2 * LAYER_1];

#[inline(always)]
pub(super) fn activations(sums: [i32; LAYER_1]) -> Activations {
    let mut activations = [0; 2 * LAYER_1];
    for (neuron, sum) in sums.into_iter().enumerate() {
        let within = (sum / (SUM_ONE / LAYER_ONE)).clamp(-LAYER_ONE, LAYER_ONE);
        activations[neuron] = within.max(0) as i16;
        activations[LAYER_1 + neuron] = (within * within / LAYER_ONE) as i16;
    }
    activations
}

impl Rest {
    /// The sums of the third layer, one neuron at a time.
    pub(super) fn third_layer(&self, activations: &Activations) -> [i32; LAYER_2] {
        std::array::from_fn(|neuron| {
            let pairs = self.weights_2[neuron].iter().zip(activations);
            let sum: i32 = pairs.map(|(&w, &a)| i32::from(w) * i32::from(a)).sum();
            self.biases_2[neuron] + sum
        })
    }

    /// From the sums of the third layer to the output; one is `LAYER_ONE * STACK_WEIGHT_ONE`.
    #[inline(always)]
    pub(super) fn output(&self, sums: [i32; LAYER_2]) -> i32 {
        let weighted = sums.into_iter().zip(self.weights_3).map(|(sum, weight)| {
            let neuron = (sum / STACK_WEIGHT_ONE).clamp(0, LAYER_ONE);
            neuron * i32::from(weight)
        });
        self.bias_3 + weighted.sum::<i32>()
    }
}

/// A stack as the engine reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layers {
    pub(super) stack: Stack,
    /// The weights of the second layer, those of neighboring inputs together.
    pub(super) lines: Box<[Line]>,
    /// The weights of the third layer, likewise.
    pub(super) pairs: Box<[InputPairs; LAYER_1]>,
}

impl Layers {
    pub(super) fn new(stack: &Stack) -> Layers {
        let weights = &stack.rest.weights_2;
        let pair = |first: usize| {
            InputPairs(std::array::from_fn(|neuron| {
                [0, 1].map(|input| weights[neuron][first + input])
            }))
        };
        Layers {
            lines: stack.lines(),
            pairs: Box::new(std::array::from_fn(|number| pair(2 * number))),
            stack: stack.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stack() -> Stack {
        Stack {
            weights_1: vec![0; 64 * LAYER_1],
            rest: Rest::zeroed(),
        }
    }

    #[test]
    fn a_neuron_is_read_as_it_is_and_squared() {
        let mut rest = stack().rest;
        rest.weights_2[5][3] = 2048;
        rest.weights_2[6][LAYER_1 + 3] = 1024;
        rest.weights_3[5] = 1024;
        rest.weights_3[6] = -1024;
        let one = LAYER_ONE * STACK_WEIGHT_ONE;
        let output = |sum: i32| {
            let mut sums = [0; LAYER_1];
            sums[3] = sum;
            rest.output(rest.third_layer(&activations(sums)))
        };
        assert_eq!(output(0), 0);
        // A quarter, twice, less its square.
        assert_eq!(output(SUM_ONE / 4), one / 2 - one / 16);
        // Half, twice, is one.
        assert_eq!(output(SUM_ONE / 2), one - one / 4);
        assert_eq!(output(SUM_ONE), 0);
        assert_eq!(output(i32::MAX), 0);
        assert_eq!(output(-SUM_ONE / 2), -one / 4);
        assert_eq!(output(i32::MIN), -one);
    }

    #[test]
    fn sums_that_could_overflow_are_refused() {
        assert_eq!(stack().check(), Ok(()));
        let layer = |change: fn(&mut Rest)| {
            let mut stack = stack();
            change(&mut stack.rest);
            match stack.check() {
                Err(NetError::Sum { layer, .. }) => layer,
                _ => 0,
            }
        };
        assert_eq!(layer(|rest| rest.biases_1[15] = i32::MIN), 1);
        assert_eq!(layer(|rest| rest.biases_1[15] = BIAS_MAX), 0);
        assert_eq!(layer(|rest| rest.weights_2[31] = [8_257; 32]), 2);
        assert_eq!(layer(|rest| rest.weights_2[31] = [-8_257; 32]), 2);
        assert_eq!(layer(|rest| rest.weights_2[31] = [8_256; 32]), 0);
        assert_eq!(layer(|rest| rest.biases_2[0] = i32::MIN), 2);
        assert_eq!(layer(|rest| rest.weights_3 = [i16::MIN; 32]), 3);
        assert_eq!(layer(|rest| rest.bias_3 = i32::MIN), 3);
    }

    #[test]
    fn lines_hold_the_weights_of_neighbors() {
        let mut stack = stack();
        stack.weights_1[3 * 64 + 10] = 7;
        let lines = stack.lines();
        assert_eq!(lines.len(), 64 / INPUTS);
        assert_eq!(lines[2].0[3], [0, 0, 7, 0]);
        let sum: i32 = lines
            .iter()
            .flat_map(|line| line.0.as_flattened())
            .map(|&w| i32::from(w))
            .sum();
        assert_eq!(sum, 7);
    }
}
