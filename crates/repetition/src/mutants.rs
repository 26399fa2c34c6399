//! Filters that are wrong on purpose: the comparison with the plain scan must catch each of them.

use crate::History;

#[path = "../tests/it/naive.rs"]
mod naive;

use naive::{Action, Shape, compare, shuffle};

/// What a broken filter does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing: the filter that ships.
    None,
    /// One key in eight is never counted on entering.
    DropsRaises,
    /// A counter at its cap runs over to zero.
    WrapsOver,
    /// A counter that reached its cap is lowered again, although it has lost count.
    ForgetsStuck,
    /// Leaving empties the counter, as if nobody shared it.
    LowersAll,
}

impl Fault {
    /// What a faulty filter makes of a counter on entering; `None` for the right thing.
    pub(crate) fn raised(self, count: u8, key: u64) -> Option<u8> {
        match self {
            Fault::DropsRaises if (key >> 32).is_multiple_of(8) => Some(count),
            Fault::WrapsOver => Some(count.wrapping_add(1)),
            _ => None,
        }
    }

    /// The same on leaving.
    pub(crate) fn lowered(self, count: u8) -> Option<u8> {
        match self {
            Fault::DropsRaises | Fault::ForgetsStuck => Some(count.saturating_sub(1)),
            Fault::WrapsOver => Some(count.wrapping_sub(1)),
            Fault::LowersAll => Some(0),
            Fault::None => None,
        }
    }
}

/// How many of 60 scripts tell this filter from a right one.
fn caught(fault: Fault) -> usize {
    let script = |seed: u64| {
        let shape = Shape {
            seed,
            one_slot: !seed.is_multiple_of(2),
            leaves_of_ten: if seed.is_multiple_of(2) { 4 } else { 1 },
            ..Shape::default()
        };
        let mut script = shuffle(shape);
        // Past the cap of the one counter that takes every second script's keys, and back down.
        script.actions.extend([Action::Leave; 400]);
        script
    };
    let differs = |seed: u64| {
        let mut history = History::new(10).expect("an allowed size");
        history.break_filter(fault);
        compare(&mut history, &script(seed)).is_err()
    };
    (0..60).filter(|&seed| differs(seed)).count()
}

#[test]
fn the_shipped_filter_passes() {
    assert_eq!(caught(Fault::None), 0);
}

#[test]
fn every_mutant_is_caught() {
    for fault in [
        Fault::DropsRaises,
        Fault::WrapsOver,
        Fault::ForgetsStuck,
        Fault::LowersAll,
    ] {
        let caught = caught(fault);
        assert!(caught > 0, "{fault:?} went unnoticed");
        println!("{fault:?}: caught by {caught} of 60 scripts");
    }
}
