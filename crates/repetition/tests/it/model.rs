//! Filter and scan together answer exactly what a plain scan answers: no misses, no false
//! positives, whatever the size of the filter and whatever the line went through.

use proptest::prelude::*;
use sextant_repetition::{FILTER_BITS, History};

use crate::naive::{Action, Script, Shape, Step, compare, shuffle};

fn history(bits: u32) -> History {
    History::new(bits).expect("an allowed size")
}

/// Arbitrary walks over a handful of keys that crowd into few counters.
fn script() -> impl Strategy<Value = Script> {
    let key = || (0_u64..7).prop_map(|key| (key / 2) | (key << 40));
    let game_step = prop_oneof![12 => Just(Step::Reversible), 1 => Just(Step::Irreversible)];
    let step = prop_oneof![
        12 => Just(Step::Reversible),
        1 => Just(Step::Irreversible),
        1 => Just(Step::Null),
    ];
    let action = prop_oneof![
        3 => (step, key()).prop_map(|(step, key)| Action::Enter(step, key)),
        1 => Just(Action::Leave),
    ];
    (
        0_u16..100,
        prop::collection::vec((game_step, key()), 0..30),
        prop::collection::vec(action, 0..120),
        prop::collection::vec(key(), 0..5),
    )
        .prop_map(|(first_clock, game, actions, candidates)| Script {
            first_clock,
            game,
            actions,
            candidates,
        })
}

fn shape() -> impl Strategy<Value = Shape> {
    let moves = (2_usize..9, 0_usize..40, 0_usize..40, 0_usize..6);
    (any::<u64>(), 1_usize..200, moves, any::<bool>()).prop_map(
        |(seed, game_plies, (squares, irreversible_every, null_every, leaves), one_slot)| Shape {
            seed,
            game_plies,
            actions: 300,
            squares,
            irreversible_every,
            null_every,
            one_slot,
            leaves_of_ten: leaves,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_walks_equal_the_plain_scan(bits in FILTER_BITS, script in script()) {
        prop_assert_eq!(compare(&mut history(bits), &script), Ok(()));
    }

    #[test]
    fn shuffles_equal_the_plain_scan(bits in FILTER_BITS, shape in shape()) {
        prop_assert_eq!(compare(&mut history(bits), &shuffle(shape)), Ok(()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn games_of_thousands_of_plies_equal_the_plain_scan(
        bits in FILTER_BITS,
        shape in shape(),
        game_plies in 1_000_usize..=6_000,
        shuffles_throughout in any::<bool>(),
    ) {
        let irreversible_every = if shuffles_throughout { 0 } else { 500 };
        let shape = Shape { game_plies, irreversible_every, ..shape };
        prop_assert_eq!(compare(&mut history(bits), &shuffle(shape)), Ok(()));
    }
}

/// One history for many games: what one game leaves behind must not reach the next.
#[test]
fn one_history_serves_many_games() {
    let mut history = history(4);
    for seed in 0..200 {
        let shape = Shape {
            seed,
            game_plies: 1 + (seed as usize * 7) % 90,
            actions: 80,
            squares: 3,
            irreversible_every: 20,
            null_every: 15,
            one_slot: seed % 3 == 0,
            ..Shape::default()
        };
        let agrees = compare(&mut history, &shuffle(shape));
        assert_eq!(agrees, Ok(()), "seed {seed}");
    }
}

/// More keys on one counter than a byte can hold, in the game, in the line, and down again.
#[test]
fn saturated_counters_still_miss_nothing() {
    for bits in [2, 9, 16] {
        for game_plies in [1, 255, 256, 300, 6_000] {
            let shape = Shape {
                seed: game_plies as u64,
                game_plies,
                squares: 8,
                one_slot: true,
                leaves_of_ten: 1,
                ..Shape::default()
            };
            let mut script = shuffle(shape);
            script.actions.extend([Action::Leave; 400]);
            script.actions.extend(shuffle(shape).actions);
            let agrees = compare(&mut history(bits), &script);
            assert_eq!(agrees, Ok(()), "{bits} bits, {game_plies}");
        }
    }
}

/// The scripts would prove nothing if repetitions, near misses and false alarms were rare in them.
#[test]
fn the_scripts_reach_what_they_are_about() {
    let shape = Shape {
        seed: 7,
        game_plies: 150,
        actions: 2_000,
        squares: 5,
        irreversible_every: 40,
        null_every: 30,
        ..Shape::default()
    };
    let mut history = history(5);
    assert_eq!(compare(&mut history, &shuffle(shape)), Ok(()));
    let alarms = history.alarms();
    assert!(alarms.hits > 500, "{alarms:?}");
    assert!(alarms.maybes > alarms.hits + 500, "{alarms:?}");
    assert!(alarms.queries > alarms.maybes + 500, "{alarms:?}");
}
