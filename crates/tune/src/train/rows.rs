//! Numbers of a tile's neurons: what the inner loops keep in registers.

/// Neurons of a tile: every hidden size is a multiple of it, and the sums of both perspectives fit
/// into the registers of AVX2.
pub(super) const WIDTH: usize = 32;

/// A number for each neuron of a tile, aligned so that no vector load crosses a cache line.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub(super) struct Row(pub(super) [f32; WIDTH]);

impl Row {
    pub(super) const ZERO: Row = Row([0.0; WIDTH]);

    /// From floats in little-endian order.
    pub(super) fn from_bytes(bytes: &[u8; 4 * WIDTH]) -> Row {
        let (floats, _) = bytes.as_chunks();
        Row(std::array::from_fn(|index| {
            f32::from_le_bytes(floats[index])
        }))
    }

    /// The numbers of each row.
    pub(super) fn numbers(rows: &[Row]) -> &[[f32; WIDTH]] {
        bytemuck::cast_slice(rows)
    }

    /// The numbers of each row, to change.
    pub(super) fn numbers_mut(rows: &mut [Row]) -> &mut [[f32; WIDTH]] {
        bytemuck::cast_slice_mut(rows)
    }

    #[inline(always)]
    pub(super) fn add(&mut self, other: &Row) {
        for (sum, &value) in self.0.iter_mut().zip(&other.0) {
            *sum += value;
        }
    }
}

/// The sum of a row's numbers.
#[inline(always)]
pub(super) fn total(row: Row) -> f32 {
    let mut parts = row.0;
    let mut half = WIDTH / 2;
    while half > 0 {
        let (low, high) = parts.split_at_mut(half);
        for (low, high) in low.iter_mut().zip(high) {
            *low += *high;
        }
        half /= 2;
    }
    parts[0]
}
