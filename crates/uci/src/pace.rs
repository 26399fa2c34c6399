//! A weakened player takes its time. Its search is over in a moment, and nobody likes to lose to
//! one who never stops to think.

use std::{
    thread,
    time::{Duration, Instant},
};

use sextant_config::LevelConfig;
use sextant_search::Limits;

/// The skill level of a player that is not weakened.
const FULL_SKILL: i32 = 20;
/// Moves that the clock should last for.
const MOVES: u32 = 50;
/// The longest time for a move.
const LONGEST: Duration = Duration::from_secs(10);
/// How often the end is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// How long a move should take at least: a share of the clock at a weakened level, else nothing.
pub(crate) fn time(level: &LevelConfig, limits: &Limits) -> Duration {
    let is_weakened = level.limit_strength || level.skill < FULL_SKILL;
    match &limits.clock {
        Some(clock) if is_weakened && !limits.ponder && limits.nodes_per_ms.is_none() => {
            (clock.remaining / MOVES + clock.increment / 2)
                .min(clock.remaining / 4)
                .min(LONGEST)
        }
        _ => Duration::ZERO,
    }
}

/// Waits until then, or until it is over.
pub(crate) fn wait(until: Instant, is_over: impl Fn() -> bool) {
    while !is_over()
        && let Some(left) = until.checked_duration_since(Instant::now())
    {
        thread::sleep(left.min(LOOK_EVERY));
    }
}

#[cfg(test)]
mod tests {
    use sextant_config::Config;
    use sextant_search::ClockLimit;

    use super::*;

    #[test]
    fn only_weak_players_dawdle_and_none_loses_on_time() {
        let clock = |remaining, increment| Limits {
            clock: Some(ClockLimit {
                remaining: Duration::from_millis(remaining),
                increment: Duration::from_millis(increment),
                moves_to_go: None,
            }),
            ..Limits::default()
        };
        let full = Config::default().level;
        let mut weak = full.clone();
        weak.skill = 3;
        let ms = |level, limits: &Limits| time(level, limits).as_millis();
        assert_eq!(ms(&full, &clock(60_000, 0)), 0);
        assert_eq!(ms(&weak, &clock(60_000, 1_000)), 1_700);
        assert_eq!(ms(&weak, &clock(100, 5_000)), 25);
        assert_eq!(ms(&weak, &clock(u64::MAX, 0)), 10_000);
        assert_eq!(ms(&weak, &Limits::default()), 0);
    }
}
