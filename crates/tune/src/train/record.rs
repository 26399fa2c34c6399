//! A training position as the file holds it, and as the network sees it.
//!
//! Records are those of `bulletformat` (`ChessBoard`, 32 bytes, little-endian), seen from the side
//! to move: the men on the occupied squares in the order of the squares, four bits a man (8 for the
//! other side; pawn to king 0..=5), the score in centipawns, the result in half points, and both
//! kings' squares, each from its own side.

use sextant_board::{Color, Piece, Square};
use sextant_eval::nnue::{Architecture, View};

use super::error::RecordFault;

/// Bytes of a record.
pub(super) const RECORD_BYTES: usize = 32;

/// A record, not yet looked into.
pub(super) type Record = [u8; RECORD_BYTES];

/// Most men on a board.
const MEN: usize = 32;
const THEIRS: u8 = 8;

/// A position in the network's terms.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    own: [u16; MEN],
    other: [u16; MEN],
    men: usize,
    /// The set of output weights that judges the position.
    pub(super) bucket: usize,
    /// Score of the search in centipawns, seen from the side to move.
    pub(super) score: i16,
    /// Points of the side to move: 0, 1/2 or 1.
    pub(super) result: f32,
}

impl Sample {
    /// Rows of the feature weights that the side to move adds up.
    pub(super) fn own(&self) -> &[u16] {
        &self.own[..self.men]
    }

    /// Rows that the other side adds up.
    pub(super) fn other(&self) -> &[u16] {
        &self.other[..self.men]
    }

    /// Reads a record.
    ///
    /// # Errors
    /// When it is no position: foreign files are noticed here.
    pub(super) fn read(
        record: &Record,
        architecture: &Architecture,
    ) -> Result<Sample, RecordFault> {
        let occupied = u64::from_le_bytes(part(record, 0));
        let men: [u8; 16] = part(record, 8);
        let [score_low, score_high, result, king, other_king] = part(record, 24);
        let count = occupied.count_ones();
        if !(2..=MEN as u32).contains(&count) {
            return Err(RecordFault::Men(count));
        }
        if result > 2 {
            return Err(RecordFault::Result(result));
        }
        let squares = (
            Square::try_index(king.into()),
            Square::try_index((other_king ^ 56).into()),
        );
        let (Some(king), Some(other_king)) = squares else {
            return Err(RecordFault::Kings);
        };
        let mut sample = Sample {
            own: [0; MEN],
            other: [0; MEN],
            men: count as usize,
            bucket: architecture.output_bucket(count),
            score: i16::from_le_bytes([score_low, score_high]),
            result: f32::from(result) / 2.0,
        };
        // The side to move stands where White does.
        let own = View::new(architecture, Color::White, king);
        let other = View::new(architecture, Color::Black, other_king);
        let mut kings = [None; 2];
        let mut left = occupied;
        for index in 0..sample.men {
            let square = Square::index(left.trailing_zeros() as usize);
            left &= left - 1;
            let man = (men[index / 2] >> (4 * (index % 2))) & 15;
            let piece =
                Piece::try_index(usize::from(man % THEIRS)).ok_or(RecordFault::Kind(man))?;
            let owner = if man < THEIRS {
                Color::White
            } else {
                Color::Black
            };
            if piece == Piece::King && kings[owner as usize].replace(square).is_some() {
                return Err(RecordFault::Kings);
            }
            sample.own[index] = own.feature(owner, piece, square) as u16;
            sample.other[index] = other.feature(owner, piece, square) as u16;
        }
        if kings == [Some(king), Some(other_king)] {
            Ok(sample)
        } else {
            Err(RecordFault::Kings)
        }
    }
}

/// The bytes from `at` on.
fn part<const N: usize>(record: &Record, at: usize) -> [u8; N] {
    std::array::from_fn(|index| record[at + index])
}
