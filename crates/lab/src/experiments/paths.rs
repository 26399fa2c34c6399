//! Is the probability of a path the product of its moves'? Prices say how likely single moves are to
//! be best; here whole paths of real searches are held against the line of a deeper search.

use std::collections::{HashMap, HashSet};

use sextant_board::Move;
use sextant_search::{
    MoveSearched, MoveSnapshot, Node, NodeSnapshot, Observer,
    budget::{MoveToPrice, Prices},
};
use statrs::statistics::Statistics;

use crate::experiments::{ladder, prelude::*};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "paths",
    title: "A path's probability is the product of its moves'",
    claim: "The probability that a path is the principal continuation is the product of the \
            probabilities of its moves, so that their logarithms add up to its interestingness (Levy, \
            Broughton and Taylor 1989, The SEX Algorithm in Computer Chess).",
    takes_hours: false,
    run,
};

/// Longest path, in plies behind the first move of the deeper search's line.
const LONGEST: usize = 8;
/// Prices are counted in sixteenths of an SX.
const SX: f64 = 16.0;

fn run(context: &Context) -> Result<Report, Failure> {
    let positions = context.positions(context.sized(4, 500))?;
    let (shallow, deep) = context.sized((300, 3_000), (3_000, 100_000));
    let learned = ladder::learned()?;
    let sampler = Sampler {
        config: &context.config,
        prices: Prices::new(&learned.extensions, false),
        nodes: shallow,
    };
    let mut engine = FreshEngine::new(&context.config, HASH)?;
    let lines: Vec<Vec<Move>> = track("lines of deeper searches", &positions)
        .map(|position| line_of(engine.search(position, &to_nodes(deep))))
        .collect();
    let pairs: Vec<(&Position, &Vec<Move>)> = positions.iter().zip(&lines).collect();
    // Twice the same searches: kappa first, by which prices are probabilities.
    let firsts = sampler.sample(&pairs, 1.0)?;
    let firsts: Vec<&Choice> = firsts
        .iter()
        .filter_map(|one| one.choices.first())
        .collect();
    let kappa = likeliest(&firsts);
    let sampled = sampler.sample(&pairs, kappa)?;
    let lengths = (1..=LONGEST).map(|plies| Length::of(&sampled, plies));
    let lengths: Vec<Length> = lengths.filter(|one| one.positions > 0).collect();
    Ok(report(&lengths, kappa, correlation(&sampled)))
}

fn line_of(outcome: sextant_search::Outcome) -> Vec<Move> {
    let line = outcome.lines.into_iter().next();
    line.map_or_else(Vec::new, |line| line.pv)
}

/// Prices of all moves of a node of the deeper line, and that of the line's.
struct Choice {
    prices: Vec<f64>,
    chosen: usize,
}

impl Choice {
    fn probability(&self, kappa: f64) -> f64 {
        let weight = |price: f64| (-price / kappa).exp2();
        weight(self.prices[self.chosen])
            / self.prices.iter().map(|&price| weight(price)).sum::<f64>()
    }

    /// How much more surprising than expected the line's move is, in bits.
    fn surprise(&self, kappa: f64) -> f64 {
        let all = (0..self.prices.len()).map(|chosen| Choice {
            prices: self.prices.clone(),
            chosen,
        });
        let expected = all.map(|one| one.probability(kappa)).map(|p| -p * p.log2());
        -self.probability(kappa).log2() - expected.sum::<f64>()
    }
}

/// The kappa (SX a bit) by which the line's first moves are likeliest.
fn likeliest(choices: &[&Choice]) -> f64 {
    let bits = |kappa: f64| -> f64 {
        let all = choices
            .iter()
            .map(|choice| choice.probability(kappa).log2());
        all.sum()
    };
    let kappas = (4..200).map(|tenths| f64::from(tenths) / 10.0);
    kappas
        .max_by(|&a, &b| bits(a).total_cmp(&bits(b)))
        .unwrap_or(1.0)
}

