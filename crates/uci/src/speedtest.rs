//! Speed with the threads and the table that a user has set, unlike the benchmark's one thread.

use std::time::Duration;

use sextant_board::parse_fen;
use sextant_search::{Engine, Game, Limits};

use crate::{format::per_second, output::Output};

/// Seconds that nobody asked otherwise for.
const DEFAULT_SECONDS: u32 = 10;

/// From one game: opening, middlegame and ending in about the share that games have.
const POSITIONS: &[&str] = &[
    "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R b KQkq - 2 5",
    "r1b2rk1/ppq1bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 6 10",
    "r2q1rk1/pp2bppp/2n1bn2/3p4/3N4/1PN1P3/PB2BPPP/R2Q1RK1 w - - 3 12",
    "4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19",
    "2r3k1/pp3ppp/2n1b3/3p4/3P4/P1N1B3/1P3PPP/4R1K1 w - - 0 22",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

/// Searches each position for its share of the time and prints the speed. `begin` is called before
/// each, arms the engine's signals and says whether to go on.
pub(crate) fn run(
    engine: &mut Engine,
    seconds: Option<u32>,
    begin: &dyn Fn() -> bool,
    output: &Output,
) {
    let seconds = seconds.unwrap_or(DEFAULT_SECONDS);
    let share = Duration::from_secs(u64::from(seconds)) / POSITIONS.len() as u32;
    let limits = Limits {
        movetime: Some(share),
        ..Limits::default()
    };
    let (mut nodes, mut time) = (0, Duration::ZERO);
    engine.new_game();
    for (i, fen) in POSITIONS.iter().enumerate() {
        let Ok(position) = parse_fen(fen) else {
            continue;
        };
        if !begin() {
            output.note("speedtest was stopped");
            break;
        }
        let outcome = engine.go(&Game::new(position), &limits, 1, &mut |_| ());
        nodes += outcome.nodes;
        time += outcome.time;
        let speed = per_second(outcome.nodes, outcome.time);
        output.line(format_args!(
            "position {}/{}: depth {}, {} nodes, {speed} nps",
            i + 1,
            POSITIONS.len(),
            outcome.depth(),
            outcome.nodes
        ));
    }
    let config = engine.config();
    output.line(format_args!(
        "threads {}, hash {} MB, {} ms\n{nodes} nodes {} nps",
        config.engine.threads,
        config.engine.hash,
        time.as_millis(),
        per_second(nodes, time)
    ));
}
