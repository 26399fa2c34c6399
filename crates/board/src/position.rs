//! A board with the keys that the search needs, copied on every move.

use cozy_chess::{Board, BoardBuilder, Color, File, Move, Piece, Rank, Square};

use crate::{
    keys::{Keys, castle_rights},
    moves::{Delta, Placed},
};

/// Each move of a line with the position before it, as far as the moves are legal.
pub fn replay(root: &Position, line: &[Move]) -> impl Iterator<Item = (Position, Move)> {
    let mut position = root.clone();
    line.iter().copied().map_while(move |mv| {
        if !position.board().is_legal(mv) {
            return None;
        }
        let next = position.make(mv).0;
        Some((std::mem::replace(&mut position, next), mv))
    })
}

/// A position: the board and its incremental [`Keys`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Position {
    board: Board,
    keys: Keys,
}

impl Position {
    /// The position on `board`.
    pub fn new(board: Board) -> Position {
        let keys = Keys::of(&board);
        Position { board, keys }
    }

    /// The initial position of standard chess.
    pub fn startpos() -> Position {
        Position::new(Board::startpos())
    }

    /// The same position with the colors swapped and the board turned upside down.
    pub fn mirrored(&self) -> Position {
        let before = BoardBuilder::from_board(&self.board);
        let mut builder = before.clone();
        for square in Square::ALL {
            let piece = before.square(square).map(|(piece, color)| (piece, !color));
            *builder.square_mut(square.flip_rank()) = piece;
        }
        for color in Color::ALL {
            *builder.castle_rights_mut(!color) = *before.castle_rights(color);
        }
        builder.side_to_move = !before.side_to_move;
        builder.en_passant = before.en_passant.map(Square::flip_rank);
        let board = builder.build();
        Position::new(board.expect("the rules are the same for both colors"))
    }

    /// The board, for everything that `cozy-chess` answers.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The incremental keys: of the whole, and of its parts for the correction histories.
    #[inline]
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The key of the whole position (see [`Keys::position`]).
    #[inline]
    pub fn key(&self) -> u64 {
        self.keys.position()
    }

    /// Does a castling right belong to a king or rook that does not stand where chess begins?
    pub fn is_chess960(&self) -> bool {
        Color::ALL.into_iter().any(|color| {
            let rights = self.board.castle_rights(color);
            let any = rights.short.or(rights.long).is_some();
            let home = Square::new(File::E, Rank::First.relative_to(color));
            any && self.board.king(color) != home
                || rights.short.is_some_and(|file| file != File::H)
                || rights.long.is_some_and(|file| file != File::A)
        })
    }

    /// Plies since the last capture or pawn move, at most 100.
    #[inline]
    pub fn clock(&self) -> u16 {
        u16::from(self.board.halfmove_clock())
    }

