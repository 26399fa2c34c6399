//! The options of a run. The command line and the checkpoint share one struct, so that a resumed
//! run cannot differ from the interrupted one.

use std::{
    fmt::{self, Write as _},
    path::PathBuf,
};

use clap::{Args, builder::RangedU64ValueParser};
use serde::{Deserialize, Serialize};
use sextant_eval::nnue::{Architecture, Layers};

use super::target::Objective;
use crate::args::{share, within};

/// The options of a run; a checkpoint holds them all.
#[derive(Args, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Options {
    /// Shuffled positions to learn from, as `data convert` writes them.
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "resume")]
    pub(crate) data: Vec<PathBuf>,
    /// Positions of other games, to validate with; they are held in memory.
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "resume")]
    pub(crate) valid: Vec<PathBuf>,
    /// Begin with the weights of this network instead of random ones; it may have fewer neurons,
    /// fewer output buckets, and king buckets that those of --king-buckets divide further. With
    /// --layers 3 it must have the same of all, but may lack --relations.
    #[arg(long, value_name = "FILE")]
    pub(crate) init: Option<PathBuf>,
    /// With --init: multiply the outputs of each output bucket by the factor that suits the positions
    /// to validate with best, before anything is learned. For labels in another unit, such as those
    /// of `data tree --curves`.
    #[arg(long, requires = "init")]
    #[serde(default)]
    pub(crate) refit: bool,
    /// Neurons of each perspective: a multiple of 32 up to 1024.
    #[arg(long, default_value_t = 256)]
    pub(crate) hidden: u16,
    /// Sets of feature weights: 32 digits (0 to 9, then a to v) that say which is for the own king
    /// on a1 b1 c1 d1, then a2 b2 c2 d2, and so on, seen from the side's own end and mirrored to
    /// files a to d [default: one set].
    #[arg(
        long,
        value_name = "DIGITS",
        default_value_t,
        hide_default_value = true
    )]
    #[arg(value_parser = |digits: &str| KingBuckets::try_from(digits.to_owned()))]
    #[serde(default)]
    pub(crate) king_buckets: KingBuckets,
    /// Sets of output weights, chosen by the number of pieces: 1, 2, 4 or 8.
    #[arg(long, default_value_t = 1)]
    pub(crate) output_buckets: u8,
    /// Layers behind the neurons: 1, the squared clipped ReLU and a row of output weights; or 3,
    /// products of pairs of neurons and two more layers, with --hidden a multiple of 64.
    #[arg(long, default_value_t = 1, value_parser = layers)]
    #[serde(default = "one")]
    pub(crate) layers: u8,
    /// With --layers 3: the second layer also reads the relations between pieces: attackers and
    /// defenders, mobility, pins, the structure of pawns, what is near the kings.
    #[arg(long)]
    #[serde(default)]
    pub(crate) relations: bool,
    /// Positions of a batch, after which the weights are changed once.
    #[arg(long, value_name = "POSITIONS", default_value_t = 16_384)]
    #[arg(value_parser = RangedU64ValueParser::<usize>::new().range(1..=1 << 20))]
    pub(crate) batch: usize,
    /// Batches after which the losses are measured and logged.
    #[arg(long, value_name = "BATCHES", default_value_t = 64)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) superbatch: u64,
    /// Superbatches of the run.
    #[arg(long, default_value_t = 100)]
    pub(crate) superbatches: u64,
    /// Superbatches between two checkpoints; the last one is always saved.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) save_every: u64,
    /// Learning rate after the warm-up.
    #[arg(long, default_value_t = 0.001)]
    #[arg(value_parser = within("numbers above 0, up to 1", |&rate: &f32| rate > 0.0 && rate <= 1.0))]
    pub(crate) rate: f32,
    /// Learning rate at the end, reached along a cosine; at most --rate.
    #[arg(long, default_value_t = 0.000_01, value_parser = share::<f32>())]
    pub(crate) last_rate: f32,
    /// Batches over which the rate rises to its height.
    #[arg(long, value_name = "BATCHES", default_value_t = 100)]
    pub(crate) warm_up: u64,
    /// Weight decay: the share of a weight that a step of rate 1 would take away.
    #[arg(long, default_value_t = 0.01, value_parser = share::<f32>())]
    pub(crate) decay: f32,
    /// Share of the score in the target, 0 to 1; the result of the game has the rest.
    #[arg(long, default_value_t = 0.75, value_parser = share::<f32>())]
    pub(crate) score_share: f32,
    /// Centipawns that make 73 % of the points; the unit of the network's output. Positions of
    /// `data convert --lambda` want the same number that it had (its own default is another, 250).
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 400.0)]
    #[arg(value_parser = within("10 to 10000", |scale: &f32| (10.0..=10_000.0).contains(scale)))]
    pub(crate) scale: f32,
    /// Mean |evaluation| of the written network over the validation positions, in centipawns, up to
    /// 10,000 [default: the mean |score| of these positions].
    #[arg(long, value_name = "CENTIPAWNS", allow_negative_numbers = true)]
    #[arg(value_parser = within("numbers above 0, up to 10000", |&mean: &f32| mean > 0.0 && mean <= 10_000.0))]
    pub(crate) match_mean_abs: Option<f32>,
    /// Seed of the first weights and of the order of the positions.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    pub(crate) seed: u64,
    /// Threads that learn; whatever their number, a run is the same byte for byte.
    #[arg(long, default_value_t = 1)]
    #[arg(value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    pub(crate) threads: usize,
}

/// What checkpoints of older runs have.
fn one() -> u8 {
    1
}

