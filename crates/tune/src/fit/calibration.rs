//! Do things that are called likely happen as often as they are called?

use serde::Serialize;

/// Bins of the logarithm: the last one holds everything below.
const BINS: usize = 14;

/// Predictions of about the same size.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Bin {
    /// How many.
    pub(super) count: u64,
    /// How likely they were called, on average.
    pub(super) predicted: f64,
    /// How often it happened.
    pub(super) observed: f64,
}

/// Sorts predictions into bins, each reaching from a power of two to half of it.
pub(super) fn bins(predictions: impl IntoIterator<Item = (f64, bool)>) -> Vec<Bin> {
    let mut bins = [Bin::default(); BINS];
    for (probability, happened) in predictions {
        let bits = -probability.max(f64::MIN_POSITIVE).log2();
        let bin = &mut bins[(bits.max(0.0) as usize).min(BINS - 1)];
        bin.count += 1;
        bin.predicted += probability;
        bin.observed += f64::from(u8::from(happened));
    }
    let filled = bins.into_iter().filter(|bin| bin.count > 0);
    filled
        .map(|bin| Bin {
            predicted: bin.predicted / bin.count as f64,
            observed: bin.observed / bin.count as f64,
            ..bin
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_are_halves_of_halves() {
        let found = bins([(0.9, true), (0.6, false), (0.3, true), (1e-300, false)]);
        assert_eq!(found.len(), 3);
        assert_eq!((found[0].count, found[0].observed), (2, 0.5));
        assert!((found[0].predicted - 0.75).abs() < 1e-12);
        assert_eq!((found[1].count, found[1].observed), (1, 1.0));
        assert_eq!(found[2].count, 1);
    }
}
