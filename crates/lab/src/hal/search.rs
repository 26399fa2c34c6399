//! The paper's NFAB, iteratively deepened.

use std::collections::HashMap;

use cozy_chess::Move;

use super::{Killers, MoveFacts, Settings, StandPat, bring_quiet_move_first, sort};
use crate::game::{Game, Value, Window, chess::Chess};

#[derive(Clone, Debug, Default)]
pub(crate) struct Statistics {
    /// Moves made in the search, all iterations together.
    pub(crate) nodes: u64,
    /// Those of them below the full-width depth.
    pub(crate) quiescence_nodes: u64,
    /// Nodes left because a move was too good (the paper's branches pruned).
    pub(crate) cut_offs: u64,
}

/// Searches to depth 1, 2, 3 ... `skill`.
pub(crate) fn think(position: &Chess, settings: &Settings) -> (Found, Statistics) {
    let mut hal = Hal {
        settings: *settings,
        full_width: 0,
        statistics: Statistics::default(),
        killers: vec![Killers::default(); settings.horizon as usize + 1],
        refutations: HashMap::new(),
        best_before: None,
        following: Vec::new(),
    };
    let mut found = Found::new(evaluate(position, 0));
    for depth in 1..=settings.skill {
        hal.full_width = depth;
        found = hal.node(position, Window::FULL, Visit::root(depth));
        hal.best_before = found.line.last().copied();
    }
    (found, hal.statistics)
}

/// A value for the side to move, and the line that leads to it, last move first.
pub(crate) struct Found {
    value: Value,
    line: Vec<Move>,
}

impl Found {
    fn new(value: Value) -> Found {
        let line = Vec::new();
        Found { value, line }
    }

    /// Takes a better move, and the line behind it.
    fn improve(&mut self, mv: Move, mut below: Found) {
        if below.value > self.value {
            below.line.push(mv);
            *self = below;
        }
    }
}

#[derive(Clone, Copy)]
struct Visit {
    depth: u32,
    ply: u32,
    /// Reached by a move that was not counted down.
    extended: bool,
}

impl Visit {
    fn root(depth: u32) -> Visit {
        let (ply, extended) = (0, false);
        Visit {
            depth,
            ply,
            extended,
        }
    }
}

struct Hal {
    settings: Settings,
    full_width: u32,
    statistics: Statistics,
    killers: Vec<Killers>,
    /// For each move at the root the line that answered it in the last iteration.
    refutations: HashMap<Move, Vec<Move>>,
    best_before: Option<Move>,
    /// The refutation line that is being followed, last move first; empty once it was left.
    following: Vec<Move>,
}

impl Hal {
    fn node(&mut self, position: &Chess, window: Window, visit: Visit) -> Found {
        if visit.depth == 0 {
            return Found::new(evaluate(position, visit.ply));
        }
        let mut moves = position.moves();
        if moves.is_empty() {
            return Found::new(position.outcome(visit.ply));
        }
        let mut best = Found::new(self.before_any_move(position, visit));
        if best.value >= window.beta {
            return best;
        }
        if best.value > -Value::INFINITE && self.settings.stand_pat == StandPat::TacticalOnly {
            let reading = self.settings.reading;
            moves.retain(|&mv| reading.extends(facts(position, &position.play(mv), mv)));
        }
        self.order(position, &mut moves, visit);
        for mv in moves {
            // At the root the refutation table is followed, and built.
            if visit.ply == 0 {
                self.following = self.refutations.get(&mv).cloned().unwrap_or_default();
            }
            let theirs = window.for_opponent(best.value);
            let found = self.search_move(position, mv, theirs, visit);
            if visit.ply == 0 {
                self.refutations.insert(mv, found.line.clone());
            }
            best.improve(mv, found);
            if best.value >= window.beta {
                self.statistics.cut_offs += 1;
                self.killers[visit.ply as usize].update(mv);
                break;
            }
        }
        best
    }

    /// Nothing, as in the paper; or the right to leave an extended node alone, which is no choice
    /// for a king in check.
    fn before_any_move(&self, position: &Chess, visit: Visit) -> Value {
        let may_stand = visit.extended && self.settings.stand_pat != StandPat::Never;
        if may_stand && !position.in_check() {
            position.evaluate()
        } else {
            -Value::INFINITE
        }
    }

