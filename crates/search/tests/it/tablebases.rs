//! What is shown of positions that the tables know, and the engine with tables against a defender
//! who follows them: no result is ever thrown away, and won games end in mate. With the root ranking
//! off the same checks must fail.
//!
//! The positions are drawn at random from the tables that are there: all 3- and 4-man tables of
//! `../shared/data` where that exists, else the small set bundled with `sextant-syzygy`.

use std::{path::PathBuf, sync::Arc};

use sextant_board::{
    Board, Color, Move, Piece, Ply, Position, Score, Square, cozy_chess::BoardBuilder,
};
use sextant_config::Config;
use sextant_search::{Bound, Engine, Game, Info};
use sextant_syzygy::{Backend, Category, Dtz, Material, TableId, TableKind, Tablebase, Wdl};

use crate::common::{Rng, game, legal_moves, search, to_nodes};

const SEED: u64 = 1989;
const CLOCKS: [u8; 3] = [0, 40, 80];

/// The line that is shown of a position.
fn shown(fen: &str, fifty_move_rule: bool) -> Info {
    let mut config = Config::default();
    config.syzygy.fifty_move_rule = fifty_move_rule;
    let mut engine = crate::common::engine(&config);
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../syzygy/testdata");
    let tables = Tablebase::open(folder, Backend::Native).expect("the bundled tables");
    engine.set_tablebase(Some(Arc::new(tables)));
    let mut found = search(&mut engine, &game(fen), &to_nodes(500));
    let info = found.lines.remove(0);
    assert_eq!(info.bound, Bound::Exact, "{fen}");
    assert!(info.totals.tbhits > 0, "{fen}: the tables were asked");
    info
}

#[test]
fn a_tabled_root_shows_the_result() {
    // A won and a lost position, from the mover's view.
    assert!(shown("7k/8/8/8/8/8/8/KQ6 w - - 0 1", true).score >= Score::table_win_at(Ply::ROOT));
    assert!(shown("7k/8/8/8/8/8/8/KQ6 b - - 0 1", true).score <= Score::table_loss_at(Ply::ROOT));
    // Thirteen plies from mate, with ten left: the 50-move rule saves the loser.
    let late = "7k/8/8/8/8/8/8/KQ6 w - - 90 1";
    assert_eq!(shown(late, true).score, Score::new(1));
    assert!(shown(late, false).score >= Score::table_win_at(Ply::ROOT));
    assert_eq!(
        shown("7k/8/8/8/8/8/8/KQ6 b - - 91 1", true).score,
        Score::new(-1)
    );
    // Material that no search calls equal.
    assert_eq!(
        shown("8/8/8/3k4/8/8/8/KNN5 w - - 0 1", true).score,
        Score::DRAW
    );
}

#[test]
fn a_mate_that_was_found_is_shown_as_one() {
    let info = shown("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", true);
    assert_eq!(info.score.mate_in(), Some(1));
}

fn folder() -> PathBuf {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shared = root.join("../shared/data/syzygy/3-4");
    if shared.is_dir() {
        return shared;
    }
    println!("../shared/data/syzygy is not here: the bundled tables are used");
    root.join("crates/syzygy/testdata")
}

fn tables() -> Arc<Tablebase> {
    let path = folder();
    let path = path.to_str().expect("a printable path");
    Arc::new(Tablebase::open(path, Backend::Native).expect("the tables open"))
}

/// Are the tables there, and those of all that captures and promotions lead to? A game is played to
/// its end, and the bundled tables lack some.
fn is_closed(tables: &Tablebase, material: Material) -> bool {
    const PIECES: [Piece; 5] = [
        Piece::Queen,
        Piece::Rook,
        Piece::Bishop,
        Piece::Knight,
        Piece::Pawn,
    ];
    if material.men() == 2 {
        return true;
    }
    let is_there = |kind| {
        let material = material.canonical();
        let id = TableId { material, kind };
        tables.inventory().get(id).is_some()
    };
    // What is left without one piece, and with another in the place of a pawn.
    let next = |color: Color, gone: usize, come: Option<usize>| {
        let mut counts = [Color::White, Color::Black].map(|c| PIECES.map(|p| material.count(c, p)));
        let side = &mut counts[color as usize];
        side[gone] -= 1;
        come.into_iter().for_each(|come| side[come] += 1);
        Material::from_counts(counts[0], counts[1]).expect("no more pieces than before")
    };
    let after = |color: Color, gone: usize| {
        let promotions = if PIECES[gone] == Piece::Pawn { 4 } else { 0 };
        let places = [None].into_iter().chain((0..promotions).map(Some));
        places.map(move |come| next(color, gone, come))
    };
    [TableKind::Wdl, TableKind::Dtz].into_iter().all(is_there)
        && Color::ALL.into_iter().all(|color| {
            (0..PIECES.len())
                .filter(|&gone| material.count(color, PIECES[gone]) > 0)
                .flat_map(|gone| after(color, gone))
                .all(|material| is_closed(tables, material))
        })
}

