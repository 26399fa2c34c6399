//! Games played to their end. With tables no result is ever thrown away and won games end in mate;
//! with the root ranking off the same checks must fail. A weak level is weak, and still knows the
//! elementary mates. And what is shown of positions that the tables know.
//!
//! The positions are drawn at random from the tables that are bundled with `sextant-syzygy`.

use std::{path::Path, sync::Arc};

use sextant_board::{
    Board, Color, Move, Ply, Position, Score, Square, cozy_chess::BoardBuilder, parse_fen, to_fen,
};
use sextant_config::Config;
use sextant_search::{Bound, Engine, Game, Info};
use sextant_syzygy::{Backend, Category, Dtz, RootMove, Tablebase, Wdl};

use crate::common::{Rng, game, is_mate, is_over, legal_moves, search, to_nodes};

/// What is drawn from: bundled are also the tables of all that captures and promotions lead to.
const MATERIALS: [&str; 10] = [
    "KQvK", "KRvK", "KPvK", "KQvKQ", "KQvKR", "KRvKR", "KBvKB", "KBvKN", "KNvKN", "KNNvK",
];
const CLOCKS: [u8; 3] = [0, 40, 80];

/// The line that is shown of a position.
fn shown(fen: &str, fifty_move_rule: bool) -> Info {
    let mut config = Config::default();
    config.syzygy.fifty_move_rule = fifty_move_rule;
    let mut engine = crate::common::engine(&config);
    engine.set_tablebase(Some(bundled_tables()));
    let mut found = search(&mut engine, &game(fen), &to_nodes(500));
    let info = found.lines.remove(0);
    assert_eq!(info.bound, Bound::Exact, "{fen}");
    assert!(info.totals.tbhits > 0, "{fen}: the tables were asked");
    info
}

#[test]
fn a_tabled_root_shows_the_result() {
    let won = Score::table_win_at(Ply::ROOT)..=Score::MATE;
    let lost = -Score::MATE..=Score::table_loss_at(Ply::ROOT);
    let just = |cp: i32| Score::new(cp)..=Score::new(cp);
    for (fen, fifty_move_rule, scores) in [
        ("7k/8/8/8/8/8/8/KQ6 w - - 0 1", true, won.clone()),
        ("7k/8/8/8/8/8/8/KQ6 b - - 0 1", true, lost),
        // Thirteen plies from mate, with ten left: the 50-move rule saves the loser.
        ("7k/8/8/8/8/8/8/KQ6 w - - 90 1", true, just(1)),
        ("7k/8/8/8/8/8/8/KQ6 w - - 90 1", false, won),
        ("7k/8/8/8/8/8/8/KQ6 b - - 91 1", true, just(-1)),
        // Material that no search calls equal.
        ("8/8/8/3k4/8/8/8/KNN5 w - - 0 1", true, just(0)),
    ] {
        let score = shown(fen, fifty_move_rule).score;
        assert!(scores.contains(&score), "{fen}: {score:?}");
    }
    // A mate that was found is shown as one.
    let mate = shown("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", true).score;
    assert_eq!(mate.mate_in(), Some(1));
}

pub(crate) fn bundled_tables() -> Arc<Tablebase> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../syzygy/testdata");
    let folder = folder.to_str().expect("a printable path");
    Arc::new(Tablebase::open(folder, Backend::Native).expect("the tables open"))
}

/// The material, such as `KQvKR`, on random squares; `None` if two pieces meet.
fn placed(material: &str, rng: &mut Rng) -> Option<BoardBuilder> {
    let mut builder = BoardBuilder::empty();
    let (white, black) = material.split_once('v').expect("two sides");
    for (pieces, color) in [(white, Color::White), (black, Color::Black)] {
        for letter in pieces.to_lowercase().chars() {
            let piece = letter.try_into().expect("the letter of a piece");
            let place = builder.square_mut(Square::index(rng.below(Square::NUM)));
            if place.replace((piece, color)).is_some() {
                return None;
            }
        }
    }
    Some(builder)
}

/// A random legal position of a random covered material.
fn random_board(tables: &Tablebase, rng: &mut Rng) -> Option<Board> {
    let mut builder = placed(rng.of(&MATERIALS), rng)?;
    builder.side_to_move = rng.of(&Color::ALL);
    builder.halfmove_clock = rng.of(&CLOCKS);
    // The builder lets kings touch; the tables do not. Where a rounded distance leaves open whether
    // a win comes in time, nobody can be blamed for losing it.
    let is_sure = |board: &Board| {
        let category = |dtz: Dtz| dtz.category(board.halfmove_clock());
        let category = tables.dtz(board).map(category);
        category.is_ok_and(|found| !matches!(found, Category::MaybeWin | Category::MaybeLoss))
    };
    builder.build().ok().filter(is_sure)
}

