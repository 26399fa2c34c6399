//! What is shown of positions that the tables know.

mod common;

use std::sync::Arc;

use common::{engine, game, search, to_nodes};
use sextant_board::{Ply, Score};
use sextant_config::Config;
use sextant_search::{Bound, Info};
use sextant_syzygy::{Backend, Tablebase};

/// The line that is shown of a position.
fn shown(fen: &str, fifty_move_rule: bool) -> Info {
    let mut config = Config::default();
    config.syzygy.fifty_move_rule = fifty_move_rule;
    let mut engine = engine(&config);
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
