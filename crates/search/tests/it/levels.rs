//! A weak level is weak, and still knows the elementary mates.

use sextant_board::{
    Color, Piece, Position, Square, cozy_chess::BoardBuilder, is_insufficient_material, parse_fen,
    to_fen,
};
use sextant_config::Config;
use sextant_search::{Engine, Game};

use crate::common::{legal_moves, search, to_nodes};

fn engine(elo: Option<i32>) -> Engine {
    let mut config = Config::default();
    config.level.limit_strength = elo.is_some();
    config.level.elo = elo.unwrap_or(config.level.elo);
    crate::common::engine(&config)
}

/// King and rook against king, spread over the board by `n`; `None` if that is no position.
fn rook_ending(n: usize) -> Option<Position> {
    let mut builder = BoardBuilder::empty();
    let pieces = [
        (n * 7 % 64, Piece::King, Color::White),
        (n * 29 % 64, Piece::Rook, Color::White),
        (n * 43 % 64, Piece::King, Color::Black),
    ];
    for (square, piece, color) in pieces {
        let place = builder.square_mut(Square::index(square));
        if place.is_some() {
            return None;
        }
        *place = Some((piece, color));
    }
    let pos = Position::new(builder.build().ok()?);
    // Through the front door: kings that touch are refused there.
    parse_fen(&to_fen(&pos, false)).ok()
}

#[test]
fn the_lowest_level_mates_with_a_rook_a_hundred_times() {
    let (mut weak, mut defender) = (engine(Some(500)), engine(None));
    let endings: Vec<Position> = (0..1000).filter_map(rook_ending).take(100).collect();
    assert_eq!(endings.len(), 100);
    for start in endings {
        let mut game = Game::new(start.clone());
        let mated = loop {
            let mover = game.keys().len() % 2 == 1;
            let (player, nodes) = if mover {
                (&mut weak, 4000)
            } else {
                (&mut defender, 400)
            };
            let Some(best) = search(player, &game, &to_nodes(nodes)).best else {
                break game.position().in_check();
            };
            game.play(best);
            let pos = game.position();
            let drawn = pos.clock() >= 100
                || game.occurrences() >= 3
                || is_insufficient_material(pos.board());
            if drawn && !(pos.in_check() && legal_moves(pos).is_empty()) {
                break false;
            }
        };
        assert!(mated, "no mate from {}", start.board());
    }
}

#[test]
fn a_low_level_spends_few_nodes() {
    let game = Game::new(Position::startpos());
    let mut weak = engine(Some(500));
    let outcome = search(&mut weak, &game, &to_nodes(1_000_000));
    assert!(outcome.nodes <= 100, "{} nodes", outcome.nodes);
}
