//! Mate at a glance: never wrong, and how often it sees a mate that is there.

use sextant_board::{
    Board, CheckSquares, Color, Move, Piece, Position, Random, cozy_chess::BoardBuilder,
    mate_at_a_glance, parse_fen, to_fen,
};

use crate::common::{legal_moves, random_positions};

fn mates(board: &Board) -> Vec<Move> {
    let mut mates = legal_moves(board);
    mates.retain(|&mv| {
        let mut after = board.clone();
        after.play_unchecked(mv);
        !after.checkers().is_empty() && !after.generate_moves(|_| true)
    });
    mates
}

#[derive(Default)]
struct Tally {
    positions: u32,
    with_mate: u32,
    seen: u32,
}

impl Tally {
    fn look(&mut self, pos: &Position) {
        let mates = mates(pos.board());
        let found = mate_at_a_glance(pos, &CheckSquares::of(pos));
        if let Some(mv) = found {
            assert!(mates.contains(&mv), "{} {mv} is no mate", pos.board());
        }
        self.positions += 1;
        self.with_mate += u32::from(!mates.is_empty());
        self.seen += u32::from(found.is_some());
    }

    fn expect(&self, with_mate: u32, seen_percent: u32) {
        let Tally {
            positions,
            with_mate: mates,
            seen,
        } = self;
        println!("{positions} positions, {mates} with a mate in one, {seen} seen");
        assert!(*mates > with_mate);
        assert!(seen * 100 >= mates * seen_percent, "{seen} of {mates}");
    }
}

/// Kings and a handful of pieces anywhere: mates are common here, in corners, with pins and blocks.
fn scattered(random: &mut Random) -> Option<Position> {
    use Piece::{Bishop, King, Knight, Pawn, Queen, Rook};
    let mut builder = BoardBuilder::empty();
    let mut put = |random: &mut Random, kinds: &[Piece], color| {
        let (piece, square) = (kinds[random.below(kinds.len())], random.below(64));
        builder.board[square] = Some((piece, color));
    };
    for _ in 0..2 + random.below(5) {
        put(
            random,
            &[Queen, Rook, Rook, Bishop, Knight, Pawn],
            Color::White,
        );
    }
    for _ in 0..random.below(6) {
        put(
            random,
            &[Queen, Rook, Bishop, Knight, Pawn, Pawn],
            Color::Black,
        );
    }
    put(random, &[King], Color::White);
    put(random, &[King], Color::Black);
    let pos = Position::new(builder.build().ok()?);
    // Kings that touch are refused here only.
    parse_fen(&to_fen(&pos, false)).ok()
}

#[test]
fn never_a_false_mate_in_random_games() {
    let mut tally = Tally::default();
    random_positions(41, 1_000, 300, |pos| tally.look(pos));
    tally.expect(1_000, 80);
}

#[test]
fn never_a_false_mate_with_scattered_pieces() {
    let mut random = Random::new(42);
    let mut tally = Tally::default();
    while tally.positions < 100_000 {
        if let Some(pos) = scattered(&mut random) {
            tally.look(&pos);
        }
    }
    tally.expect(5_000, 90);
}

#[test]
fn known_mates() {
    for (fen, mate) in [
        // The back rank, the smothered king, queen and helper, promotion, a pinned defender.
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8"),
        ("6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1", "g5f7"),
        ("7k/8/5K2/8/8/8/6Q1/8 w - - 0 1", "g2g7"),
        ("7k/P7/6K1/8/8/8/8/8 w - - 0 1", "a7a8q"),
        ("6rk/R5pp/8/8/8/8/1B6/3Q2K1 w - - 0 1", ""),
        // The other side's mate.
        ("6k1/5ppp/8/8/8/8/8/R5K1 b - - 0 1", ""),
    ] {
        let pos = parse_fen(fen).unwrap();
        let found = mate_at_a_glance(&pos, &CheckSquares::of(&pos));
        let found = found.map_or(String::new(), |mv| mv.to_string());
        assert_eq!(found, mate, "{fen}");
        assert_eq!(mates(pos.board()).is_empty(), mate.is_empty(), "{fen}");
    }
}
