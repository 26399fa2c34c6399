//! Simultaneous perturbation stochastic approximation (Spall 1992): all parameters are moved at
//! once, each up or down at random; two players with the two opposite moves meet; every parameter
//! follows the winner.
//!
//! It knows nothing of chess: a probe goes out, a result comes back.

use serde::{Deserialize, Serialize};
use sextant_board::Random;

use super::gains::Gains;

/// Keeps the draws of the probes apart from those of the openings.
const PROBING: u64 = 0x5370_7361_5072_6f62;

/// A parameter on its way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// The value that a config can have.
    pub(super) fn rounded(&self) -> i32 {
        self.clamped(self.value.round())
    }

    /// How far it has come, in perturbations at the end of the run.
    pub(super) fn steps(&self) -> f64 {
        (self.value - f64::from(self.start)) / f64::from(self.c_end)
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
        let far = direction * gains.at(index, f64::from(one.c_end)).perturbation;
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
        let step = gains.at(index, f64::from(one.c_end)).step;
        let moved = one.value + direction * step * result;
        one.value = moved.clamp(f64::from(one.min), f64::from(one.max));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    /// Wins less losses of `games` games between two players, each `loss` Elo below the best.
    fn play(games: u32, losses: [f64; 2], random: &mut Random) -> f64 {
        let lead = losses[1] - losses[0];
        let score = 1.0 / (1.0 + 10_f64.powf(-lead / 400.0));
        // Half of the games are drawn whatever the players.
        let win = score - 0.25;
        (0..games)
            .map(|_| {
                let draw = random.next_u64() as f64 / 2_f64.powi(64);
                match draw {
                    draw if draw < win => 1.0,
                    draw if draw < win + 0.5 => 0.0,
                    _ => -1.0,
                }
            })
            .sum()
    }

    /// Elo below the best: a bowl with its bottom at `best`, whose parameters differ in scale.
    fn loss(values: &[i32], best: &[f64], scale: &[f64]) -> f64 {
        let terms = values.iter().zip(best).zip(scale);
        terms
            .map(|((value, best), scale)| ((f64::from(*value) - best) / scale).powi(2))
            .sum()
    }

    #[test]
    fn a_noisy_bowl_is_descended() {
        let (best, scale) = ([60.0, -30.0, 200.0, 8.0], [8.0, 8.0, 40.0, 2.0]);
        let starts = [(20, 8), (0, 8), (0, 40), (0, 2)];
        for seed in 0..5 {
            let mut values: Vec<_> = starts.map(|(start, c_end)| tuned(start, c_end)).into();
            let gains = Gains {
                iterations: 2000,
                r_end: 0.01,
            };
            let mut random = Random::new(seed);
            for index in 0..gains.iterations {
                let probe = probe(&values, &gains, seed, index);
                let losses = [&probe.plus, &probe.minus].map(|v| loss(v, &best, &scale));
                let result = play(16, losses, &mut random);
                learn(&mut values, &gains, index, &probe, result);
            }
            let at = |values: &[Tuned]| {
                let rounded: Vec<_> = values.iter().map(Tuned::rounded).collect();
                loss(&rounded, &best, &scale)
            };
            let before = at(&starts.map(|(start, c_end)| tuned(start, c_end)));
            let after = at(&values);
            assert!(
                before > 80.0 && after < 4.0,
                "seed {seed}: {before} Elo below, then {after}"
            );
        }
    }

    #[test]
    fn a_probe_depends_on_seed_and_number_alone() {
        let gains = Gains {
            iterations: 100,
            r_end: 0.002,
        };
        let values: Vec<_> = (0..40).map(|start| tuned(start, 4)).collect();
        let at = |seed, index| probe(&values, &gains, seed, index);
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
        let gains = Gains {
            iterations: 1000,
            r_end: 0.002,
        };
        let mut one = tuned(10, 1);
        one.value = 10.3;
        let both = (0..1000).map(|index| {
            let probe = probe(std::slice::from_ref(&one), &gains, 1, index);
            f64::from(probe.plus[0] + probe.minus[0])
        });
        let mean = both.sum::<f64>() / 2000.0;
        assert!((mean - 10.3).abs() < 0.05, "{mean}");

        let mut values = vec![tuned(499, 20)];
        for index in 0..50 {
            let mut probe = probe(&values, &gains, 1, index);
            assert!(probe.plus[0].max(probe.minus[0]) <= 500);
            probe.directions = vec![1.0];
            learn(&mut values, &gains, index, &probe, 100.0);
        }
        assert_eq!((values[0].value, values[0].rounded()), (500.0, 500));
    }
}
