//! What a sample says of its moves: which is best, or which one is worth more depth.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use sextant_board::{Move, Position, Random, Score};
use sextant_search::{Engine, Game, Limits, Outcome, budget::Depth};

/// Plies by which a move is searched deeper: two, so that the same side moves last.
const DEEPER: u32 = 2;
/// A verdict that changes counts for as much as it costs little: with this many nodes or fewer it is
/// a sample, with twice as many in one case of two.
const CHEAP: f64 = 200.0;

/// What makes a move of a node the sample's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Label {
    /// A deeper search of the node plays it.
    #[default]
    Best,
    /// Searched two plies deeper it passes alpha where it did not, or no longer passes it; the more
    /// nodes that takes, the less often such a move becomes a sample.
    Worth,
}

/// A node whose label is still to be found.
pub(super) struct Unlabeled<'a> {
    pub(super) position: &'a Position,
    /// All legal moves.
    pub(super) moves: &'a [Move],
    pub(super) alpha: Score,
    pub(super) depth: Depth,
}

impl Unlabeled<'_> {
    /// The place of the move that a search of so many nodes plays, by an engine that knows nothing.
    pub(super) fn best(&self, engine: &mut Engine, nodes: u64) -> usize {
        engine.new_game();
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let best = search(engine, self.position, &limits).best;
        // A sample holds all legal moves, and a search plays one of them.
        let place = self.moves.iter().position(|&mv| Some(mv) == best);
        place.unwrap_or(0)
    }

    /// The places of moves that more depth changes, thinned by what that costs. A search below the
    /// move may take at most `nodes`.
    pub(super) fn worth(&self, engine: &mut Engine, nodes: u64, random: &mut Random) -> Vec<usize> {
        let usual = self
            .depth
            .in_plies()
            .saturating_sub(1)
            .max(1)
            .unsigned_abs();
        let mut chosen = Vec::new();
        for (place, &mv) in self.moves.iter().enumerate() {
            let (child, _) = self.position.make(mv);
            engine.new_game();
            let mut to_depth = |depth| {
                let limits = Limits {
                    depth: Some(depth),
                    nodes: Some(nodes),
                    ..Limits::default()
                };
                let outcome = search(engine, &child, &limits);
                (-outcome.score() > self.alpha, outcome.nodes)
            };
            let (before, _) = to_depth(usual);
            let (after, cost) = to_depth(usual + DEEPER);
            // Drawn in any case: what one move costs does not change the others' luck.
            let draw = random.below(1 << 20) as f64 / f64::from(1 << 20);
            if before != after && draw * (cost.max(1) as f64) < CHEAP {
                chosen.push(place);
            }
        }
        chosen
    }
}

fn search(engine: &mut Engine, position: &Position, limits: &Limits) -> Outcome {
    engine.arm_and_go(&Game::new(position.clone()), limits)
}

#[cfg(test)]
mod tests {
    use sextant_board::{MoveSets, parse_fen};
    use sextant_config::{Config, EvalKind};

    use super::*;

    /// The moves of a node two plies above the horizon that are worth more depth.
    fn worth(fen: &str, alpha: Score, nodes: u64) -> Vec<String> {
        let position = parse_fen(fen).unwrap();
        let moves: Vec<Move> = MoveSets::generate(&position).iter().collect();
        let node = Unlabeled {
            position: &position,
            moves: &moves,
            alpha,
            depth: Depth::plies(2),
        };
        let mut config = Config::default();
        config.engine.hash = 1;
        config.eval.kind = EvalKind::Classical;
        let mut engine = Engine::new(config).unwrap();
        let chosen = node.worth(&mut engine, nodes, &mut Random::new(1));
        chosen
            .iter()
            .map(|&place| moves[place].to_string())
            .collect()
    }

    #[test]
    fn a_loss_that_only_more_depth_sees_makes_its_move_worth_it() {
        // On h7 the rook is a bait: the other one, checking, seems to win the queen, which takes it.
        let fen = "2K5/k3q3/6pR/6p1/6Pp/7P/8/3R4 w - - 0 1";
        let alpha = Score::new(200);
        assert_eq!(worth(fen, alpha, 10_000), ["h6h7"]);
        // Where everything passes, or nothing can, depth changes nothing.
        for alpha in [-Score::MATE, Score::MATE] {
            assert!(worth(fen, alpha, 10_000).is_empty());
        }
        // So few nodes end both searches at the same place.
        assert!(worth(fen, alpha, 1).is_empty());
    }
}
