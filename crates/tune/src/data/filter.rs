//! Which positions of a game are kept for training.

use sextant_board::{Move, Position};

/// What a position must be to be kept.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(super) struct Filter {
    /// Leave out positions with scores beyond this, from either side.
    #[arg(long, value_name = "CP", default_value_t = 3_000)]
    #[arg(value_parser = clap::value_parser!(i32).range(1..=32_000))]
    max_score: i32,
    /// Leave out so many positions at the beginning of each game.
    #[arg(long, value_name = "PLIES", default_value_t = 0)]
    min_ply: usize,
}

/// Why a position is left out, in the order in which it is checked.
pub(super) const CAUSES: [&str; 4] = [
    "too early in the game",
    "in check",
    // The value is not yet on the board.
    "capture or promotion is best",
    "score beyond the bound",
];
/// The cause that does not matter where tables know the result.
pub(super) const BEYOND: usize = 3;

impl Filter {
    /// Which of [`CAUSES`] leaves a position, so many plies into its game, with its score from
    /// either side and its best move, if one is known, out; `None` if it is kept.
    pub(super) fn cause(
        &self,
        position: &Position,
        ply: usize,
        score: i16,
        best: Option<Move>,
    ) -> Option<usize> {
        let holds = [
            ply < self.min_ply,
            position.in_check(),
            best.is_some_and(|mv| mv.promotion.is_some() || position.is_capture(mv)),
            i32::from(score).abs() > self.max_score,
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
        let quiet = "r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 9";
        let check = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 30";
        for (fen, ply, mv, white_score, found) in [
            (quiet, 16, "e1e2", 1000, None),
            // Castling is quiet.
            (quiet, 16, "e1g1", -1000, None),
            (quiet, 15, "e1e2", 1000, Some("too early in the game")),
            (quiet, 16, "e1e2", 1001, Some("score beyond the bound")),
            (quiet, 16, "e1e2", i16::MIN, Some("score beyond the bound")),
            (quiet, 16, "e5d6", 0, Some("capture or promotion is best")),
            (quiet, 16, "h1h8", 0, Some("capture or promotion is best")),
            (quiet, 16, "b7b8q", 0, Some("capture or promotion is best")),
            (check, 16, "e1e2", 0, Some("in check")),
        ] {
            let position = parse_fen(fen).unwrap();
            let mv = parse_uci_move(&position, mv).unwrap();
            let cause = filter.cause(&position, ply, white_score, Some(mv));
            assert_eq!(cause.map(|cause| CAUSES[cause]), found, "{fen} {mv}");
        }
        assert_eq!(CAUSES[BEYOND], "score beyond the bound");
    }
}
