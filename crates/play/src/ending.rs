//! How games end.

use serde::{Deserialize, Serialize};
use sextant_board::{Color, MoveSets, is_insufficient_material};
use sextant_repetition::is_fifty;
use sextant_search::Game;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    WhiteWins,
    Draw,
    BlackWins,
}

impl GameResult {
    pub fn win(color: Color) -> GameResult {
        match color {
            Color::White => GameResult::WhiteWins,
            Color::Black => GameResult::BlackWins,
        }
    }

    /// `1-0`, `1/2-1/2` or `0-1`.
    pub fn text(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::Draw => "1/2-1/2",
            GameResult::BlackWins => "0-1",
        }
    }

    /// Half points of `color`: 0, 1 or 2.
    pub fn half_points(self, color: Color) -> usize {
        match self {
            GameResult::Draw => 1,
            result if result == GameResult::win(color) => 2,
            _ => 0,
        }
    }
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    Checkmate,
    /// No legal move, no check.
    Stalemate,
    /// The position stood on the board for the third time.
    Threefold,
    /// Fifty moves of both sides without a capture or a pawn move.
    FiftyMoves,
    /// Nobody can mate any more.
    InsufficientMaterial,
    /// Both players called it won for the same side.
    WinAdjudicated,
    /// Both players called it equal.
    DrawAdjudicated,
    /// The tablebases know the result.
    Tablebase,
    /// The longest game allowed; counts as a draw.
    TooLong,
}

impl Ending {
    /// All endings with their names, the natural ones first.
    pub const ALL: [(Ending, &str); 9] = [
        (Ending::Checkmate, "checkmate"),
        (Ending::Stalemate, "stalemate"),
        (Ending::Threefold, "threefold repetition"),
        (Ending::FiftyMoves, "fifty-move rule"),
        (Ending::InsufficientMaterial, "insufficient material"),
        (Ending::WinAdjudicated, "win by adjudication"),
        (Ending::DrawAdjudicated, "draw by adjudication"),
        (Ending::Tablebase, "tablebase"),
        (Ending::TooLong, "too many moves"),
    ];

    pub fn text(self) -> &'static str {
        Ending::ALL[self as usize].1
    }

    /// Did the arbiter rather than the rules of chess end the game?
    pub fn is_adjudicated(self) -> bool {
        self >= Ending::WinAdjudicated
    }
}

/// How the rules of chess end a game in its current position, if they do. Mate comes before the
/// fifty-move rule.
pub fn by_the_rules(game: &Game) -> Option<(GameResult, Ending)> {
    let position = game.position();
    let draw = |ending| Some((GameResult::Draw, ending));
    if MoveSets::generate(position).is_empty() {
        return if position.in_check() {
            Some((GameResult::win(!position.side_to_move()), Ending::Checkmate))
        } else {
            draw(Ending::Stalemate)
        };
    }
    if is_insufficient_material(position.board()) {
        return draw(Ending::InsufficientMaterial);
    }
    if is_fifty(position.clock()) {
        return draw(Ending::FiftyMoves);
    }
    if game.occurrences() >= 3 {
        return draw(Ending::Threefold);
    }
    None
}

#[cfg(test)]
mod tests {
    use sextant_board::{parse_fen, parse_uci_move};

    use super::*;

    fn end_of(fen: &str, moves: &str) -> Option<(GameResult, Ending)> {
        let mut game = Game::new(parse_fen(fen).unwrap());
        for word in moves.split_whitespace() {
            assert_eq!(by_the_rules(&game), None, "before {word}");
            game.play(parse_uci_move(game.position(), word).unwrap());
        }
        by_the_rules(&game)
    }

    #[test]
    fn every_rule_ends_a_game() {
        use {Ending as E, GameResult as R};
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let knights = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1";
        let draw = |ending| Some((R::Draw, ending));
        let (black, white) = (R::BlackWins, R::WhiteWins);
        let cases = [
            (start, "f2f3 e7e5 g2g4 d8h4", Some((black, E::Checkmate))),
            ("7k/8/6Q1/8/8/8/8/K7 b - - 0 1", "", draw(E::Stalemate)),
            ("8/8/8/8/8/1k6/1p6/1K6 w - - 0 1", "", draw(E::Stalemate)),
            (
                "k7/8/8/8/8/8/1r6/K7 w - - 0 1",
                "a1b2",
                draw(E::InsufficientMaterial),
            ),
            (
                "7k/8/8/8/8/8/R7/1K6 w - - 99 80",
                "a2b2",
                draw(E::FiftyMoves),
            ),
            (
                "k7/8/1K6/8/8/8/8/7R w - - 99 80",
                "h1h8",
                Some((white, E::Checkmate)),
            ),
            (start, &format!("{knights} f6g8"), draw(E::Threefold)),
            (start, knights, None),
        ];
        for (fen, moves, expected) in cases {
            assert_eq!(end_of(fen, moves), expected, "{fen} {moves}");
        }
    }
}
