//! Positions as text: Forsyth-Edwards notation with its castling dialects.

use std::fmt::Write as _;

use cozy_chess::{
    BitBoard, Board, BoardBuilder, CastleRights, Color, File, Piece, Rank, Square, get_king_moves,
};
use thiserror::Error;

use crate::{attacks::attacks_of, keys::en_passant_is_legal, position::Position};

/// Why a FEN was rejected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "the messages say what the variants and fields mean"
)]
pub enum FenError {
    #[error(
        "the FEN has {found} fields; board, side, castling and en passant are needed, \
             half-move clock and move number may follow"
    )]
    Fields { found: usize },
    #[error("the FEN's board needs 8 ranks and has {found}")]
    Ranks { found: usize },
    #[error("rank {rank} of the FEN is {found:?}, which fills {files} files instead of 8")]
    Files {
        rank: usize,
        found: String,
        files: usize,
    },
    #[error("{found:?} on rank {rank} is not a piece; use PNBRQK, pnbrqk or the digits 1 to 8")]
    Piece { rank: usize, found: char },
    #[error("{color} has {found} {allowed}")]
    Count {
        color: &'static str,
        found: usize,
        allowed: &'static str,
    },
    #[error("there is a pawn on {square}; pawns cannot stand on the first or the last rank")]
    PawnRank { square: Square },
    #[error("the side to move is {found:?}; it must be \"w\" or \"b\"")]
    Side { found: String },
    #[error("the kings touch, on {white} and {black}")]
    KingsTouch { white: Square, black: Square },
    #[error("{color} is in check from {checker} but it is the other side's move")]
    KingCapturable {
        color: &'static str,
        checker: Square,
    },
    #[error("{color} is in check from {found} pieces at once; at most 2 are possible")]
    Checkers { color: &'static str, found: u32 },
    #[error(
        "the castling field is {found:?}; it must be \"-\" or letters of KQkq or of the rooks' \
             files (A-H for White, a-h for Black), each at most once"
    )]
    CastlingText { found: String },
    #[error("castling right {right:?} needs {color}'s king on its first rank and a rook beside it")]
    CastlingRook { right: char, color: &'static str },
    #[error("the en passant field is {found:?}; it must be \"-\" or a square such as \"e3\"")]
    EnPassant { found: String },
    #[error("the {field} is {found:?}; it must be a whole number")]
    Clock { field: &'static str, found: String },
    #[error("the position is not possible: {0}")]
    Impossible(String),
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// Reads a FEN.
///
/// Castling rights may be written the usual way, as X-FEN (`K` is the outermost rook) or as
/// Shredder-FEN (`HAha`). Both clocks may be missing or `-`; a half-move clock above 100 counts as
/// 100, move number 0 as 1. An en-passant square without a legal capture is dropped, as many
/// programs send one after every double push.
///
/// # Errors
/// [`FenError`] says what was found and what is allowed.
///
/// ```
/// let pos = sextant_board::parse_fen("4k3/8/8/8/8/8/8/4K2R w K - 12 34").unwrap();
/// assert_eq!(pos.clock(), 12);
/// let error = sextant_board::parse_fen("4k3/8/8/8/8/8/8/8 w - - 0 1").unwrap_err();
/// assert_eq!(error.to_string(), "White has 0 kings instead of 1");
/// ```
pub fn parse_fen(text: &str) -> Result<Position, FenError> {
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    let (&[board, side, castling, en_passant, ref clocks @ ..], 4..=6) =
        (fields.as_slice(), fields.len())
    else {
        let found = fields.len();
        return Err(FenError::Fields { found });
    };
    let mut builder = BoardBuilder::empty();
    read_pieces(board, &mut builder)?;
    builder.side_to_move = match side {
        "w" | "W" => Color::White,
        "b" | "B" => Color::Black,
        _ => {
            let found = side.to_owned();
            return Err(FenError::Side { found });
        }
    };
    count_pieces(&builder)?;
    read_castling(castling, &mut builder)?;
    builder.en_passant = read_en_passant(en_passant)?;
    let clock = read_clock("half-move clock", clocks.first(), 0)?;
    builder.halfmove_clock = clock.min(100) as u8;
    let number = read_clock("move number", clocks.get(1), 1)?;
    builder.fullmove_number = number.clamp(1, u64::from(u16::MAX)) as u16;
    build(builder).map(Position::new)
}

/// Reads a FEN without the castling rights that its pieces do not allow, as other programs do; also
/// the letters of these.
///
/// # Errors
/// As [`parse_fen`], for anything else.
pub fn parse_fen_dropping_rights(text: &str) -> Result<(Position, String), FenError> {
    let whole = parse_fen(text);
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    let (Err(FenError::CastlingRook { .. }), [board, side, rights, rest @ ..]) =
        (&whole, &fields[..])
    else {
        return whole.map(|position| (position, String::new()));
    };
    let rest = rest.join(" ");
    let with_rights = |rights: &str| parse_fen(&format!("{board} {side} {rights} {rest}"));
    let (mut possible, mut dropped) = (String::new(), String::new());
    for right in rights.chars() {
        let tried = format!("{possible}{right}");
        match with_rights(&tried) {
            Err(FenError::CastlingRook { .. }) => dropped.push(right),
            Err(error) => return Err(error),
            Ok(_) => possible = tried,
        }
    }
    let rights = if possible.is_empty() { "-" } else { &possible };
    Ok((with_rights(rights)?, dropped))
}

fn read_pieces(text: &str, builder: &mut BoardBuilder) -> Result<(), FenError> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != Rank::NUM {
        return Err(FenError::Ranks { found: rows.len() });
    }
    for (row, &rank) in rows.iter().zip(Rank::ALL.iter().rev()) {
        let number = rank as usize + 1;
        let mut files = 0;
        for letter in row.chars() {
            if let Some(empty @ 1..=8) = letter.to_digit(10) {
                files += empty as usize;
                continue;
            }
            let piece = Piece::try_from(letter.to_ascii_lowercase());
            let piece = piece.map_err(|_| FenError::Piece {
                rank: number,
                found: letter,
            })?;
            if let Some(file) = File::try_index(files) {
                *builder.square_mut(Square::new(file, rank)) = Some((piece, color_of(letter)));
            }
            files += 1;
        }
        if files != File::NUM {
            return Err(FenError::Files {
                rank: number,
                found: (*row).to_owned(),
                files,
            });
        }
    }
    Ok(())
}

/// White's letters are the upper-case ones.
fn color_of(letter: char) -> Color {
    if letter.is_ascii_uppercase() {
        Color::White
    } else {
        Color::Black
    }
}

/// A piece's letter in a FEN: a capital one for White.
#[must_use]
pub fn piece_letter(color: Color, piece: Piece) -> char {
    letter_of(color, piece.into())
}

/// The opposite of [`color_of`]: a lower-case letter as `color` writes it.
fn letter_of(color: Color, letter: char) -> char {
    match color {
        Color::White => letter.to_ascii_uppercase(),
        Color::Black => letter,
    }
}

fn pieces(builder: &BoardBuilder) -> impl Iterator<Item = (Square, Piece, Color)> + '_ {
    Square::ALL.into_iter().filter_map(|square| {
        let (piece, color) = builder.square(square)?;
        Some((square, piece, color))
    })
}