/// A random legal position of a random covered material.
fn random_board(tables: &Tablebase, rng: &mut Rng) -> Option<Board> {
    let all: Vec<Material> = tables
        .inventory()
        .tables()
        .map(|(id, _)| id.material)
        .filter(|material| material.men() <= 4 && is_closed(tables, *material))
        .collect();
    let material = all[rng.below(all.len())];
    let mut builder = BoardBuilder::empty();
    for color in Color::ALL {
        for piece in Piece::ALL {
            let count = if piece == Piece::King {
                1
            } else {
                material.count(color, piece)
            };
            for _ in 0..count {
                let square = Square::index(rng.below(Square::NUM));
                let place = builder.square_mut(square);
                if place.is_some() {
                    return None;
                }
                *place = Some((piece, color));
            }
        }
    }
    builder.side_to_move = if rng.below(2) == 0 {
        Color::White
    } else {
        Color::Black
    };
    builder.halfmove_clock = CLOCKS[rng.below(CLOCKS.len())];
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

/// `count` positions of the wanted verdict in which the game is not over.
fn positions(tables: &Tablebase, wanted: Wdl, count: usize) -> Vec<Board> {
    let mut rng = Rng::new(SEED);
    let mut found = Vec::new();
    while found.len() < count {
        let Some(board) = random_board(tables, &mut rng) else {
            continue;
        };
        let alive = !legal_moves(&Position::new(board.clone())).is_empty();
        if alive && verdict(tables, &board) == wanted {
            found.push(board);
        }
    }
    found
}

/// Who plays against the engine.
type Opponent<'a> = dyn FnMut(&Game) -> Move + 'a;

/// The best defender: the least bad result, then the longest way to it.
fn by_tables(tables: &Tablebase) -> impl FnMut(&Game) -> Move {
    move |game| {
        let replies = tables
            .probe_root(game.position().board(), false, true)
            .expect("a covered position");
        let patience = |reply: &sextant_syzygy::RootMove| reply.dtz.map_or(0, |dtz| dtz.plies);
        replies
            .iter()
            .max_by_key(|reply| (reply.wdl, -patience(reply)))
            .expect("the game goes on")
            .mv
    }
}

/// Plays `start` out; says what went wrong, if anything.
fn play_out(
    engine: &mut Engine,
    tables: &Tablebase,
    opponent: &mut Opponent<'_>,
    start: &Board,
) -> Result<(), String> {
    let expected = verdict(tables, start);
    let limits = to_nodes(1000);
    let mut game = Game::new(Position::new(start.clone()));
    engine.new_game();
    loop {
        let Some(best) = search(engine, &game, &limits).best else {
            return Err(format!("{start}: no move"));
        };
        game.play(best);
        let after = -verdict(tables, game.position().board());
        if after < expected || game.occurrences() >= 3 && expected > Wdl::Draw {
            return Err(format!("{start}: {expected:?} became {after:?} by {best}"));
        }
        if over(&game) {
            let mated = game.position().in_check() && legal_moves(game.position()).is_empty();
            let fine = expected < Wdl::Win || mated;
            return if fine {
                Ok(())
            } else {
                Err(format!("{start}: a win without mate"))
            };
        }
        let reply = opponent(&game);
        game.play(reply);
        if over(&game) {
            return if expected < Wdl::Win {
                Ok(())
            } else {
                Err(format!("{start}: the win is gone"))
            };
        }
    }
}

fn over(game: &Game) -> bool {
    let pos = game.position();
    legal_moves(pos).is_empty()
        || pos.clock() >= 100
        || game.occurrences() >= 3
        || sextant_board::is_insufficient_material(pos.board())
}

fn engine(tables: &Arc<Tablebase>, probe_limit: i32) -> Engine {
    let mut config = Config::default();
    config.syzygy.probe_limit = probe_limit;
    let mut engine = crate::common::engine(&config);
    engine.set_tablebase(Some(tables.clone()));
    engine
}

#[test]
fn a_hundred_won_positions_are_mated() {
    let tables = tables();
    let mut engine = engine(&tables, 7);
    for board in positions(&tables, Wdl::Win, 100) {
        play_out(&mut engine, &tables, &mut by_tables(&tables), &board).unwrap();
    }
}

#[test]
fn a_hundred_drawn_positions_are_held() {
    let tables = tables();
    let mut engine = engine(&tables, 7);
    for board in positions(&tables, Wdl::Draw, 100) {
        play_out(&mut engine, &tables, &mut by_tables(&tables), &board).unwrap();
    }
}

#[test]
fn without_the_tables_results_are_thrown_away() {
    let tables = tables();
    let mut engine = engine(&tables, 0);
    let failures = [Wdl::Win, Wdl::Draw]
        .into_iter()
        .flat_map(|wanted| positions(&tables, wanted, 100))
        .filter(|board| play_out(&mut engine, &tables, &mut by_tables(&tables), board).is_err())
        .count();
    assert!(failures > 0, "the checks above see nothing");
}

#[test]
fn against_the_engine_without_tables_nothing_is_thrown_away() {
    let tables = tables();
    let (mut with, mut without) = (engine(&tables, 7), engine(&tables, 0));
    let limits = to_nodes(1000);
    let mut reply = |game: &Game| {
        let outcome = search(&mut without, game, &limits);
        outcome.best.expect("the game goes on")
    };
    for wanted in [Wdl::Win, Wdl::Draw] {
        for board in positions(&tables, wanted, 100) {
            play_out(&mut with, &tables, &mut reply, &board).unwrap();
        }
    }
}
