//! Products of matrices with few columns. For so few it does not pay to pack blocks, as libraries do:
//! the sums of a row stay in registers.
//!
//! Products are not fused with sums, so that every processor finds the same to the last bit.

use multiversion::multiversion;

/// Columns become rows.
pub(super) fn transposed<const ROWS: usize, const COLUMNS: usize>(
    matrix: &[[f32; COLUMNS]; ROWS],
) -> [[f32; ROWS]; COLUMNS] {
    std::array::from_fn(|column| std::array::from_fn(|row| matrix[row][column]))
}

/// `a b` is added to `sums`.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn add_product<const FROM: usize, const TO: usize>(
    sums: &mut [[f32; TO]],
    a: &[[f32; FROM]],
    b: &[[f32; TO]; FROM],
) {
    for (sums, a) in sums.iter_mut().zip(a) {
        let mut row = *sums;
        for (factor, b) in a.iter().zip(b) {
            add_scaled(&mut row, *factor, b);
        }
        *sums = row;
    }
}

/// The product of `a`, its columns taken as rows, and `b` is added to `sums`.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn add_product_of_columns<const FROM: usize, const TO: usize>(
    sums: &mut [[f32; TO]; FROM],
    a: &[[f32; FROM]],
    b: &[[f32; TO]],
) {
    const { assert!(FROM.is_multiple_of(4)) };
    let (blocks, _) = sums.as_chunks_mut::<4>();
    for (number, sums) in blocks.iter_mut().enumerate() {
        // Each by its name: the compiler keeps no array of arrays in registers.
        let [mut first, mut second, mut third, mut fourth] = *sums;
        for (a, b) in a.iter().zip(b) {
            let factors = a.as_chunks::<4>().0[number];
            add_scaled(&mut first, factors[0], b);
            add_scaled(&mut second, factors[1], b);
            add_scaled(&mut third, factors[2], b);
            add_scaled(&mut fourth, factors[3], b);
        }
        *sums = [first, second, third, fourth];
    }
}

#[inline(always)]
fn add_scaled<const N: usize>(sums: &mut [f32; N], factor: f32, row: &[f32; N]) {
    for (sum, value) in sums.iter_mut().zip(row) {
        *sum += factor * value;
    }
}
