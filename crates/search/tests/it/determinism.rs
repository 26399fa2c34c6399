//! The same position, config and limit give the same search, every time; and looking changes
//! nothing.

use sextant_board::{Move, MoveSets};
use sextant_config::Config;
use sextant_search::{Game, MoveSearched, Node, NodeSnapshot, Observer};

use crate::common::{Print, RICH, SPARSE, engine, fen, fresh, game, search, to_depth, to_nodes};

fn games() -> Vec<Game> {
    let fens = RICH.iter().chain(&SPARSE[1..3]);
    fens.map(|fen| game(fen)).collect()
}

#[test]
fn equal_searches_are_equal() {
    let (mut one, mut other) = (engine(&Config::default()), engine(&Config::default()));
    for limits in [to_depth(7), to_nodes(9_999)] {
        for game in games() {
            let first = fresh(&mut one, &game, &limits);
            // A second engine in the process is no matter, nor is what was searched before.
            let second = fresh(&mut other, &game, &limits);
            assert_eq!(second, first, "{}", fen(&game));
            search(&mut one, &crate::common::game(RICH[1]), &to_depth(8));
            assert_eq!(fresh(&mut one, &game, &limits), first, "{}", fen(&game));
        }
    }
}

#[test]
fn who_hears_of_the_lines_changes_nothing() {
    let mut engine = engine(&Config::default());
    for game in games() {
        let limits = to_nodes(9_999);
        let unheard = fresh(&mut engine, &game, &limits);
        engine.new_game();
        engine.signals().arm(false);
        let mut lines = 0;
        let heard = engine.go(&game, &limits, 1, &mut |_| lines += 1);
        assert!(lines > 3 && Print::from(heard) == unheard, "{}", fen(&game));
    }
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
                "{} of {nodes}",
                outcome.nodes
            );
        }
    }
}

/// Looks at every node, as it is before its moves are tried.
#[derive(Default)]
struct Look {
    shown: u64,
    /// By ply, the move that the node will try first.
    firsts: Vec<Option<Move>>,
    first_tried: u64,
}

impl Observer for Look {
    fn wants_snapshot(&mut self, _: &Node<'_>) -> bool {
        true
    }

    fn snapshot(&mut self, snapshot: &NodeSnapshot<'_>) {
        let pos = snapshot.node.pos;
        let moves: Vec<_> = snapshot.moves.iter().map(|one| one.mv).collect();
        let mut legal: Vec<_> = MoveSets::generate(pos).iter().collect();
        assert_eq!(moves.len(), legal.len());
        legal.retain(|mv| !moves.contains(mv));
        assert!(legal.is_empty(), "not shown: {legal:?}");
        assert_eq!(snapshot.facts.in_check, pos.in_check());
        for (index, one) in snapshot.moves.iter().enumerate() {
            assert_eq!(one.score.is_none(), one.facts.gives_check);
            assert!(one.order.gap >= 0 && (index > 0 || one.order.first));
        }
        self.shown += 1;
        let ply = snapshot.node.ply.index();
        self.firsts.resize(self.firsts.len().max(ply + 1), None);
        self.firsts[ply] = moves.first().copied();
    }

    /// What was shown first is tried first. Later moves may be skipped, and what is learned in
    /// between may put the quiet ones into another order.
    fn move_searched(&mut self, tried: &MoveSearched<'_>) {
        let first = self.firsts.get_mut(tried.ply.index());
        if let Some(first) = first.and_then(Option::take) {
            assert_eq!(first, tried.mv);
            self.first_tried += 1;
        }
    }
}

#[test]
fn looking_changes_nothing_and_shows_what_comes() {
    let priced = Config::preset("cyrus68k").unwrap();
    // Tests of singularity try moves before the first.
    let mut plain = Config::default();
    plain.extensions.singular_enabled = false;
    for config in [plain, priced] {
        let mut engine = engine(&config);
        for game in games() {
            let unseen = fresh(&mut engine, &game, &to_depth(5));
            engine.new_game();
            engine.signals().arm(false);
            let observed = engine.observed(Look::default());
            let (seen, look) = observed.go(&game, &to_depth(5), 1, &mut |_| ());
            assert_eq!(Print::from(seen), unseen);
            assert!(look.shown > 20);
            assert_eq!(look.first_tried, look.shown);
        }
    }
}
