//! Learned prices: how probable it is that a move is the best, by its category.
//!
//! A move counts for one category, the cheapest that applies, and which one that is depends on the
//! prices that are sought. So prices are fitted, moves are put into categories again by the new
//! prices, and so on until nothing changes its place.

use std::f64::consts::LN_2;

use sextant_cli::failure::Failure;
use sextant_config::GapSource;

use super::{
    logit::{Choice, Choices, Fitted},
    prices::{self, Bounds, GAP, PER_SX, PHASES, PriceList, is_quiet},
    samples::{Row, Sample},
};
use crate::newton::Cholesky;

/// Rounds of fitting and putting moves into categories.
const ROUNDS: usize = 12;
/// Share of moves that may still change their place.
const SETTLED: f64 = 1e-4;
/// What a played move costs on average, in SX.
pub(super) const NOMINAL: f64 = 8.0;
/// Rounds in which kappa and the part of the gap that the config can say find each other.
const GAP_ROUNDS: usize = 4;
/// SX for a bit: with less, a gap that is kept would be worth any number of bits.
const LEAST_KAPPA: f64 = 0.25;
/// Nats that weights which the data do not decide are kept to, in the projection.
const TINY: f64 = 1e-6;
/// How far weights are drawn to zero: enough for those of rare things, nothing for the others.
const RIDGE: f64 = 1.0;

pub(super) struct Learned {
    /// The utilities of the categories and the slope of the gap, in nats.
    pub(super) fitted: Fitted,
    /// The list by which moves were put into categories.
    pub(super) assigned: PriceList,
    /// SX for a bit.
    pub(super) kappa: f64,
    /// The new prices, in range and not yet rounded.
    pub(super) prices: PriceList,
}

/// Fits prices to the samples of `train`; `bounds` are kept to, and counted with.
pub(super) fn learn(
    train: &[&Sample],
    source: GapSource,
    bounds: &Bounds,
) -> Result<Learned, Failure> {
    let mut assigned = PriceList::first_guess(source);
    let mut start = vec![0.0; GAP + 1];
    let mut round = 1;
    loop {
        let choices = choices(train, &assigned);
        let fitted = choices.fit(RIDGE, start)?;
        let scale = Scale {
            samples: train,
            choices: &choices,
            assigned: &assigned,
            weights: &fitted.weights,
            bounds,
        };
        let (kappa, prices) = scale.find();
        if moved(train, &assigned, &prices) <= SETTLED || round == ROUNDS {
            return Ok(Learned {
                fitted,
                assigned,
                kappa,
                prices,
            });
        }
        (assigned, start) = (prices, fitted.weights);
        round += 1;
    }
}

/// The choices of samples, with moves in the categories of a price list.
pub(super) fn choices(samples: &[&Sample], list: &PriceList) -> Choices {
    let all = samples.iter().map(|sample| {
        let features = |row| {
            let (category, _) = list.price(row);
            [(category, 1.0), (GAP, -gap(list, row, category))]
        };
        Choice {
            alternatives: sample.moves.iter().map(features).collect(),
            taken: sample.best.into(),
        }
    });
    Choices {
        width: GAP + 1,
        all: all.collect(),
    }
}

/// The gap in hundreds that is added to the price of a move, or would be if a hundred cost
/// anything.
fn gap(list: &PriceList, row: &Row, category: usize) -> f64 {
    if is_quiet(category) {
        row.hundreds(list.source)
    } else {
        0.0
    }
}

/// The share of moves that two lists put into different categories.
fn moved(samples: &[&Sample], old: &PriceList, new: &PriceList) -> f64 {
    let (mut moved, mut all) = (0_u64, 0_u64);
    for row in samples.iter().flat_map(|sample| &sample.moves) {
        all += 1;
        moved += u64::from(old.price(row).0 != new.price(row).0);
    }
    moved as f64 / all.max(1) as f64
}

/// `-log2 P` of moves as probable as they are played, at the places of the prices; `None` where
/// nearly no move counts.
type Bits = [Option<f64>; prices::COUNT];

/// From probabilities to a price list.
struct Scale<'a> {
    samples: &'a [&'a Sample],
    choices: &'a Choices,
    /// The list by which moves were put into categories.
    assigned: &'a PriceList,
    weights: &'a [f64],
    bounds: &'a Bounds,
}

