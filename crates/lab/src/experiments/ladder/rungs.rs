//! The rungs: the program of 1989, and what was added to it one at a time.

use sextant_config::{CouplingRule, Preset};

use crate::experiments::prelude::*;

/// One program, as what it adds to the rung below.
pub(super) struct Rung {
    pub(super) words: &'static str,
    adds: &'static str,
    /// What `sextant-tune fit` learned from searches of this very rung (`scripts/ladder-prices`).
    prices: &'static str,
}

macro_rules! rungs {
    ($($words:literal: $name:literal),+ $(,)?) => {
        [$(Rung {
            words: $words,
            adds: include_str!(concat!("../../../ladder/", $name, ".toml")),
            prices: include_str!(concat!("../../../ladder/prices/", $name, ".toml")),
        }),+]
    };
}

pub(super) const RUNGS: [Rung; 7] = rungs![
    "the program of 1989": "1-program-of-1989",
    "null move": "2-null-move",
    "late-move reductions": "3-reductions",
    "pruning at low depth": "4-pruning",
    "singular extensions": "5-singular",
    "the network": "6-network",
    "verified prices": "7-verified-prices",
];

/// The place of the network.
const NETWORK: usize = 5;

/// A rung with the prices that it plays by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// Its place in [`RUNGS`].
    pub(super) rung: usize,
    /// With the prices that were set by hand for the first rung.
    pub(super) by_hand: bool,
}

impl Step {
    /// The first rung by hand, then all of them with learned prices.
    pub(super) fn all() -> Vec<Step> {
        let learned = (0..RUNGS.len()).map(|rung| Step {
            rung,
            by_hand: false,
        });
        let by_hand = Step {
            rung: 0,
            by_hand: true,
        };
        [by_hand].into_iter().chain(learned).collect()
    }

    pub(super) fn words(self) -> String {
        let (plus, words) = (
            if self.rung > 0 { "+ " } else { "" },
            RUNGS[self.rung].words,
        );
        let prices = if self.by_hand { ", prices by hand" } else { "" };
        format!("{plus}{words}{prices}")
    }

    /// The program with one budget, its prices not yet scaled.
    pub(super) fn config(self) -> Result<Config, Failure> {
        let mut config = rung(self.rung).expect("a rung")?;
        if !self.by_hand {
            config = overlaid(&config, RUNGS[self.rung].prices);
        }
        Ok(config)
    }
}

/// A rung with the prices of 1989: what its own prices are learned with. `None` above the last.
pub(crate) fn rung(place: usize) -> Option<Result<Config, Failure>> {
    let later = RUNGS.get(1..=place)?.iter();
    let first = Config::from_toml_str(RUNGS[0].adds, "the first rung").map_err(Failure::work);
    Some(first.map(|first| later.fold(first, |config, rung| overlaid(&config, rung.adds))))
}

/// How many rungs there are.
pub(crate) const COUNT: usize = RUNGS.len();

/// The rung with the network, and the prices that were learned for it.
pub(crate) fn learned() -> Result<Config, Failure> {
    Step {
        rung: NETWORK,
        by_hand: false,
    }
    .config()
}

fn overlaid(config: &Config, text: &'static str) -> Config {
    let name = "a rung";
    config.overlaid(&Preset { name, text })
}

/// How many budgets, and what an imbalance does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arm {
    One,
    /// The line goes on while either is positive.
    Two,
    /// The control: it ends as soon as either is spent.
    Control,
}

impl Arm {
    pub(super) const ALL: [Arm; 3] = [Arm::One, Arm::Two, Arm::Control];

    pub(super) fn words(self) -> &'static str {
        match self {
            Arm::One => "one budget",
            Arm::Two => "two budgets",
            Arm::Control => "two budgets, until either is spent",
        }
    }

    pub(super) fn of(self, config: &Config) -> Config {
        let mut config = config.clone();
        config.extensions.coupling_rule = CouplingRule::Paper;
        config.extensions.coupling = match self {
            Arm::One => 0,
            Arm::Two => 64,
            Arm::Control => -64,
        };
        config
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rung_adds_something_and_its_prices_are_its_own() {
        let configs = (0..RUNGS.len()).map(|place| rung(place).unwrap().unwrap());
        let configs: Vec<Config> = configs.collect();
        for (place, pair) in configs.windows(2).enumerate() {
            assert!(
                pair[0].hash() != pair[1].hash(),
                "{}",
                RUNGS[place + 1].words
            );
        }
        for Rung {
            words,
            adds,
            prices,
        } in &RUNGS
        {
            for text in [adds, prices] {
                Config::from_toml_str(text, words).unwrap();
            }
        }
        for step in Step::all() {
            let config = step.config().unwrap();
            let same = config.extensions == rung(step.rung).unwrap().unwrap().extensions;
            assert_eq!(same, step.by_hand, "{}", step.words());
        }
    }
}
