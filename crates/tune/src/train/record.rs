//! A training position as the file holds it, and as the network sees it.
//!
//! Records are those of `bulletformat` (`ChessBoard`, 32 bytes, little-endian), seen from the side
//! to move: the pieces on the occupied squares in the order of the squares, four bits each (8 for
//! the other side; pawn to king 0..=5), the score in centipawns, the result in half points, both
//! kings' squares, each from its own side, and what is known of the value: the score is 0 it, 1 a
//! lower bound, 2 an upper bound, or 3 the result is it (`data tree` and `--syzygy` of `data` write
//! this into what the format leaves free).

use sextant_board::{BitBoard, Color, Piece, Placed, Square};
use sextant_eval::nnue::{Architecture, Network, Perspective, Relations, Sides};
use sextant_search::Bound;

pub(crate) const RECORD_BYTES: usize = 32;

/// A record, not yet checked.
pub(crate) type Record = [u8; RECORD_BYTES];

const MAX_PIECES: usize = 32;
const THEIRS: u8 = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum RecordFault {
    #[error("{0} pieces on the board, where 2 to 32 can be")]
    Pieces(u32),
    #[error("a piece of kind {0}, where 0 to 5 and 8 to 13 are known")]
    Kind(u8),
    #[error("the kings are not where the record says")]
    Kings,
    #[error("result {0}, where 0, 1 and 2 are known")]
    Result(u8),
    #[error("a bound of kind {0}, where 0 to 3 are known")]
    Bound(u8),
}

/// A position as the network's input, with its score and result.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    own: [u16; MAX_PIECES],
    other: [u16; MAX_PIECES],
    pieces: usize,
    relations: Vec<u16>,
    pub(super) bucket: usize,
    /// Score of the search in centipawns, seen from the side to move.
    pub(super) score: i16,
    /// What the score is of the position's value; `None` if the result is the value.
    pub(super) bound: Option<Bound>,
    /// Points of the side to move: 0, 1/2 or 1.
    pub(super) result: f32,
}

impl Sample {
    /// The features of the side to move's perspective.
    pub(super) fn own(&self) -> &[u16] {
        &self.own[..self.pieces]
    }

    /// The features of the other perspective.
    pub(super) fn other(&self) -> &[u16] {
        &self.other[..self.pieces]
    }

    /// The relations between its pieces, if the network reads them.
    pub(super) fn relations(&self) -> &[u16] {
        &self.relations
    }

    /// What a network says, in centipawns; slow.
    pub(super) fn value(&self, network: &Network) -> f32 {
        let own = self.own().iter().map(|&feature| feature.into());
        let other = self.other().iter().map(|&feature| feature.into());
        network.value_of(own, other, &self.relations, self.bucket) as f32
    }

    /// Reads a record. Foreign files are noticed here.
    pub(super) fn read(
        record: &Record,
        architecture: &Architecture,
    ) -> Result<Sample, RecordFault> {
        let Known {
            score,
            bound,
            result,
        } = known(record)?;
        let [king, other_king] = part(record, 27);
        let square = |index: u8| Square::try_index(index.into()).ok_or(RecordFault::Kings);
        let (king, other_king) = (square(king)?, square(other_king ^ 56)?);
        let placed = placed(record)?;
        let count = placed.len();
        let mut sample = Sample {
            own: [0; MAX_PIECES],
            other: [0; MAX_PIECES],
            pieces: count,
            relations: Vec::new(),
            bucket: architecture.output_bucket(count as u32),
            score,
            bound,
            result,
        };
        // The side to move stands where White does.
        let own = Perspective::new(architecture, Color::White, king);
        let other = Perspective::new(architecture, Color::Black, other_king);
        let mut kings = [None; 2];
        let mut sides = Sides::default();
        for (index, placed) in placed.enumerate() {
            let placed = placed?;
            sides.put(placed);
            let king = &mut kings[placed.color as usize];
            if placed.piece == Piece::King && king.replace(placed.square).is_some() {
                return Err(RecordFault::Kings);
            }
            sample.own[index] = own.of_piece(placed) as u16;
            sample.other[index] = other.of_piece(placed) as u16;
        }
        if kings != [Some(king), Some(other_king)] {
            return Err(RecordFault::Kings);
        }
        if architecture.has_relations() {
            let mut relations = Relations::default();
            relations.find(&sides);
            sample.relations = relations.numbers().to_vec();
        }
        Ok(sample)
    }
}

/// What a record says of its position's value.
pub(crate) struct Known {
    /// Score of the search in centipawns, seen from the side to move.
    pub(crate) score: i16,
    /// What the score is of the value; `None` if the result is the value.
    pub(crate) bound: Option<Bound>,
    /// Points of the side to move: 0, 1/2 or 1.
    pub(crate) result: f32,
}