impl Scale<'_> {
    /// Chooses kappa, the SX for a bit, so that the best moves of the samples cost eight SX on
    /// average, and makes the prices.
    fn find(&self) -> (f64, PriceList) {
        let learned = self.weights[GAP].max(0.0) / LN_2;
        let mut slope = learned;
        let mut round = 1;
        loop {
            let bits = self.project(slope);
            let kappa = self.kappa(&bits);
            let per_bit = PER_SX * kappa.max(LEAST_KAPPA);
            let (low, high) = self.bounds[GAP];
            let allowed = learned.clamp(low / per_bit, high / per_bit);
            if (allowed - slope).abs() < 1e-3 * slope || round == GAP_ROUNDS {
                return (kappa, self.prices(&bits, kappa));
            }
            // What the gap may not say, the weights of quiet moves say on average.
            slope = allowed;
            round += 1;
        }
    }

    /// The table that comes nearest to `-log2 P`: a price list knows nothing of the siblings, on
    /// which the probability of a move depends. Least squares, each move weighted with its
    /// probability, so that the table is right on average for the moves that are played. `slope` is
    /// the part of the gap, in bits a hundred, that the list will have.
    fn project(&self, slope: f64) -> Bits {
        let mut normal = vec![vec![0.0; prices::COUNT]; prices::COUNT];
        let mut right = [0.0; prices::COUNT];
        let mut weight_of = [0.0; prices::COUNT];
        let all_logs = self.choices.log_probabilities(self.weights);
        for (sample, logs) in self.samples.iter().zip(all_logs) {
            let phase = PHASES.start + usize::from(sample.phase);
            for (row, log) in sample.moves.iter().zip(&logs) {
                let (category, _) = self.assigned.price(row);
                let bits = -log / LN_2 - slope * gap(self.assigned, row, category);
                let weight = log.exp();
                for place in [category, phase] {
                    normal[place][place] += weight;
                    right[place] += weight * bits;
                    weight_of[place] += weight;
                }
                normal[category][phase] += weight;
                normal[phase][category] += weight;
            }
        }
        (0..prices::COUNT).for_each(|place| normal[place][place] += TINY);
        let solved = Cholesky::new(normal).map(|cholesky| cholesky.solve(&right));
        let solved = solved.unwrap_or_else(|| vec![0.0; prices::COUNT]);
        // Phases add nothing on average.
        let sum: f64 = weight_of[PHASES].iter().sum();
        let mean = PHASES.map(|i| weight_of[i] * solved[i]).sum::<f64>() / sum.max(TINY);
        std::array::from_fn(|place| match place {
            GAP => Some(slope),
            _ if weight_of[place] <= 0.5 => None,
            _ if place < GAP => Some(solved[place] + mean),
            _ => Some(solved[place] - mean),
        })
    }

    fn kappa(&self, bits: &Bits) -> f64 {
        // The mean grows with kappa wherever prices are not all cut to the range.
        let (mut low, mut high) = (0.0, 64.0);
        for _ in 0..50 {
            let kappa = 0.5 * (low + high);
            if self.prices(bits, kappa).mean(self.samples) < NOMINAL {
                low = kappa;
            } else {
                high = kappa;
            }
        }
        0.5 * (low + high)
    }

    /// Prices of `kappa` SX a bit, in range. Categories that apply and count for no move get the
    /// most expensive price, so that they go on counting for none.
    fn prices(&self, bits: &Bits, kappa: f64) -> PriceList {
        let sixteenths = |bits: f64| PER_SX * kappa * bits;
        let known = bits[..GAP].iter().flatten().copied();
        let dearest = known.map(sixteenths).fold(0.0, f64::max);
        let mut list = self.assigned.clone();
        for (place, (low, high)) in self.bounds.iter().enumerate() {
            let unknown = if place < GAP { dearest } else { 0.0 };
            list.prices[place] = bits[place].map_or(unknown, sixteenths).clamp(*low, *high);
        }
        list
    }
}

#[cfg(test)]
mod tests {
    use sextant_board::Random;
    use sextant_config::Config;
    use sextant_search::budget::Category;

    use super::*;
    use crate::keys;

    /// Categories that moves are planted in, with their utilities.
    const KINDS: [(Category, f64); 5] = [
        (Category::CaptureWinning, 1.5),
        (Category::Recapture, 2.0),
        (Category::CaptureLosing, -1.5),
        (Category::CheckSafe, 0.5),
        (Category::QuietForward, 0.0),
    ];
    /// What a hundred points of the gap take from a utility.
    const SLOPE: f64 = 0.4;

    /// The odds of a planted move.
    fn odds(row: &Row) -> f64 {
        let is_kind = |(category, _): &&(Category, f64)| row.0 == 1 << *category as u32;
        let (_, utility) = KINDS.iter().find(is_kind).unwrap();
        (utility - SLOPE * row.hundreds(GapSource::Order)).exp()
    }