/// What a shallow search of one position says of its paths.
struct Sample {
    /// By length from 1: the sum of the probabilities of all paths that the search went, and whether
    /// the deeper line is one of them. As far as the deeper line reaches.
    lengths: Vec<(f64, bool)>,
    choices: Vec<Choice>,
    kappa: f64,
}

struct Sampler<'a> {
    config: &'a Config,
    prices: Prices,
    nodes: u64,
}

impl Sampler<'_> {
    fn sample(
        &self,
        pairs: &[(&Position, &Vec<Move>)],
        kappa: f64,
    ) -> Result<Vec<Sample>, Failure> {
        let mut engine = FreshEngine::new(self.config, HASH)?;
        let sample = |&(position, line): &(&Position, &Vec<Move>)| {
            let paths = Paths {
                prices: self.prices.clone(),
                kappa,
                line: line.clone(),
                way: Vec::new(),
                seen: HashSet::new(),
                nodes: HashMap::new(),
            };
            let (_, paths) = engine.watch(position, &to_nodes(self.nodes), paths);
            paths.sample()
        };
        Ok(track("paths", pairs).map(sample).collect())
    }
}

/// One ply of the way to the current node.
struct Ply {
    pos: Position,
    /// The move that is tried here.
    tried: Option<Move>,
    /// The way here begins with the line's first move and has made every move that was tried (no
    /// null move, no ProbCut).
    is_path: bool,
}

/// All moves of a node with their prices.
type Priced = Vec<(Move, f64)>;

/// Watches the paths behind the first move of the deeper line. A search comes to a node many times,
/// and its order of moves changes: what counts is the last time, so that the probabilities of a
/// node's moves add up to one.
struct Paths {
    prices: Prices,
    kappa: f64,
    line: Vec<Move>,
    way: Vec<Ply>,
    /// Every path that the search went.
    seen: HashSet<Vec<Move>>,
    /// The node at the end of each path.
    nodes: HashMap<Vec<Move>, Priced>,
}

impl Paths {
    /// The moves behind the first, if the way follows the moves that are watched.
    fn path(&self) -> Vec<Move> {
        let behind = self.way.iter().skip(1);
        behind.filter_map(|ply| ply.tried).collect()
    }

    fn is_path(&self, ply: usize, pos: &Position) -> bool {
        let before = ply.checked_sub(1).and_then(|before| self.way.get(before));
        before.is_some_and(|before| {
            let made = before.tried.filter(|&mv| before.pos.make(mv).0 == *pos);
            match ply {
                1 => made.is_some() && made == self.line.first().copied(),
                _ => before.is_path && made.is_some(),
            }
        })
    }

    /// The choice of this move at the end of this path, if the search told of that node.
    fn choice(&self, path: &[Move], mv: Move) -> Option<Choice> {
        let moves = self.nodes.get(path)?;
        Some(Choice {
            prices: moves.iter().map(|&(_, price)| price).collect(),
            chosen: moves.iter().position(|&(known, _)| known == mv)?,
        })
    }

    fn probability(&self, path: &[Move]) -> Option<f64> {
        let plies = path.iter().enumerate();
        let each = plies.map(|(ply, &mv)| {
            let choice = self.choice(&path[..ply], mv);
            choice.map(|choice| choice.probability(self.kappa))
        });
        each.product()
    }

    fn sample(self) -> Sample {
        let line = self.line.get(1..).unwrap_or_default();
        let line = &line[..LONGEST.min(line.len())];
        let mut lengths = vec![(0.0, false); line.len()];
        for path in &self.seen {
            if let Some((sum, hit)) = lengths.get_mut(path.len() - 1)
                && let Some(probability) = self.probability(path)
            {
                *sum += probability;
                *hit |= line.starts_with(path);
            }
        }
        let places = line.iter().enumerate();
        let choices = places.map_while(|(place, &mv)| self.choice(&line[..place], mv));
        Sample {
            lengths,
            choices: choices.collect(),
            kappa: self.kappa,
        }
    }
}

