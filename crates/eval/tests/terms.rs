//! What single terms see, through the explanation that the `eval` command prints.

use sextant_board::{Position, parse_fen};
use sextant_eval::{Line, Params, State, TERMS, Trace};

fn position(fen: &str) -> Position {
    parse_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn explain(fen: &str) -> Vec<Line> {
    State::new(Params::default()).explain(&position(fen))
}

/// How often White has the term more than Black.
fn count(fen: &str, name: &str) -> i32 {
    let (_, term) = TERMS
        .iter()
        .find(|(known, _)| *known == name)
        .expect("a term of that name");
    let trace = Trace::of(position(fen).board()).expect("a position with a trace");
    let of_term =
        |&&(i, _): &&(usize, i32)| (term.first()..term.first() + term.count()).contains(&i);
    trace
        .counts
        .iter()
        .filter(of_term)
        .map(|&(_, count)| count)
        .sum()
}

#[test]
fn structure_is_recognised() {
    for (fen, name, expected) in [
        // White: isolated a, c; Black: none.
        ("4k3/5ppp/8/8/8/8/P1P5/4K3 w - - 0 1", "ISOLATED", 2),
        ("4k3/5ppp/8/8/2P5/8/2P5/4K3 w - - 0 1", "DOUBLED", 1),
        // b2 is held back by the pawn on a4; a4's own neighbour is nobody.
        ("4k3/8/8/8/p1P5/8/1P6/4K3 w - - 0 1", "BACKWARD", 1),
        ("4k3/8/8/8/1PP5/P7/8/4K3 w - - 0 1", "CONNECTED", 2),
        ("4k3/p7/8/8/1P2P3/8/8/4K3 w - - 0 1", "PASSED", 1),
        ("4k3/8/4p3/8/4P3/8/4P3/4K3 w - - 0 1", "PASSED", 0),
        // The front pawn of two is passed, the rear one is not.
        ("4k3/8/8/4P3/8/8/4P3/4K3 w - - 0 1", "PASSED", 1),
    ] {
        assert_eq!(count(fen, name), expected, "{name} in {fen}");
    }
}

#[test]
fn pieces_are_recognised() {
    for (fen, name, expected) in [
        ("4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", "BISHOP_PAIR", 0),
        ("4k3/p7/8/8/8/8/P7/2B1KB2 w - - 0 1", "BISHOP_PAIR", 1),
        // Two bishops on one colour are no pair.
        ("4k3/p7/8/8/8/B7/P7/2B1K3 w - - 0 1", "BISHOP_PAIR", 0),
        ("4k3/p7/8/3N4/4P3/8/P7/4K3 w - - 0 1", "OUTPOST", 1),
        ("4k3/2p5/8/3N4/4P3/8/P7/4K3 w - - 0 1", "OUTPOST", 0),
        ("4k3/p7/8/8/8/8/P7/3RK2R w - - 0 1", "ROOK_FILE", 2),
        ("4k3/p7/8/8/8/8/P7/R3K3 w - - 0 1", "ROOK_FILE", 0),
        // The pawn hits the knight, which hits nothing; the rook and the bishop are out of it.
        ("4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1", "PAWN_THREAT", 1),
        ("4k3/8/8/3n4/8/4P3/8/4K3 w - - 0 1", "PUSH_THREAT", 1),
        ("4k3/8/8/3r4/8/8/8/3QK3 w - - 0 1", "HANGING", 1),
    ] {
        if name == "BISHOP_PAIR" && !fen.contains('p') {
            assert!(
                Trace::of(position(fen).board()).is_none(),
                "{fen} is mopping up"
            );
            continue;
        }
        assert_eq!(count(fen, name), expected, "{name} in {fen}");
    }
}

#[test]
fn a_stormed_king_is_in_more_danger_than_a_quiet_one() {
    let danger = |fen| {
        let line = explain(fen)
            .into_iter()
            .find(|line| line.name == "KING_DANGER");
        line.map_or(0, |line| line.black.0)
    };
    let quiet = danger("r4rk1/5ppp/8/8/8/8/5PPP/R2QR1K1 w - - 0 1");
    let stormed = danger("r4rk1/5p1p/7Q/6N1/8/3B4/5PPP/R3R1K1 w - - 0 1");
    assert!(stormed < quiet - 60, "{stormed} against {quiet}");
}

#[test]
fn the_explanation_is_the_evaluation_before_scaling() {
    let fen = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P4/2PBPN2/PP1N1PPP/R1BQ1RK1 w - - 0 8";
    let lines = explain(fen);
    let pos = position(fen);
    let mut state = State::new(Params::Classical { tempo: 0 });
    state.reset(&pos);
    let sum: i32 = lines.iter().map(|line| line.tapered).sum();
    // Each line is rounded by itself; with eight pawns nothing is scaled down.
    let difference = sum - state.evaluate(&pos).raw();
    assert!(difference.abs() <= lines.len() as i32, "{difference} off");
    assert!(lines.is_sorted_by_key(|line| -line.tapered.abs()));
    assert!(
        lines
            .iter()
            .any(|line| line.name == "MATERIAL" && line.tapered == 0)
    );
}

#[test]
fn every_weight_that_can_occur_does_occur() {
    // Pawns stand on ranks 2 to 7 only, and what concerns passed pawns counts from their ranks.
    let impossible = |name: &str, i: usize| match name {
        "PAWN_SQUARE" => !(4..28).contains(&i),
        "CONNECTED" | "PASSED" | "PASSED_FREE" | "PASSED_SAFE" => i == 0 || i == 7,
        _ => false,
    };
    let mut seen = vec![false; sextant_eval::COUNT];
    // A queen without a square is too rare for random games.
    let shut_in = position("4k3/8/8/8/8/pp6/PP6/QK6 w - - 0 1");
    let games = (0..500).flat_map(positions);
    for pos in games.chain([shut_in]) {
        for (i, _) in Trace::of(pos.board())
            .into_iter()
            .flat_map(|trace| trace.counts)
        {
            seen[i] = true;
        }
    }
    for &(name, term) in TERMS {
        let unseen: Vec<usize> = (0..term.count())
            .filter(|&i| seen[term.first() + i] == impossible(name, i))
            .collect();
        assert!(unseen.is_empty(), "{name}: {unseen:?}");
    }
}

/// A random game that goes on through pieces of all kinds, as few moves are forced.
fn positions(seed: u64) -> Vec<Position> {
    let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut pos = Position::startpos();
    let mut line = Vec::new();
    for _ in 0..300 {
        let mut moves = Vec::new();
        pos.board().generate_moves(|set| {
            moves.extend(set);
            false
        });
        if moves.is_empty() {
            break;
        }
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        pos = pos.make(moves[(random % moves.len() as u64) as usize]).0;
        line.push(pos.clone());
    }
    line
}
