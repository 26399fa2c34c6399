//! Time of `push`, `evaluate`, `pop` per child position, and of making the move alone.

use sextant_board::{Board, Delta, Position};
use sextant_eval::{Params, State};

/// Middlegames, endgames, an opening.
const FENS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P4/2PBPN2/PP1N1PPP/R1BQ1RK1 w - - 2 8",
    "2r2rk1/1bqnbppp/p2ppn2/1p6/3NPP2/P1N1B3/1PPQB1PP/R4R1K w - - 4 14",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "3r2k1/pp3p1p/2p3p1/4P3/1P1n4/P1N3P1/5P1P/3R2K1 w - - 3 27",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "6k1/5pp1/4p2p/1q2P3/3Q1P2/1P4P1/5K1P/8 w - - 1 40",
];

fn children() -> Vec<(Position, Vec<(Position, Delta)>)> {
    FENS.iter()
        .map(|fen| {
            let pos = Position::new(fen.parse::<Board>().expect("a valid FEN"));
            let mut children = Vec::new();
            pos.board().generate_moves(|set| {
                children.extend(set.into_iter().map(|mv| pos.make(mv)));
                false
            });
            (pos, children)
        })
        .collect()
}

fn main() {
    divan::main();
}

#[divan::bench]
fn evaluate(bencher: divan::Bencher<'_, '_>) {
    let families = children();
    let count: usize = families.iter().map(|(_, children)| children.len()).sum();
    let mut state = State::new(Params::default());
    bencher.counter(count).bench_local(|| {
        let mut sum = 0;
        for (pos, children) in &families {
            state.reset(pos);
            for (child, delta) in children {
                state.push(delta);
                sum += state.evaluate(child).raw();
                state.pop();
            }
        }
        sum
    });
}