    fn order(&mut self, position: &Chess, moves: &mut [Move], visit: Visit) {
        let refutation = match visit.ply {
            0 => self.best_before,
            _ => self.following.pop(),
        };
        // There are none at the root, where nothing is cut off.
        let killers = &self.killers[visit.ply as usize];
        sort(position, moves, refutation, killers);
        if refutation.is_some_and(|mv| moves.first() != Some(&mv)) {
            self.following.clear();
        }
        if self.settings.quiet_first && visit.depth == 1 && visit.ply > 0 {
            bring_quiet_move_first(self.settings.reading, position, moves);
        }
    }

    /// The value of a move for its mover, and the line that answers it.
    fn search_move(&mut self, position: &Chess, mv: Move, window: Window, visit: Visit) -> Found {
        self.statistics.nodes += 1;
        self.statistics.quiescence_nodes += u64::from(visit.ply >= self.full_width);
        let next = position.play(mv);
        let facts = facts(position, &next, mv);
        let depth = self.settings.decrement(visit.depth, visit.ply, facts);
        let below = Visit {
            depth,
            ply: visit.ply + 1,
            extended: depth == visit.depth,
        };
        let found = self.node(&next, window, below);
        // The first line down is the followed one; after it there is nothing left to follow.
        self.following.clear();
        Found {
            value: -found.value,
            ..found
        }
    }
}

fn facts(position: &Chess, next: &Chess, mv: Move) -> MoveFacts {
    let check = next.in_check();
    MoveFacts {
        noisy: position.is_noisy(mv),
        check,
        mate: check && next.moves().is_empty(),
    }
}

/// The evaluation, which knows a mate when it sees one: HAL marks mating moves when it generates
/// them.
fn evaluate(position: &Chess, ply: u32) -> Value {
    if position.in_check() && position.moves().is_empty() {
        return position.outcome(ply);
    }
    position.evaluate()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        hal::{
            Reading::{Described, Meant, Printed},
            StandPat::{Never, TacticalOnly, WithQuietMoves},
        },
        textbook::{AlphaBeta, as_generated, evaluate as guess},
    };

    const MIDDLE: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N1BN2/PP2BPPP/R2Q1RK1 b - - 0 1";

    fn chess(fen: &str) -> Chess {
        Chess::new(fen.parse().unwrap(), 0)
    }

    #[test]
    fn as_printed_it_is_a_plain_search_of_fixed_depth() {
        let position = chess(MIDDLE);
        let (found, statistics) = think(&position, &Settings::new(Printed, 3));
        let truth = AlphaBeta::new(as_generated, guess).search(&position, Window::FULL, 3);
        assert_eq!(found.value, truth);
        assert_eq!(statistics.quiescence_nodes, 0);
        assert_eq!(found.line.len(), 3);
    }

    #[test]
    fn the_order_of_moves_changes_the_work_and_never_the_value() {
        let position = chess(MIDDLE);
        for reading in [Printed, Meant, Described] {
            for stand_pat in [Never, WithQuietMoves, TacticalOnly] {
                let [plain, quiet] = [false, true].map(|quiet_first| {
                    let settings = Settings {
                        stand_pat,
                        quiet_first,
                        ..Settings::new(reading, 2)
                    };
                    think(&position, &settings)
                });
                assert_eq!(plain.0.value, quiet.0.value, "{reading:?} {stand_pat:?}");
                assert_ne!(plain.1.nodes, quiet.1.nodes, "{reading:?} {stand_pat:?}");
            }
        }
    }

    #[test]
    fn a_capture_at_the_last_ply_is_answered_only_where_it_is_extended() {
        // Rxd6 wins a pawn at the horizon and a ply later loses the rook.
        let position = chess("4k3/2p5/3p4/8/8/8/3R4/4K3 w - - 0 1");
        let best = |reading| {
            let (found, statistics) = think(&position, &Settings::new(reading, 1));
            (found.line.last().unwrap().to_string(), statistics)
        };
        assert_eq!(best(Printed).0, "d2d6");
        let (careful, statistics) = best(Meant);
        assert_ne!(careful, "d2d6");
        assert!(statistics.quiescence_nodes > 0);
    }

    #[test]
    fn a_finished_game_has_no_move() {
        let mated = chess("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1");
        let (found, _) = think(&mated, &Settings::new(Meant, 2));
        assert!(found.line.is_empty() && found.value < Value::ZERO);
    }
}
