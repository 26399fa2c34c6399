//! Learned reductions: how probable it is that a late move is the one, given that those before it were
//! not. The less probable, the more can be bet against it.

use sextant_config::Config;
use sextant_search::{
    ReductionFacts, Reductions,
    budget::{Category, Depth},
};

use super::{
    hazard::Trials,
    optimise::{self, Fitted},
    sample::{
        BACKWARD, CHECK, IMPROVING, NodeKind, QUIET, Row, Sample, TABLE_CAPTURE, TABLE_MOVE,
        Verdict, WAS_PV, bit,
    },
};
use crate::failure::Failure;

/// The history that earns the whole of `[reductions] history`.
const HISTORY_FULL: f64 = 16_384.0;
/// 1/128 plies in a ply.
const PLY: f64 = 128.0;

/// The weights, in the order of the features. Those up to [`NOISY`] are what the config can say.
pub(super) const NAMES: [&str; WIDTH] = [
    "all node",
    "PV node",
    "cut node",
    "ln depth * ln number",
    "improving",
    "no table move",
    "was PV",
    "table capture",
    "check",
    "killer",
    "backward",
    "history",
    "noisy",
    "ln number",
    "ln depth",
];
/// How much likelier a capture is than a quiet move; the config halves its reduction instead.
const NOISY: usize = 12;
/// Features that the config can say, and [`NOISY`].
pub(super) const SAYABLE: usize = NOISY + 1;
/// All features.
pub(super) const WIDTH: usize = SAYABLE + 2;

/// A late move that was tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trial<'a> {
    /// Its node.
    pub(super) sample: &'a Sample,
    /// Its number in the order, from 1.
    pub(super) number: usize,
    /// Was it the one?
    pub(super) ended: bool,
}

/// The moves that a config would reduce and that a deeper search had to try: up to the one that was
/// enough, all of them where none was.
pub(super) fn trials<'a>(
    samples: &'a [&'a Sample],
    config: &'a Config,
) -> impl Iterator<Item = Trial<'a>> {
    let r = &config.reductions;
    samples
        .iter()
        .filter(|sample| sample.depth >= Depth::plies(r.min_depth).raw())
        .flat_map(move |sample| {
            let first = r.min_moves as usize + usize::from(sample.kind == NodeKind::Pv) + 1;
            let enough = usize::from(sample.label.enough) + 1;
            let fails = sample.label.verdict == Verdict::Fails;
            let last = if fails { sample.moves.len() } else { enough };
            (first..=last).map(move |number| Trial {
                sample,
                number,
                ended: !fails && number == enough,
            })
        })
}

/// The trials as data; `width` of the features are looked at.
pub(super) fn data<'a>(trials: impl Iterator<Item = Trial<'a>>, width: usize) -> Trials {
    let mut data = Trials::new(width);
    for trial in trials {
        let row = features(&trial).into_iter().enumerate().take(width);
        data.push(row, trial.ended);
    }
    data
}

/// Half of everything for what is not quiet, as the config has it.
fn features(trial: &Trial<'_>) -> [f64; WIDTH] {
    let sample = trial.sample;
    let row = row(trial);
    let flag = |holds: bool| f64::from(u8::from(holds));
    let share = if row.has(QUIET) { 1.0 } else { 0.5 };
    let (number, depth) = ((trial.number as f64).ln(), f64::from(sample.plies()).ln());
    let mut features = [
        flag(sample.kind == NodeKind::All),
        flag(sample.kind == NodeKind::Pv),
        flag(sample.kind == NodeKind::Cut),
        number * depth,
        flag(sample.has(IMPROVING)),
        flag(!sample.has(TABLE_MOVE)),
        flag(sample.has(WAS_PV)),
        flag(sample.has(TABLE_CAPTURE)),
        flag(row.has(CHECK)),
        flag(is_killer(row)),
        flag(row.has(BACKWARD)),
        f64::from(row.history) / HISTORY_FULL,
        0.0,
        number,
        depth,
    ];
    features.iter_mut().for_each(|feature| *feature *= share);
    features[NOISY] = flag(!row.has(QUIET));
    features
}

/// The logit of a trial under weights of the first features.
pub(super) fn logit(trial: &Trial<'_>, weights: &[f64]) -> f64 {
    let terms = features(trial).into_iter().zip(weights);
    terms.map(|(x, weight)| x * weight).sum()
}

fn row<'a>(trial: &Trial<'a>) -> &'a Row {
    &trial.sample.moves[trial.number - 1]
}

fn is_killer(row: &Row) -> bool {
    row.has(bit(Category::Killer) | bit(Category::CounterMove))
}