impl Observer for Paths {
    fn enter(&mut self, node: &Node<'_>) {
        let ply = node.ply.index();
        self.way.truncate(ply);
        if self.way.len() < ply {
            return;
        }
        let is_path = self.is_path(ply, node.pos);
        if is_path && (2..=LONGEST + 1).contains(&ply) {
            self.seen.insert(self.path());
        }
        self.way.push(Ply {
            pos: node.pos.clone(),
            tried: None,
            is_path,
        });
    }

    fn wants_snapshot(&mut self, node: &Node<'_>) -> bool {
        let ply = node.ply.index();
        (1..=LONGEST).contains(&ply) && self.way.get(ply).is_some_and(|at| at.is_path)
    }

    fn snapshot(&mut self, snapshot: &NodeSnapshot<'_>) {
        let ply = snapshot.node.ply.index();
        let price = |one: &MoveSnapshot| {
            let (price, _) = self.prices.price(&MoveToPrice {
                facts: &one.facts,
                exchange: one.exchange,
                order: one.order,
                node: &snapshot.facts,
            });
            (one.mv, f64::from(price.raw()) / SX)
        };
        let moves = snapshot.moves.iter().map(price).collect();
        self.way.truncate(ply + 1);
        self.way[ply].tried = None;
        self.nodes.insert(self.path(), moves);
    }

    fn move_searched(&mut self, searched: &MoveSearched<'_>) {
        let ply = searched.ply.index();
        self.way.truncate(ply + 1);
        if let Some(at) = self.way.get_mut(ply) {
            at.tried = Some(searched.mv);
        }
    }
}

/// Predicted against seen, of paths of one length.
struct Length {
    plies: usize,
    positions: usize,
    predicted: f64,
    seen: usize,
    difference: Option<TTest>,
}

impl Length {
    fn of(sampled: &[Sample], plies: usize) -> Length {
        let reaching = sampled.iter().filter_map(|one| one.lengths.get(plies - 1));
        let pairs: Vec<(f64, bool)> = reaching.copied().collect();
        let differences = pairs
            .iter()
            .map(|&(sum, hit)| f64::from(u8::from(hit)) - sum);
        Length {
            plies,
            positions: pairs.len(),
            predicted: pairs.iter().map(|(sum, _)| sum).sum(),
            seen: pairs.iter().filter(|(_, hit)| *hit).count(),
            difference: TTest::of(differences),
        }
    }

    /// How many times as often as predicted; `None` where next to nothing is.
    fn ratio(&self) -> Option<f64> {
        (self.predicted >= 0.1).then(|| self.seen as f64 / self.predicted)
    }

    fn differs(&self) -> bool {
        self.difference.as_ref().is_some_and(TTest::significant)
    }

    /// Only of longer paths is a product claimed; a few of them say nothing either way.
    fn finding(&self) -> Finding {
        let text = format!(
            "In {} positions the sum of prices expects {:.1} lines whose {} plies the shallow search \
             went, and there are {}.",
            self.positions, self.predicted, self.plies, self.seen
        );
        match self.differs() || self.predicted >= 5.0 {
            true => Finding::tested(!self.differs(), text),
            false => Finding::new(Outcome::Undecided, text),
        }
    }
}

/// Of the surprise at one ply of the line with that at the next; `None` with too few.
fn correlation(sampled: &[Sample]) -> Option<(usize, f64)> {
    let surprises = sampled.iter().map(|one| {
        let all = one.choices.iter().map(|choice| choice.surprise(one.kappa));
        all.collect::<Vec<f64>>()
    });
    let neighbors: Vec<[f64; 2]> = surprises
        .flat_map(|all| {
            all.windows(2)
                .map(|pair| [pair[0], pair[1]])
                .collect::<Vec<_>>()
        })
        .collect();
    let [first, second] = [0, 1].map(|side| neighbors.iter().map(move |pair| pair[side]));
    let spread = first.clone().std_dev() * second.clone().std_dev();
    (neighbors.len() > 2 && spread > 0.0)
        .then(|| (neighbors.len(), first.covariance(second) / spread))
}

