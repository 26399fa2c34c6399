//! Where quiescence ends.

use sextant_board::{is_insufficient_material, to_fen};
use sextant_config::Config;
use sextant_search::Quiescence;

use crate::common::{engine, fen, game, games, is_over};

#[test]
fn captures_that_win_are_made_and_quiet_positions_stay() {
    let mut quiescence = Quiescence::new(&Config::default(), None).unwrap();
    let nothing_to_take = "4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 3 1";
    let all_defended = "4k3/p7/1p6/2p5/8/4B3/5PPP/2Q1K3 w - - 0 1";
    for (from, to) in [
        (nothing_to_take, Some(nothing_to_take)),
        (all_defended, Some(all_defended)),
        (
            "4k3/pp6/8/3q4/4P3/8/5PPP/4K3 w - - 5 9",
            Some("4k3/pp6/8/3P4/8/8/5PPP/4K3 b - - 0 9"),
        ),
        // The last pawn falls, and nobody can win any more.
        ("8/8/8/8/8/1k6/3p4/2K5 w - - 0 1", None),
        // Mate.
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", None),
    ] {
        let leaf = quiescence.leaf(game(from).position());
        let leaf = leaf.map(|leaf| to_fen(&leaf, false));
        assert_eq!(leaf.as_deref(), to, "{from}");
    }
}

#[test]
fn a_leaf_is_quiet_its_own_leaf_and_no_worse_than_doing_nothing() {
    let config = Config::default();
    let mut quiescence = Quiescence::new(&config, None).unwrap();
    let engine = engine(&config);
    let (mut moved, mut ended) = (0, 0);
    for game in games(300).iter().filter(|game| !is_over(game)) {
        let position = game.position();
        let Some(leaf) = quiescence.leaf(position) else {
            ended += 1;
            continue;
        };
        let fen = fen(game);
        assert!(!leaf.in_check() && !is_insufficient_material(leaf.board()));
        assert_eq!(quiescence.leaf(&leaf).unwrap().key(), leaf.key(), "{fen}");
        let value = engine.evaluate(&leaf);
        let same_side = leaf.side_to_move() == position.side_to_move();
        let value = if same_side { value } else { -value };
        assert!(
            position.in_check() || value >= engine.evaluate(position),
            "{fen}"
        );
        moved += u32::from(leaf.key() != position.key());
        // What was looked at before does not matter.
        let mut fresh = Quiescence::new(&config, None).unwrap();
        assert_eq!(fresh.leaf(position).unwrap().key(), leaf.key(), "{fen}");
    }
    assert!(moved > 50 && ended > 0, "{moved} moved, {ended} ended");
}