/// The outcome for the side to move, with the real clock.
fn verdict(tables: &Tablebase, board: &Board) -> Wdl {
    let pos = Position::new(board.clone());
    if legal_moves(&pos).is_empty() {
        return if pos.in_check() { Wdl::Loss } else { Wdl::Draw };
    }
    if board.halfmove_clock() >= 100 || board.occupied().len() == 2 {
        return Wdl::Draw;
    }
    let dtz = tables.dtz(board).expect("a covered position");
    dtz.category(board.halfmove_clock()).wdl()
}

/// A hundred won and a hundred drawn positions in which the game is not over.
fn won_and_drawn(tables: &Tablebase) -> Vec<Board> {
    let mut rng = Rng::new(1989);
    let mut found = [(); 2].map(|()| Vec::new());
    while found.iter().any(|boards| boards.len() < 100) {
        let Some(board) = random_board(tables, &mut rng) else {
            continue;
        };
        let boards = match verdict(tables, &board) {
            Wdl::Win => &mut found[0],
            Wdl::Draw => &mut found[1],
            _ => continue,
        };
        if boards.len() < 100 && !legal_moves(&Position::new(board.clone())).is_empty() {
            boards.push(board);
        }
    }
    found.concat()
}

/// The best defender's move: the least bad result, then the longest way to it.
fn best_defense(tables: &Tablebase, game: &Game) -> Move {
    let replies = tables.probe_root(game.position().board(), false, true);
    let replies = replies.expect("a covered position");
    let patience = |reply: &RootMove| reply.dtz.map_or(0, |dtz| dtz.plies);
    let best = replies
        .iter()
        .max_by_key(|reply| (reply.wdl, -patience(reply)));
    best.expect("the game goes on").mv
}

/// Plays `start` out against the best defender; says what went wrong, if anything.
fn play_out(engine: &mut Engine, tables: &Tablebase, start: &Board) -> Result<(), String> {
    let expected = verdict(tables, start);
    let fault = |what: String| Err(format!("{start}: {expected:?}, {what}"));
    let mut game = Game::new(Position::new(start.clone()));
    engine.new_game();
    loop {
        let Some(best) = search(engine, &game, &to_nodes(1000)).best else {
            return fault("no move".to_owned());
        };
        game.play(best);
        let after = -verdict(tables, game.position().board());
        if after < expected || game.occurrences() >= 3 && expected > Wdl::Draw {
            return fault(format!("became {after:?} by {best}"));
        }
        if !is_over(&game) {
            game.play(best_defense(tables, &game));
        }
        if is_over(&game) {
            return match expected < Wdl::Win || is_mate(game.position()) {
                true => Ok(()),
                false => fault("no mate".to_owned()),
            };
        }
    }
}

fn engine(tables: &Arc<Tablebase>, probe_limit: i32) -> Engine {
    let mut config = Config::default();
    config.syzygy.probe_limit = probe_limit;
    let mut engine = crate::common::engine(&config);
    engine.set_tablebase(Some(tables.clone()));
    engine
}

#[test]
fn against_the_best_defense_nothing_is_thrown_away() {
    let tables = bundled_tables();
    let mut engine = engine(&tables, 7);
    for board in won_and_drawn(&tables) {
        play_out(&mut engine, &tables, &board).unwrap();
    }
}

#[test]
fn without_the_tables_results_are_thrown_away() {
    let tables = bundled_tables();
    let mut engine = engine(&tables, 0);
    let thrown_away = |board| play_out(&mut engine, &tables, board).is_err();
    let seen = won_and_drawn(&tables).iter().any(thrown_away);
    assert!(seen, "the checks above see nothing");
}

fn of_level(elo: Option<i32>) -> Engine {
    let mut config = Config::default();
    config.level.limit_strength = elo.is_some();
    config.level.elo = elo.unwrap_or(config.level.elo);
    crate::common::engine(&config)
}

#[test]
fn the_lowest_level_mates_with_a_rook_a_hundred_times() {
    let (mut weak, mut defender) = (of_level(Some(500)), of_level(None));
    let mut rng = Rng::new(7);
    let rook_ending = |_| {
        let pos = Position::new(placed("KRvK", &mut rng)?.build().ok()?);
        // Through the front door: kings that touch are refused there.
        parse_fen(&to_fen(&pos, false)).ok()
    };
    for start in (0..).filter_map(rook_ending).take(100) {
        let mut game = Game::new(start.clone());
        while !is_over(&game) {
            let attacks = game.keys().len() % 2 == 1;
            let outcome = if attacks {
                search(&mut weak, &game, &to_nodes(4000))
            } else {
                search(&mut defender, &game, &to_nodes(400))
            };
            game.play(outcome.best.expect("the game goes on"));
        }
        assert!(is_mate(game.position()), "no mate from {}", start.board());
    }
}

#[test]
fn a_low_level_spends_few_nodes() {
    let game = Game::new(Position::startpos());
    let outcome = search(&mut of_level(Some(500)), &game, &to_nodes(1_000_000));
    assert!(outcome.nodes <= 100, "{} nodes", outcome.nodes);
}
