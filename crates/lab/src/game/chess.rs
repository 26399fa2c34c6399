//! Chess for the textbook algorithms, straight on `cozy-chess`, with a deliberately plain
//! evaluation: the experiments compare searches, and any sensible one will do as long as all use
//! the same.
//!
//! Repetitions and the fifty-move rule are left out: the searches here are a few plies deep and
//! forget the game behind them.

use cozy_chess::{Board, Color, Move, Piece, Square};

use super::{Game, Value};

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

    pub(crate) fn in_check(&self) -> bool {
        !self.board.checkers().is_empty()
    }

    /// Whether `mv` takes something or promotes. A castling move is neither, although
    /// `cozy-chess` writes it as the king taking its own rook.
    pub(crate) fn is_noisy(&self, mv: Move) -> bool {
        mv.promotion.is_some() || self.victim(mv).is_some()
    }

    /// The piece that `mv` takes, the pawn taken in passing included.
    fn victim(&self, mv: Move) -> Option<Piece> {
        let mover = self.board.side_to_move();
        if self.board.colors(!mover).has(mv.to) {
            return self.board.piece_on(mv.to);
        }
        let pawn_moves = self.board.pieces(Piece::Pawn).has(mv.from);
        (pawn_moves && mv.from.file() != mv.to.file()).then_some(Piece::Pawn)
    }

    /// Promise of a move, in centipawns and a large step between captures and the rest: the most
    /// valuable victim by the least valuable attacker, then promotions, then quiet moves by how
    /// much better the piece stands afterwards.
    pub(crate) fn promise(&self, mv: Move) -> i32 {
        const TACTICAL: i32 = 100_000;
        let Some(piece) = self.board.piece_on(mv.from) else {
            return 0;
        };
        let capture = self.victim(mv).map_or(0, |victim| {
            TACTICAL + piece_value(victim) * 32 - piece_value(piece) / 16
        });
        let promotion = mv.promotion.map_or(0, |p| TACTICAL / 2 + piece_value(p));
        let stands = |square| placement(piece, square, self.board.side_to_move(), false);
        capture + promotion + stands(mv.to) - stands(mv.from)
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

    fn key(&self) -> u64 {
        self.board.hash()
    }

    fn evaluate(&self) -> Value {
        let (mover, endgame) = (self.board.side_to_move(), is_endgame(&self.board));
        let [mine, theirs] = [mover, !mover].map(|color| side(&self.board, color, endgame));
        Value(i64::from(mine - theirs + self.tempo))
    }

    fn outcome(&self, ply: u32) -> Value {
        if self.in_check() {
            Value(i64::from(ply) - MATE)
        } else {
            Value::ZERO
        }
    }
}

/// What a piece is worth in centipawns; the king's is only used to order captures by the king last.
fn piece_value(piece: Piece) -> i32 {
    [100, 310, 330, 500, 950, 2_000][piece as usize]
}

fn side(board: &Board, color: Color, endgame: bool) -> i32 {
    let mut sum = 0;
    for piece in Piece::ALL {
        for square in board.colored_pieces(color, piece) {
            if piece != Piece::King {
                sum += piece_value(piece);
            }
            sum += placement(piece, square, color, endgame);
        }
    }
    sum
}

/// Centipawns for standing on `square`, beyond the piece's own worth.
fn placement(piece: Piece, square: Square, color: Color, endgame: bool) -> i32 {
    let rank = square.rank().relative_to(color) as i32;
    let file = square.file() as i32;
    let centrality = rank.min(7 - rank) + file.min(7 - file);
    match piece {
        Piece::Pawn if endgame => rank * rank * 2,
        Piece::Pawn => rank * 4 + if file == 3 || file == 4 { rank * 5 } else { 0 },
        Piece::Knight => centrality * 8 - 24,
        Piece::Bishop => centrality * 4 + if rank == 0 { -10 } else { 0 },
        Piece::Rook => (if rank == 6 { 20 } else { 0 }) + file.min(7 - file) * 3,
        Piece::Queen => centrality * 2,
        Piece::King if endgame => centrality * 8,
        Piece::King => rank * -20 - file.min(7 - file) * 10,
    }
}

/// Few enough pieces that the king should come out: at most a rook and a minor piece a side.
fn is_endgame(board: &Board) -> bool {
    let count = |piece| board.pieces(piece).len();
    let light = count(Piece::Knight) + count(Piece::Bishop);
    light * 3 + count(Piece::Rook) * 5 + count(Piece::Queen) * 9 <= 16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chess(fen: &str) -> Chess {
        Chess::new(fen.parse().unwrap(), 0)
    }

    #[test]
    fn captures_and_promotions_are_noisy_and_castling_is_not() {
        for (fen, expected) in [
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 0),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", 1),
            ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", 8),
        ] {
            let position = chess(fen);
            let moves = position.moves().into_iter();
            let noisy = moves.filter(|&mv| position.is_noisy(mv));
            assert_eq!(noisy.count(), expected, "{fen}");
        }
    }

    #[test]
    fn mate_is_lost_and_stalemate_is_drawn() {
        for (fen, value) in [
            ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", 3 - MATE),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0),
        ] {
            assert!(chess(fen).moves().is_empty());
            assert_eq!(chess(fen).outcome(3), Value(value));
        }
    }

    #[test]
    fn swapping_the_colors_changes_nothing_and_the_tempo_belongs_to_the_mover() {
        let white = "r1bqkb1r/pp3ppp/2n1pn2/2pp4/3P4/2N1PN2/PPP2PPP/R1BQKB1R w KQkq - 0 1";
        let black = "r1bqkb1r/ppp2ppp/2n1pn2/3p4/2PP4/2N1PN2/PP3PPP/R1BQKB1R b KQkq - 0 1";
        assert_ne!(chess(white).evaluate(), Value::ZERO);
        assert_eq!(chess(white).evaluate(), chess(black).evaluate());
        assert_eq!(Chess::new(Board::default(), 12).evaluate(), Value(12));
        let queen_up = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert!(chess(queen_up).evaluate() > Value(800));
    }
}
