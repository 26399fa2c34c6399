//! The accumulator refresh cache ("Finny table", after Finn Eggers of Koivisto): the last
//! accumulator of every perspective with the pieces it was made of. A refresh adds and subtracts
//! only the pieces that differ, which are fewer than those on the board.

use sextant_board::{BitBoard, Board, Color, Piece};

use super::{block::Block, features::Perspective, kernel, network::Network};

#[derive(Clone, Debug)]
struct Entry {
    pieces: [[BitBoard; Piece::NUM]; Color::NUM],
    accumulator: Box<[Block]>,
}

/// An entry for each color, king bucket and wing.
#[derive(Clone, Debug)]
pub(super) struct FinnyTable {
    entries: Box<[Entry]>,
    entries_per_color: usize,
}

impl FinnyTable {
    /// As if the last board of every perspective had been empty.
    pub(super) fn new(network: &Network) -> FinnyTable {
        let entries_per_color = 2 * network.architecture.king_bucket_count();
        let empty = Entry {
            pieces: [[BitBoard::EMPTY; Piece::NUM]; Color::NUM],
            accumulator: network.feature_biases.clone(),
        };
        FinnyTable {
            entries: vec![empty; entries_per_color * Color::NUM].into_boxed_slice(),
            entries_per_color,
        }
    }

    /// The accumulator of `us` for a board that it sees by `perspective`.
    pub(super) fn refresh(
        &mut self,
        network: &Network,
        us: Color,
        perspective: Perspective,
        board: &Board,
    ) -> &[Block] {
        let index = us as usize * self.entries_per_color + perspective.index();
        let entry = &mut self.entries[index];
        for owner in Color::ALL {
            for piece in Piece::ALL {
                let now = board.colored_pieces(owner, piece);
                let known = &mut entry.pieces[owner as usize][piece as usize];
                let before = std::mem::replace(known, now);
                for feature in perspective.of_pieces(owner, piece, now & !before) {
                    kernel::add(&mut entry.accumulator, network.row(feature));
                }
                for feature in perspective.of_pieces(owner, piece, before & !now) {
                    kernel::subtract(&mut entry.accumulator, network.row(feature));
                }
            }
        }
        &entry.accumulator
    }
}
