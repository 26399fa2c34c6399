//! Learned prices: how probable it is that a move is the best, by its category.
//!
//! A move counts for one category, the cheapest that applies, and which one that is depends on the
//! prices that are sought. So prices are fitted, moves are put into categories again by the new prices,
//! and so on until nothing changes its place.

use std::sync::LazyLock;

use nalgebra::{DMatrix, DVector};
use sextant_config::{Config, GapSource};
use sextant_search::budget::Category;

use super::{
    choice::Choices,
    fixed::Fixed,
    optimise::{self, Fitted},
    sample::{CATEGORIES, Sample},
    table::{self, PER_SX, PriceList, is_quiet},
};
use crate::failure::Failure;

/// The weight of the gap, behind those of the categories.
pub(super) const GAP: usize = Category::COUNT;
/// Weights of the model.
pub(super) const WIDTH: usize = GAP + 1;
/// Rounds of fitting and putting moves into categories.
const ROUNDS: usize = 12;
/// Share of moves that may still change their place.
const SETTLED: f64 = 1e-4;
/// What a played move costs on average, in SX.
pub(super) const NOMINAL: f64 = 8.0;
/// Weights of a category that the config allows, in sixteenths of an SX.
static PRICES: LazyLock<(f64, f64)> = LazyLock::new(|| table::range("Extensions_First"));
/// Weights of the gap that the config allows, in sixteenths of an SX for a hundred points.
static GAPS: LazyLock<(f64, f64)> = LazyLock::new(|| table::range("Extensions_Gap_Weight"));
/// What the config allows a game phase to add, in sixteenths of an SX.
static PHASES: LazyLock<(f64, f64)> = LazyLock::new(|| table::range("Extensions_Phase_0"));
/// Rounds in which kappa and the part of the gap that the config can say find each other.
const GAP_ROUNDS: usize = 4;
/// SX for a bit: with less, a gap that is kept would be worth any number of bits.
const LEAST_KAPPA: f64 = 0.25;
/// Nats that weights which the data do not decide are kept to, in the projection.
const TINY: f64 = 1e-6;

/// What was learned.
pub(super) struct Learned {
    /// Utilities of the categories and the slope of the gap, in nats.
    pub(super) fitted: Fitted,
    /// The list by which moves were put into categories.
    pub(super) assigned: PriceList,
    /// `-log2 P` by category, in bits: of moves as probable as they are played.
    pub(super) bits: [Option<f64>; Category::COUNT],
    /// SX for a bit.
    pub(super) kappa: f64,
    /// The new prices, in range and not yet rounded.
    pub(super) prices: PriceList,
    /// Rounds, and the share of moves that the last one put elsewhere.
    pub(super) rounds: (usize, f64),
}

/// Fits prices to the samples of `train`, with a ridge of `strength`; what is `fixed` counts among them
/// as it is.
///
/// # Errors
/// [`Failure`] if the samples do not say enough.
pub(super) fn learn(
    train: &[&Sample],
    source: GapSource,
    strength: f64,
    fixed: &Fixed,
) -> Result<Learned, Failure> {
    let mut assigned = table::first_guess(source);
    let mut start = vec![0.0; WIDTH];
    let mut rounds = 0;
    loop {
        rounds += 1;
        let choices = choices(train, &assigned);
        let weights = optimise::minimise(
            &super::likelihood::Ridge {
                data: &choices,
                strength,
            },
            choices.len(),
            start,
        )?;
        let (projected, kappa, prices) = scale(train, &choices, &assigned, &weights, fixed);
        let moved = moved(train, &assigned, &prices);
        if moved > SETTLED && rounds < ROUNDS {
            (assigned, start) = (prices, weights);
            continue;
        }
        let fitted = optimise::fit(&choices, strength, choices.len(), weights)?;
        return Ok(Learned {
            fitted,
            assigned,
            bits: projected.bits,
            kappa,
            prices,
            rounds: (rounds, moved),
        });
    }
}

