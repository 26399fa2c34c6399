//! The loops over neurons and over the rows of relations. The bounds of a
//! [`Network`](super::Network) make sure that no result leaves its type.
//!
//! Each loop is compiled for any processor, for those with AVX2 and for those with AVX-512; which
//! one runs is asked of the processor, so that one binary is fast everywhere. WebAssembly cannot be
//! asked: it has the vectors that it was built with. All give the same numbers.

/// The loops that the compiler turns into vectors by itself, for processors with a feature.
#[cfg(target_arch = "x86_64")]
macro_rules! vectorized {
    ($feature:literal) => {
        /// [`add`](super::add) for processors that have the feature.
        #[target_feature(enable = $feature)]
        pub(super) fn add(to: &mut [Block], row: &[Block]) {
            super::portable::add(to, row);
        }

        /// [`subtract`](super::subtract) for processors that have the feature.
        #[target_feature(enable = $feature)]
        pub(super) fn subtract(to: &mut [Block], row: &[Block]) {
            super::portable::subtract(to, row);
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

use super::{
    numbers::{Block, LAYER_1, Products, RELATION_STEP, RelationRow},
    relations::{self, Sides},
    stack::Layers,
};

/// The sums of the second layer, or what relations add to them.
pub(super) type Sums = [i32; LAYER_1];

/// Calls the loop of that name for the best vectors that the processor has.
macro_rules! dispatch {
    ($name:ident($($argument:expr),*)) => {{
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx512bw") {
            #[allow(unsafe_code)]
            // SAFETY: the processor has AVX-512.
            return unsafe { avx512::$name($($argument),*) };
        } else if is_x86_feature_detected!("avx2") {
            #[allow(unsafe_code)]
            // SAFETY: the processor has AVX2.
            return unsafe { avx2::$name($($argument),*) };
        }
        portable::$name($($argument),*)
    }};
}

/// The vectors that the loops use on this processor: `AVX-512`, `AVX2`, `NEON`, `SIMD128` or
/// `portable`.
#[must_use]
pub fn kernels() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512bw") {
        return "AVX-512";
    } else if is_x86_feature_detected!("avx2") {
        return "AVX2";
    }
    if cfg!(all(target_arch = "wasm32", target_feature = "simd128")) {
        return "SIMD128";
    }
    if cfg!(target_arch = "aarch64") {
        return "NEON";
    }
    "portable"
}

/// `to` = `from` + all of `add` - all of `sub`; all rows have the same length.
#[inline]
pub(super) fn update<const A: usize, const S: usize>(
    from: &[Block],
    to: &mut [Block],
    add: [&[Block]; A],
    sub: [&[Block]; S],
) {
    dispatch!(update(from, to, add, sub))
}

/// Adds a row to `to`.
#[inline]
pub(super) fn add(to: &mut [Block], row: &[Block]) {
    dispatch!(add(to, row))
}

/// Takes a row from `to`.
#[inline]
pub(super) fn subtract(to: &mut [Block], row: &[Block]) {
    dispatch!(subtract(to, row))
}

/// The sum of activation times weight over both sides' neurons, where an activation is the square
/// of a neuron's sum clipped to 0..=[`ACTIVATION_ONE`]. `weights` has the own side's, then the
/// other's.
#[inline]
pub(super) fn output(own: &[Block], other: &[Block], weights: &[Block]) -> i32 {
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    return simd128::output(own, other, weights);
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    dispatch!(output(own, other, weights))
}

/// What the relations of pawns and kings alone weigh. Seldom asked, so it has no vectors.
pub(super) fn weigh_structure(rows: &[RelationRow], sides: &Sides) -> Sums {
    let mut sums = Sums::default();
    relations::find_structure(sides, |number| portable::weigh(&mut sums, &rows[number]));
    sums
}

/// What all relations weigh, where `structure` is what those of pawns and kings alone do.
#[inline]
pub(super) fn weigh_others(structure: Sums, rows: &[RelationRow], sides: &Sides) -> Sums {
    dispatch!(weigh_others(structure, rows, sides))
}

/// The output of the layers behind both sides' neurons, the own first. `products` is where their
/// products go on the way; `related` is what the relations weigh.
#[inline]
pub(super) fn stack(
    sides: [&[Block]; 2],
    products: &mut [Products],
    related: Sums,
    layers: &Layers,
) -> i32 {
    let sums = begin(related, layers);
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vnni") {
        #[allow(unsafe_code)]
        // SAFETY: the processor has AVX-512 and VNNI.
        return unsafe { avx512::stack_vnni(sides, products, sums, layers) };
    }
    dispatch!(stack(sides, products, sums, layers))
}

