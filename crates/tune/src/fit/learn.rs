//! Learned prices: how probable it is that a move is the best, by its category.
//!
//! A move counts for one category, the cheapest that applies, and which one that is depends on the
//! prices that are sought. So prices are fitted, moves are put into categories again by the new prices,
//! and so on until nothing changes its place.

use sextant_cli::failure::Failure;
use sextant_config::GapSource;
use sextant_search::budget::Category;

use super::{
    logit::{Choices, Cholesky, Fitted},
    price_list::{Bounds, PER_SX, PriceList, is_quiet},
    sample::Sample,
};

/// The weight of the gap, behind those of the categories.
pub(super) const GAP: usize = Category::COUNT;
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
/// Ridges to choose from.
const RIDGES: [f64; 4] = [0.1, 1.0, 10.0, 100.0];

pub(super) struct Learned {
    /// Utilities of the categories and the slope of the gap, in nats.
    pub(super) fitted: Fitted,
    /// The list by which moves were put into categories.
    pub(super) assigned: PriceList,
    /// SX for a bit.
    pub(super) kappa: f64,
    /// The new prices, in range and not yet rounded.
    pub(super) prices: PriceList,
}

/// Fits prices to the samples of `train`; `bounds` are kept to, and counted with.
///
/// # Errors
/// [`Failure`] if the samples do not say enough.
pub(super) fn learn(
    train: &[&Sample],
    source: GapSource,
    ridge: f64,
    bounds: &Bounds,
) -> Result<Learned, Failure> {
    let mut assigned = PriceList::first_guess(source);
    let mut start = vec![0.0; GAP + 1];
    let mut round = 1;
    loop {
        let choices = choices(train, &assigned);
        let fitted = choices.fit(ridge, start)?;
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

/// The ridge under which what `train` teaches costs `valid` least.
///
/// # Errors
/// [`Failure`] if a fit fails.
pub(super) fn best_ridge(
    train: &[&Sample],
    valid: &[&Sample],
    source: GapSource,
) -> Result<f64, Failure> {
    let guess = PriceList::first_guess(source);
    let (train, valid) = (choices(train, &guess), choices(valid, &guess));
    let mut best = (f64::INFINITY, RIDGES[0]);
    let mut weights = vec![0.0; GAP + 1];
    for ridge in RIDGES {
        weights = train.fit(ridge, weights)?.weights;
        let cost = valid.bits(&weights).iter().sum();
        if cost < best.0 {
            best = (cost, ridge);
        }
    }
    Ok(best.1)
}

/// The choices of samples, with moves in the categories of a price list.
pub(super) fn choices(samples: &[&Sample], list: &PriceList) -> Choices {
    let mut choices = Choices::new(GAP + 1);
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
        choices.push(alternatives, usize::from(sample.best));
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
    /// `-log2 P` of moves as probable as they are played; `None` where nearly no move counts.
    bits: [Option<f64>; Category::COUNT],
    phases: [f64; 8],
}

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
    /// Chooses kappa, the SX for a bit, so that the best moves of the samples cost eight SX on average,
    /// and makes the prices.
    fn find(&self) -> (f64, PriceList) {
        let learned = self.weights[GAP].max(0.0) / std::f64::consts::LN_2;
        let mut slope = learned;
        let mut round = 1;
        loop {
            let projected = self.project(slope);
            let kappa = self.kappa(&projected, slope);
            let per_bit = PER_SX * kappa.max(LEAST_KAPPA);
            let (low, high) = self.bounds.gap;
            let allowed = learned.clamp(low / per_bit, high / per_bit);
            if (allowed - slope).abs() < 1e-3 * slope || round == GAP_ROUNDS {
                return (kappa, self.prices(&projected, slope, kappa));
            }
            // What the gap may not say, the weights of quiet moves say on average.
            slope = allowed;
            round += 1;
        }
    }

    /// The table that comes nearest to `-log2 P`: a price list knows nothing of the siblings, on which
    /// the probability of a move depends. Least squares, each move weighted with its probability, so
    /// that the table is right on average for the moves that are played. `slope` is the part of the
    /// gap, in bits a hundred, that the list will have.
    fn project(&self, slope: f64) -> Projected {
        const ALL: usize = Category::COUNT + 8;
        let mut normal = vec![vec![0.0; ALL]; ALL];
        let mut right = [0.0; ALL];
        let mut weight_of = [0.0; ALL];
        let mut logs = Vec::new();
        for (index, sample) in self.samples.iter().enumerate() {
            self.choices
                .log_probabilities(index, self.weights, &mut logs);
            let phase = Category::COUNT + usize::from(sample.phase);
            for (row, log) in sample.moves.iter().zip(&logs) {
                let (category, _) = self.assigned.price(row);
                let quiet = is_quiet(category);
                let gap = if quiet {
                    slope * self.assigned.hundreds(row)
                } else {
                    0.0
                };
                let bits = -log / std::f64::consts::LN_2 - gap;
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
        (0..ALL).for_each(|place| normal[place][place] += TINY);
        let solved = Cholesky::new(normal).map(|cholesky| cholesky.solve(&right));
        let solved = solved.unwrap_or_else(|| vec![0.0; ALL]);
        // Phases add nothing on average.
        let phases = Category::COUNT..ALL;
        let sum: f64 = weight_of[phases.clone()].iter().sum();
        let mean = phases.map(|i| weight_of[i] * solved[i]).sum::<f64>() / sum.max(TINY);
        let known = |place: usize| (weight_of[place] > 0.5).then_some(solved[place]);
        Projected {
            bits: std::array::from_fn(|i| Some(known(i)? + mean)),
            phases: std::array::from_fn(|i| {
                known(Category::COUNT + i).map_or(0.0, |bits| bits - mean)
            }),
        }
    }

    fn kappa(&self, projected: &Projected, slope: f64) -> f64 {
        // The mean grows with kappa wherever prices are not all cut to the range.
        let (mut low, mut high) = (0.0, 64.0);
        for _ in 0..50 {
            let kappa = 0.5 * (low + high);
            if self.prices(projected, slope, kappa).mean(self.samples) < NOMINAL {
                low = kappa;
            } else {
                high = kappa;
            }
        }
        0.5 * (low + high)
    }

    /// Prices of `kappa` SX a bit. Categories that apply and count for no move get the dearest price,
    /// so that they go on counting for none.
    fn prices(&self, projected: &Projected, slope: f64, kappa: f64) -> PriceList {
        let sixteenths = |bits: f64| PER_SX * kappa * bits;
        let known = projected.bits.iter().flatten().copied();
        let dearest = known.map(sixteenths).fold(0.0, f64::max);
        let mut list = PriceList {
            weights: projected.bits.map(|bits| bits.map_or(dearest, sixteenths)),
            gap: sixteenths(slope),
            phases: projected.phases.map(sixteenths),
            ..self.assigned.clone()
        };
        self.bounds.cut(&mut list);
        list
    }
}

#[cfg(test)]
mod tests {
    use sextant_board::Random;
    use sextant_config::Config;

    use super::{super::sample::Row, *};
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

    /// Nodes whose best moves are drawn as these utilities have it.
    fn planted() -> Vec<Sample> {
        let mut random = Random::new(21);
        let mut samples = Vec::new();
        for _ in 0..12_000 {
            let mut odds = Vec::new();
            let mut moves = Vec::new();
            for _ in 0..5 + random.below(25) {
                let (category, utility) = KINDS[random.below(KINDS.len())];
                let quiet = category == Category::QuietForward;
                let order_gap = if quiet { random.below(300) as u16 } else { 0 };
                odds.push((utility - SLOPE * f64::from(order_gap) / 100.0).exp());
                moves.push(Row {
                    marks: 1 << category as u32,
                    order_gap,
                    eval_gap: 0,
                });
            }
            let uniform = (random.next_u64() >> 11) as f64 / 2_f64.powi(53);
            let mut left = uniform * odds.iter().sum::<f64>();
            let best = odds.iter().position(|odds| {
                left -= odds;
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
        let bounds = Bounds::new(&PriceList::of(base), &kept, samples);
        let learned = learn(samples, GapSource::Order, 1e-3, &bounds).unwrap();
        let mut config = base.clone();
        learned.prices.write(&mut config);
        (learned, PriceList::of(&config))
    }

    #[test]
    fn planted_prices_come_back() {
        let samples = planted();
        let all: Vec<&Sample> = samples.iter().collect();
        let (learned, after) = learned(&Config::default(), &all, &[]);
        let fitted = &learned.fitted;
        let quiet = Category::QuietForward as usize;
        let check = |found: f64, truth: f64, error: f64| {
            assert!((0.001..0.3).contains(&error), "{error}");
            assert!(
                (found - truth).abs() < 3.5 * error,
                "{found} {truth} {error}"
            );
        };
        for (category, truth) in &KINDS[..4] {
            let place = *category as usize;
            let found = fitted.weights[place] - fitted.weights[quiet];
            check(found, *truth, fitted.error(&[(place, 1.0), (quiet, -1.0)]));
        }
        check(fitted.weights[GAP], SLOPE, fitted.error(&[(GAP, 1.0)]));

        // Played moves cost eight SX, a bit costs kappa, and the likelier is the cheaper.
        assert!((after.mean(&all) - NOMINAL).abs() < 0.05);
        let weight = |category: Category| learned.prices.weights[category as usize] / PER_SX;
        let bits = (KINDS[1].1 - KINDS[0].1) / std::f64::consts::LN_2;
        let apart = weight(Category::CaptureWinning) - weight(Category::Recapture);
        let kappa = learned.kappa;
        assert!(
            (apart - kappa * bits).abs() < 0.2 * kappa,
            "{apart} {kappa}"
        );
    }

    #[test]
    fn what_stays_is_paid_when_kappa_is_chosen() {
        let samples = planted();
        let mut all: Vec<&Sample> = samples.iter().collect();
        // Seven evasions are too few to learn from, eight are enough.
        let mut evasion = samples[0].clone();
        evasion.moves[0].marks = 1 << Category::Evasion as u32;
        all.extend([&evasion; 7]);
        let mut base = Config::default();
        base.extensions.recapture = 16 * 11;
        base.extensions.gap_weight = 5;
        base.extensions.evasion = 16 * 3;
        let before = PriceList::of(&base);
        let evasion_price = |list: &PriceList| list.weights[Category::Evasion as usize];
        for (except, of) in [
            (
                "extensions.recapture",
                (|list| list.weights[6]) as fn(&PriceList) -> f64,
            ),
            ("extensions.gap_weight", |list| list.gap),
        ] {
            let (_, after) = learned(&base, &all, &[except]);
            assert_eq!(of(&after), of(&before), "{except}");
            let mean = after.mean(&all);
            assert!((mean - NOMINAL).abs() < 0.05, "{except}: {mean}");
            assert_eq!(evasion_price(&after), evasion_price(&before));
        }
        all.push(&evasion);
        let (_, after) = learned(&base, &all, &[]);
        assert_ne!(evasion_price(&after), evasion_price(&before));
    }
}