/// What the config bets against a late move, in plies.
pub(super) fn hand_set(trial: &Trial<'_>, reductions: &Reductions) -> f64 {
    let (sample, row) = (trial.sample, row(trial));
    let facts = ReductionFacts {
        pv: sample.kind == NodeKind::Pv,
        cut_node: sample.kind == NodeKind::Cut,
        improving: sample.has(IMPROVING),
        tt_move: sample.has(TABLE_MOVE),
        tt_capture: sample.has(TABLE_CAPTURE),
        was_pv: sample.has(WAS_PV),
        check: row.has(CHECK),
        killer: is_killer(row),
        backward: row.has(BACKWARD),
        // What the children do is not known when a node is entered.
        cut_often: false,
        quiet: row.has(QUIET),
        history: i32::from(row.history),
    };
    let depth = Depth::from_raw(sample.depth);
    f64::from(reductions.late_move(depth, trial.number, &facts).raw()) / PLY
}

/// What was learned.
pub(super) struct Learned {
    /// The logit with all features.
    pub(super) free: Fitted,
    /// The logit with those that the config can say.
    pub(super) sayable: Fitted,
    /// Plies for a nat: what gives the learned reductions the spread of the present ones.
    pub(super) rho: f64,
}

/// Fits the hazard to the samples of `train`, with a ridge of `strength`.
///
/// # Errors
/// [`Failure`] if the samples do not say enough.
pub(super) fn learn(train: &[&Sample], config: &Config, strength: f64) -> Result<Learned, Failure> {
    let fit = |width: usize| {
        let data = data(trials(train, config), width);
        optimise::fit(&data, strength, data.len(), vec![0.0; width])
    };
    let (free, sayable) = (fit(WIDTH)?, fit(SAYABLE)?);
    let rho = match spreads(train, config, &sayable.weights) {
        (present, learned) if learned.1 > 0.0 => present.1 / learned.1,
        _ => 0.0,
    };
    Ok(Learned { free, sayable, rho })
}

/// Mean and standard deviation of the present reductions and of the learned logits, over the quiet
/// trials.
fn spreads(samples: &[&Sample], config: &Config, weights: &[f64]) -> ((f64, f64), (f64, f64)) {
    let reductions = Reductions::new(&config.reductions);
    let quiet = trials(samples, config).filter(|trial| row(trial).has(QUIET));
    let pairs: Vec<(f64, f64)> = quiet
        .map(|trial| {
            let logit = logit(&trial, weights);
            (hand_set(&trial, &reductions), logit)
        })
        .collect();
    (
        moments(pairs.iter().map(|pair| pair.0)),
        moments(pairs.iter().map(|pair| pair.1)),
    )
}

fn moments(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.clone().count().max(1) as f64;
    let mean = values.clone().sum::<f64>() / count;
    let variance = values.map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    (mean, variance.sqrt())
}

/// Writes the learned reductions into a config: `a - rho * logit` plies, with the mean and the spread
/// that they have now. What games must say is how much to reduce; what samples say is when. `keep`
/// gives keys back that are not to change; the constant makes up for them too, unless it is kept.
pub(super) fn write(
    learned: &Learned,
    train: &[&Sample],
    config: &mut Config,
    keep: impl Fn(&mut Config),
) {
    let weights = &learned.sayable.weights;
    let (present, logits) = spreads(train, config, weights);
    let rho = learned.rho;
    let plies = |weight: f64| (PLY * rho * weight).round().clamp(-512.0, 512.0) as i32;
    let constant = present.0 + rho * (logits.0 - weights[0]);
    let r = &mut config.reductions;
    r.base = (PLY * constant).round().clamp(-512.0, 512.0) as i32;
    r.pv = plies(weights[1] - weights[0]);
    r.cut_node = plies(weights[0] - weights[2]);
    // The config divides; what does not fall with depth and number has no divisor.
    let product = -rho * weights[3];
    r.log_scale = if product > 0.0 {
        (100.0 / product).round().clamp(100.0, 800.0) as i32
    } else {
        800
    };
    r.improving = plies(weights[4]);
    r.no_tt_move = plies(-weights[5]);
    r.tt_pv = plies(weights[6]);
    r.tt_capture = plies(-weights[7]);
    r.check = plies(weights[8]);
    r.killer = plies(weights[9]);
    r.backward = plies(-weights[10]);
    r.history = plies(weights[11]);
    keep(config);
    // What was kept or cut to its range, and what the engine cuts itself, moves the mean.
    for _ in 0..3 {
        let now = spreads(train, config, weights).0;
        let r = &mut config.reductions;
        let shift = (PLY * (present.0 - now.0)).round() as i32;
        r.base = (r.base + shift).clamp(-512, 512);
        keep(config);
    }
}