/// What the sums of the second layer begin with.
#[inline]
fn begin(related: Sums, layers: &Layers) -> Sums {
    let biases = &layers.stack.rest.biases_1;
    std::array::from_fn(|neuron| biases[neuron] + RELATION_STEP * related[neuron])
}

/// The loops for any processor; a function that inlines one gives it its own instructions.
mod portable {
    #[cfg(target_arch = "aarch64")]
    use super::neon::second_layer;
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    use super::simd128::second_layer;
    use super::{Block, Layers, Products, RelationRow, Sides, Sums, relations};
    use crate::nnue::{
        numbers::{ACTIVATION_ONE, LANES, LAYER_2, PRODUCT_HALF, PRODUCT_SHIFT},
        stack::{self, Activations},
    };

    #[inline(always)]
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

    #[inline(always)]
    pub(super) fn add(to: &mut [Block], row: &[Block]) {
        for (to, block) in to.iter_mut().zip(row) {
            plus(to, block);
        }
    }

    #[inline(always)]
    pub(super) fn subtract(to: &mut [Block], row: &[Block]) {
        for (to, block) in to.iter_mut().zip(row) {
            minus(to, block);
        }
    }

    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    #[inline(always)]
    pub(super) fn output(own: &[Block], other: &[Block], weights: &[Block]) -> i32 {
        let mut sums = [0_i32; LANES];
        for (neurons, weights) in own.iter().chain(other).zip(weights) {
            for ((sum, neuron), weight) in sums.iter_mut().zip(neurons.0).zip(weights.0) {
                let activation = neuron.clamp(0, ACTIVATION_ONE as i16);
                // Fits into 16 bits by the bound of the output weights.
                let weighted = activation.wrapping_mul(weight);
                *sum = sum.wrapping_add(i32::from(weighted) * i32::from(activation));
            }
        }
        sums.into_iter().fold(0, i32::wrapping_add)
    }

    /// First finds all, then adds up their rows: the compiler would not keep the sums in registers
    /// while relations are found.
    pub(super) fn weigh_others(mut sums: Sums, rows: &[RelationRow], sides: &Sides) -> Sums {
        let mut found = relations::Numbers::new();
        relations::find_others(sides, |number| found.push(number as u16));
        for &number in &found {
            weigh(&mut sums, &rows[usize::from(number)]);
        }
        sums
    }

    #[inline(always)]
    pub(super) fn weigh(sums: &mut Sums, row: &RelationRow) {
        for (sum, &weight) in sums.iter_mut().zip(&row.0) {
            *sum += i32::from(weight);
        }
    }

    #[inline(always)]
    pub(super) fn stack(
        sides: [&[Block]; 2],
        products: &mut [Products],
        sums: Sums,
        layers: &Layers,
    ) -> i32 {
        multiply(sides, products);
        let activations = stack::activations(second_layer(products, sums, layers));
        layers.stack.rest.output(third_layer(&activations, layers))
    }

    /// The products of each side's clipped neurons: those of the first half times those of the
    /// second.
    #[inline(always)]
    pub(super) fn multiply(sides: [&[Block]; 2], products: &mut [Products]) {
        let rows: &mut [[u8; LANES]] = bytemuck::cast_slice_mut(products);
        let half = rows.len() / 2;
        for (side, rows) in sides.into_iter().zip(rows.chunks_mut(half.max(1))) {
            let (first, second) = side.split_at(half);
            for (row, (first, second)) in rows.iter_mut().zip(first.iter().zip(second)) {
                for (product, (&a, &b)) in row.iter_mut().zip(first.0.iter().zip(&second.0)) {
                    let [a, b] = [a, b].map(|neuron| neuron.clamp(0, ACTIVATION_ONE as i16) as u16);
                    // Fits into 16 bits.
                    let rounded = a.wrapping_mul(b).wrapping_add(PRODUCT_HALF as u16);
                    *product = (rounded >> PRODUCT_SHIFT) as u8;
                }
            }
        }
    }

