//! Nodes shown to an observer as they are before their moves are tried: looking changes nothing, and
//! what is shown is what the search then does.

use sextant_board::{Move, MoveSets};
use sextant_config::Config;
use sextant_search::{MoveSearched, Node, NodeSnapshot, Observer, Outcome};

use crate::common::{fens, game, to_depth};

/// Looks at every node, or at none.
#[derive(Default)]
struct Look {
    wants: bool,
    shown: u64,
    /// By ply, the move that the node will try first.
    firsts: Vec<Option<Move>>,
    first_tried: u64,
}

impl Observer for Look {
    fn wants_snapshot(&mut self, _: &Node<'_>) -> bool {
        self.wants
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

fn look(config: &Config, fen: &str, wants: bool) -> (Outcome, Look) {
    let mut engine = crate::common::engine(config);
    let look = Look {
        wants,
        ..Look::default()
    };
    let limits = to_depth(5);
    engine
        .observed(look)
        .go(&game(fen), &limits, 1, &mut |_| ())
}

#[test]
fn looking_changes_nothing_and_shows_what_comes() {
    let priced = Config::preset("cyrus68k").unwrap();
    // Tests of singularity try moves before the first.
    let mut plain = Config::default();
    plain.extensions.singular_enabled = false;
    for config in [plain, priced] {
        for fen in &fens::RICH[..3] {
            let (seen, look_seen) = look(&config, fen, true);
            let (unseen, look_unseen) = look(&config, fen, false);
            assert_eq!((seen.best, seen.nodes), (unseen.best, unseen.nodes));
            assert_eq!(seen.score(), unseen.score());
            assert!(look_seen.shown > 20 && look_unseen.shown == 0);
            assert_eq!(look_seen.first_tried, look_seen.shown);
        }
    }
}
