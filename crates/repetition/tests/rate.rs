//! How often the filter cries wolf: the share of questions about new positions that it cannot
//! answer, against the formula for uniformly spread keys.

use sextant_repetition::History;

/// splitmix64: keys as well spread as Zobrist keys are.
fn key(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// The probability that none of `n` keys leaves a given counter alone, from one.
fn formula(n: u16, bits: u32) -> f64 {
    1.0 - (1.0 - f64::from(1_u32 << bits).recip()).powi(i32::from(n))
}

/// Asks about `trials` new positions, each above its own line of `n` positions; every key differs,
/// so that every maybe is a false alarm. `ask` gets the history and the new key.
fn measured(n: u16, bits: u32, trials: u32, ask: fn(&mut History, u64, u16) -> bool) -> f64 {
    let mut history = History::new(bits).expect("an allowed size");
    let mut state = u64::from(bits) << 32 | u64::from(n);
    let (mut queries, mut maybes) = (0, 0);
    for _ in 0..trials / 8 {
        let mut line: Vec<_> = (0..n).map(|clock| (key(&mut state), clock)).collect();
        line[0].1 = 0;
        history.set_game(line);
        for _ in 0..8 {
            let new = key(&mut state);
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

/// The rule of thumb that the documentation gives.
#[test]
fn the_rate_is_about_n_over_the_counters() {
    for (n, bits, one_in) in [(50, 14, 330.0), (50, 10, 21.0), (8, 12, 512.0)] {
        let ratio = formula(n, bits) * one_in;
        assert!(
            (0.95..1.05).contains(&ratio),
            "{n} keys, {bits} bits: {ratio}"
        );
    }
}