/// The choices of samples, with moves in the categories of a price list.
pub(super) fn choices(samples: &[&Sample], list: &PriceList) -> Choices {
    let mut choices = Choices::new(WIDTH);
    for sample in samples {
        let alternatives = sample.moves.iter().map(|row| {
            let (category, _) = list.price(row);
            let gap = if is_quiet(category) {
                -list.hundreds(row)
            } else {
                0.0
            };
            [(category, 1.0), (GAP, gap)]
        });
        choices.push(alternatives, usize::from(sample.label.best));
    }
    choices
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

/// Bits by category and by phase.
struct Projected {
    bits: [Option<f64>; Category::COUNT],
    phases: [f64; 8],
}

/// The table that comes nearest to `-log2 P`: a price list knows nothing of the siblings, on which the
/// probability of a move depends. Least squares, each move weighted with its probability, so that the
/// table is right on average for the moves that are played. `slope` is the part of the gap, in bits a
/// hundred, that the list will have.
fn project(
    samples: &[&Sample],
    choices: &Choices,
    list: &PriceList,
    weights: &[f64],
    slope: f64,
) -> Projected {
    const ALL: usize = Category::COUNT + 8;
    let mut normal = DMatrix::<f64>::identity(ALL, ALL) * TINY;
    let mut right = DVector::<f64>::zeros(ALL);
    let mut weight_of = [0.0; ALL];
    let mut logs = Vec::new();
    for (index, sample) in samples.iter().enumerate() {
        choices.log_probabilities(index, weights, &mut logs);
        let phase = Category::COUNT + usize::from(sample.phase);
        for (row, log) in sample.moves.iter().zip(&logs) {
            let (category, _) = list.price(row);
            let gap = if is_quiet(category) {
                slope * list.hundreds(row)
            } else {
                0.0
            };
            let bits = -log / std::f64::consts::LN_2 - gap;
            let weight = log.exp();
            for place in [category, phase] {
                normal[(place, place)] += weight;
                right[place] += weight * bits;
                weight_of[place] += weight;
            }
            normal[(category, phase)] += weight;
            normal[(phase, category)] += weight;
        }
    }
    let solved = normal.cholesky().map(|cholesky| cholesky.solve(&right));
    let solved = solved.unwrap_or_else(|| DVector::zeros(ALL));
    // Phases add nothing on average.
    let phases = Category::COUNT..ALL;
    let sum: f64 = phases.clone().map(|i| weight_of[i]).sum();
    let mean = phases.map(|i| weight_of[i] * solved[i]).sum::<f64>() / sum.max(TINY);
    Projected {
        bits: std::array::from_fn(|i| (weight_of[i] > 0.5).then(|| solved[i] + mean)),
        phases: std::array::from_fn(|i| {
            let place = Category::COUNT + i;
            if weight_of[place] > 0.5 {
                solved[place] - mean
            } else {
                0.0
            }
        }),
    }
}

/// Chooses kappa so that the best moves of the samples cost eight SX on average, and makes the prices.
fn scale(
    samples: &[&Sample],
    choices: &Choices,
    assigned: &PriceList,
    weights: &[f64],
    fixed: &Fixed,
) -> (Projected, f64, PriceList) {
    let learned = weights[GAP].max(0.0) / std::f64::consts::LN_2;
    let mut slope = learned;
    let mut round = 0;
    loop {
        let projected = project(samples, choices, assigned, weights, slope);
        let kappa = kappa(samples, &projected, assigned, slope, fixed);
        let prices = prices(&projected, assigned, slope, kappa, fixed);
        round += 1;
        let allowed = match fixed.gap {
            Some(gap) => gap / (PER_SX * kappa.max(LEAST_KAPPA)),
            None => learned.min(GAPS.1 / (PER_SX * kappa)),
        };
        if (allowed - slope).abs() < 1e-3 * slope || round == GAP_ROUNDS {
            return (projected, kappa, prices);
        }
        // What the gap may not say, the weights of quiet moves say on average.
        slope = allowed;
    }
}

fn kappa(
    samples: &[&Sample],
    projected: &Projected,
    assigned: &PriceList,
    slope: f64,
    fixed: &Fixed,
) -> f64 {
    // The mean grows with kappa wherever prices are not all cut to the range.
    let (mut low, mut high) = (0.0, 64.0);
    for _ in 0..50 {
        let kappa = 0.5 * (low + high);
        let prices = prices(projected, assigned, slope, kappa, fixed);
        if mean_price(samples, &prices) < NOMINAL {
            low = kappa;
        } else {
            high = kappa;
        }
    }
    0.5 * (low + high)
}

/// Mean price of the best moves, in SX.
pub(super) fn mean_price(samples: &[&Sample], prices: &PriceList) -> f64 {
    let sum: f64 = samples
        .iter()
        .map(|sample| {
            let best = &sample.moves[usize::from(sample.label.best)];
            prices.price(best).1 + prices.phases[usize::from(sample.phase)]
        })
        .sum();
    sum / (PER_SX * samples.len().max(1) as f64)
}

/// Prices of `kappa` SX a bit, but for those that are fixed. Categories that apply and count for no move
/// get the dearest price, so that they go on counting for none.
fn prices(
    projected: &Projected,
    assigned: &PriceList,
    slope: f64,
    kappa: f64,
    fixed: &Fixed,
) -> PriceList {
    let sixteenths = |bits: f64| PER_SX * kappa * bits;
    let cut = |price: f64| price.clamp(PRICES.0, PRICES.1);
    let weights = projected
        .bits
        .map(|bits| bits.map(|bits| cut(sixteenths(bits))));
    let dearest = weights.iter().flatten().copied().fold(0.0, f64::max);
    let mut list = PriceList {
        weights: weights.map(|weight| weight.unwrap_or(dearest)),
        gap: sixteenths(slope).min(GAPS.1),
        phases: projected
            .phases
            .map(|bits| sixteenths(bits).clamp(PHASES.0, PHASES.1)),
        ..assigned.clone()
    };
    fixed.put_into(&mut list);
    list
}

/// Writes the prices into a config, rounded to its sixteenths.
pub(super) fn write(prices: &PriceList, config: &mut Config) {
    let e = &mut config.extensions;
    for category in Category::ALL {
        *table::weight(e, category) = prices.weights[category as usize].round() as i32;
    }
    e.gap_weight = prices.gap.round() as i32;
    e.gap_source = prices.source;
    e.phase = prices.phases.map(|price| price.round() as i32);
}

/// How often a category applies, counts, and is best.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Count {
    /// Moves that it applies to.
    pub(super) applies: u64,
    /// Moves that it counts for.
    pub(super) moves: u64,
    /// Best moves among these.
    pub(super) best: u64,
}

/// Counts by category under a price list.
pub(super) fn counts(samples: &[&Sample], list: &PriceList) -> [Count; Category::COUNT] {
    let mut counts = [Count::default(); Category::COUNT];
    for sample in samples {
        for (place, row) in sample.moves.iter().enumerate() {
            debug_assert!(row.marks & CATEGORIES != 0);
            row.categories()
                .for_each(|index| counts[index].applies += 1);
            let count = &mut counts[list.price(row).0];
            count.moves += 1;
            count.best += u64::from(place == usize::from(sample.label.best));
        }
    }
    counts
}
