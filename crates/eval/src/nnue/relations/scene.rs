//! What all relations are found from.

use sextant_board::{
    BitBoard, Board, Color, Piece, Placed, Square, attacks_of, cozy_chess::get_king_moves,
};

use crate::bits;

/// Classes of pieces by what they are worth: pawns, minor pieces, rooks, queens, kings.
const WORTHS: usize = 5;

/// The pieces of a position as the side to move sees them: it is White and moves up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sides([[BitBoard; Piece::NUM]; Color::NUM]);

impl Sides {
    /// Those of a board.
    #[inline]
    #[must_use]
    pub fn of(board: &Board) -> Sides {
        let pieces = |color, piece| board.colored_pieces(color, piece);
        Sides::seen_by(board.side_to_move(), pieces)
    }

    /// Puts a piece on a square that is empty.
    #[inline]
    pub fn put(&mut self, placed: Placed) {
        self.0[placed.color as usize][placed.piece as usize] |= placed.square.bitboard();
    }

    #[inline(always)]
    pub(super) fn pieces(&self, color: Color, piece: Piece) -> BitBoard {
        self.0[color as usize][piece as usize]
    }

    #[inline(always)]
    pub(super) fn king(&self, color: Color) -> Option<Square> {
        self.pieces(color, Piece::King).next_square()
    }

    /// Those that `us` sees.
    #[inline]
    pub(crate) fn seen_by(us: Color, pieces: impl Fn(Color, Piece) -> BitBoard) -> Sides {
        let of = |color| Piece::ALL.map(|piece| pieces(color, piece));
        match us {
            Color::White => Sides([of(us), of(!us)]),
            Color::Black => Sides([of(us), of(!us)].map(|side| side.map(BitBoard::flip_ranks))),
        }
    }
}

/// The pieces of a position and what they attack; arrays by color.
#[derive(Debug)]
pub(super) struct Scene<'a> {
    pub(super) sides: &'a Sides,
    pub(super) occupied: BitBoard,
    pub(super) all: [BitBoard; Color::NUM],
    pub(super) kings: [Square; Color::NUM],
    /// What each kind of piece attacks.
    attacks: [[BitBoard; Piece::NUM]; Color::NUM],
    /// What pieces of each worth attack, or of a smaller one.
    up_to: [[BitBoard; WORTHS]; Color::NUM],
}

impl Scene<'_> {
    /// A scene of which only what pawns and kings attack is known. `None` if a side has no king.
    #[inline(always)]
    pub(super) fn of(sides: &Sides) -> Option<Scene<'_>> {
        let all = sides.0.map(|pieces| {
            pieces
                .into_iter()
                .fold(BitBoard::EMPTY, |all, one| all | one)
        });
        let mut scene = Scene {
            sides,
            occupied: all[0] | all[1],
            all,
            kings: [sides.king(Color::White)?, sides.king(Color::Black)?],
            attacks: [[BitBoard::EMPTY; Piece::NUM]; Color::NUM],
            up_to: [[BitBoard::EMPTY; WORTHS]; Color::NUM],
        };
        for color in Color::ALL {
            let pawns = scene.pieces(color, Piece::Pawn);
            let attacks = &mut scene.attacks[color as usize];
            attacks[Piece::Pawn as usize] = bits::pawn_attacks(color, pawns);
            attacks[Piece::King as usize] = get_king_moves(scene.kings[color as usize]);
        }
        Some(scene)
    }

    /// Finds what the other pieces of a side attack; calls `reach` for each of them.
    #[inline(always)]
    pub(super) fn reach(&mut self, color: Color, mut reach: impl FnMut(Piece, BitBoard)) {
        // No loop over kinds: code for one need not ask for the kind of each piece.
        let knights = self.of_kind(color, Piece::Knight, &mut reach);
        let bishops = self.of_kind(color, Piece::Bishop, &mut reach);
        let rooks = self.of_kind(color, Piece::Rook, &mut reach);
        let queens = self.of_kind(color, Piece::Queen, &mut reach);
        let [pawns, .., king] = self.attacks[color as usize];
        self.attacks[color as usize] = [pawns, knights, bishops, rooks, queens, king];
        let minors = pawns | knights | bishops;
        let rooks = minors | rooks;
        let queens = rooks | queens;
        self.up_to[color as usize] = [pawns, minors, rooks, queens, queens | king];
    }

    #[inline(always)]
    fn of_kind(
        &self,
        color: Color,
        piece: Piece,
        reach: &mut impl FnMut(Piece, BitBoard),
    ) -> BitBoard {
        let mut all = BitBoard::EMPTY;
        for square in self.pieces(color, piece) {
            let attacks = attacks_of(piece, color, square, self.occupied);
            all |= attacks;
            reach(piece, attacks);
        }
        all
    }

    #[inline(always)]
    pub(super) fn pieces(&self, color: Color, piece: Piece) -> BitBoard {
        self.sides.pieces(color, piece)
    }

    /// The kind of the piece of `color` on a square, no king, as a number.
    #[inline(always)]
    pub(super) fn kind(&self, color: Color, square: Square) -> usize {
        let [_, knights, bishops, rooks, queens, _] = self.sides.0[color as usize];
        let above = [
            knights | bishops | rooks | queens,
            bishops | rooks | queens,
            rooks | queens,
            queens,
        ];
        above
            .map(|above| usize::from(above.has(square)))
            .iter()
            .sum()
    }

    #[inline(always)]
    pub(super) fn attacks(&self, color: Color, piece: Piece) -> BitBoard {
        self.attacks[color as usize][piece as usize]
    }

    /// What any piece attacks.
    #[inline(always)]
    pub(super) fn attacked(&self, color: Color) -> BitBoard {
        self.up_to[color as usize][WORTHS - 1]
    }

    /// What any piece but the king attacks.
    #[inline(always)]
    pub(super) fn attacked_by_pieces(&self, color: Color) -> BitBoard {
        self.up_to[color as usize][WORTHS - 2]
    }

    /// The worth of the least piece of `color` that attacks a square: 0 if none does, 1 for a king, 2
    /// for a queen, 3 for a rook, 4 for a minor piece and 5 for a pawn.
    #[inline(always)]
    pub(super) fn least_attacker(&self, color: Color, square: Square) -> usize {
        let attacks = self.up_to[color as usize].into_iter();
        attacks.map(|up_to| usize::from(up_to.has(square))).sum()
    }
}