fn count_pieces(builder: &BoardBuilder) -> Result<(), FenError> {
    for color in Color::ALL {
        for (kinds, range, allowed) in [
            (&[Piece::King][..], 1..=1, "kings instead of 1"),
            (&Piece::ALL, 0..=16, "pieces; at most 16 are possible"),
            (&[Piece::Pawn], 0..=8, "pawns; at most 8 are possible"),
        ] {
            let counted = |&(_, piece, owner): &_| owner == color && kinds.contains(&piece);
            let found = pieces(builder).filter(counted).count();
            if !range.contains(&found) {
                return Err(FenError::Count {
                    color: name(color),
                    found,
                    allowed,
                });
            }
        }
    }
    let stray = pieces(builder).find(|&(square, piece, _)| {
        piece == Piece::Pawn && matches!(square.rank(), Rank::First | Rank::Eighth)
    });
    stray.map_or(Ok(()), |(square, ..)| Err(FenError::PawnRank { square }))
}

fn read_castling(text: &str, builder: &mut BoardBuilder) -> Result<(), FenError> {
    if text == "-" {
        return Ok(());
    }
    for letter in text.chars() {
        let malformed = || FenError::CastlingText {
            found: text.to_owned(),
        };
        let color = color_of(letter);
        let missing = FenError::CastlingRook {
            right: letter,
            color: name(color),
        };
        let wanted = letter.to_ascii_lowercase();
        let named = File::try_from(wanted).ok();
        if named.is_none() && !matches!(wanted, 'k' | 'q') {
            return Err(malformed());
        }
        let (king, rooks) = king_and_rooks(builder, color).ok_or_else(|| missing.clone())?;
        let rook = match wanted {
            'k' => rooks.iter().rev().copied().find(|&file| file > king),
            'q' => rooks.iter().copied().find(|&file| file < king),
            _ => named.filter(|file| rooks.contains(file)),
        };
        let rook = rook.ok_or(missing)?;
        let rights = builder.castle_rights_mut(color);
        let right = if rook > king {
            &mut rights.short
        } else {
            &mut rights.long
        };
        if right.replace(rook).is_some() {
            return Err(malformed());
        }
    }
    Ok(())
}

/// The file of the king and the files of the rooks on the back rank, if the king stands there.
fn king_and_rooks(builder: &BoardBuilder, color: Color) -> Option<(File, Vec<File>)> {
    let rank = Rank::First.relative_to(color);
    let files_of = |piece| {
        File::ALL
            .into_iter()
            .filter(move |&file| builder.square(Square::new(file, rank)) == Some((piece, color)))
    };
    let king = files_of(Piece::King).next()?;
    Some((king, files_of(Piece::Rook).collect()))
}

