//! The shape of a network, as its file declares it.

use std::fmt;

use super::{
    error::NetError,
    numbers::{LANES, LAYER_1, LAYER_2, MAX_HIDDEN, OUTPUT_BUCKETS},
    relations::RELATIONS,
    stack,
};

/// Inputs of each side for one king bucket: own and other pieces, six kinds, 64 squares.
pub const FEATURES: usize = 2 * 6 * 64;

/// What reads the accumulators, once for each output bucket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layers {
    /// Squared clipped ReLU, then a row of output weights.
    #[default]
    One,
    /// Products of pairs of clipped neurons, then layers of [`LAYER_1`] and [`LAYER_2`] neurons and
    /// a row of output weights.
    Three {
        /// Whether the first of these layers also reads the relations between pieces
        /// ([`Relations`](super::Relations)).
        relations: bool,
    },
}

/// The shape of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Architecture {
    hidden: u16,
    king_buckets: [u8; 32],
    output_buckets: u8,
    layers: Layers,
}

impl Architecture {
    /// A shape with `hidden` neurons for each side.
    ///
    /// `king_buckets` says by own king square (rank * 4 + file, from the side's own end and
    /// mirrored to files a to d) which set of feature weights is used; the sets are numbered from 0
    /// without a gap. `output_buckets` sets of output weights share the numbers of pieces on the
    /// board.
    ///
    /// # Errors
    /// [`NetError`] for what the engine cannot run.
    pub fn new(
        hidden: u16,
        king_buckets: [u8; 32],
        output_buckets: u8,
    ) -> Result<Architecture, NetError> {
        if hidden == 0 || hidden > MAX_HIDDEN || !usize::from(hidden).is_multiple_of(LANES) {
            return Err(NetError::Hidden(hidden));
        }
        let highest = king_buckets.into_iter().max().unwrap_or(0);
        if let Some(missing) = (0..highest).find(|bucket| !king_buckets.contains(bucket)) {
            return Err(NetError::KingBuckets { missing, highest });
        }
        if !OUTPUT_BUCKETS.contains(&output_buckets) {
            return Err(NetError::OutputBuckets(output_buckets));
        }
        Ok(Architecture {
            hidden,
            king_buckets,
            output_buckets,
            layers: Layers::One,
        })
    }

    /// The same shape with other layers behind the accumulators.
    ///
    /// # Errors
    /// [`NetError::Halves`] if pairs are to be made and the neurons of a side are no multiple of 64.
    pub fn with_layers(self, layers: Layers) -> Result<Architecture, NetError> {
        let has_pairs = matches!(layers, Layers::Three { .. });
        if has_pairs && !usize::from(self.hidden).is_multiple_of(2 * LANES) {
            return Err(NetError::Halves(self.hidden));
        }
        Ok(Architecture { layers, ..self })
    }

    /// The simplest shape: one king bucket, one output bucket.
    ///
    /// # Errors
    /// [`NetError::Hidden`] if `hidden` is no multiple of 32 from 32 to [`MAX_HIDDEN`].
    pub fn plain(hidden: u16) -> Result<Architecture, NetError> {
        Architecture::new(hidden, [0; 32], 1)
    }

    /// Neurons of each side: a multiple of 32 up to [`MAX_HIDDEN`].
    #[inline]
    pub fn hidden(&self) -> u16 {
        self.hidden
    }

    /// The set of feature weights by own king square; see [`Architecture::new`].
    #[inline]
    pub fn king_buckets(&self) -> &[u8; 32] {
        &self.king_buckets
    }

    /// Number of sets of feature weights.
    pub fn king_bucket_count(&self) -> usize {
        usize::from(self.king_buckets.into_iter().max().unwrap_or(0)) + 1
    }

    /// Number of sets of output weights.
    #[inline]
    pub fn output_buckets(&self) -> u8 {
        self.output_buckets
    }

    /// What reads the accumulators.
    #[inline]
    pub fn layers(&self) -> Layers {
        self.layers
    }

    /// The set of output weights for a board with `pieces` pieces (2 to 32, kings included): equal
    /// shares, with eight buckets `(pieces - 2) / 4`.
    #[inline]
    pub fn output_bucket(&self, pieces: u32) -> usize {
        (pieces.saturating_sub(2) * u32::from(self.output_buckets) / 32) as usize
    }

    /// Whether the second layer reads the relations between pieces.
    #[inline]
    #[must_use]
    pub fn has_relations(&self) -> bool {
        self.layers == Layers::Three { relations: true }
    }

