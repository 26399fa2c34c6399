//! Time: how much a move may take, and when to stop.

use std::time::Duration;

use sextant_board::{Move, Score};
use sextant_config::TimeConfig;
use web_time::Instant;

use crate::limits::{ClockLimit, Limits, nodes_as_time};

/// Moves that the rest of a game is expected to take when no time control is ahead.
const MOVES_AHEAD: u32 = 24;
/// From the move of this number on a plan is whole.
const WHOLE_FROM: u16 = 21;
/// The longest that a move may take, in multiples of its plan.
const LONGEST: u32 = 5;
/// Stays on the clock beside the overhead, but never more than half of the clock: a busy machine
/// may stand still for some 50 ms, and at 100+5 ms that would lose games.
const RESERVE: Duration = Duration::from_millis(50);

/// The score is compared with the best of this many iterations before.
const DROP_AGAINST: usize = 3;
/// A score that fell by more centipawns than this asks for no more time.
const LARGEST_DROP: i32 = 60;
/// Per cent of the plan for a best move that has just changed, what each stable iteration takes
/// from it, and how many do.
const UNSTABLE_PERCENT: u32 = 130;
const STABLE_PERCENT: u32 = 8;
const STABLE_FOR: u32 = 8;
/// Per mille of the plan for a best move that took no nodes; its share of the nodes is subtracted.
const NODE_SHARE_PERMILLE: u64 = 1750;
/// Per cent: the predicted time is divided by 2.5, since an iteration has usually found its move by
/// then.
const PREDICTED_PERCENT: u32 = 250;

/// The time plan of one search.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    /// No new iteration after it, before the factors of [`Clock::soft_limit_reached`].
    soft: Option<Duration>,
    /// The search is cut off here.
    hard: Option<Duration>,
    nodes_per_ms: Option<u64>,
    config: TimeConfig,
}

/// The moves, scores and times of the iterations so far, for the clock.
#[derive(Debug, Default)]
pub(crate) struct IterationHistory {
    /// Time at the end of each iteration.
    ends: Vec<Duration>,
    scores: Vec<Score>,
    best: Option<Move>,
    /// Iterations in a row with the same best move.
    stable_for: u32,
    /// Centipawns that the score lost against the last iterations.
    drop: i32,
    /// Per mille of the nodes that the best move took.
    node_share: u64,
}

impl IterationHistory {
    /// An iteration ended after `elapsed` with this best move, its score and its share of the
    /// nodes.
    pub(crate) fn note(&mut self, best: Move, score: Score, node_share: u64, elapsed: Duration) {
        let stable = self.best.replace(best) == Some(best);
        self.stable_for = if stable { self.stable_for + 1 } else { 0 };
        let before = self.scores.iter().rev().take(DROP_AGAINST).max();
        self.drop = before.map_or(0, |&before| before - score);
        self.node_share = node_share;
        self.scores.push(score);
        self.ends.push(elapsed);
    }

    /// The score of the last iteration but one, which searched as deep as the next by parity.
    pub(crate) fn score_of_same_parity(&self) -> Option<Score> {
        Some(self.scores[self.scores.len().checked_sub(2)?])
    }

    /// How much longer than the last iteration the next will take, in per cent, and what the last
    /// took: the growth is that of the last step of the same parity (odd to even grows less than
    /// even to odd). `None` after too few.
    fn prediction(&self) -> Option<(u32, Duration)> {
        let n = self.ends.len();
        if n < 5 {
            return None;
        }
        let took = |i: usize| self.ends[i].saturating_sub(self.ends[i - 1]);
        let micros = |i: usize| took(i).as_micros().max(1);
        let growth = (micros(n - 2) * 100 / micros(n - 3)).clamp(100, 1000) as u32;
        Some((growth, took(n - 1)))
    }
}

impl Clock {
    /// The plan for `limits` at the move of this number, keeping `overhead` back.
    pub(crate) fn new(
        limits: &Limits,
        config: &TimeConfig,
        overhead: Duration,
        move_number: u16,
    ) -> Clock {
        let (soft, hard) = limits
            .clock
            .map(|clock| plan(clock, config, overhead, move_number))
            .unzip();
        let fixed = limits.movetime.map(|time| {
            let least = time.min(Duration::from_millis(1));
            time.saturating_sub(overhead).max(least)
        });
        Clock {
            soft,
            hard: hard.into_iter().chain(fixed).min(),
            nodes_per_ms: limits.nodes_per_ms,
            config: config.clone(),
        }
    }

    /// Time since `start`, or `nodes` turned into time.
    pub(crate) fn elapsed(&self, start: Instant, nodes: impl FnOnce() -> u64) -> Duration {
        match self.nodes_per_ms {
            Some(rate) => nodes_as_time(nodes(), rate),
            None => start.elapsed(),
        }
    }

    /// Does the search ever end by time?
    pub(crate) fn is_running(&self) -> bool {
        self.hard.is_some()
    }

    pub(crate) fn hard_limit_reached(&self, elapsed: Duration) -> bool {
        self.hard.is_some_and(|hard| elapsed >= hard)
    }

    /// How long until the search must be cut off, if it ends by time and not by nodes in its place.
    pub(crate) fn left(&self, elapsed: Duration) -> Option<Duration> {
        let hard = self.hard.filter(|_| self.nodes_per_ms.is_none());
        hard.map(|hard| hard.saturating_sub(elapsed))
    }

    /// Does `extra` end before the hard limit?
    pub(crate) fn allows(&self, elapsed: Duration, extra: Duration) -> bool {
        !self.hard_limit_reached(elapsed + extra)
    }