pub(crate) fn known(record: &Record) -> Result<Known, RecordFault> {
    let [score_low, score_high, result, _, _, bound] = part(record, 24);
    if result > 2 {
        return Err(RecordFault::Result(result));
    }
    Ok(Known {
        score: i16::from_le_bytes([score_low, score_high]),
        bound: match bound {
            0 => Some(Bound::Exact),
            1 => Some(Bound::Lower),
            2 => Some(Bound::Upper),
            3 => None,
            other => return Err(RecordFault::Bound(other)),
        },
        result: f32::from(result) / 2.0,
    })
}

/// The pieces of a record in the order of their squares; the side to move has the white ones.
pub(crate) fn placed(
    record: &Record,
) -> Result<impl ExactSizeIterator<Item = Result<Placed, RecordFault>>, RecordFault> {
    let occupied = BitBoard(u64::from_le_bytes(part(record, 0)));
    let pieces: [u8; 16] = part(record, 8);
    let count = occupied.len();
    if !(2..=MAX_PIECES as u32).contains(&count) {
        return Err(RecordFault::Pieces(count));
    }
    Ok(occupied.iter().enumerate().map(move |(index, square)| {
        let code = (pieces[index / 2] >> (4 * (index % 2))) & 15;
        let color = if code < THEIRS {
            Color::White
        } else {
            Color::Black
        };
        let piece = Piece::try_index((code % THEIRS).into());
        let piece = piece.ok_or(RecordFault::Kind(code))?;
        Ok(Placed::new(piece, color, square))
    }))
}

fn part<const N: usize>(record: &Record, at: usize) -> [u8; N] {
    std::array::from_fn(|index| record[at + index])
}

#[cfg(test)]
mod tests {
    use bulletformat::{BulletFormat, ChessBoard};
    use sextant_board::Board;
    use sextant_eval::nnue::Layers;

    use super::*;
    use crate::train::fixture;

    fn sorted(features: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut features: Vec<usize> = features.collect();
        features.sort_unstable();
        features
    }

    #[test]
    fn it_sees_what_the_engine_sees() {
        let buckets = std::array::from_fn(|square| (square / 8) as u8);
        let shape = Architecture::new(64, buckets, 8).unwrap();
        let related = Layers::Three { relations: true };
        let architecture = shape.with_layers(related).unwrap();
        let mut relations = Relations::default();
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k3/8/2n5/8/4P3/8/5PPP/6K1 w - - 0 1",
            "r3k3/8/2n5/8/4P3/8/5PPP/6K1 b - - 0 1",
            "8/2k5/8/8/1Q6/8/8/K7 b - - 0 1",
            "8/6k1/5p2/8/1q6/8/3R4/1K6 w - - 0 1",
        ] {
            // The format's own crate makes the record.
            let record: ChessBoard = format!("{fen} | 37 | 1.0").parse().unwrap();
            let record: Record = ChessBoard::as_bytes_slice(&[record]).try_into().unwrap();
            let sample = Sample::read(&record, &architecture).unwrap();
            let board: Board = fen.parse().unwrap();
            let us = board.side_to_move();
            for (side, found) in [(us, sample.own()), (!us, sample.other())] {
                let perspective = Perspective::of(&architecture, side, &board);
                let expected = sorted(perspective.features(&board));
                let found = sorted(found.iter().map(|&feature| feature.into()));
                assert_eq!(found, expected, "{fen}, {side}");
            }
            relations.find(&Sides::of(&board));
            assert_eq!(sample.relations(), relations.numbers(), "{fen}");
            let (score, result) = match us {
                Color::White => (37, 1.0),
                Color::Black => (-37, 0.0),
            };
            assert_eq!((sample.score, sample.result), (score, result), "{fen}");
            let pieces = board.occupied().len();
            assert_eq!(sample.bucket, architecture.output_bucket(pieces), "{fen}");
        }
    }

    #[test]
    fn what_is_no_position_is_refused() {
        let plain = Architecture::plain(32).unwrap();
        let good = fixture::positions(1, 1)[0];
        assert!(Sample::read(&good, &plain).is_ok());
        for (at, byte, fault) in [
            (26, 3, RecordFault::Result(3)),
            (29, 4, RecordFault::Bound(4)),
            (27, 200, RecordFault::Kings),
            (27, good[27] ^ 1, RecordFault::Kings),
            (8, 0x66, RecordFault::Kind(6)),
        ] {
            let mut bad = good;
            bad[at] = byte;
            assert_eq!(Sample::read(&bad, &plain).unwrap_err(), fault);
        }
        let refused = |record: &Record| Sample::read(record, &plain).unwrap_err();
        assert_eq!(refused(&[0; 32]), RecordFault::Pieces(0));
        assert_eq!(refused(&[b'x'; 32]), RecordFault::Result(b'x'));
    }
}
