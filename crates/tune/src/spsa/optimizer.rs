//! Simultaneous perturbation stochastic approximation (Spall 1992): all parameters are moved at
//! once, each up or down at random; two players with the two opposite moves meet; every parameter
//! follows the winner. The gain sequences (Spall 1998) have the constants that OpenBench gives
//! them, so that a run here and a run there mean the same.
//!
//! It knows nothing of chess: a probe goes out, a result comes back.

use serde::{Deserialize, Serialize};
use sextant_board::Random;

use crate::args::rate;

/// Keeps the draws of the probes apart from those of the openings.
const PROBING: u64 = 0x5370_7361_5072_6f62;
/// Exponent by which the steps shrink.
const ALPHA: f64 = 0.602;
/// Exponent by which the perturbations shrink.
const GAMMA: f64 = 0.101;
/// Share of the run by which the step sequence is delayed, so that its first steps are no jumps.
const A_RATIO: f64 = 0.1;
/// A smaller perturbation of an integer could round to nothing.
const LEAST_PERTURBATION: f64 = 0.5;

/// How far a run looks and steps.
#[derive(clap::Args, Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Gains {
    /// Steps of the run.
    #[arg(long, value_name = "N", default_value_t = 1_250)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(super) iterations: u64,
    /// Learning rate at the end of the run, as OpenBench's R_end.
    // The last step for one point of results, in squared last perturbations.
    #[arg(long, value_name = "RATE", default_value = "0.002", value_parser = rate())]
    pub(super) r_end: f64,
}

impl Gains {
    /// For iteration `index`, counted from 0, and a parameter whose last perturbation is `c_end`:
    /// how far both probes lie from the value, and how far it moves for one point of results.
    fn at(&self, index: u64, c_end: i32) -> (f64, f64) {
        let (planned, k, c_end) = (self.iterations as f64, (index + 1) as f64, f64::from(c_end));
        let c0 = c_end * planned.powf(GAMMA);
        let a0 = self.r_end * c_end.powi(2) * (A_RATIO * planned + planned).powf(ALPHA);
        let perturbation = (c0 / k.powf(GAMMA)).max(LEAST_PERTURBATION);
        let a = a0 / (A_RATIO * planned + k).powf(ALPHA);
        (perturbation, a / perturbation)
    }
}

/// A parameter on its way.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Tuned {
    /// Its key, with the game phase where there is one.
    pub(super) key: String,
    /// Smallest value allowed; all values are in stored units.
    pub(super) min: i32,
    pub(super) max: i32,
    /// Perturbation at the end of the run.
    pub(super) c_end: i32,
    pub(super) start: i32,
    pub(super) value: f64,
}

impl Tuned {
    /// Whether its numbers can be had together.
    pub(super) fn check(&self) -> Result<(), String> {
        let allowed = f64::from(self.min)..=f64::from(self.max);
        let is_within = |value| allowed.contains(&value);
        if self.c_end > 0 && is_within(f64::from(self.start)) && is_within(self.value) {
            return Ok(());
        }
        let Tuned { key, value, .. } = self;
        Err(format!("the numbers of {key}, which is at {value}"))
    }

    /// The value that a config can have.
    pub(super) fn rounded(&self) -> i32 {
        self.clamped(self.value.round())
    }

    /// How far a value lies from the start, in perturbations at the end of the run.
    pub(super) fn steps(&self, value: f64) -> f64 {
        (value - f64::from(self.start)) / f64::from(self.c_end)
    }

