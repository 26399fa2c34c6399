//! What a slot of the table holds and how it is packed into 128 bits.

use sextant_board::{PackedMove, Score};

use crate::{budget::Depth, window::Bound};

/// A remembered result, scores counted from the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub mv: PackedMove,
    pub score: Score,
    /// The uncorrected static evaluation, or `Score::NONE`.
    pub eval: Score,
    pub bound: Bound,
    /// A principal variation once passed here.
    pub was_pv: bool,
    /// The effective depth of the search behind the score.
    pub depth: Depth,
    /// How much more forcing the side to move had been than its opponent, in sixteenths of an SX
    /// (kept to two SX).
    pub imbalance: i32,
}

impl Entry {
    /// Is the score a mate that is proved, for or against the side to move?
    pub(crate) fn proves_mate(&self) -> bool {
        let proof = if self.score.is_loss() {
            Bound::Upper
        } else {
            Bound::Lower
        };
        self.score.is_mate() && (self.bound == proof || self.bound == Bound::Exact)
    }
}

/// Quarter plies below zero that a draft may have (quiescence stores 0 and -1 plies).
const DEPTH_OFFSET: i32 = 8;
const DEPTH_MAX: i32 = 511;
/// Sixteenths of an SX in a unit of imbalance: two SX.
const IMBALANCE_UNIT: i32 = 32;

/// The age occupies five bits.
pub(super) const AGES: u8 = 32;

/// `data`: move 16, score 16, static evaluation 16, bound 2, was-PV 1, age 5, fraction of the depth
/// 5, 3 unused.
/// `check`: key 48, depth 9, imbalance 7; xored with `data`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Packed {
    pub(super) data: u64,
    pub(super) check: u64,
}

impl Packed {
    pub(super) fn pack(key: u64, entry: &Entry, age: u8) -> Packed {
        let bound = match entry.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        let data = u64::from(entry.mv.to_bits())
            | u64::from(entry.score.to_bits()) << 16
            | u64::from(entry.eval.to_bits()) << 32
            | bound << 48
            | u64::from(entry.was_pv) << 50
            | u64::from(age % AGES) << 51
            | u64::from((entry.depth.raw() & 31).unsigned_abs()) << 56;
        let depth = (entry.depth.in_quarters() + DEPTH_OFFSET).clamp(0, DEPTH_MAX) as u64;
        let imbalance = entry.imbalance.div_euclid(IMBALANCE_UNIT).clamp(-64, 63) as u64 & 127;
        let check = (key & KEY_MASK) | depth << 7 | imbalance;
        Packed {
            data,
            check: check ^ data,
        }
    }

    /// The entry, if the slot is filled, belongs to `key` and was not torn by two writers.
    #[inline]
    pub(super) fn unpack(self, key: u64) -> Option<Entry> {
        let check = self.check ^ self.data;
        if (check ^ key) & KEY_MASK != 0 {
            return None;
        }
        let bound = match self.data >> 48 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(Entry {
            mv: PackedMove::from_bits(self.data as u16),
            score: Score::from_bits((self.data >> 16) as u16),
            eval: Score::from_bits((self.data >> 32) as u16),
            bound,
            was_pv: self.data >> 50 & 1 != 0,
            depth: Depth::from_quarters((check >> 7 & 511) as i32 - DEPTH_OFFSET)
                + Depth::from_raw((self.data >> 56 & 31) as i32),
            imbalance: (((check & 127) as i32) << 25 >> 25) * IMBALANCE_UNIT,
        })
    }

    pub(super) fn is_empty(self) -> bool {
        self.data >> 48 & 3 == 0
    }

    pub(super) fn age(self) -> u8 {
        (self.data >> 51 & 31) as u8
    }

    /// The draft in quarter plies from the lowest that can be stored.
    pub(super) fn draft(self) -> i32 {
        ((self.check ^ self.data) >> 7 & 511) as i32
    }
}

/// The upper 48 bits of the key; the index is taken from the top as well, so that the low bits, all
/// of which are kept, add to what the index already says.
const KEY_MASK: u64 = !0xFFFF;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entries() -> impl Strategy<Value = Entry> {
        (
            any::<u16>(),
            -32_001..=32_001_i32,
            -19_000..=19_000_i32,
            0..3_u8,
            any::<bool>(),
            (-8..500_i32, 0..32_i32),
            -64..=63_i32,
        )
            .prop_map(
                |(mv, score, eval, bound, was_pv, (quarters, rest), imbalance)| Entry {
                    mv: PackedMove::from_bits(mv),
                    score: Score::new(score),
                    eval: Score::new(eval),
                    bound: [Bound::Exact, Bound::Lower, Bound::Upper][usize::from(bound)],
                    was_pv,
                    depth: Depth::from_quarters(quarters) + Depth::from_raw(rest),
                    imbalance: imbalance * IMBALANCE_UNIT,
                },
            )
    }

    proptest! {
        #[test]
        fn what_is_packed_is_unpacked(entry in entries(), key: u64, age in 0..AGES) {
            let packed = Packed::pack(key, &entry, age);
            prop_assert_eq!(packed.unpack(key), Some(entry));
            prop_assert_eq!(packed.age(), age);
            prop_assert!(!packed.is_empty());
            prop_assert_eq!(packed.unpack(key ^ 1 << 40), None);
        }

        #[test]
        fn torn_pairs_are_refused(a in entries(), b in entries(), key: u64) {
            let (one, other) = (Packed::pack(key, &a, 0), Packed::pack(!key, &b, 0));
            let torn = Packed { data: one.data, check: other.check };
            prop_assert!(torn.unpack(key).is_none() || torn == one);
        }

        #[test]
        fn any_bits_decode_to_a_value_or_none(data: u64, check: u64, key: u64) {
            let _ = Packed { data, check }.unpack(key);
        }
    }

    #[test]
    fn a_mate_is_proved_from_the_right_side() {
        for (score, bound, is_proof) in [
            (31_990, Bound::Upper, false),
            (31_990, Bound::Lower, true),
            (-31_990, Bound::Lower, false),
            (-31_990, Bound::Upper, true),
            (-31_990, Bound::Exact, true),
            (900, Bound::Exact, false),
        ] {
            let entry = Entry {
                mv: PackedMove::NONE,
                score: Score::new(score),
                eval: Score::NONE,
                bound,
                was_pv: false,
                depth: Depth::PLY,
                imbalance: 0,
            };
            assert_eq!(entry.proves_mate(), is_proof, "{score} {bound:?}");
        }
    }
}
