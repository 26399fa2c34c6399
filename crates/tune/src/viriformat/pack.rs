//! The start of a game in 32 bytes: occupied squares (8), pieces in the order of the squares (16),
//! side and en-passant square (1), half-move clock (1), move number (2), score (2), result (1), a
//! byte for anything (1); numbers little-endian. A rook that may castle is a kind of its own.
//!
//! A move in 16 bits: from (6), to (6), promotion (2), kind (2). Castling is king takes rook.

use sextant_board::{
    BitBoard, Board, Color, Move, Piece, Position, Rank, Square, cozy_chess::BoardBuilder,
};
use sextant_play::GameResult;

pub(super) const START_BYTES: usize = 32;
/// Code of a rook that may castle, after the six kinds of pieces.
const CASTLING_ROOK: u8 = 6;
const BLACK_PIECE: u8 = 8;
const BLACK_TO_MOVE: u8 = 0x80;
const NO_SQUARE: u8 = 64;
const MAX_PIECES: u32 = 32;

const EN_PASSANT: u16 = 0x4000;
const CASTLING: u16 = 0x8000;
const PROMOTION: u16 = 0xC000;
const KIND: u16 = 0xC000;

const PROMOTIONS: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

/// The bytes of a start and a result.
pub(super) fn pack_start(start: &Position, result: GameResult) -> [u8; START_BYTES] {
    let board = start.board();
    let mut bytes = [0; START_BYTES];
    bytes[..8].copy_from_slice(&board.occupied().0.to_le_bytes());
    let squares = board.occupied().iter().take(MAX_PIECES as usize);
    for (index, square) in squares.enumerate() {
        bytes[8 + index / 2] |= code(board, square) << (4 * (index % 2));
    }
    let side = match board.side_to_move() {
        Color::White => 0,
        Color::Black => BLACK_TO_MOVE,
    };
    let rank = Rank::Sixth.relative_to(board.side_to_move());
    let en_passant = board.en_passant();
    bytes[24] = side | en_passant.map_or(NO_SQUARE, |file| Square::new(file, rank) as u8);
    bytes[25] = board.halfmove_clock();
    bytes[26..28].copy_from_slice(&board.fullmove_number().to_le_bytes());
    bytes[30] = result.half_points(Color::White) as u8;
    bytes
}

fn code(board: &Board, square: Square) -> u8 {
    let (Some(piece), Some(color)) = (board.piece_on(square), board.color_on(square)) else {
        return 0;
    };
    let rights = board.castle_rights(color);
    let castling_files = [rights.short, rights.long].into_iter().flatten();
    let mut rooks = castling_files.map(|file| Square::new(file, Rank::First.relative_to(color)));
    let kind = if rooks.any(|rook| rook == square) {
        CASTLING_ROOK
    } else {
        piece as u8
    };
    match color {
        Color::White => kind,
        Color::Black => kind | BLACK_PIECE,
    }
}

/// The start and the result of the bytes, or what is wrong with them.
pub(super) fn unpack_start(bytes: &[u8; START_BYTES]) -> Result<(Position, GameResult), String> {
    let occupied = std::array::from_fn(|index| bytes[index]);
    let occupied = BitBoard(u64::from_le_bytes(occupied));
    if occupied.len() > MAX_PIECES {
        return Err(format!("{} pieces are on the board", occupied.len()));
    }
    let mut builder = BoardBuilder::empty();
    let mut seen_king = [false; Color::NUM];
    for (index, square) in occupied.iter().enumerate() {
        let code = bytes[8 + index / 2] >> (4 * (index % 2)) & 15;
        let color = if code & BLACK_PIECE == 0 {
            Color::White
        } else {
            Color::Black
        };
        let piece = match code & !BLACK_PIECE {
            CASTLING_ROOK => {
                let rights = builder.castle_rights_mut(color);
                // Squares come file by file: what follows the king is on the king's side.
                let right = if seen_king[color as usize] {
                    &mut rights.short
                } else {
                    &mut rights.long
                };
                *right = Some(square.file());
                Piece::Rook
            }
            kind => Piece::try_index(usize::from(kind))
                .ok_or_else(|| format!("{code} stands for no piece"))?,
        };
        seen_king[color as usize] |= piece == Piece::King;
        *builder.square_mut(square) = Some((piece, color));
    }
    if bytes[24] & BLACK_TO_MOVE != 0 {
        builder.side_to_move = Color::Black;
    }
    builder.en_passant = match bytes[24] & !BLACK_TO_MOVE {
        NO_SQUARE => None,
        square => {
            let found = Square::try_index(usize::from(square));
            Some(found.ok_or_else(|| format!("{square} is no square for en passant"))?)
        }
    };
    builder.halfmove_clock = bytes[25];
    builder.fullmove_number = u16::from_le_bytes([bytes[26], bytes[27]]);
    let result = match bytes[30] {
        0 => GameResult::BlackWins,
        1 => GameResult::Draw,
        2 => GameResult::WhiteWins,
        other => return Err(format!("{other} is no result")),
    };
    let board = builder.build().map_err(|_| "the position is impossible")?;
    Ok((Position::new(board), result))
}

/// The bits of a legal move; never 0.
pub(super) fn pack_move(position: &Position, mv: Move) -> u16 {
    let squares = mv.from as u16 | (mv.to as u16) << 6;
    let kind = if let Some(piece) = mv.promotion {
        let index = PROMOTIONS.iter().position(|&known| known == piece);
        PROMOTION | (index.unwrap_or(0) as u16) << 12
    } else if position.is_castling(mv) {
        CASTLING
    } else if position.is_en_passant(mv) {
        EN_PASSANT
    } else {
        0
    };
    squares | kind
}

/// The move of the bits, if it is legal and of the kind that the bits claim.
pub(super) fn unpack_move(position: &Position, bits: u16) -> Option<Move> {
    let square = |shift: u16| Square::index(usize::from(bits >> shift & 63));
    let mv = Move {
        from: square(0),
        to: square(6),
        promotion: (bits & KIND == PROMOTION).then(|| PROMOTIONS[usize::from(bits >> 12 & 3)]),
    };
    (position.board().is_legal(mv) && pack_move(position, mv) == bits).then_some(mv)
}