    /// How many feature weights, feature biases, output weights, output biases, stacks of layers and
    /// weights of relations a network has.
    pub(super) fn sizes(&self) -> [usize; 6] {
        let hidden = usize::from(self.hidden);
        let outputs = usize::from(self.output_buckets);
        let features = self.king_bucket_count() * FEATURES;
        let [rows, stacks] = match self.layers {
            Layers::One => [outputs, 0],
            Layers::Three { .. } => [0, outputs],
        };
        let relations = if self.has_relations() {
            RELATIONS * LAYER_1
        } else {
            0
        };
        [
            features * hidden,
            hidden,
            2 * hidden * rows,
            rows,
            stacks,
            relations,
        ]
    }

    /// The length of a file without its header.
    pub(super) fn file_bytes(&self) -> usize {
        let [
            feature_weights,
            feature_biases,
            output_weights,
            output_biases,
            stacks,
            relations,
        ] = self.sizes();
        2 * (feature_weights + feature_biases + output_weights + relations)
            + 4 * output_biases
            + stacks * stack::file_bytes(self.hidden.into())
    }

    /// Blocks that hold one side's neurons.
    #[inline]
    pub(super) fn blocks(&self) -> usize {
        usize::from(self.hidden) / LANES
    }
}

/// As papers write it: `(768x4 mirrored -> 256)x2 -> 8`, where the first number is that of the
/// inputs, times the king buckets if there are several, and the last that of the output buckets;
/// with more layers `(768x4 mirrored -> 256 pairwise)x2 -> (16 -> 32 -> 1)x8`, and with relations
/// `((768x4 mirrored -> 256 pairwise)x2 + relations) -> (16 -> 32 -> 1)x8`.
impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (hidden, outputs) = (self.hidden, self.output_buckets);
        let inputs = match self.king_bucket_count() {
            1 => format!("{FEATURES} mirrored"),
            buckets => format!("{FEATURES}x{buckets} mirrored"),
        };
        let read = match self.layers {
            Layers::One => return write!(f, "({inputs} -> {hidden})x2 -> {outputs}"),
            Layers::Three { relations } => {
                let pairs = format!("({inputs} -> {hidden} pairwise)x2");
                if relations {
                    format!("({pairs} + relations)")
                } else {
                    pairs
                }
            }
        };
        write!(f, "{read} -> ({LAYER_1} -> {LAYER_2} -> 1)x{outputs}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREE: Layers = Layers::Three { relations: false };

    #[test]
    fn only_what_can_be_run_is_allowed() {
        for hidden in [0, 1, 31, 33, 1056] {
            let refused = Architecture::plain(hidden);
            assert_eq!(refused, Err(NetError::Hidden(hidden)));
        }
        assert!(Architecture::plain(32).is_ok() && Architecture::plain(1024).is_ok());
        let mut buckets = [0; 32];
        buckets[31] = 2;
        let (missing, highest) = (1, 2);
        let refused = NetError::KingBuckets { missing, highest };
        assert_eq!(Architecture::new(64, buckets, 1), Err(refused));
        let refused = NetError::OutputBuckets(3);
        assert_eq!(Architecture::new(64, [0; 32], 3), Err(refused));
        let with_pairs = |hidden| Architecture::plain(hidden)?.with_layers(THREE);
        assert_eq!(with_pairs(96), Err(NetError::Halves(96)));
        assert_eq!(
            with_pairs(64).unwrap().to_string(),
            "(768 mirrored -> 64 pairwise)x2 -> (16 -> 32 -> 1)x1"
        );
        let related = Layers::Three { relations: true };
        let related = Architecture::plain(64).and_then(|plain| plain.with_layers(related));
        assert_eq!(
            related.unwrap().to_string(),
            "((768 mirrored -> 64 pairwise)x2 + relations) -> (16 -> 32 -> 1)x1"
        );
    }

    #[test]
    fn output_buckets_share_the_pieces_equally() {
        for count in OUTPUT_BUCKETS {
            let architecture = Architecture::new(32, [0; 32], count).unwrap();
            let mut seen = vec![0; usize::from(count)];
            for pieces in 2..=32 {
                seen[architecture.output_bucket(pieces)] += 1;
            }
            // 31 counts, so the last set has one less.
            let least = 32 / usize::from(count) - 1;
            assert!(seen.iter().all(|&n| n >= least), "{seen:?}");
        }
        let eight = Architecture::new(32, [0; 32], 8).unwrap();
        assert!((2..=32).all(|pieces| eight.output_bucket(pieces) == (pieces as usize - 2) / 4));
    }
}
