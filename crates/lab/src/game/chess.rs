//! Chess for the textbook algorithms, straight on `cozy-chess`.
//!
//! Repetitions and the fifty-move rule are left out: the searches here are a few plies deep and
//! forget the game behind them.

use cozy_chess::{Board, Color, Move, Piece};

use super::{Game, Value, evaluation};

/// Worth of giving mate at once; a mate `n` plies away is worth `n` less.
pub(crate) const MATE: i64 = 100_000;

/// A chess position and the bonus that its evaluation gives to the side to move.
#[derive(Clone, Debug)]
pub(crate) struct Chess {
    board: Board,
    tempo: i32,
}

impl Chess {
    /// A position for searching; `tempo` is in centipawns (0: it does not matter who moves).
    pub(crate) fn new(board: Board, tempo: i32) -> Chess {
        Chess { board, tempo }
    }

    pub(crate) fn board(&self) -> &Board {
        &self.board
    }

    pub(crate) fn in_check(&self) -> bool {
        !self.board.checkers().is_empty()
    }

    /// Whether `mv` takes something or promotes. A castling move is neither, although
    /// `cozy-chess` writes it as the king taking its own rook.
    pub(crate) fn is_noisy(&self, mv: Move) -> bool {
        mv.promotion.is_some() || self.victim(mv).is_some()
    }

    /// The piece that `mv` takes, the pawn taken in passing included.
    pub(crate) fn victim(&self, mv: Move) -> Option<Piece> {
        let mover = self.board.side_to_move();
        if self.board.colors(!mover).has(mv.to) {
            return self.board.piece_on(mv.to);
        }
        let pawn_moves = self.board.pieces(Piece::Pawn).has(mv.from);
        (pawn_moves && mv.from.file() != mv.to.file()).then_some(Piece::Pawn)
    }
}

impl Game for Chess {
    type Move = Move;

    fn moves(&self) -> Vec<Move> {
        let mut list = Vec::with_capacity(48);
        self.board.generate_moves(|moves| {
            list.extend(moves);
            false
        });
        list
    }

    fn play(&self, mv: Move) -> Chess {
        let mut next = self.clone();
        next.board.play_unchecked(mv);
        next
    }

    fn evaluate(&self) -> Value {
        let white = evaluation::for_white(&self.board);
        let mine = if self.board.side_to_move() == Color::White {
            white
        } else {
            -white
        };
        Value(i64::from(mine + self.tempo))
    }

    fn outcome(&self, ply: u32) -> Value {
        if self.in_check() {
            Value(i64::from(ply) - MATE)
        } else {
            Value::ZERO
        }
    }

    fn key(&self) -> u64 {
        self.board.hash()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chess(fen: &str) -> Chess {
        Chess::new(fen.parse().unwrap(), 0)
    }

    fn noisy(fen: &str) -> Vec<String> {
        let position = chess(fen);
        let moves = position.moves().into_iter();
        let noisy = moves.filter(|&mv| position.is_noisy(mv));
        noisy.map(|mv| mv.to_string()).collect()
    }

    #[test]
    fn castling_is_quiet_and_en_passant_is_a_capture() {
        assert!(noisy("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").is_empty());
        assert_eq!(noisy("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"), ["e5d6"]);
    }

    #[test]
    fn promotions_are_noisy_with_and_without_capture() {
        assert_eq!(noisy("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1").len(), 8);
    }

    #[test]
    fn mate_is_lost_and_stalemate_is_drawn() {
        let mate = chess("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1");
        assert!(mate.moves().is_empty());
        assert_eq!(mate.outcome(3), Value(3 - MATE));
        let stalemate = chess("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
        assert!(stalemate.moves().is_empty());
        assert_eq!(stalemate.outcome(3), Value::ZERO);
    }

    #[test]
    fn the_tempo_belongs_to_the_side_to_move() {
        let white = Chess::new(Board::default(), 12);
        assert_eq!(white.evaluate(), Value(12));
        assert_eq!(
            white.play(white.moves()[0]).board().side_to_move(),
            Color::Black
        );
    }
}
