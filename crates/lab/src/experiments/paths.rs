//! Is the probability of a path the product of its moves'? Prices say how likely single moves are to
//! be best; here whole paths of real searches are held against the line of a deeper search.

use std::collections::HashMap;

use sextant_board::Move;
use sextant_search::{
    MoveSearched, Node, NodeSnapshot, Observer, Outcome,
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
    let lengths: Vec<Length> = (1..=LONGEST)
        .map(|plies| Length::of(&sampled, plies))
        .collect();
    Ok(report(&lengths, kappa, correlation(&sampled)))
}

fn line_of(outcome: Outcome) -> Vec<Move> {
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
                seen: HashMap::new(),
                choices: HashMap::new(),
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
    /// The probability of the way from the line's first move; none if it left the moves that are
    /// watched (a null move, ProbCut).
    probability: Option<f64>,
    moves: Vec<(Move, f64)>,
}

/// Watches the paths behind the first move of the deeper line.
struct Paths {
    prices: Prices,
    kappa: f64,
    line: Vec<Move>,
    way: Vec<Ply>,
    seen: HashMap<Vec<Move>, f64>,
    /// By the place on the line.
    choices: HashMap<usize, Choice>,
}

impl Paths {
    /// The moves behind the first, if the way follows the moves that are watched.
    fn path(&self) -> Vec<Move> {
        let behind = self.way.iter().skip(1);
        behind.filter_map(|ply| ply.tried).collect()
    }

    fn probability(&self, ply: usize, pos: &Position) -> Option<f64> {
        let before = self.way.get(ply.checked_sub(1)?)?;
        let mv = before.tried.filter(|&mv| before.pos.make(mv).0 == *pos)?;
        if ply == 1 {
            return (self.line.first() == Some(&mv)).then_some(1.0);
        }
        let known = before.moves.iter().find(|(known, _)| *known == mv)?;
        Some(before.probability? * known.1)
    }

    fn sample(mut self) -> Sample {
        let reach = LONGEST.min(self.line.len().saturating_sub(1));
        let mut lengths = vec![(0.0, false); reach];
        for (path, probability) in &self.seen {
            if let Some((sum, hit)) = lengths.get_mut(path.len() - 1) {
                *sum += probability;
                *hit |= self.line[1..].starts_with(path);
            }
        }
        let places = 0..reach;
        let choices = places.map_while(|place| self.choices.remove(&place));
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
        let probability = self.probability(ply, node.pos);
        if let Some(probability) = probability
            && (2..=LONGEST + 1).contains(&ply)
        {
            self.seen.insert(self.path(), probability);
        }
        self.way.push(Ply {
            pos: node.pos.clone(),
            tried: None,
            probability,
            moves: Vec::new(),
        });
    }

    fn wants_snapshot(&mut self, node: &Node<'_>) -> bool {
        let ply = node.ply.index();
        (1..=LONGEST).contains(&ply) && self.way.get(ply).is_some_and(|at| at.probability.is_some())
    }

    fn snapshot(&mut self, snapshot: &NodeSnapshot<'_>) {
        let ply = snapshot.node.ply.index();
        let price = |one: &sextant_search::MoveSnapshot| {
            let (price, _) = self.prices.price(&MoveToPrice {
                facts: &one.facts,
                exchange: one.exchange,
                order: one.order,
                node: &snapshot.facts,
            });
            f64::from(price.raw()) / SX
        };
        let prices: Vec<f64> = snapshot.moves.iter().map(price).collect();
        let all = (0..prices.len()).map(|chosen| Choice {
            prices: prices.clone(),
            chosen,
        });
        let moves = snapshot.moves.iter().map(|one| one.mv);
        let moves: Vec<(Move, f64)> = moves
            .zip(all.map(|one| one.probability(self.kappa)))
            .collect();
        let best = self.line.get(ply);
        let chosen = moves.iter().position(|(mv, _)| Some(mv) == best);
        self.way.truncate(ply + 1);
        self.way[ply].tried = None;
        if let Some(chosen) = chosen
            && self.line[1..].starts_with(&self.path())
        {
            self.choices.insert(ply - 1, Choice { prices, chosen });
        }
        self.way[ply].moves = moves;
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

    fn ratio(&self) -> f64 {
        self.seen as f64 / self.predicted
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
        let points = lengths.iter().filter(|one| one.positions > 0);
        let points = points.map(|one| (one.plies as f64, of(one) / one.positions as f64));
        points.collect::<Vec<_>>()
    };
    let chart = Chart::new("Paths that become the line", "plies", "share of positions")
        .line(
            "predicted by the sum of prices",
            points(|one| one.predicted),
        )
        .line("seen", points(|one| one.seen as f64));
    let longer = lengths.iter();
    let longer = longer.filter(|one| one.plies > 1 && one.positions > 0);
    let mut findings: Vec<Finding> = longer
        .map(|one| {
            let differs = one.difference.as_ref().is_some_and(TTest::significant);
            let text = format!(
                "Of {} paths of {} plies the sum of prices predicts {:.1} in the line, and {} are.",
                one.positions, one.plies, one.predicted, one.seen
            );
            // So few say nothing either way.
            match differs || one.predicted >= 5.0 {
                true => Finding::tested(!differs, text),
                false => Finding::new(crate::report::Outcome::Undecided, text),
            }
        })
        .collect();
    let held = |one: &&Finding| one.outcome == Some(crate::report::Outcome::Holds);
    let summary = format!(
        "The sum of prices predicts {} of {} lengths of path within chance, at {kappa:.1} SX a bit.",
        findings.iter().filter(held).count(),
        findings.len()
    );
    if let Some((count, correlation)) = correlation {
        findings.push(noted!(
            "What a move of the line costs above expectation correlates by {correlation:+.2} with \
             what the next one does, over {count} pairs."
        ));
    }
    Report {
        summary,
        tables: vec![table],
        figures: vec![chart],
        findings,
    }
}