    /// Half of the products are zero, but few groups of neighbors are: to leave those out would take
    /// longer than to add them up.
    #[cfg(not(any(
        target_arch = "aarch64",
        all(target_arch = "wasm32", target_feature = "simd128")
    )))]
    #[inline(always)]
    fn second_layer(products: &[Products], mut sums: Sums, layers: &Layers) -> Sums {
        use crate::nnue::numbers::INPUTS;
        let inputs: &[[u8; INPUTS]] = bytemuck::cast_slice(products);
        for (inputs, line) in inputs.iter().zip(&layers.lines) {
            for (sum, weights) in sums.iter_mut().zip(&line.0) {
                for (&input, &weight) in inputs.iter().zip(weights) {
                    *sum = sum.wrapping_add(i32::from(input) * i32::from(weight));
                }
            }
        }
        sums
    }

    #[inline(always)]
    fn third_layer(activations: &Activations, layers: &Layers) -> [i32; LAYER_2] {
        let mut sums = layers.stack.rest.biases_2;
        let (inputs, _) = activations.as_chunks();
        for (&[a, b], pair) in inputs.iter().zip(&*layers.pairs) {
            for (sum, &[to_a, to_b]) in sums.iter_mut().zip(&pair.0) {
                *sum += i32::from(a) * i32::from(to_a) + i32::from(b) * i32::from(to_b);
            }
        }
        sums
    }

    #[inline(always)]
    fn plus(to: &mut Block, block: &Block) {
        for (to, number) in to.0.iter_mut().zip(block.0) {
            *to = to.wrapping_add(number);
        }
    }

    #[inline(always)]
    fn minus(to: &mut Block, block: &Block) {
        for (to, number) in to.0.iter_mut().zip(block.0) {
            *to = to.wrapping_sub(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use sextant_board::{Color, Piece, Placed, Random, Square};

    use super::*;
    use crate::nnue::{RELATIONS, Relations};

    fn blocks(random: &mut Random, count: usize, bound: i32) -> Vec<Block> {
        let mut number = || (random.below(2 * bound as usize + 1) as i32 - bound) as i16;
        let mut block = || Block(std::array::from_fn(|_| number()));
        (0..count).map(|_| block()).collect()
    }

    #[test]
    fn rows_are_added_and_taken_away_number_by_number() {
        let mut random = Random::new(1);
        for size in [1, 2, 3, 8, 32] {
            let [from, a, b, c, d] = std::array::from_fn(|_| blocks(&mut random, size, 5_000));
            let mut to = blocks(&mut random, size, 5_000);
            update(&from, &mut to, [&a, &b], [&c, &d]);
            for i in 0..size * 32 {
                let at = |row: &[Block]| row[i / 32].0[i % 32];
                assert_eq!(at(&to), at(&from) + at(&a) + at(&b) - at(&c) - at(&d));
            }
            subtract(&mut to, &a);
            add(&mut to, &c);
            let mut same = to.clone();
            update(&from, &mut same, [&b], [&d]);
            assert_eq!(to, same);
        }
    }

    const KINGS: [Square; Color::NUM] = [Square::E1, Square::C7];

    /// The weights of all relations and of none, of any size.
    fn rows(random: &mut Random) -> Vec<RelationRow> {
        let mut row = || RelationRow(std::array::from_fn(|_| random.below(1 << 16) as u16 as i16));
        let mut rows: Vec<_> = (0..RELATIONS).map(|_| row()).collect();
        rows.push(RelationRow([0; LAYER_1]));
        rows
    }

    /// Pieces wherever they may stand, few or many.
    fn pieces(random: &mut Random) -> Sides {
        let mut sides = Sides::default();
        let share = 1 + random.below(20);
        let free = Square::ALL
            .into_iter()
            .filter(|square| !KINGS.contains(square));
        for square in free {
            if random.below(20) < share {
                let [color, kind] = [2, 5].map(|count| random.below(count));
                sides.put(Placed::new(Piece::index(kind), Color::index(color), square));
            }
        }
        for (color, square) in Color::ALL.into_iter().zip(KINGS) {
            sides.put(Placed::new(Piece::King, color, square));
        }
        sides
    }

    #[test]
    fn all_relations_weigh_what_their_rows_hold() {
        let mut random = Random::new(4);
        let rows = rows(&mut random);
        let mut relations = Relations::default();
        for _ in 0..if cfg!(miri) { 2 } else { 300 } {
            let sides = pieces(&mut random);
            relations.find(&sides);
            let mut wanted = Sums::default();
            for &number in relations.numbers() {
                portable::weigh(&mut wanted, &rows[usize::from(number)]);
            }
            let structure = weigh_structure(&rows, &sides);
            assert_eq!(portable::weigh_others(structure, &rows, &sides), wanted);
            #[cfg(target_arch = "x86_64")]
            vectors::check_relations(structure, &rows, &sides, wanted);
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    mod vectors {
        use super::*;
        use crate::nnue::{
            numbers::{FEATURE_MAX, LAYER_1, LAYER_2, OUTPUT_MAX},
            stack::{Rest, Stack},
        };

        /// Weights of a stack over so many blocks of products, within what sums allow.
        fn layers(random: &mut Random, size: usize) -> Layers {
            let mut number = |bound: i32| random.below(2 * bound as usize + 1) as i32 - bound;
            let inputs = LAYER_1 * 32 * size;
            let weights_1 = (0..inputs).map(|_| number(127) as i8).collect();
            let rest = Rest {
                biases_1: std::array::from_fn(|_| number(100_000)),
                weights_2: [(); LAYER_2].map(|()| std::array::from_fn(|_| number(1_000) as i16)),
                biases_2: std::array::from_fn(|_| number(8_000_000)),
                weights_3: std::array::from_fn(|_| number(2_000) as i16),
                bias_3: number(1_000_000),
            };
            Layers::new(&Stack { weights_1, rest })
        }

        type OfStack = fn([&[Block]; 2], &mut [Products], Sums, &Layers) -> i32;

        /// Whether there are AVX2, AVX-512 and its VNNI; what is not there is told.
        fn vectors() -> [bool; 3] {
            let avx2 = is_x86_feature_detected!("avx2");
            let avx512 = is_x86_feature_detected!("avx512bw");
            let vnni = avx512 && is_x86_feature_detected!("avx512vnni");
            for (name, is_there) in [("AVX2", avx2), ("AVX-512", avx512), ("VNNI", vnni)] {
                if !is_there {
                    println!("skipped: this processor has no {name}");
                }
            }
            [avx2, avx512, vnni]
        }

        /// Do relations weigh what is `wanted`?
        pub(super) fn check_relations(
            structure: Sums,
            rows: &[RelationRow],
            sides: &Sides,
            wanted: Sums,
        ) {
            let [avx2, avx512, _] = vectors();
            if avx2 {
                // SAFETY: the processor has AVX2.
                let by_vectors = unsafe { avx2::weigh_others(structure, rows, sides) };
                assert_eq!(by_vectors, wanted);
            }
            if avx512 {
                // SAFETY: the processor has AVX-512.
                let by_vectors = unsafe { avx512::weigh_others(structure, rows, sides) };
                assert_eq!(by_vectors, wanted);
            }
        }

        #[test]
        fn vectors_give_the_same_layers_as_plain_code() {
            let [avx2, avx512, vnni] = vectors();
            let mut random = Random::new(3);
            let [mut values, mut zeros] = [0; 2];
            // Few products, most, and whatever 16 bits can hold.
            for bound in [120, 2_000, 32_767] {
                for size in [2, 4, 24, 32] {
                    for _ in 0..if cfg!(miri) { 1 } else { 50 } {
                        let own = blocks(&mut random, size, bound);
                        let other = blocks(&mut random, size, bound);
                        let layers = layers(&mut random, size);
                        let begin = layers.stack.rest.biases_1;
                        let sides = [&own[..], &other[..]];
                        let mut products = vec![bytemuck::Zeroable::zeroed(); size / 2];
                        let plain = portable::stack(sides, &mut products, begin, &layers);
                        let kept = products.clone();
                        let bytes = bytemuck::cast_slice::<_, u8>(&kept);
                        values += bytes.len();
                        zeros += bytes.iter().filter(|&&byte| byte == 0).count();
                        let mut check = |stack: OfStack| {
                            assert_eq!(stack(sides, &mut products, begin, &layers), plain);
                        };
                        if avx2 {
                            check(
                                // SAFETY: the processor has AVX2.
                                |sides, to, sums, by| unsafe { avx2::stack(sides, to, sums, by) },
                            );
                        }
                        if avx512 {
                            check(
                                // SAFETY: the processor has AVX-512.
                                |sides, to, sums, by| unsafe { avx512::stack(sides, to, sums, by) },
                            );
                        }
                        if vnni {
                            check(
                                // SAFETY: the processor has AVX-512 and VNNI.
                                |sides, to, sums, by| unsafe {
                                    avx512::stack_vnni(sides, to, sums, by)
                                },
                            );
                        }
                    }
                }
            }
            assert!(zeros > values / 2 && zeros < values, "{zeros} of {values}");
        }

        #[test]
        fn vectors_give_what_plain_code_gives() {
            let [avx2, avx512, _] = vectors();
            let mut random = Random::new(2);
            // Inside the activation, far outside it, and whatever 16 bits can hold.
            for bound in [300, 33 * i32::from(FEATURE_MAX), 32_767] {
                for size in [1, 2, 8, 32] {
                    for _ in 0..if cfg!(miri) { 2 } else { 100 } {
                        let own = blocks(&mut random, size, bound);
                        let other = blocks(&mut random, size, bound);
                        let weights = blocks(&mut random, 2 * size, i32::from(OUTPUT_MAX));
                        let plain = portable::output(&own, &other, &weights);
                        if avx2 {
                            // SAFETY: the processor has AVX2.
                            let by_vectors = unsafe { avx2::output(&own, &other, &weights) };
                            assert_eq!(by_vectors, plain);
                        }
                        if avx512 {
                            // SAFETY: the processor has AVX-512.
                            let by_vectors = unsafe { avx512::output(&own, &other, &weights) };
                            assert_eq!(by_vectors, plain);
                        }
                    }
                }
            }
        }
    }
}