fn report(lengths: &[Length], kappa: f64, correlation: Option<(usize, f64)>) -> Report {
    let title =
        "Paths of a shallow search that are the line of a deeper one, behind its first move";
    let table = table!("lengths", title, lengths, |one| {
        "plies" => one.plies,
        "positions" => one.positions,
        "predicted" => real(one.predicted, 1),
        "seen" => one.seen,
        "seen / predicted" => real(one.ratio(), 2),
        "p" => one.difference.as_ref().map(TTest::p),
    });
    let points = |of: fn(&Length) -> f64| {
        let points = lengths.iter();
        let points = points.map(|one| (one.plies as f64, of(one) / one.positions as f64));
        points.collect::<Vec<_>>()
    };
    let chart = Chart::new("Paths that become the line", "plies", "share of positions")
        .line(
            "predicted by the sum of prices",
            points(|one| one.predicted),
        )
        .line("seen", points(|one| one.seen as f64));
    let longer = lengths.get(1..).unwrap_or_default();
    let mut findings: Vec<Finding> = longer.iter().map(Length::finding).collect();
    if let Some((count, correlation)) = correlation {
        findings.push(noted!(
            "What a move of the line costs above expectation correlates by {correlation:+.2} with \
             what the next one does, over {count} pairs."
        ));
    }
    Report {
        summary: summary(longer, kappa),
        tables: vec![table],
        figures: vec![chart],
        findings,
    }
}

/// Which way the product errs, by the shortest and the longest path for which it does.
fn summary(longer: &[Length], kappa: f64) -> String {
    let off: Vec<(usize, f64)> = longer
        .iter()
        .filter(|one| one.differs())
        .filter_map(|one| Some((one.plies, one.ratio()?)))
        .collect();
    let found = match *off {
        [] => "the product of its moves' probabilities tells how often a path becomes the line, within \
               chance"
            .to_owned(),
        [(plies, ratio)] => format!(
            "paths of {plies} plies become the line {ratio:.1} times as often as the product says"
        ),
        [(plies, ratio), .., (most, last)] => format!(
            "paths of {plies} plies become the line {ratio:.1} times as often as the product says, \
             those of {most} plies {last:.1} times"
        ),
    };
    format!("At {kappa:.1} SX a bit {found}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_counted_and_the_error_is_named() {
        let samples = |probability: f64, hits: usize| {
            let one = |place: usize| Sample {
                lengths: vec![(1.0, true), (probability, place < hits)],
                choices: Vec::new(),
                kappa: 1.0,
            };
            (0..100).map(one).collect::<Vec<_>>()
        };
        let length = |probability, hits| Length::of(&samples(probability, hits), 2);
        let fair = length(0.5, 50);
        assert_eq!(
            (fair.positions, fair.seen, fair.ratio()),
            (100, 50, Some(1.0))
        );
        assert_eq!(fair.finding().outcome, Some(Outcome::Holds));
        let (rare, often) = (length(0.01, 1), length(0.25, 50));
        assert_eq!(rare.finding().outcome, Some(Outcome::Undecided));
        assert_eq!(often.finding().outcome, Some(Outcome::Fails));
        assert_eq!(length(0.0, 0).ratio(), None);
        assert!(summary(&[fair], 2.0).starts_with("At 2.0 SX a bit the product"));
        assert!(summary(&[often], 2.0).ends_with("2.0 times as often as the product says."));
    }

    #[test]
    fn the_probabilities_of_a_node_add_up_to_one() {
        let prices = vec![3.0, 5.0, 8.0];
        let all = (0..3).map(|chosen| Choice {
            prices: prices.clone(),
            chosen,
        });
        let sum: f64 = all.map(|one| one.probability(2.0)).sum();
        assert!((sum - 1.0).abs() < 1e-12);
        // Two SX a bit: a move that is two SX more expensive is half as likely.
        let [first, second] = [0, 1].map(|chosen| Choice {
            prices: prices.clone(),
            chosen,
        });
        assert!((first.probability(2.0) / second.probability(2.0) - 2.0).abs() < 1e-12);
    }
}
