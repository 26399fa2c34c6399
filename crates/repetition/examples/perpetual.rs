//! A search that sees a perpetual check, and the same search blind to repetitions.
//!
//! White is a rook and a pawn down and threatened with mate, but can check for ever. Run it with
//! `cargo run --release -p sextant-repetition --example perpetual`.

use cozy_chess::{Board, Color, Move, Piece};
use sextant_repetition::{FIFTY_MOVE_PLIES, History, is_fifty};

const PERPETUAL: &str = "6k1/6p1/8/8/4Q3/8/qr6/7K w - - 0 1";
/// The shortest perpetual: a check, a move away, a check, a move back, the first check again.
const DEPTH: u32 = 5;
const MATE: i32 = 30_000;
const INFINITY: i32 = 31_000;

struct Search {
    history: History,
    sees_repetitions: bool,
}

impl Search {
    /// Alpha-beta over the line that `history` holds; centipawns for the side to move.
    fn best(&mut self, board: &Board, depth: u32, alpha: i32, beta: i32) -> (i32, Option<Move>) {
        let mut moves = Vec::new();
        board.generate_moves(|set| {
            moves.extend(set);
            false
        });
        // Mate comes before every draw: only then may the clock and the history speak.
        if moves.is_empty() {
            let mated = !board.checkers().is_empty();
            return (if mated { -MATE - depth as i32 } else { 0 }, None);
        }
        let is_root = self.history.plies() == 0;
        let draw =
            is_fifty(clock(board)) || (self.sees_repetitions && self.history.is_repetition());
        if draw && !is_root {
            return (0, None);
        }
        if depth == 0 {
            return (material(board, board.side_to_move()), None);
        }
        let mut best = (-INFINITY, None);
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            self.history.enter(key(&child), clock(&child));
            let score = -self.best(&child, depth - 1, -beta, -alpha.max(best.0)).0;
            self.history.leave();
            if score > best.0 {
                best = (score, Some(mv));
            }
            if best.0 >= beta {
                break;
            }
        }
        best
    }
}

fn clock(board: &Board) -> u16 {
    u16::from(board.halfmove_clock()).min(FIFTY_MOVE_PLIES)
}

/// En passant is left out: no pawn can capture in passing here. An engine must include the file
/// when a capture on it is legal.
fn key(board: &Board) -> u64 {
    board.hash_without_ep()
}

fn material(board: &Board, side: Color) -> i32 {
    let worth = |color| -> i32 {
        [
            (Piece::Pawn, 100),
            (Piece::Knight, 300),
            (Piece::Bishop, 300),
            (Piece::Rook, 500),
        ]
        .into_iter()
        .chain([(Piece::Queen, 900)])
        .map(|(piece, value)| board.colored_pieces(color, piece).len() as i32 * value)
        .sum()
    };
    worth(side) - worth(!side)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let board: Board = PERPETUAL.parse().map_err(|error| format!("{error:?}"))?;
    for sees_repetitions in [false, true] {
        let mut history = History::new(12)?;
        history.set_game([(key(&board), clock(&board))]);
        let mut search = Search {
            history,
            sees_repetitions,
        };
        let (score, best) = search.best(&board, DEPTH, -INFINITY, INFINITY);
        let best = best.map_or_else(|| "none".into(), |mv| mv.to_string());
        let eyes = if sees_repetitions { "with" } else { "without" };
        println!("{eyes} repetition detection: {best}, {score} centipawns");
        println!("  {:?}", search.history.alarms());
    }
    Ok(())
}