fn layers(text: &str) -> Result<u8, String> {
    match text {
        "1" => Ok(1),
        "3" => Ok(3),
        _ => Err("allowed are 1 and 3".to_owned()),
    }
}

impl Options {
    /// The network to train; what is wrong if the engine would not take it.
    pub(super) fn architecture(&self) -> Result<Architecture, String> {
        let layers = match (self.layers, self.relations) {
            (3, relations) => Layers::Three { relations },
            (_, false) => Layers::One,
            (_, true) => return Err("--relations needs --layers 3".to_owned()),
        };
        Architecture::new(self.hidden, self.king_buckets.0, self.output_buckets)
            .and_then(|shape| shape.with_layers(layers))
            .map_err(|error| error.to_string())
    }

    pub(super) fn objective(&self) -> Objective {
        Objective {
            score_share: self.score_share,
            scale: self.scale,
        }
    }

    pub(super) fn batches(&self) -> u64 {
        self.superbatches.saturating_mul(self.superbatch)
    }

    /// The learning rate of batch number `batch`, counted from 0: a linear warm-up, then a cosine
    /// decay to the last rate.
    pub(super) fn rate_at(&self, batch: u64) -> f32 {
        if batch < self.warm_up {
            return self.rate * (batch + 1) as f32 / self.warm_up as f32;
        }
        let falling = (self.batches() - self.warm_up.min(self.batches())).max(1);
        let done = ((batch - self.warm_up) as f32 / falling as f32).min(1.0);
        let share = 0.5 * (1.0 + (done * std::f32::consts::PI).cos());
        self.last_rate + (self.rate - self.last_rate) * share
    }
}

/// The set of feature weights for each square of the own king: rank by rank from the side's own
/// end, files a to d (see `Architecture::new`). Written as 32 digits of base 32.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct KingBuckets([u8; 32]);

impl TryFrom<String> for KingBuckets {
    type Error = String;

    fn try_from(text: String) -> Result<KingBuckets, String> {
        let digits = text.chars().map(|digit| Some(digit.to_digit(32)? as u8));
        let sets: Option<Vec<u8>> = digits.collect();
        let sets = sets.and_then(|sets| <[u8; 32]>::try_from(sets).ok());
        sets.map(KingBuckets).ok_or_else(|| {
            "wanted are 32 digits, 0 to 9 and a to v, the set of feature weights for the own king on \
             a1 b1 c1 d1, a2 b2 c2 d2, and so on"
                .to_owned()
        })
    }
}

impl From<KingBuckets> for String {
    fn from(buckets: KingBuckets) -> String {
        buckets.to_string()
    }
}

impl fmt::Display for KingBuckets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digit = |&set: &u8| char::from_digit(set.into(), 32).unwrap_or('?');
        self.0.iter().try_for_each(|set| f.write_char(digit(set)))
    }
}

impl KingBuckets {
    pub(crate) fn of(architecture: &Architecture) -> KingBuckets {
        KingBuckets(*architecture.king_buckets())
    }

    /// For each set the one of `coarse` that has all its squares; `None` if one of them is divided.
    pub(super) fn origins(&self, coarse: &KingBuckets) -> Option<Vec<usize>> {
        let sets = self.0.iter().max().map_or(0, |&last| usize::from(last) + 1);
        let mut origins = vec![None; sets];
        for (&set, &origin) in self.0.iter().zip(&coarse.0) {
            let known = origins[usize::from(set)].get_or_insert(usize::from(origin));
            if *known != usize::from(origin) {
                return None;
            }
        }
        origins.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::fixture;

    #[test]
    fn the_rate_rises_and_falls() {
        let of_batches = |batches| {
            let batches = format!("--superbatches={batches}");
            let rates = ["--rate=1", "--last-rate=0.1", "--warm-up=10"];
            fixture::options(&[&rates[..], &["--superbatch=1", &batches]].concat())
        };
        let options = of_batches(110);
        for (batch, rate) in [(0, 0.1), (9, 1.0), (10, 1.0), (60, 0.55), (110, 0.1)] {
            assert!((options.rate_at(batch) - rate).abs() < 1e-6, "{batch}");
        }
        assert!((10..109).all(|batch| options.rate_at(batch) >= options.rate_at(batch + 1)));
        // A run may be shorter than its warm-up.
        let short = of_batches(3);
        assert!((0..20).all(|batch| short.rate_at(batch).is_finite()));
    }

    #[test]
    fn as_many_sets_as_squares_have_a_digit_each() {
        let all = "0123456789abcdefghijklmnopqrstuv";
        let buckets = KingBuckets::try_from(all.to_owned()).unwrap();
        assert_eq!(buckets.0, std::array::from_fn(|at| at as u8));
        assert_eq!(buckets.to_string(), all);
        let beyond = all.replace('v', "w");
        assert!(KingBuckets::try_from(beyond).is_err());
    }

    #[test]
    fn a_finer_division_knows_where_its_sets_come_from() {
        let [one, two, three, across] = [
            "00000000000000000000000000000000",
            "00001111111111111111111111111111",
            "11112222000000000000000000000000",
            "00000000111111111111111111111111",
        ]
        .map(|text| KingBuckets::try_from(text.to_owned()).unwrap());
        for (fine, coarse, origins) in [
            (&two, &one, Some(vec![0, 0])),
            (&two, &two, Some(vec![0, 1])),
            (&three, &two, Some(vec![1, 0, 1])),
            (&one, &two, None),
            (&two, &across, None),
            (&across, &two, None),
        ] {
            assert_eq!(fine.origins(coarse), origins, "{fine} from {coarse}");
        }
    }
}
