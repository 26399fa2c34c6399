//! The same position, config and limit give the same search, every time.

use crate::common::{engine, fens, game, search, to_depth, to_nodes};
use sextant_board::{Move, Score};
use sextant_config::Config;
use sextant_search::{Engine, Event, Game, Limits, Outcome};

/// What must be equal.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Print {
    best: Option<Move>,
    score: Score,
    nodes: u64,
    pv: Vec<Move>,
}

impl From<Outcome> for Print {
    fn from(outcome: Outcome) -> Print {
        Print {
            best: outcome.best,
            score: outcome.score(),
            nodes: outcome.nodes,
            pv: outcome.lines[0].pv.clone(),
        }
    }
}

fn fresh(engine: &mut Engine, game: &Game, limits: &Limits) -> Print {
    engine.new_game();
    search(engine, game, limits).into()
}

fn games() -> Vec<Game> {
    fens::RICH
        .iter()
        .chain(&fens::SPARSE[1..3])
        .map(|fen| game(fen))
        .collect()
}

#[test]
fn equal_searches_are_equal() {
    let (mut one, mut other) = (engine(&Config::default()), engine(&Config::default()));
    for limits in [to_depth(7), to_nodes(9_999)] {
        for game in games() {
            let first = fresh(&mut one, &game, &limits);
            // A second engine in the process is no matter, nor is what was searched before.
            assert_eq!(
                fresh(&mut other, &game, &limits),
                first,
                "{}",
                crate::common::fen(&game)
            );
            search(&mut one, &crate::common::game(fens::RICH[1]), &to_depth(5));
            assert_eq!(
                fresh(&mut one, &game, &limits),
                first,
                "{}",
                crate::common::fen(&game)
            );
        }
    }
}

/// A whole game, table and histories carried along, is the same after `new_game`.
#[test]
fn twenty_limits_in_a_row_are_the_same_after_a_new_game() {
    let mut engine = engine(&Config::default());
    let game = game(fens::RICH[0]);
    let mut play = || -> Vec<Print> {
        engine.new_game();
        let mut game = game.clone();
        (0..20)
            .map(|i| {
                let print = Print::from(search(&mut engine, &game, &to_nodes(100 * 3 * i + 700)));
                game.play(print.best.expect("a move"));
                print
            })
            .collect()
    };
    assert_eq!(play(), play());
}

#[test]
fn the_node_limit_is_never_overshot() {
    let mut engine = engine(&Config::default());
    for game in games() {
        for nodes in (1..=20).map(|i: u64| i * i * i + 3 * i) {
            let outcome = search(&mut engine, &game, &to_nodes(nodes));
            assert!(outcome.nodes <= nodes, "{} of {nodes} nodes", outcome.nodes);
            assert!(outcome.best.is_some());
            // Only a search that is done ends before its limit.
            let done = outcome.depth() >= sextant_search::MAX_DEPTH;
            assert!(
                outcome.nodes == nodes || done,
                "{} of {nodes} nodes",
                outcome.nodes
            );
        }
    }
}

#[test]
fn an_observer_changes_nothing() {
    let mut engine = engine(&Config::default());
    for game in games() {
        let plain = fresh(&mut engine, &game, &to_depth(6));
        engine.new_game();
        engine.signals().arm(false);
        let (outcome, stats) = engine.observed(sextant_search::Stats::default()).go(
            &game,
            &to_depth(6),
            1,
            &mut |_| (),
        );
        assert_eq!(Print::from(outcome), plain);
        assert!(stats.expected[0] > 0);
    }
}

#[test]
fn a_listener_hears_the_same_nodes_as_the_outcome_says() {
    let mut engine = engine(&Config::default());
    let game = game(fens::RICH[2]);
    let mut last = 0;
    let outcome = engine.go_armed(&game, &to_depth(8), 1, &mut |event| {
        if let Event::Info(info) = event {
            assert!(info.totals.nodes >= last, "nodes never go back");
            last = info.totals.nodes;
        }
    });
    assert!(last > 0 && outcome.nodes >= last);
}

#[test]
fn bonuses_of_nothing_change_nothing() {
    let mut config = crate::common::small(&Config::default());
    let mut engine = engine(&config);
    for game in games() {
        config.root_bonus.seed = 0;
        engine.configure(config.clone()).expect("a table of 1 MB");
        let plain = fresh(&mut engine, &game, &to_depth(6));
        config.root_bonus.seed = 17;
        engine.configure(config.clone()).expect("a table of 1 MB");
        assert_eq!(fresh(&mut engine, &game, &to_depth(6)), plain);
    }
}

/// Only developing moves are allowed, so the bonus for development is the same for all: the search
/// below cannot tell.
#[test]
fn a_bonus_for_every_move_alike_changes_nothing() {
    let mut config = crate::common::small(&Config::default());
    // The first width of the window looks at the size of the score, bonus included.
    config.search.aspiration = false;
    let mut engine = engine(&config);
    for fen in [fens::RICH[0], fens::RICH[3], fens::RICH[4]] {
        let game = game(fen);
        config.root_bonus.development = 100;
        engine.configure(config.clone()).expect("a table of 1 MB");
        let developing = engine
            .root_bonuses(&game)
            .into_iter()
            .filter(|&(_, bonus)| bonus == 100);
        let limits = Limits {
            searchmoves: developing.map(|(mv, _)| mv).collect(),
            ..to_depth(6)
        };
        assert!(limits.searchmoves.len() >= 3, "{fen}");
        let with = fresh(&mut engine, &game, &limits);
        config.root_bonus.development = 0;
        engine.configure(config.clone()).expect("a table of 1 MB");
        assert_eq!(fresh(&mut engine, &game, &limits), with, "{fen}");
    }
}
