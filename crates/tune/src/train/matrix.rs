//! Rows and layers of positions as matrices, which are multiplied in blocks that stay in registers.

use std::ops::Range;

use ndarray::{ArrayView2, ArrayViewMut2, linalg::general_mat_mul};

use super::{
    record::Sample,
    tiles::{Row, WIDTH},
};

/// Runs of positions that share an output bucket, where those of a bucket stand together.
pub(super) fn runs(positions: &[(Sample, f32)]) -> impl Iterator<Item = (usize, Range<usize>)> {
    let mut start = 0;
    let runs = positions.chunk_by(|(a, _), (b, _)| a.bucket == b.bucket);
    runs.map(move |run| {
        let part = start..start + run.len();
        start = part.end;
        (run[0].0.bucket, part)
    })
}

/// A matrix with these rows.
pub(super) fn rows(rows: &[Row]) -> ArrayView2<'_, f32> {
    ArrayView2::from(bytemuck::cast_slice::<_, [f32; WIDTH]>(rows))
}

pub(super) fn rows_mut(rows: &mut [Row]) -> ArrayViewMut2<'_, f32> {
    ArrayViewMut2::from(bytemuck::cast_slice_mut::<_, [f32; WIDTH]>(rows))
}

/// `to` becomes `a b`.
pub(super) fn set_product(
    mut to: ArrayViewMut2<'_, f32>,
    a: ArrayView2<'_, f32>,
    b: ArrayView2<'_, f32>,
) {
    general_mat_mul(1.0, &a, &b, 0.0, &mut to);
}

/// `a b` is added to `to`.
pub(super) fn add_product(
    mut to: ArrayViewMut2<'_, f32>,
    a: ArrayView2<'_, f32>,
    b: ArrayView2<'_, f32>,
) {
    general_mat_mul(1.0, &a, &b, 1.0, &mut to);
}