fn read_en_passant(text: &str) -> Result<Option<Square>, FenError> {
    if text == "-" {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| FenError::EnPassant {
        found: text.to_owned(),
    })
}

fn read_clock(field: &'static str, text: Option<&&str>, default: u64) -> Result<u64, FenError> {
    match text {
        None | Some(&"-") => Ok(default),
        Some(text) if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) => {
            // Only too many digits can go wrong here.
            Ok(text.parse().unwrap_or(u64::MAX))
        }
        Some(&found) => Err(FenError::Clock {
            field,
            found: found.to_owned(),
        }),
    }
}

fn build(mut builder: BoardBuilder) -> Result<Board, FenError> {
    if let Some(checker) = attacker_of_idle_king(&builder) {
        return Err(FenError::KingCapturable {
            color: name(!builder.side_to_move),
            checker,
        });
    }
    let en_passant = builder.en_passant.take();
    let board = builder
        .build()
        .map_err(|error| FenError::Impossible(error.to_string()))?;
    let (white, black) = (board.king(Color::White), board.king(Color::Black));
    if get_king_moves(white).has(black) {
        return Err(FenError::KingsTouch { white, black });
    }
    let found = board.checkers().len();
    if found > 2 {
        return Err(FenError::Checkers {
            color: name(board.side_to_move()),
            found,
        });
    }
    builder.en_passant = en_passant;
    let with_en_passant = builder.build().ok().filter(en_passant_is_legal);
    Ok(with_en_passant.unwrap_or(board))
}

/// A piece of the side to move that could capture the other king (kings apart, they are judged by
/// themselves). Asked before there is a board, because none can be built with such a piece.
fn attacker_of_idle_king(builder: &BoardBuilder) -> Option<Square> {
    let us = builder.side_to_move;
    let occupied: BitBoard = pieces(builder).map(|(square, ..)| square).collect();
    let is_king = |&(_, piece, _): &(_, Piece, _)| piece == Piece::King;
    let (king, ..) = pieces(builder).find(|place| is_king(place) && place.2 != us)?;
    let mut others = pieces(builder).filter(|place| !is_king(place) && place.2 == us);
    let attacker = others.find(|&(square, piece, _)| {
        let attacks = attacks_of(piece, us, square, occupied);
        attacks.has(king)
    });
    attacker.map(|(square, ..)| square)
}

/// Writes a FEN.
///
/// Castling rights are written as rook files (`HAha`) with `chess960`, else as X-FEN: `KQkq`, with
/// a file where the rook is not the outermost one. The en-passant square appears only where a
/// capture is legal, so that positions that the rules call the same have the same text.
///
/// ```
/// use sextant_board::{Position, to_fen};
/// let start = Position::startpos();
/// assert_eq!(
///     to_fen(&start, false),
///     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
/// );
/// assert!(to_fen(&start, true).contains(" HAha "));
/// ```
pub fn to_fen(pos: &Position, chess960: bool) -> String {
    let board = pos.board();
    let mut text = String::with_capacity(90);
    write_pieces(board, &mut text);
    text.push_str(match board.side_to_move() {
        Color::White => " w ",
        Color::Black => " b ",
    });
    write_castling(board, chess960, &mut text);
    match board.en_passant().filter(|_| en_passant_is_legal(board)) {
        Some(file) => {
            let square = Square::new(file, Rank::Sixth.relative_to(board.side_to_move()));
            let _ = write!(text, " {square}");
        }
        None => text.push_str(" -"),
    }
    let (clock, number) = (board.halfmove_clock(), board.fullmove_number());
    let _ = write!(text, " {clock} {number}");
    text
}

fn write_pieces(board: &Board, text: &mut String) {
    for (i, &rank) in Rank::ALL.iter().rev().enumerate() {
        if i > 0 {
            text.push('/');
        }
        let mut empty = 0;
        for file in File::ALL {
            let square = Square::new(file, rank);
            let Some(piece) = board.piece_on(square) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                let _ = write!(text, "{empty}");
                empty = 0;
            }
            let color = board.color_on(square).unwrap_or(Color::White);
            text.push(piece_letter(color, piece));
        }
        if empty > 0 {
            let _ = write!(text, "{empty}");
        }
    }
}

fn write_castling(board: &Board, chess960: bool, text: &mut String) {
    let before = text.len();
    for color in Color::ALL {
        let rank = Rank::First.relative_to(color).bitboard();
        let rooks = board.colored_pieces(color, Piece::Rook) & rank;
        let &CastleRights { short, long } = board.castle_rights(color);
        let outer_short = rooks.into_iter().last().map(Square::file);
        let outer_long = rooks.next_square().map(Square::file);
        for (rook, outer, usual) in [(short, outer_short, 'k'), (long, outer_long, 'q')] {
            let Some(rook) = rook else { continue };
            let letter = if chess960 || Some(rook) != outer {
                char::from(rook)
            } else {
                usual
            };
            text.push(letter_of(color, letter));
        }
    }
    if text.len() == before {
        text.push('-');
    }
}
