//! The paper's NFAB, iteratively deepened.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use cozy_chess::Move;

use super::decrement::{MoveFacts, decrement, extends};
use super::order::{Killers, bring_quiet_move_first, evaluate, sort};
use super::{Settings, StandPat};
use crate::game::chess::Chess;
use crate::game::{Game, Value, Window};

/// What HAL reports about one move of its own.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Moves made in the search, all iterations together.
    pub nodes: u64,
    /// Those of them below the full-width depth.
    pub quiescence_nodes: u64,
    /// Nodes left because a move was too good (the paper's branches pruned).
    pub cut_offs: u64,
    /// Wall-clock time.
    pub time: Duration,
}

/// What HAL answers.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move it would make; none if the game is over.
    pub best: Option<Move>,
    /// Worth for the side to move, in centipawns.
    pub value: Value,
    /// The line it expects.
    pub line: Vec<Move>,
    /// What it cost.
    pub statistics: Statistics,
}

/// One run of HAL on one position.
#[must_use]
pub fn think(position: &Chess, settings: &Settings) -> Answer {
    let mut hal = Hal::new(*settings);
    let begin = Instant::now();
    let mut found = Found {
        value: evaluate(position, 0),
        line: Vec::new(),
    };
    for depth in 1..=settings.skill {
        hal.full_width = depth;
        found = hal.root(position, depth);
    }
    hal.statistics.time = begin.elapsed();
    Answer {
        best: found.line.last().copied(),
        value: found.value,
        line: found.line.into_iter().rev().collect(),
        statistics: hal.statistics,
    }
}

/// A value and the line that leads to it, last move first.
struct Found {
    value: Value,
    line: Vec<Move>,
}

/// Where in the tree a node is.
#[derive(Clone, Copy)]
struct Place {
    depth: u32,
    ply: u32,
    /// Reached by a move that was not counted down.
    extended: bool,
}

struct Hal {
    settings: Settings,
    /// Depth of the running iteration.
    full_width: u32,
    statistics: Statistics,
    killers: Vec<Killers>,
    /// For each move at the root the line that answered it in the last iteration.
    refutations: HashMap<Move, Vec<Move>>,
    /// The best move of the last iteration.
    best_before: Option<Move>,
    /// The refutation line that is being followed, last move first; empty once it was left.
    following: Vec<Move>,
}

impl Hal {
    fn new(settings: Settings) -> Hal {
        Hal {
            settings,
            full_width: 0,
            statistics: Statistics::default(),
            killers: vec![Killers::default(); settings.horizon as usize + 1],
            refutations: HashMap::new(),
            best_before: None,
            following: Vec::new(),
        }
    }

    /// The paper's NFAB at level 1: no killers there, but the refutation table is built.
    fn root(&mut self, position: &Chess, depth: u32) -> Found {
        let mut moves = position.moves();
        if moves.is_empty() {
            return Found {
                value: position.outcome(0),
                line: Vec::new(),
            };
        }
        sort(position, &mut moves, self.best_before, &Killers::default());
        let place = Place {
            depth,
            ply: 0,
            extended: false,
        };
        let mut best = Found {
            value: -Value::INFINITE,
            line: Vec::new(),
        };
        for mv in moves {
            self.following = self.refutations.get(&mv).cloned().unwrap_or_default();
            let window = Window::FULL.for_opponent(best.value);
            let (value, line) = self.try_move(position, mv, window, place);
            self.refutations.insert(mv, line.clone());
            if value > best.value {
                best = Found { value, line };
                best.line.push(mv);
            }
        }
        self.best_before = best.line.last().copied();
        best
    }

    fn node(&mut self, position: &Chess, window: Window, place: Place) -> Found {
        if place.depth == 0 {
            return Found {
                value: evaluate(position, place.ply),
                line: Vec::new(),
            };
        }
        let mut moves = position.moves();
        if moves.is_empty() {
            return Found {
                value: position.outcome(place.ply),
                line: Vec::new(),
            };
        }
        let mut best = self.before_any_move(position, place);
        if best.value >= window.beta {
            return best;
        }
        if best.value > -Value::INFINITE && self.settings.stand_pat == StandPat::TacticalOnly {
            let reading = self.settings.reading;
            moves.retain(|&mv| extends(reading, facts(position, &position.play(mv), mv)));
        }
        self.order(position, &mut moves, place);
        for mv in moves {
            let theirs = window.for_opponent(best.value);
            let (value, line) = self.try_move(position, mv, theirs, place);
            if value > best.value {
                best = Found { value, line };
                best.line.push(mv);
            }
            if best.value >= window.beta {
                self.statistics.cut_offs += 1;
                self.killers[place.ply as usize].remember(mv);
                break;
            }
        }
        best
    }