    /// The color whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.board.side_to_move()
    }

    /// Is the side to move in check?
    #[inline]
    pub fn in_check(&self) -> bool {
        !self.board.checkers().is_empty()
    }

    /// Is this legal move a castling move (king takes own rook)?
    #[inline]
    pub fn is_castling(&self, mv: Move) -> bool {
        self.board.colors(self.side_to_move()).has(mv.to)
    }

    /// Is this legal move a capture, en passant included?
    #[inline]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.board.colors(!self.side_to_move()).has(mv.to) || self.is_en_passant(mv)
    }

    /// Is this legal move an en-passant capture?
    #[inline]
    pub fn is_en_passant(&self, mv: Move) -> bool {
        self.board.en_passant() == Some(mv.to.file())
            && mv.from.file() != mv.to.file()
            && mv.to.rank() == Rank::Sixth.relative_to(self.side_to_move())
            && self.board.pieces(Piece::Pawn).has(mv.from)
    }

    /// The piece that this legal move captures, a pawn en passant included.
    #[inline]
    pub fn victim(&self, mv: Move) -> Option<Piece> {
        if self.board.colors(!self.side_to_move()).has(mv.to) {
            Some(self.piece_at(mv.to))
        } else if self.is_en_passant(mv) {
            Some(Piece::Pawn)
        } else {
            None
        }
    }

    /// The position after a legal move, and what the move changed.
    ///
    /// `mv` must be legal; use `board().is_legal` on moves of unknown origin.
    #[inline]
    pub fn make(&self, mv: Move) -> (Position, Delta) {
        let mut next = self.clone();
        let delta = next.play(mv);
        (next, delta)
    }

    /// [`Position::make`] in place, for hot loops: copying a board just after its bytes were
    /// written stalls the processor, so copy first (into its final place) and play there.
    ///
    /// ```
    /// use sextant_board::Position;
    /// let start = Position::startpos();
    /// let mut next = start.clone();
    /// let delta = next.play("e2e4".parse().unwrap());
    /// assert_eq!((next, delta), start.make("e2e4".parse().unwrap()));
    /// ```
    #[inline]
    pub fn play(&mut self, mv: Move) -> Delta {
        let delta = self.delta(mv);
        let rights = castle_rights(&self.board);
        self.board.play_unchecked(mv);
        self.keys.apply(&delta, rights, &self.board);
        delta
    }

    /// The position with the other side to move; `None` in check.
    #[inline]
    pub fn make_null(&self) -> Option<Position> {
        let board = self.board.null_move()?;
        let mut keys = self.keys;
        keys.apply(&Delta::default(), castle_rights(&board), &board);
        Some(Position { board, keys })
    }

    /// The key after a move, found without making it and at once: right for every move but
    /// castling, promotion, en passant, double pushes and the loss of castling rights. For
    /// prefetching.
    #[inline]
    pub fn key_guess(&self, mv: Move) -> u64 {
        let color = self.side_to_move();
        let mut key = self
            .keys
            .after_shuffle(color, self.piece_at(mv.from), mv.from, mv.to);
        if self.board.colors(!color).has(mv.to) {
            key ^= Keys::piece(!color, self.piece_at(mv.to), mv.to);
        }
        key
    }

    /// The key after a move that changes nothing but one piece's square: no capture, pawn move,
    /// castling or move that gives up a castling right or an en-passant chance; `None` for those.
    #[inline]
    pub fn key_after_shuffle(&self, piece: Piece, mv: Move) -> Option<u64> {
        let color = self.side_to_move();
        let rights = self.board.castle_rights(color);
        let holds_right = match piece {
            Piece::Pawn => return None,
            Piece::King => rights.short.is_some() || rights.long.is_some(),
            Piece::Rook => rights.short.is_some() || rights.long.is_some(),
            _ => false,
        };
        if holds_right || self.board.en_passant().is_some() || self.board.occupied().has(mv.to) {
            return None;
        }
        Some(self.keys.after_shuffle(color, piece, mv.from, mv.to))
    }

    /// The piece on a square where one stands: without branches, because which one it is cannot be
    /// predicted. On an empty square the answer means nothing.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Piece {
        let [_, knights, bishops, rooks, queens, kings] =
            Piece::ALL.map(|piece| self.board.pieces(piece).0);
        let bit = |planes: u64| (planes >> square as u32 & 1) as usize;
        let index =
            bit(knights | rooks | kings) | bit(bishops | rooks) << 1 | bit(queens | kings) << 2;
        Piece::index(index)
    }

    #[inline]
    fn delta(&self, mv: Move) -> Delta {
        let color = self.side_to_move();
        let piece = self.piece_at(mv.from);
        if self.is_castling(mv) {
            return castling_delta(color, mv);
        }
        let placed = |piece, color, square| Some(Placed::new(piece, color, square));
        let captured = if self.board.colors(!color).has(mv.to) {
            placed(self.piece_at(mv.to), !color, mv.to)
        } else if piece == Piece::Pawn && mv.from.file() != mv.to.file() {
            let square = Square::new(mv.to.file(), mv.from.rank());
            placed(Piece::Pawn, !color, square)
        } else {
            None
        };
        let becomes = mv.promotion.unwrap_or(piece);
        Delta {
            removed: [placed(piece, color, mv.from), captured],
            added: [placed(becomes, color, mv.to), None],
        }
    }
}

/// Where king and rook arrive when castling.
pub(crate) fn castling_squares(mv: Move) -> (Square, Square) {
    let (king, rook) = if mv.from.file() < mv.to.file() {
        (File::G, File::F)
    } else {
        (File::C, File::D)
    };
    let rank = mv.from.rank();
    (Square::new(king, rank), Square::new(rook, rank))
}

#[cold]
fn castling_delta(color: Color, mv: Move) -> Delta {
    let placed = |piece, square| Some(Placed::new(piece, color, square));
    let (king, rook) = castling_squares(mv);
    Delta {
        removed: [placed(Piece::King, mv.from), placed(Piece::Rook, mv.to)],
        added: [placed(Piece::King, king), placed(Piece::Rook, rook)],
    }
}
