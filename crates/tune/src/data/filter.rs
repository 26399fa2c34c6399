//! Which positions of a game are kept for training.

use sextant_board::{Move, Position};

/// What a position must be to be kept.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(super) struct Filter {
    /// Leave out positions with scores beyond this, from either side.
    #[arg(long, value_name = "CP", default_value_t = 3_000)]
    #[arg(value_parser = clap::value_parser!(i32).range(1..=32_000))]
    max_score: i32,
    /// Leave out positions before this ply of the game, by its move number.
    #[arg(long, value_name = "PLY", default_value_t = 0)]
    min_ply: u32,
}

/// Why a position is left out, in the order in which it is checked.
pub(super) const CAUSES: [&str; 4] = [
    "too early in the game",
    "in check",
    "score beyond the bound",
    // The value is not yet on the board.
    "capture or promotion is best",
];

impl Filter {
    /// Which of [`CAUSES`] leaves a position with its score from either side and its best move, if
    /// one is known, out; `None` if it is kept.
    pub(super) fn cause(
        &self,
        position: &Position,
        score: i16,
        best: Option<Move>,
    ) -> Option<usize> {
        let board = position.board();
        let ply = 2 * (u32::from(board.fullmove_number()) - 1) + board.side_to_move() as u32;
        let holds = [
            ply < self.min_ply,
            position.in_check(),
            i32::from(score).abs() > self.max_score,
            best.is_some_and(|mv| mv.promotion.is_some() || position.is_capture(mv)),
        ];
        holds.iter().position(|&holds| holds)
    }
}

#[cfg(test)]
mod tests {
    use sextant_board::{parse_fen, parse_uci_move};

    use super::*;

    #[test]
    fn each_cause_is_found() {
        let filter = Filter {
            max_score: 1000,
            min_ply: 16,
        };
        let cause = |fen: &str, mv: &str, white_score| {
            let position = parse_fen(fen).unwrap();
            let mv = parse_uci_move(&position, mv).unwrap();
            let cause = filter.cause(&position, white_score, Some(mv));
            cause.map(|cause| CAUSES[cause])
        };
        let late = "r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 9";
        let check = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 30";
        let ply_14 = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 8";
        let ply_15 = ply_14.replace(" w ", " b ");
        for (fen, mv, white_score, found) in [
            (late, "e1e2", 1000, None),
            // Castling is quiet.
            (late, "e1g1", -1000, None),
            (late, "e1e2", 1001, Some("score beyond the bound")),
            (late, "e1e2", i16::MIN, Some("score beyond the bound")),
            (late, "e5d6", 0, Some("capture or promotion is best")),
            (late, "h1h8", 0, Some("capture or promotion is best")),
            (late, "b7b8q", 0, Some("capture or promotion is best")),
            (check, "e1e2", 0, Some("in check")),
            (ply_14, "e2e4", 0, Some("too early in the game")),
            (&ply_15, "e7e5", 0, Some("too early in the game")),
        ] {
            assert_eq!(cause(fen, mv, white_score), found, "{fen} {mv}");
        }
    }
}
