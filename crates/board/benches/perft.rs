//! Perft with `cozy-chess` alone against perft through this crate, and the price of the questions
//! that a search asks of a position.
//!
//! `cargo bench -p sextant-board`; read the ratios, not the times.

use divan::{Bencher, black_box};
use sextant_board::{
    Board, CheckSquares, Move, MoveFacts, MoveSets, Phase, Position, Threats, generate_noisy,
    mate_at_a_glance, parse_fen, perft, see_ge,
};

fn main() {
    divan::main();
}

const FENS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
];

const DEPTH: u32 = 4;

fn positions() -> Vec<Position> {
    FENS.iter().map(|fen| parse_fen(fen).unwrap()).collect()
}

/// Perft with `cozy-chess` alone: the yardstick.
fn perft_bare(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
            return false;
        }
        for mv in moves {
            let mut after = board.clone();
            after.play_unchecked(mv);
            nodes += perft_bare(&after, depth - 1);
        }
        false
    });
    nodes
}

#[divan::bench]
fn perft_1_bare_cozy_chess() -> u64 {
    let positions = positions();
    let boards = positions.iter().map(Position::board);
    let counts = boards.map(|board| perft_bare(black_box(board), DEPTH));
    counts.sum()
}

#[divan::bench]
fn perft_2_keys_and_deltas() -> u64 {
    let positions = positions();
    let counts = positions.iter().map(|pos| perft(black_box(pos), DEPTH));
    counts.sum()
}

/// All positions two plies away from the four.
fn some_positions() -> Vec<Position> {
    let mut all = positions();
    for _ in 0..2 {
        let children = |pos: Position| {
            let moves: Vec<_> = MoveSets::generate(&pos).iter().collect();
            moves.into_iter().map(move |mv| pos.make(mv).0)
        };
        all = all.into_iter().flat_map(children).collect();
    }
    all
}

type Question = (&'static str, fn(&Position) -> u64);

/// What is asked once of every position, and of every move.
const QUESTIONS: &[Question] = &[
    ("check squares", |pos| CheckSquares::of(pos).discoverers().0),
    ("threats", |pos| Threats::against(pos).all.0),
    ("phase", |pos| Phase::of(pos.board()).index() as u64),
    ("mate at a glance", |pos| {
        u64::from(mate_at_a_glance(pos, &CheckSquares::of(pos)).is_some())
    }),
    ("all move sets", |pos| {
        MoveSets::generate(pos).count() as u64
    }),
    ("noisy moves only", |pos| {
        let mut count = 0;
        generate_noisy(pos, |_, _| count += 1);
        count
    }),
    ("moves: see", |pos| {
        let mut good = 0;
        MoveSets::generate(pos).noisy(pos, |_, mv| good += u64::from(see_ge(pos, mv, 0)));
        good
    }),
    ("moves: facts", |pos| {
        let checks = CheckSquares::of(pos);
        let quiet = |&mv: &Move| MoveFacts::of(pos, mv, &checks, None).is_quiet();
        MoveSets::generate(pos).iter().filter(quiet).count() as u64
    }),
    ("moves: make", |pos| {
        let sets = MoveSets::generate(pos);
        sets.iter().map(|mv| pos.make(mv).0.key()).sum()
    }),
    ("moves: play in place", |pos| {
        let mut keys = 0;
        for mv in MoveSets::generate(pos).iter() {
            let mut next = pos.clone();
            black_box(next.play(mv));
            keys ^= next.key();
        }
        keys
    }),
];

#[divan::bench(args = QUESTIONS.iter().map(|(name, _)| *name))]
fn question(bencher: Bencher, name: &str) {
    let asked = QUESTIONS.iter().find(|(known, _)| *known == name);
    let (_, ask) = asked.expect("one of the questions");
    let positions = some_positions();
    bencher
        .counter(divan::counter::ItemsCount::new(positions.len()))
        .bench_local(|| positions.iter().map(|pos| ask(black_box(pos))).sum::<u64>());
}
