//! Boards as text, and the board turned round.

use std::fmt::Write as _;

use sextant_board::{Color, File, Piece, Position, Rank, Square, parse_fen, to_fen};
use sextant_search::Engine;

/// The board with White below, then the FEN and what else a person asks for.
pub(crate) fn describe(position: &Position, chess960: bool) -> String {
    let board = position.board();
    let mut text = draw(position);
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "Fen: {}\nKey: {:016X}",
        to_fen(position, chess960),
        position.key()
    );
    let checkers: Vec<String> = board
        .checkers()
        .into_iter()
        .map(|square| square.to_string())
        .collect();
    let _ = write!(text, "\nCheckers: {}", checkers.join(" "));
    text
}

/// The board with White below.
pub(crate) fn draw(position: &Position) -> String {
    const LINE: &str = " +---+---+---+---+---+---+---+---+\n";
    let mut text = String::from(LINE);
    for &rank in Rank::ALL.iter().rev() {
        for file in File::ALL {
            let _ = write!(text, " | {}", letter(position, Square::new(file, rank)));
        }
        let _ = writeln!(text, " | {}", rank as usize + 1);
        text.push_str(LINE);
    }
    text.push_str("   a   b   c   d   e   f   g   h\n\n");
    text
}

fn letter(position: &Position, square: Square) -> char {
    let board = position.board();
    let letter = match board.piece_on(square) {
        None => return ' ',
        Some(Piece::Pawn) => 'p',
        Some(Piece::Knight) => 'n',
        Some(Piece::Bishop) => 'b',
        Some(Piece::Rook) => 'r',
        Some(Piece::Queen) => 'q',
        Some(Piece::King) => 'k',
    };
    match board.color_on(square) {
        Some(Color::White) => letter.to_ascii_uppercase(),
        _ => letter,
    }
}

/// The static evaluation as White sees it, with the engine's own view behind it; above it what each
/// man is worth to the network, if one is in force.
pub(crate) fn evaluation(position: &Position, engine: &Engine) -> String {
    let shares = engine
        .network()
        .map(|network| draw_shares(position, &network.shares(position.board())));
    let score = engine.evaluate(position);
    let white = match position.side_to_move() {
        Color::White => score,
        Color::Black => -score,
    };
    let pawns = f64::from(white.raw()) / 100.0;
    format!(
        "{}Static evaluation: {pawns:+.2} (White's view), {} cp for the side to move",
        shares.unwrap_or_default(),
        score.raw()
    )
}

/// The board with each man's share of the evaluation below him, in pawns.
fn draw_shares(position: &Position, shares: &[(Square, i32)]) -> String {
    let line = format!("{}+\n", "+-------".repeat(8));
    let mut text = line.clone();
    let cell = |square: Square| {
        let share = shares.iter().find(|(of, _)| *of == square);
        share.map_or_else(String::new, |(_, share)| {
            format!("{:+.2}", f64::from(*share) / 100.0)
        })
    };
    for &rank in Rank::ALL.iter().rev() {
        let squares = File::ALL.map(|file| Square::new(file, rank));
        // Writing to a string cannot fail.
        for square in squares {
            let _ = write!(text, "|   {}   ", letter(position, square));
        }
        text.push_str("|\n");
        for square in squares {
            let _ = write!(text, "|{:^7}", cell(square));
        }
        text.push_str("|\n");
        text.push_str(&line);
    }
    text.push_str("What White's view would lose without each man, in pawns\n\n");
    text
}

/// The same position with the colours swapped and the board turned upside down.
pub(crate) fn flip(position: &Position) -> Option<Position> {
    let fen = to_fen(position, true);
    let [men, side, castling, en_passant, rest @ ..] = &fen.split(' ').collect::<Vec<_>>()[..]
    else {
        return None;
    };
    let ranks: Vec<String> = men.split('/').rev().map(swap_case).collect();
    let side = if *side == "w" { "b" } else { "w" };
    let en_passant = en_passant
        .replace('6', "#")
        .replace('3', "6")
        .replace('#', "3");
    let castling = swap_case(castling);
    let text = format!(
        "{} {side} {castling} {en_passant} {}",
        ranks.join("/"),
        rest.join(" ")
    );
    parse_fen(&text).ok()
}

fn swap_case(text: &str) -> String {
    let swap = |c: char| {
        if c.is_ascii_uppercase() {
            c.to_ascii_lowercase()
        } else {
            c.to_ascii_uppercase()
        }
    };
    text.chars().map(swap).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flipped_position_has_the_colours_swapped() {
        for (fen, flipped) in [
            (
                "r3k2r/p1pp1pb1/bn2pnp1/2qPN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQq - 3 7",
                "r3k2r/pppbbppp/2n2q1P/1P2p3/2Qpn3/BN2PNP1/P1PP1PB1/R3K2R b Qkq - 3 7",
            ),
            (
                "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
                "4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1",
            ),
        ] {
            let position = parse_fen(fen).unwrap();
            let other = flip(&position).unwrap();
            assert_eq!(to_fen(&other, false), flipped);
            assert_eq!(to_fen(&flip(&other).unwrap(), false), fen);
        }
    }

    #[test]
    fn the_drawing_shows_every_man() {
        let text = describe(&Position::startpos(), false);
        assert!(text.contains(" | R | N | B | Q | K | B | N | R | 1"));
        assert!(text.contains("Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
    }
}