    /// Is it too late to begin another iteration?
    pub(crate) fn soft_limit_reached(&self, elapsed: Duration, past: &IterationHistory) -> bool {
        let Some((soft, hard)) = self.soft.zip(self.hard) else {
            return false;
        };
        let stable_for = past.stable_for.min(STABLE_FOR);
        let stability = UNSTABLE_PERCENT - STABLE_PERCENT * stable_for;
        let drop = 100 + past.drop.clamp(0, LARGEST_DROP) as u64;
        let mut permille = 1000_u64;
        if self.config.stability {
            permille = permille * u64::from(stability) / 100;
        }
        if self.config.score_drop {
            permille = permille * drop / 100;
        }
        if self.config.node_share {
            permille = permille * (NODE_SHARE_PERMILLE - past.node_share) / 1000;
        }
        let soft = soft.mul_f64(permille as f64 / 1000.0);
        if elapsed >= soft.min(hard) {
            return true;
        }
        // An iteration that would be cut off before it says anything is not begun.
        past.prediction()
            .filter(|_| self.config.parity_prediction)
            .is_some_and(|(percent, last)| elapsed + last * percent / PREDICTED_PERCENT > hard)
    }
}

/// Per cent of the plan for the move of this number: less at first, while the game's many moves to
/// come may still ask for more.
fn share_of_plan(config: &TimeConfig, move_number: u16) -> u32 {
    let first = config.first_move_percent.clamp(0, 100) as u32;
    let played = u32::from(move_number.clamp(1, WHOLE_FROM) - 1);
    first + (100 - first) * played / u32::from(WHOLE_FROM - 1)
}

/// When no new iteration begins, and when the search is cut off.
fn plan(
    clock: ClockLimit,
    config: &TimeConfig,
    overhead: Duration,
    move_number: u16,
) -> (Duration, Duration) {
    let least = Duration::from_millis(1);
    let kept = overhead + RESERVE.min(clock.remaining / 2);
    let available = clock.remaining.saturating_sub(kept).max(least);
    let percent = |time: Duration, percent: i32| time * percent.max(0) as u32 / 100;
    let moves = clock.moves_to_go.unwrap_or(MOVES_AHEAD);
    let share = available / moves.clamp(1, MOVES_AHEAD);
    let share = share + percent(clock.increment, config.increment_percent);
    let most = match clock.moves_to_go {
        Some(1) => percent(available, 90),
        _ => percent(available, config.max_percent),
    };
    let soft = percent(share, config.base_percent).min(most).max(least);
    let longest = (soft * LONGEST).min(most).max(least);
    match clock.moves_to_go {
        Some(_) => (soft, longest),
        None => (soft * share_of_plan(config, move_number) / 100, longest),
    }
}

#[cfg(test)]
mod tests {
    use sextant_board::Position;

    use super::*;

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Clock {
        let limits = Limits {
            clock: Some(ClockLimit {
                remaining: Duration::from_millis(remaining),
                increment: Duration::from_millis(increment),
                moves_to_go,
            }),
            ..Limits::default()
        };
        Clock::new(
            &limits,
            &sextant_config::Config::default().time,
            Duration::from_millis(10),
            WHOLE_FROM,
        )
    }

    #[test]
    fn a_move_never_takes_all_of_the_clock() {
        for remaining in [0, 1, 5, 11, 50, 100, 1_000, 60_000] {
            for increment in [0, 20, 1_000, 60_000] {
                for moves in [None, Some(1), Some(2), Some(40)] {
                    let clock = clock(remaining, increment, moves);
                    let limit = Duration::from_millis(remaining.saturating_sub(10).max(1));
                    assert!(
                        clock.hard_limit_reached(limit),
                        "{remaining}+{increment} {moves:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_low_clock_keeps_a_reserve() {
        for (remaining, kept) in [(60, 40), (100, 60), (1_000, 60)] {
            let clock = clock(remaining, 5, Some(1));
            let limit = Duration::from_millis(remaining - kept);
            assert!(clock.hard_limit_reached(limit), "{remaining}");
        }
    }

    #[test]
    fn plans_grow_until_they_are_whole() {
        let config = TimeConfig {
            first_move_percent: 60,
            ..sextant_config::Config::default().time
        };
        let shares = [0, 1, 6, 11, 20, 21, 300].map(|number| share_of_plan(&config, number));
        assert_eq!(shares, [60, 60, 70, 80, 98, 100, 100]);
        let planned = |move_number, moves_to_go| {
            let clock = ClockLimit {
                remaining: Duration::from_secs(60),
                increment: Duration::ZERO,
                moves_to_go,
            };
            plan(clock, &config, Duration::ZERO, move_number)
        };
        let ((first, longest), whole) = (planned(1, None), planned(WHOLE_FROM, None));
        assert_eq!((first, longest), (whole.0 * 60 / 100, whole.1));
        assert_eq!(planned(1, Some(40)), planned(WHOLE_FROM, Some(40)));
    }

    #[test]
    fn a_stable_best_move_ends_earlier() {
        let clock = clock(24_010, 0, None);
        let (mut stable, mut shaky) = Default::default();
        let moves = sextant_board::MoveSets::generate(&Position::startpos());
        for (number, mv) in moves.iter().take(9).enumerate() {
            let first = moves.iter().next().unwrap();
            let at = Duration::from_millis(number as u64);
            IterationHistory::note(&mut stable, first, Score::DRAW, 950, at);
            let falling = Score::new(-30 * number as i32);
            IterationHistory::note(&mut shaky, mv, falling, 300, at);
        }
        let at = Duration::from_millis(800);
        assert!(clock.soft_limit_reached(at, &stable) && !clock.soft_limit_reached(at, &shaky));
    }
}
