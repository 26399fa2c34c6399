//! Samples drawn from known weights: what is learned from them must be these, within the errors that
//! are stated. A test of both models from the samples on.

use sextant_board::{Piece, Random};
use sextant_config::{Config, GapSource};
use sextant_search::{Reductions, budget::Category};

use super::{
    fixed::Fixed,
    hazard::probability,
    optimise::Fitted,
    prices::{self, Learned},
    reductions,
    sample::{IMPROVING, Label, NodeKind, QUIET, Row, Sample, TABLE_MOVE, Verdict, bit},
    table::PriceList,
};
use crate::keys;

fn uniform(random: &mut Random) -> f64 {
    (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

fn row(marks: u32, order_gap: u16, history: i16) -> Row {
    Row {
        mv: Piece::Pawn as u16,
        marks,
        order_gap,
        eval_gap: 0,
        history,
    }
}

fn sample(random: &mut Random, moves: Vec<Row>) -> Sample {
    Sample {
        fen: String::new(),
        ply: 1,
        depth: 128 * (2 + random.below(8) as i32),
        alpha: 0,
        beta: 1,
        kind: [NodeKind::Pv, NodeKind::Cut, NodeKind::All][random.below(3)],
        phase: random.below(8) as u8,
        flags: [0, IMPROVING][random.below(2)] | [0, TABLE_MOVE][random.below(2)],
        moves,
        label: Label {
            best: 0,
            enough: 0,
            verdict: Verdict::Fails,
            depth: 9,
        },
    }
}

/// Differences of weights from the last one of `places`, in their standard errors.
fn deviations(fitted: &Fitted, places: &[usize], truth: &[f64]) -> Vec<f64> {
    let last = places.len() - 1;
    (0..last)
        .map(|i| {
            let (found, error) = fitted.difference(places[i], places[last]);
            assert!(error > 0.001 && error < 0.3, "{error}");
            (found - (truth[i] - truth[last])) / error
        })
        .collect()
}

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
fn planted_choices() -> Vec<Sample> {
    let mut random = Random::new(21);
    (0..12_000)
        .map(|_| {
            let mut odds = Vec::new();
            let moves = (0..5 + random.below(25))
                .map(|_| {
                    let (category, utility) = KINDS[random.below(KINDS.len())];
                    let quiet = category == Category::QuietForward;
                    let gap = if quiet { random.below(300) as u16 } else { 0 };
                    odds.push((utility - SLOPE * f64::from(gap) / 100.0).exp());
                    row(bit(category) | if quiet { QUIET } else { 0 }, gap, 0)
                })
                .collect();
            let mut left = uniform(&mut random) * odds.iter().sum::<f64>();
            let best = odds.iter().position(|odds| {
                left -= odds;
                left < 0.0
            });
            let mut sample = sample(&mut random, moves);
            sample.label.best = best.unwrap_or(0) as u16;
            sample
        })
        .collect()
}

/// Fits planted choices, and writes the prices into a copy of `base`.
fn learn_prices(base: &Config, samples: &[&Sample], except: &[&str]) -> (Learned, PriceList) {
    let except: Vec<_> = except.iter().map(|&key| key.to_owned()).collect();
    let kept = keys::matching_all("except", &except).unwrap();
    let fixed = Fixed::new(&PriceList::of(base), &kept, samples);
    let learned = prices::learn(samples, GapSource::Order, 1e-3, &fixed).unwrap();
    let mut config = base.clone();
    prices::write(&learned.prices, &mut config);
    (learned, PriceList::of(&config))
}

#[test]
fn planted_prices_come_back() {
    let samples = planted_choices();
    let all: Vec<&Sample> = samples.iter().collect();
    let (learned, after) = learn_prices(&Config::default(), &all, &[]);

    let places = KINDS.map(|(category, _)| category as usize);
    let truth = KINDS.map(|(_, utility)| utility);
    let mut far = deviations(&learned.fitted, &places, &truth);
    let (found, error) = learned.fitted.weight(prices::GAP);
    far.push((found - SLOPE) / error);
    assert!(far.iter().all(|one| one.abs() < 3.5), "{far:?}");

    // Played moves cost eight SX, a bit costs kappa, and the likelier is the cheaper.
    assert!((prices::mean_price(&all, &after) - 8.0).abs() < 0.05);
    let weight = |category: Category| learned.prices.weights[category as usize] / 16.0;
    let bits = (truth[1] - truth[0]) / std::f64::consts::LN_2;
    let apart = weight(Category::CaptureWinning) - weight(Category::Recapture);
    assert!(
        (apart - learned.kappa * bits).abs() < 0.15 * learned.kappa,
        "{apart} {}",
        learned.kappa
    );
}

#[test]
fn what_stays_is_paid_when_kappa_is_chosen() {
    let samples = planted_choices();
    let all: Vec<&Sample> = samples.iter().collect();
    let mut base = Config::default();
    base.extensions.recapture = 16 * 11;
    base.extensions.gap_weight = 5;
    base.extensions.evasion = 16 * 3;
    let before = PriceList::of(&base);
    for (except, place) in [
        ("extensions.recapture", Some(Category::Recapture as usize)),
        ("extensions.gap_weight", None),
    ] {
        let (_, after) = learn_prices(&base, &all, &[except]);
        match place {
            Some(place) => assert_eq!(after.weights[place], before.weights[place]),
            None => assert_eq!(after.gap, before.gap),
        }
        let mean = prices::mean_price(&all, &after);
        assert!((mean - 8.0).abs() < 0.05, "{except}: {mean}");
        // No move is an evasion.
        let evasion = Category::Evasion as usize;
        assert_eq!(after.weights[evasion], before.weights[evasion]);
    }
}

#[test]
fn planted_hazards_come_back() {
    let config = Config::default();
    // All, PV and cut nodes; depth and number; improving, no table move; nothing for what never
    // happens here; history.
    let mut truth = [0.0; reductions::SAYABLE];
    truth[..6].copy_from_slice(&[-3.5, -2.0, -2.5, -0.3, 0.4, -0.2]);
    truth[11] = 1.5;
    let mut random = Random::new(22);
    let samples: Vec<Sample> = (0..6_000)
        .map(|_| {
            let moves = (0..30)
                .map(|_| {
                    let history = random.below(20_000) as i16 - 10_000;
                    row(bit(Category::QuietForward) | QUIET, 0, history)
                })
                .collect();
            let mut sample = sample(&mut random, moves);
            sample.label.enough = 29;
            // As if no move ended it, to see which moves would be tried.
            let fails = [&sample];
            let ended = reductions::trials(&fails, &config).find(|trial| {
                let logit = reductions::logit(trial, &truth);
                uniform(&mut random) < probability(logit)
            });
            if let Some(number) = ended.map(|trial| trial.number) {
                sample.label.verdict = Verdict::Cuts;
                sample.label.enough = number as u16 - 1;
            }
            sample
        })
        .collect();
    let all: Vec<&Sample> = samples.iter().collect();
    let learned = reductions::learn(&all, &config, 1e-3).unwrap();
    let far: Vec<f64> = [0, 1, 2, 3, 4, 5, 11]
        .into_iter()
        .map(|place| {
            let (found, error) = learned.sayable.weight(place);
            assert!(error > 0.001 && error < 0.3, "{place}: {error}");
            (found - truth[place]) / error
        })
        .collect();
    assert!(far.iter().all(|one| one.abs() < 3.5), "{far:?}");

    // The config then reduces as much as before on average, and says the same of every feature.
    let mut written = config.clone();
    reductions::write(&learned, &all, &mut written, |_| ());
    let r = &written.reductions;
    let plies = |difference: f64| 128.0 * learned.rho * difference;
    let near = |key: i32, weight: f64| (f64::from(key) - weight).abs() < 0.25 * plies(1.0);
    assert!(
        near(r.pv, plies(1.5)) && near(r.cut_node, plies(-1.0)),
        "{r:?}"
    );
    assert!(
        near(r.improving, plies(0.4)) && near(r.no_tt_move, plies(0.2)),
        "{r:?}"
    );
    assert!(near(r.history, plies(1.5)), "{r:?}");

    // A key that is kept far from what was learned leaves the mean alone too.
    let mut kept = config.clone();
    reductions::write(&learned, &all, &mut kept, |config| {
        config.reductions.improving = -300
    });
    assert_eq!(kept.reductions.improving, -300);
    assert_eq!(kept.reductions.history, written.reductions.history);
    let means = [&config, &written, &kept].map(|config| mean_reduction(&all, config));
    assert!(
        means.iter().all(|mean| (mean - means[0]).abs() < 0.05),
        "{means:?}"
    );
}

/// The mean bet against a late move, in plies.
fn mean_reduction(samples: &[&Sample], config: &Config) -> f64 {
    let reductions = Reductions::new(&config.reductions);
    let bets: Vec<f64> = reductions::trials(samples, config)
        .map(|trial| reductions::hand_set(&trial, &reductions))
        .collect();
    bets.iter().sum::<f64>() / bets.len() as f64
}
