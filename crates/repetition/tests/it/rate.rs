//! How often the filter raises a false alarm: the share of questions about new positions that it
//! cannot answer, against the formula for uniformly spread keys.

use sextant_board::Random;
use sextant_repetition::History;

/// The probability that one of `n` keys shares a given counter.
fn formula(n: u16, bits: u32) -> f64 {
    1.0 - (1.0 - f64::from(1_u32 << bits).recip()).powi(i32::from(n))
}

/// Asks about `trials` new positions, each above its own line of `n` positions; every key differs,
/// so that every maybe is a false alarm. `ask` gets the history and the new key.
fn measured(n: u16, bits: u32, trials: u32, ask: fn(&mut History, u64, u16) -> bool) -> f64 {
    let mut history = History::new(bits).expect("an allowed size");
    let mut random = Random::new(u64::from(bits) << 32 | u64::from(n));
    let (mut queries, mut maybes) = (0, 0);
    for _ in 0..trials / 8 {
        history.set_game((0..n).map(|clock| (random.next_u64(), clock)));
        for _ in 0..8 {
            let new = random.next_u64();
            assert!(!ask(&mut history, new, n), "a key that never occurred");
        }
        let alarms = history.alarms();
        assert_eq!(alarms.hits, 0);
        queries += alarms.queries;
        maybes += alarms.maybes;
    }
    assert_eq!(queries, u64::from(trials / 8 * 8));
    maybes as f64 / queries as f64
}

fn follows_the_formula(ask: fn(&mut History, u64, u16) -> bool) {
    let trials = 16_000;
    for bits in [4, 6, 8, 10, 12] {
        for n in [8, 20, 50, 100] {
            let expected = formula(n, bits);
            let found = measured(n, bits, trials, ask);
            // Eight questions share a line, which makes them a little less than independent.
            let deviation = (expected * (1.0 - expected) / f64::from(trials)).sqrt();
            assert!(
                (found - expected).abs() < 5.0 * deviation,
                "{n} keys, {bits} bits: measured {found:.5}, formula {expected:.5}"
            );
        }
    }
}

#[test]
fn a_node_asks_about_itself() {
    follows_the_formula(|history, key, clock| {
        history.enter(key, clock);
        let answer = history.is_repetition();
        history.leave();
        answer
    });
}

#[test]
fn a_node_asks_about_a_child() {
    follows_the_formula(|history, key, _| history.would_repeat(key));
}
