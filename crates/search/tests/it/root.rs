//! The order of the root's moves, and what is left of an iteration that was cut off.

use crate::common::{engine, game, positions, search, to_depth, to_nodes};
use sextant_config::Config;
use sextant_search::{Game, Limits, Outcome};

#[test]
fn an_iteration_that_is_cut_off_keeps_the_better_move() {
    let mut engine = engine(&Config::default());
    let mut fresh = |game: &Game, limits: &Limits| -> Outcome {
        engine.new_game();
        search(&mut engine, game, limits)
    };
    let (mut changed, mut kept) = (0, 0);
    for game in &positions::games(100) {
        for depth in 3..=8 {
            let [before, after] = [depth - 1, depth].map(|depth| fresh(game, &to_depth(depth)));
            if before.best != after.best {
                changed += 1;
                // Some last moves of the iteration are not seen, hardly ever the best one.
                let cut_off = fresh(game, &to_nodes(after.nodes - 1));
                kept += u32::from(cut_off.best == after.best);
            }
        }
    }
    println!("{kept} of {changed}");
    assert!(
        changed >= 50 && kept * 10 >= changed * 8,
        "{kept} of {changed}"
    );
}

#[test]
fn the_first_moves_that_are_tried_are_the_likely_ones() {
    let mut engine = engine(&Config::default());
    for (fen, best) in [
        (
            "r3k2r/ppp2ppp/2n2n2/4p3/3q4/1PN2N2/P1P2PPP/R1BQKB1R w KQkq - 0 1",
            "f3d4",
        ),
        (
            "r1bqkb1r/p1p2ppp/1pn2n2/3Q4/4P3/2N2N2/PPP2PPP/R3K2R b KQkq - 0 1",
            "f6d5",
        ),
    ] {
        engine.new_game();
        let outcome = search(&mut engine, &game(fen), &to_nodes(12));
        assert_eq!(
            outcome.best.map(|mv| mv.to_string()).as_deref(),
            Some(best),
            "{fen}"
        );
    }
}