    fn clamped(&self, value: f64) -> i32 {
        // A float beyond the range of the integers saturates.
        (value as i32).clamp(self.min, self.max)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Probe {
    /// Each parameter's direction in the first player, 1 or -1.
    directions: Vec<f64>,
    /// Values of the first player.
    pub(super) plus: Vec<i32>,
    /// Values of the second player.
    pub(super) minus: Vec<i32>,
}

/// The probe of iteration `index` (from 0): seed, number and values alone decide it.
///
/// Values between two integers are rounded up or down at random, for both players alike, so that
/// they play with the right value on average and never with the same.
pub(super) fn probe(tuned: &[Tuned], gains: &Gains, seed: u64, index: u64) -> Probe {
    let mut random = Random::of_item(seed ^ PROBING, index);
    let mut probe = Probe {
        directions: Vec::new(),
        plus: Vec::new(),
        minus: Vec::new(),
    };
    for one in tuned {
        let direction = if random.below(2) == 0 { 1.0 } else { -1.0 };
        let (perturbation, _) = gains.at(index, one.c_end);
        let far = direction * perturbation;
        let fraction = (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let rounded = |value: f64| one.clamped((value + fraction).floor());
        probe.directions.push(direction);
        probe.plus.push(rounded(one.value + far));
        probe.minus.push(rounded(one.value - far));
    }
    probe
}

/// Moves every value towards the winner of iteration `index`. `result` is what the first player of
/// the probe won more games than it lost.
pub(super) fn learn(tuned: &mut [Tuned], gains: &Gains, index: u64, probe: &Probe, result: f64) {
    for (one, direction) in tuned.iter_mut().zip(&probe.directions) {
        let (_, step) = gains.at(index, one.c_end);
        let moved = one.value + direction * step * result;
        one.value = moved.clamp(f64::from(one.min), f64::from(one.max));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAINS: Gains = Gains {
        iterations: 1000,
        r_end: 0.002,
    };

    fn tuned(start: i32, c_end: i32) -> Tuned {
        Tuned {
            key: String::new(),
            min: -500,
            max: 500,
            c_end,
            start,
            value: f64::from(start),
        }
    }

    #[test]
    fn a_run_ends_with_what_was_declared() {
        let (first, last) = (GAINS.at(0, 20), GAINS.at(999, 20));
        // 1000^0.101, and (1100 / 101)^0.602 / 1000^0.101.
        for (found, expected) in [
            (last.0, 20.0),
            (last.1, 0.002 * 20.0),
            (first.0, 20.0 * 2.009_093),
            (first.1, 0.002 * 20.0 * 2.095_641),
            // An integer is always moved.
            (GAINS.at(999, 0).0, 0.5),
        ] {
            assert!((found / expected - 1.0).abs() < 1e-5, "{found} {expected}");
        }
    }

    /// Elo below the best: a bowl with its bottom at 60, -30, 200 and 8, whose parameters differ in
    /// scale.
    fn loss(values: &[i32]) -> f64 {
        let bowl = [(60.0, 8.0), (-30.0, 8.0), (200.0, 40.0), (8.0, 2.0)];
        let terms = values.iter().zip(bowl);
        terms
            .map(|(value, (best, scale))| ((f64::from(*value) - best) / scale).powi(2))
            .sum()
    }

    /// Wins less losses of sixteen games, of which half are drawn whatever the players.
    fn play(probe: &Probe, random: &mut Random) -> f64 {
        let lead = loss(&probe.minus) - loss(&probe.plus);
        let win = 1.0 / (1.0 + 10_f64.powf(-lead / 400.0)) - 0.25;
        let game = |_| match random.next_u64() as f64 / 2_f64.powi(64) {
            drawn if drawn < win => 1.0,
            drawn if drawn < win + 0.5 => 0.0,
            _ => -1.0,
        };
        (0..16).map(game).sum()
    }

    #[test]
    fn a_noisy_bowl_is_descended() {
        let starts = [(20, 8), (0, 8), (0, 40), (0, 2)];
        for seed in 0..5 {
            let mut values = starts.map(|(start, c_end)| tuned(start, c_end));
            let at = |values: &[Tuned; 4]| loss(&values.each_ref().map(Tuned::rounded));
            let before = at(&values);
            let gains = Gains {
                iterations: 2000,
                r_end: 0.01,
            };
            let mut random = Random::new(seed);
            for index in 0..gains.iterations {
                let probe = probe(&values, &gains, seed, index);
                let result = play(&probe, &mut random);
                learn(&mut values, &gains, index, &probe, result);
            }
            let after = at(&values);
            assert!(before > 80.0 && after < 4.0, "{seed}: {before} {after}");
        }
    }

    #[test]
    fn a_probe_depends_on_seed_and_number_alone() {
        let values: Vec<_> = (0..40).map(|start| tuned(start, 4)).collect();
        let at = |seed, index| probe(&values, &GAINS, seed, index);
        assert_eq!(at(1, 7), at(1, 7));
        assert_ne!(at(1, 7), at(1, 8));
        assert_ne!(at(1, 7), at(2, 7));
        let probe = at(3, 3);
        let ups = probe.directions.iter().filter(|d| **d > 0.0).count();
        assert!((8..=32).contains(&ups), "{ups}");
        assert!(probe.plus.iter().zip(&probe.minus).all(|(p, m)| p != m));
    }

    #[test]
    fn rounding_is_right_on_average_and_values_stay_in_range() {
        let mut one = tuned(10, 1);
        one.value = 10.3;
        let both = (0..1000).map(|index| {
            let probe = probe(std::slice::from_ref(&one), &GAINS, 1, index);
            f64::from(probe.plus[0] + probe.minus[0])
        });
        let mean = both.sum::<f64>() / 2000.0;
        assert!((mean - 10.3).abs() < 0.05, "{mean}");

        let mut values = [tuned(499, 20)];
        for index in 0..50 {
            let mut probe = probe(&values, &GAINS, 1, index);
            assert!(probe.plus[0].max(probe.minus[0]) <= 500);
            probe.directions = vec![1.0];
            learn(&mut values, &GAINS, index, &probe, 100.0);
        }
        assert_eq!((values[0].value, values[0].rounded()), (500.0, 500));
    }
}