    /// Nothing, as in the paper; or the right to leave an extended node alone.
    fn before_any_move(&self, position: &Chess, place: Place) -> Found {
        let may_stand = place.extended && self.settings.stand_pat != StandPat::Never;
        // Standing pat is no choice for a king in check.
        let value = if may_stand && position.board().checkers().is_empty() {
            position.evaluate()
        } else {
            -Value::INFINITE
        };
        Found {
            value,
            line: Vec::new(),
        }
    }

    fn order(&mut self, position: &Chess, moves: &mut [Move], place: Place) {
        let refutation = self.following.pop();
        sort(
            position,
            moves,
            refutation,
            &self.killers[place.ply as usize],
        );
        if refutation.is_some_and(|mv| moves.first() != Some(&mv)) {
            self.following.clear();
        }
        if self.settings.quiet_first && place.depth == 1 {
            bring_quiet_move_first(&self.settings, position, moves);
        }
    }

    fn try_move(
        &mut self,
        position: &Chess,
        mv: Move,
        window: Window,
        place: Place,
    ) -> (Value, Vec<Move>) {
        self.statistics.nodes += 1;
        self.statistics.quiescence_nodes += u64::from(place.ply >= self.full_width);
        let next = position.play(mv);
        let facts = facts(position, &next, mv);
        let depth = decrement(&self.settings, place.depth, place.ply, facts);
        let extended = depth == place.depth;
        let found = self.node(
            &next,
            window,
            Place {
                depth,
                ply: place.ply + 1,
                extended,
            },
        );
        // The first line down is the followed one; after it there is nothing left to follow.
        self.following.clear();
        (-found.value, found.line)
    }
}

fn facts(position: &Chess, next: &Chess, mv: Move) -> MoveFacts {
    let check = !next.board().checkers().is_empty();
    let mate = check && next.moves().is_empty();
    MoveFacts {
        noisy: position.is_noisy(mv),
        check,
        mate,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hal::Reading;
    use crate::textbook::alpha_beta::AlphaBeta;
    use crate::textbook::ordering::AsGenerated;
    use crate::textbook::quiescence::Evaluate;

    const MIDDLE: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N1BN2/PP2BPPP/R2Q1RK1 b - - 0 1";

    fn chess(fen: &str) -> Chess {
        Chess::new(fen.parse().unwrap(), 0)
    }

    #[test]
    fn as_printed_it_is_a_plain_search_of_fixed_depth() {
        let position = chess(MIDDLE);
        let settings = Settings {
            reading: Reading::AsPrinted,
            ..Settings::skill(3)
        };
        let answer = think(&position, &settings);
        let mut plain = AlphaBeta {
            order: AsGenerated,
            horizon: Evaluate,
            observer: (),
        };
        let truth = plain.search(&position, Window::FULL, 3);
        assert_eq!(answer.value, truth.value);
        assert_eq!(answer.statistics.quiescence_nodes, 0);
        assert_eq!(answer.line.len(), 3);
    }

    #[test]
    fn the_order_of_moves_changes_the_work_and_never_the_value() {
        for reading in Reading::ALL {
            for stand_pat in [
                StandPat::Never,
                StandPat::WithQuietMoves,
                StandPat::TacticalOnly,
            ] {
                let plain = Settings {
                    reading,
                    stand_pat,
                    ..Settings::skill(2)
                };
                let quiet = Settings {
                    quiet_first: true,
                    ..plain
                };
                let position = chess(MIDDLE);
                let (plain, quiet) = (think(&position, &plain), think(&position, &quiet));
                assert_eq!(plain.value, quiet.value, "{reading:?} {stand_pat:?}");
                assert_ne!(
                    plain.statistics.nodes, quiet.statistics.nodes,
                    "{reading:?}"
                );
            }
        }
    }

    #[test]
    fn a_capture_at_the_last_ply_is_answered_only_where_it_is_extended() {
        // Rxd6 wins a pawn at the horizon and a ply later loses the rook.
        let position = chess("4k3/2p5/3p4/8/8/8/3R4/4K3 w - - 0 1");
        let at_skill_one = |reading| {
            think(
                &position,
                &Settings {
                    reading,
                    ..Settings::skill(1)
                },
            )
        };
        let greedy = at_skill_one(Reading::AsPrinted);
        assert_eq!(greedy.best.unwrap().to_string(), "d2d6");
        let careful = at_skill_one(Reading::AsMeant);
        assert_ne!(careful.best.unwrap().to_string(), "d2d6");
        assert!(careful.statistics.quiescence_nodes > 0);
    }

    #[test]
    fn a_finished_game_has_no_move() {
        let answer = think(
            &chess("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"),
            &Settings::skill(2),
        );
        assert_eq!(answer.best, None);
        assert!(answer.value < Value::ZERO);
    }
}
