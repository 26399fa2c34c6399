//! Counts the leaves of a position's move tree.
//!
//! `cargo run --release -p sextant-board --example perft -- 5 [bare|plain|full] [FEN]`; the three
//! ways count the same with `cozy-chess` alone, on plain boards, and with keys and deltas.

use std::{env, process::ExitCode};

use sextant_board::{Position, display_uci_move, parse_fen, perft_bare, perft_divide, perft_plain};

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let depth = words
        .first()
        .and_then(|word| word.parse().ok())
        .unwrap_or(5);
    let way = words.get(1).map_or("full", String::as_str);
    let pos = match words.get(2).map(|fen| parse_fen(fen)) {
        None => Position::startpos(),
        Some(Ok(pos)) => pos,
        Some(Err(error)) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let nodes = match way {
        "bare" => perft_bare(pos.board(), depth),
        "plain" => perft_plain(pos.board(), depth),
        _ => {
            let divided = perft_divide(&pos, depth);
            for (mv, nodes) in &divided {
                println!("{}: {nodes}", display_uci_move(&pos, *mv, false));
            }
            divided.iter().map(|(_, nodes)| nodes).sum()
        }
    };
    println!("{nodes} nodes");
    ExitCode::SUCCESS
}
