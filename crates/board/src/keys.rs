//! Zobrist keys, kept incrementally.
//!
//! Own random numbers instead of `cozy_chess::Board::hash`, because the search wants keys of parts
//! of the position (pawns, minors, each side's pieces) and the key of the whole is then
//! their sum at no cost. The en-passant file enters the key only where a capture is legal.

use cozy_chess::{Board, CastleRights, Color, File, Piece, Square};

use crate::{
    moves::{Delta, Placed, plain},
    random::Random,
};

struct Zobrist {
    pieces: [[[u64; Square::NUM]; Piece::NUM]; Color::NUM],
    castling: [[u64; File::NUM]; Color::NUM],
    en_passant: [u64; File::NUM],
    black_to_move: u64,
}

static ZOBRIST: Zobrist = {
    let mut random = Random::new(0x05E8_7A47_1989);
    let black_to_move = random.next_u64();
    let mut pieces = [[[0; Square::NUM]; Piece::NUM]; Color::NUM];
    let mut castling = [[0; File::NUM]; Color::NUM];
    let mut color = 0;
    while color < Color::NUM {
        let mut piece = 0;
        while piece < Piece::NUM {
            pieces[color][piece] = numbers(&mut random);
            piece += 1;
        }
        castling[color] = numbers(&mut random);
        color += 1;
    }
    Zobrist {
        pieces,
        castling,
        en_passant: numbers(&mut random),
        black_to_move,
    }
};

const fn numbers<const N: usize>(random: &mut Random) -> [u64; N] {
    let mut numbers = [0; N];
    let mut i = 0;
    while i < N {
        numbers[i] = random.next_u64();
        i += 1;
    }
    numbers
}

/// Keys of a position and of parts of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Keys {
    /// See [`PARTS`]: side by side, so that a piece changes all of them at once.
    parts: [u64; 4],
    /// Side to move, castling rights and a legal en-passant capture.
    state: u64,
    /// The part of `state` that en passant has, so that the next move can take it out.
    en_passant: u64,
}

impl Keys {
    /// Keys of `board` from scratch.
    pub fn of(board: &Board) -> Keys {
        let mut keys = Keys::default();
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in board.colored_pieces(color, piece) {
                    keys.toggle(&Placed::new(piece, color, square));
                }
            }
        }
        keys.en_passant = en_passant_key(board);
        keys.state = castling_key(castle_rights(board)) ^ keys.en_passant;
        if board.side_to_move() == Color::Black {
            keys.state ^= ZOBRIST.black_to_move;
        }
        keys
    }

    /// The pawns of both sides.
    #[inline]
    pub fn pawn(&self) -> u64 {
        self.parts[0]
    }

    /// Knights, bishops and kings of both sides.
    #[inline]
    pub fn minor(&self) -> u64 {
        self.parts[1]
    }

    /// All pieces of one side but its pawns.
    #[inline]
    pub fn non_pawn(&self, color: Color) -> u64 {
        self.parts[2 + color as usize]
    }

    /// The key of the whole position: equal for two positions exactly when the rules of repetition
    /// call them the same (up to hash collisions).
    #[inline]
    pub fn position(&self) -> u64 {
        self.parts[0] ^ self.parts[2] ^ self.parts[3] ^ self.state
    }

    /// What a piece on a square adds to the key of the position.
    #[inline]
    pub(crate) fn piece(color: Color, piece: Piece, square: Square) -> u64 {
        ZOBRIST.pieces[color as usize][piece as usize][square as usize]
    }

    #[inline]
    fn toggle(&mut self, placed: &Placed) {
        let term = Keys::piece(placed.color, placed.piece, placed.square);
        // Masks instead of branches: which kind moves is not predictable.
        let parts = &PARTS[placed.color as usize][placed.piece as usize];
        for (key, part) in self.parts.iter_mut().zip(parts) {
            *key ^= term & part;
        }
    }

    /// Applies the pieces that a move changed and hands the turn over; `before` are the castling
    /// rights until now.
    #[inline]
    pub(crate) fn apply(&mut self, delta: &Delta, before: Rights, after: &Board) {
        for placed in delta.removed.iter().flatten() {
            self.toggle(placed);
        }
        for placed in delta.added.iter().flatten() {
            self.toggle(placed);
        }
        self.state ^= ZOBRIST.black_to_move ^ self.en_passant;
        self.en_passant = en_passant_key(after);
        self.state ^= self.en_passant;
        let rights = castle_rights(after);
        if files(rights) != files(before) {
            self.state ^= castling_key(before) ^ castling_key(rights);
        }
    }

    /// The whole key with one piece moved and the other side to move, for a quiet move
    /// that touches neither castling rights nor en passant.
    #[inline]
    pub(crate) fn after_shuffle(
        &self,
        color: Color,
        piece: Piece,
        from: Square,
        to: Square,
    ) -> u64 {
        let moved = Keys::piece(color, piece, from) ^ Keys::piece(color, piece, to);
        self.position() ^ moved ^ ZOBRIST.black_to_move
    }
}

/// Which pieces enter which key, as masks by color and kind: pawns, minor pieces and kings, White's
/// pieces, Black's pieces.
static PARTS: [[[u64; 4]; Piece::NUM]; Color::NUM] = {
    const fn kinds(white: u64, black: u64) -> [[u64; 4]; Piece::NUM] {
        let (minor, major) = ([0, !0, white, black], [0, 0, white, black]);
        [[!0, 0, 0, 0], minor, minor, major, major, minor]
    }
    [kinds(!0, 0), kinds(0, !0)]
};

/// The castling rights of both sides.
type Rights = [CastleRights; Color::NUM];

#[inline]
pub(crate) fn castle_rights(board: &Board) -> Rights {
    Color::ALL.map(|color| *board.castle_rights(color))
}

/// The rights as one number, for they are compared after every move.
#[inline]
fn files(rights: Rights) -> u32 {
    let file = |right: Option<File>| right.map_or(File::NUM as u8, |file| file as u8);
    let [white, black] = rights;
    u32::from_ne_bytes([white.short, white.long, black.short, black.long].map(file))
}

#[cold]
fn castling_key(rights: Rights) -> u64 {
    let mut key = 0;
    for (files, CastleRights { short, long }) in ZOBRIST.castling.iter().zip(rights) {
        for file in [short, long].into_iter().flatten() {
            key ^= files[file as usize];
        }
    }
    key
}

#[inline]
fn en_passant_key(board: &Board) -> u64 {
    let file = board.en_passant();
    file.map_or(0, |file| chance_key(board, file))
}

/// Apart from what every move needs, for few moves are double pushes.
#[cold]
fn chance_key(board: &Board, file: File) -> u64 {
    if en_passant_is_legal(board) {
        ZOBRIST.en_passant[file as usize]
    } else {
        0
    }
}

/// Can the side to move really capture en passant? `cozy-chess` sets the file after every double
/// push, so two positions that the rules call the same would differ without this question.
pub(crate) fn en_passant_is_legal(board: &Board) -> bool {
    let Some(file) = board.en_passant() else {
        return false;
    };
    let us = board.side_to_move();
    let target = Square::new(file, cozy_chess::Rank::Third.relative_to(!us));
    let takers = cozy_chess::get_pawn_attacks(target, !us) & board.colored_pieces(us, Piece::Pawn);
    let mut takers = takers.into_iter();
    takers.any(|from| board.is_legal(plain(from, target)))
}
