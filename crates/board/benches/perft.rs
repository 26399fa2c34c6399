//! Perft with `cozy-chess` alone against perft through this crate, and the price of the questions
//! that a search asks of a position.
//!
//! `cargo bench -p sextant-board`; read the ratios, not the times.

use divan::{Bencher, black_box};
use sextant_board::{
    Board, CheckSquares, MoveFacts, MoveSets, Phase, Position, Threats, generate_noisy,
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
    boards
        .map(|board| perft_bare(black_box(board), DEPTH))
        .sum()
}

#[divan::bench]
fn perft_2_keys_and_deltas() -> u64 {
    positions()
        .iter()
        .map(|pos| perft(black_box(pos), DEPTH))
        .sum()
}

/// All positions two plies away from the four.
fn some_positions() -> Vec<Position> {
    let mut all = positions();
    for _ in 0..2 {
        all = all
            .iter()
            .flat_map(|pos| {
                let moves: Vec<_> = MoveSets::generate(pos).iter().collect();
                moves.into_iter().map(|mv| pos.make(mv).0)
            })
            .collect();
    }
    all
}

fn each(bencher: Bencher, mut ask: impl FnMut(&Position) -> u64) {
    let positions = some_positions();
    bencher
        .counter(divan::counter::ItemsCount::new(positions.len()))
        .bench_local(|| positions.iter().map(|pos| ask(black_box(pos))).sum::<u64>());
}

#[divan::bench]
fn position_check_squares(bencher: Bencher) {
    each(bencher, |pos| CheckSquares::of(pos).discoverers().0);
}

#[divan::bench]
fn position_threats(bencher: Bencher) {
    each(bencher, |pos| Threats::against(pos).all.0);
}

#[divan::bench]
fn position_phase(bencher: Bencher) {
    each(bencher, |pos| Phase::of(pos.board()).index() as u64);
}

#[divan::bench]
fn position_mate_at_a_glance(bencher: Bencher) {
    each(bencher, |pos| {
        u64::from(mate_at_a_glance(pos, &CheckSquares::of(pos)).is_some())
    });
}

#[divan::bench]
fn position_all_move_sets(bencher: Bencher) {
    each(bencher, |pos| MoveSets::generate(pos).count() as u64);
}

#[divan::bench]
fn position_noisy_moves_only(bencher: Bencher) {
    each(bencher, |pos| {
        let mut count = 0;
        generate_noisy(pos, |_, _| count += 1);
        count
    });
}

#[divan::bench]
fn moves_see(bencher: Bencher) {
    each(bencher, |pos| {
        let mut good = 0;
        MoveSets::generate(pos).noisy(pos, |_, mv| good += u64::from(see_ge(pos, mv, 0)));
        good
    });
}

#[divan::bench]
fn moves_facts(bencher: Bencher) {
    each(bencher, |pos| {
        let checks = CheckSquares::of(pos);
        let facts = |mv| MoveFacts::of(pos, mv, &checks, None);
        let sets = MoveSets::generate(pos);
        let quiet = sets.iter().filter(|&mv| facts(mv).is_quiet());
        quiet.count() as u64
    });
}

#[divan::bench]
fn moves_make(bencher: Bencher) {
    each(bencher, |pos| {
        MoveSets::generate(pos)
            .iter()
            .map(|mv| pos.make(mv).0.key())
            .sum()
    });
}

#[divan::bench]
fn moves_play_in_place(bencher: Bencher) {
    each(bencher, |pos| {
        let mut keys = 0;
        for mv in MoveSets::generate(pos).iter() {
            let mut next = pos.clone();
            black_box(next.play(mv));
            keys ^= next.key();
        }
        keys
    });
}
