//! Games for comparisons: few pieces first, so that plain search gets somewhere.

use sextant_board::Move;
use sextant_search::Game;

use super::{
    Rng,
    fens::{RICH, SPARSE},
    game, legal_moves,
};

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
fn random_game(mut game: Game, plies: usize, rng: &mut Rng) -> Option<Game> {
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

/// The game after both sides moved a piece to and fro: every position stood on the board twice, and
/// the next one may stand there a third time.
fn shuffled(game: Game, rng: &mut Rng) -> Option<Game> {
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

/// The same position with the colors exchanged.
pub(crate) fn mirrored(fen: &str) -> String {
    let swap = |c: char| {
        if c.is_ascii_lowercase() {
            c.to_ascii_uppercase()
        } else {
            c.to_ascii_lowercase()
        }
    };
    let fields: Vec<&str> = fen.split(' ').collect();
    let rows: Vec<&str> = fields[0].split('/').rev().collect();
    let board: String = rows.join("/").chars().map(swap).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    // Capitals first, as FEN wants them.
    let mut rights: Vec<char> = fields[2].chars().map(swap).collect();
    rights.sort_by_key(char::is_ascii_lowercase);
    let rights: String = rights.into_iter().collect();
    let passant: String = fields[3]
        .chars()
        .map(|c| match c {
            '3' => '6',
            '6' => '3',
            c => c,
        })
        .collect();
    let clocks = fields[4..].join(" ");
    format!("{board} {side} {rights} {passant} {clocks}")
}
