//! Sums made afresh, but not from nothing: for every way to see the board the last sums are kept
//! with the men they were made of, and only the men that differ are added and taken away.

use sextant_board::{BitBoard, Board, Color, Piece};

use super::{block::Block, features::View, kernel, network::Network};

/// The sums last made for one way to see the board.
#[derive(Clone, Debug)]
struct Entry {
    men: [[BitBoard; Piece::NUM]; Color::NUM],
    row: Box<[Block]>,
}

/// The last sums of both sides for every way to see the board.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    entries: Box<[Entry]>,
    /// Entries of each side.
    ways: usize,
}

impl Cache {
    /// As if the last board of every way had been empty.
    pub(super) fn new(network: &Network) -> Cache {
        let ways = 2 * network.architecture.king_bucket_count();
        let empty = Entry {
            men: [[BitBoard::EMPTY; Piece::NUM]; Color::NUM],
            row: network.feature_biases.clone(),
        };
        Cache {
            entries: vec![empty; ways * Color::NUM].into_boxed_slice(),
            ways,
        }
    }

    /// The sums of `us` for a board that it sees by `view`.
    pub(super) fn refresh(
        &mut self,
        network: &Network,
        us: Color,
        view: View,
        board: &Board,
    ) -> &[Block] {
        let entry = &mut self.entries[us as usize * self.ways + view.way()];
        for owner in Color::ALL {
            for piece in Piece::ALL {
                let now = board.colored_pieces(owner, piece);
                let before = std::mem::replace(&mut entry.men[owner as usize][piece as usize], now);
                for feature in view.of_men(owner, piece, now & !before) {
                    kernel::add(&mut entry.row, network.row(feature));
                }
                for feature in view.of_men(owner, piece, before & !now) {
                    kernel::subtract(&mut entry.row, network.row(feature));
                }
            }
        }
        &entry.row
    }
}
