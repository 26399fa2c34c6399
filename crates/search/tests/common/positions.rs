//! Positions for comparisons: few men first, so that plain search gets somewhere.

use sextant_board::Move;
use sextant_search::Game;

use super::{Rng, game, legal_moves};

/// Endings, promotions, castling, en passant, checks, mates in sight, high clocks.
pub(crate) const SPARSE: &[&str] = &[
    "8/8/8/8/8/4k3/4p3/3K4 w - - 0 1",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/P7/8/8/8/k7/7p/K7 w - - 0 1",
    "8/1P6/8/8/5k2/8/6p1/1K6 b - - 0 1",
    "2r5/1P6/8/8/4k3/8/6p1/1K3R2 w - - 0 1",
    "7k/5Q2/8/8/8/8/8/K7 w - - 0 1",
    "7k/8/5K2/6Q1/8/8/8/8 b - - 0 1",
    "k7/8/1K6/8/8/8/8/7R w - - 0 1",
    "8/8/8/8/8/2k5/1r6/3K4 w - - 0 1",
    "8/8/8/3k4/8/3K4/4P3/8 w - - 98 80",
    "8/8/8/3k4/8/3KR3/8/8 w - - 97 80",
    "8/8/8/3k4/8/3KB3/8/7n w - - 10 80",
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1",
    "4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 2",
    "8/8/8/8/k1pP3R/8/8/4K3 b - d3 0 1",
    "4k2r/6P1/8/8/8/8/8/4K3 w k - 0 1",
    "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/1r2N1K1 w - - 0 1",
    "3k4/8/3K4/3P4/8/8/8/8 b - - 0 1",
    "8/3P1k2/8/8/3K4/8/3p4/8 w - - 0 1",
    "8/8/1b6/8/4N3/5k2/8/5K2 b - - 3 1",
    "5rk1/5ppp/8/6N1/8/8/8/4R1K1 w - - 0 1",
    "7k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1",
    "r6k/6pp/7N/8/2Q5/8/8/6K1 w - - 0 1",
    "1k6/1P6/K7/8/8/8/8/5r2 b - - 0 1",
    "8/5P1k/8/6K1/8/8/p7/8 w - - 0 1",
    "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1",
    "8/8/8/5p1k/3K1P2/6P1/8/8 w - - 0 1",
];

/// Middlegames and rich endings.
pub(crate) const RICH: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
    "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R b KQkq - 2 5",
    "2r3k1/pp3ppp/2n1b3/3p4/3P4/P1N1B3/1P3PPP/4R1K1 w - - 0 22",
    "4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19",
    "3r1rk1/p5pp/bpp1pp2/8/q1PP1P2/b3P3/P2NQRPP/1R2B1K1 b - - 6 22",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "5k2/7R/4P2p/5K2/p1r2P1p/8/8/8 b - - 0 1",
    "1r3k2/4q3/2Pp3b/3Bp3/2Q2p2/1p1P2P1/1P2KP2/3N4 w - - 0 1",
    "r1bq1rk1/ppp1nppp/4n3/3p3Q/3P4/1BP1B3/PP1N2PP/R4RK1 w - - 0 1",
];

/// `count` games: the lists above, games in which a repetition is near, and random games with a
/// taste for captures.
pub(crate) fn games(count: usize) -> Vec<Game> {
    let mut rng = Rng::new(2026);
    let mut games: Vec<Game> = SPARSE.iter().chain(RICH).map(|fen| game(fen)).collect();
    for fen in SPARSE.iter().chain(RICH) {
        games.extend(shuffled(game(fen), &mut rng));
    }
    while games.len() < count {
        let start = if rng.one_in(2) { RICH } else { SPARSE };
        let plies = rng.below(120);
        games.extend(random_game(game(rng.of(start)), plies, &mut rng));
    }
    games.truncate(count);
    assert!(
        games
            .iter()
            .all(|game| !legal_moves(game.position()).is_empty())
    );
    games
}

/// The game after up to `plies` random moves; `None` if it ended.
pub(crate) fn random_game(mut game: Game, plies: usize, rng: &mut Rng) -> Option<Game> {
    for _ in 0..plies {
        let pos = game.position();
        let moves = legal_moves(pos);
        let captures: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|&mv| pos.is_capture(mv))
            .collect();
        let moves = if captures.is_empty() || rng.one_in(3) {
            moves
        } else {
            captures
        };
        if moves.is_empty() {
            return None;
        }
        let mv = rng.of(&moves);
        game.play(mv);
    }
    let over = legal_moves(game.position()).is_empty()
        || game.position().clock() >= 99
        || sextant_board::is_insufficient_material(game.position().board());
    (!over).then_some(game)
}

/// The game after both sides moved a man to and fro: every position stood on the board twice, and
/// the next one may stand there a third time.
pub(crate) fn shuffled(game: Game, rng: &mut Rng) -> Option<Game> {
    let mut game = game;
    for cycle in 0..2 {
        let mut there = Vec::new();
        for _ in 0..2 {
            let mv = quiet_piece_move(&game, rng)?;
            there.push(mv);
            game.play(mv);
        }
        // The second cycle stops half way.
        let back = if cycle == 0 { 2 } else { 1 };
        for &mv in there.iter().take(back) {
            let mv = Move {
                from: mv.to,
                to: mv.from,
                promotion: None,
            };
            if !game.position().board().is_legal(mv) {
                return None;
            }
            game.play(mv);
        }
    }
    (game.position().clock() < 100).then_some(game)
}

fn quiet_piece_move(game: &Game, rng: &mut Rng) -> Option<Move> {
    let pos = game.position();
    let pawns = pos.board().pieces(sextant_board::Piece::Pawn);
    let moves: Vec<Move> = legal_moves(pos)
        .into_iter()
        .filter(|&mv| !pos.is_capture(mv) && !pos.is_castling(mv) && !pawns.has(mv.from))
        .collect();
    (!moves.is_empty()).then(|| rng.of(&moves))
}

/// The same position with the colours exchanged.
pub(crate) fn mirrored(fen: &str) -> String {
    let swap = |text: &str| -> String {
        text.chars()
            .map(|c| match c {
                c if c.is_ascii_lowercase() => c.to_ascii_uppercase(),
                c => c.to_ascii_lowercase(),
            })
            .collect()
    };
    let fields: Vec<&str> = fen.split(' ').collect();
    let board: Vec<String> = fields[0].split('/').rev().map(swap).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let rights: String = {
        let swapped = swap(fields[2]);
        let (upper, lower): (Vec<char>, Vec<char>) =
            swapped.chars().partition(char::is_ascii_uppercase);
        upper.into_iter().chain(lower).collect()
    };
    let passant = fields[3]
        .replace('6', "x")
        .replace('3', "6")
        .replace('x', "3");
    format!(
        "{} {side} {rights} {passant} {} {}",
        board.join("/"),
        fields[4],
        fields[5]
    )
}
