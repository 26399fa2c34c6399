//! A weak level is weak, and still knows the elementary mates.

use sextant_board::{MoveSets, Position, Square, is_insufficient_material};
use sextant_config::Config;
use sextant_search::{Engine, Game, Limits};

fn engine(elo: Option<i32>) -> Engine {
    let mut config = Config::default();
    config.engine.hash = 1;
    config.level.limit_strength = elo.is_some();
    config.level.elo = elo.unwrap_or(config.level.elo);
    Engine::new(config).expect("a small engine")
}

fn limits(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

/// King and rook against king, spread over the board by `n`; `None` if that is no position.
fn rook_ending(n: usize) -> Option<Position> {
    let mut builder = sextant_board::cozy_chess::BoardBuilder::empty();
    let men = [
        (
            n * 7 % 64,
            sextant_board::Piece::King,
            sextant_board::Color::White,
        ),
        (
            n * 29 % 64,
            sextant_board::Piece::Rook,
            sextant_board::Color::White,
        ),
        (
            n * 43 % 64,
            sextant_board::Piece::King,
            sextant_board::Color::Black,
        ),
    ];
    for (square, piece, color) in men {
        let place = builder.square_mut(Square::index(square));
        if place.is_some() {
            return None;
        }
        *place = Some((piece, color));
    }
    let pos = Position::new(builder.build().ok()?);
    // Through the front door: kings that touch are refused there.
    sextant_board::parse_fen(&sextant_board::to_fen(&pos, false)).ok()
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
            let Some(best) = player.go_armed(&game, &limits(nodes), 1, &mut |_| ()).best else {
                break game.position().in_check();
            };
            game.play(best);
            let pos = game.position();
            let drawn = pos.clock() >= 100
                || game.occurrences() >= 3
                || is_insufficient_material(pos.board());
            if drawn && !(pos.in_check() && MoveSets::generate(pos).is_empty()) {
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
    let outcome = weak.go_armed(&game, &limits(1_000_000), 1, &mut |_| ());
    assert!(outcome.nodes <= 100, "{} nodes", outcome.nodes);
}