    /// Nodes whose best moves are drawn with these odds.
    fn planted() -> Vec<Sample> {
        let mut random = Random::new(21);
        let mut samples = Vec::new();
        for _ in 0..12_000 {
            let moves = (0..5 + random.below(25)).map(|_| {
                let (category, _) = KINDS[random.below(KINDS.len())];
                let quiet = category == Category::QuietForward;
                let gap = if quiet { random.below(300) as u16 } else { 0 };
                Row(1 << category as u32, gap, 0)
            });
            let moves: Vec<Row> = moves.collect();
            let uniform = (random.next_u64() >> 11) as f64 / 2_f64.powi(53);
            let mut left = uniform * moves.iter().map(odds).sum::<f64>();
            let best = moves.iter().position(|row| {
                left -= odds(row);
                left < 0.0
            });
            samples.push(Sample {
                phase: random.below(8) as u8,
                best: best.unwrap_or(0) as u16,
                moves,
            });
        }
        samples
    }

    /// Fits planted choices, and writes the prices into a copy of `base`.
    fn learned(base: &Config, samples: &[&Sample], except: &[&str]) -> (Learned, PriceList) {
        let except: Vec<_> = except.iter().map(|&key| key.to_owned()).collect();
        let kept = keys::matching_all("except", &except).unwrap();
        let bounds = prices::bounds(&PriceList::of(base), &kept, samples);
        let learned = learn(samples, GapSource::Order, &bounds).unwrap();
        let written = learned.prices.written(base).unwrap();
        (learned, PriceList::of(&written))
    }

    /// Each estimate must lie around the truth as its error says: the sum of the squared
    /// deviations, in errors, has their number as its mean.
    #[test]
    fn planted_prices_come_back() {
        let samples = planted();
        let all: Vec<&Sample> = samples.iter().collect();
        let (learned, after) = learned(&Config::default(), &all, &[]);
        let fitted = &learned.fitted;
        let quiet = Category::QuietForward as usize;
        let mut squares = 0.0;
        let mut check = |found: f64, truth: f64, error: f64| {
            let far = (found - truth) / error;
            assert!(
                (0.001..0.3).contains(&error) && far.abs() < 3.5,
                "{far} {error}"
            );
            squares += far * far;
        };
        for (category, truth) in &KINDS[..4] {
            let place = *category as usize;
            let found = fitted.weights[place] - fitted.weights[quiet];
            check(found, *truth, fitted.error(&[(place, 1.0), (quiet, -1.0)]));
        }
        check(fitted.weights[GAP], SLOPE, fitted.error(&[(GAP, 1.0)]));
        assert!((0.5..15.0).contains(&squares), "{squares}");

        // Played moves cost eight SX, and those of a category kappa times their bits, on average.
        let mean = after.mean(&all);
        assert!((mean - NOMINAL).abs() < 0.05, "{mean}");
        let (mut far, mut weights) = ([0.0; GAP], [0.0; GAP]);
        for sample in &samples {
            let all = sample.moves.iter().map(odds).sum::<f64>();
            for row in &sample.moves {
                let chance = odds(row) / all;
                let (category, price) = learned.prices.price(row);
                let price = (price + learned.prices.phase(sample.phase.into())) / PER_SX;
                far[category] += chance * (price + learned.kappa * chance.log2());
                weights[category] += chance;
            }
        }
        for (category, _) in KINDS {
            let played = weights[category as usize];
            let (far, allowed) = (far[category as usize] / played, 2.0 / played.sqrt());
            let allowed = allowed * learned.kappa / LN_2;
            assert!(far.abs() < allowed, "{category:?}: {far} {allowed}");
        }
    }

    #[test]
    fn what_stays_is_paid_when_kappa_is_chosen() {
        let samples = planted();
        let mut all: Vec<&Sample> = samples.iter().collect();
        // One evasion fewer than are enough to learn from.
        let mut evasion = samples[0].clone();
        evasion.moves[0].0 = 1 << Category::Evasion as u32;
        all.extend([&evasion; prices::FEWEST as usize - 1]);
        let mut base = Config::default();
        base.extensions.recapture = 16 * 11;
        base.extensions.gap_weight = 5;
        base.extensions.evasion = 16 * 3;
        let before = PriceList::of(&base);
        let rare = Category::Evasion as usize;
        for (except, place) in [
            ("extensions.recapture", Category::Recapture as usize),
            ("extensions.gap_weight", GAP),
        ] {
            let (_, after) = learned(&base, &all, &[except]);
            assert_eq!(after.prices[place], before.prices[place], "{except}");
            let mean = after.mean(&all);
            assert!((mean - NOMINAL).abs() < 0.05, "{except}: {mean}");
            assert_eq!(after.prices[rare], before.prices[rare]);
        }
        all.push(&evasion);
        let (_, after) = learned(&base, &all, &[]);
        assert_ne!(after.prices[rare], before.prices[rare]);
    }
}
