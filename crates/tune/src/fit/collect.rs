//! Makes the samples that a run asks for: those of the file, and new ones as far as needed. A
//! shallow search is watched, some of its nodes are picked, and searches in an engine that knows
//! nothing else label their moves.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use sextant_board::{Move, Position, Random, Score};
use sextant_cli::{
    failure::Failure,
    output::{self, counted},
    progress::Progress,
};
use sextant_search::{
    Engine, Game, Limits, MoveSnapshot, Node, NodeSnapshot, Observer,
    budget::{Category, Depth, MoveToPrice, NodeFacts},
};

use super::{
    label::{Label, Unlabeled},
    samples::{self, Block, Row, Sample, SampleArgs},
};
use crate::{data::Input, engine, jobs};

/// Starts for each sample that is asked for; a start usually gives several samples, not the
/// reverse.
const ENOUGH: u64 = 4;
/// Keeps the choice of plies apart from the choice of nodes.
const PLIES: u64 = 0x0070_6c69_6573;

/// The samples of the file, and with games to search from, new ones up to the number that is asked
/// for.
pub(super) fn collect(args: &SampleArgs, stop: &AtomicBool) -> Result<Vec<Block>, Failure> {
    let mut blocks = if args.inputs.is_empty() {
        samples::stored(&args.samples)?
    } else {
        search(args, stop)?
    };
    let mut left = args.count as usize;
    for block in &mut blocks {
        block.samples.truncate(left);
        left -= block.samples.len();
    }
    blocks.retain(|block| !block.samples.is_empty());
    Ok(blocks)
}

struct Start {
    index: u64,
    /// The number of its game: positions of one game stay together.
    group: u64,
    position: Position,
}

/// Some positions of each game, and no more than can be needed.
fn starts(args: &SampleArgs) -> Result<Vec<Start>, Failure> {
    let mut games = Input::open(&args.inputs, "reading")?;
    let (mut starts, mut group) = (Vec::new(), 0);
    while (starts.len() as u64) < ENOUGH * args.count
        && let Some(game) = games.next_game()?
    {
        group += 1;
        let mut positions: Vec<_> = game.positions().map(|(position, _)| position).collect();
        Random::of_item(args.seed ^ PLIES, group).shuffle(&mut positions);
        positions.truncate(args.searches.per_game);
        for position in positions {
            starts.push(Start {
                index: starts.len() as u64,
                group,
                position,
            });
        }
    }
    Ok(starts)
}

/// The blocks of the file, and those of searches from the starts that have none yet.
fn search(args: &SampleArgs, stop: &AtomicBool) -> Result<Vec<Block>, Failure> {
    let engine = engine::load(&args.config, args.searches.hash)?;
    let (mut journal, mut blocks) = samples::resume(args, &engine)?;
    let begun_with = count(&blocks);
    if begun_with >= args.count {
        return Ok(blocks);
    }
    let starts = starts(args)?;
    let all = starts.len() as u64;
    let so_far = AtomicU64::new(begun_with);
    let is_enough = || so_far.load(Ordering::Relaxed) >= args.count;
    let mut starts = starts.into_iter().skip(blocks.len());
    let mut next = || Ok(if is_enough() { None } else { starts.next() });
    let progress = Progress::new("samples", Some(args.count)).starting_at(begun_with);
    let mut take = |block: Block| {
        // Threads may have begun more than was needed.
        if is_enough() {
            return Ok(());
        }
        samples::append(&mut journal, &block)?;
        let samples = so_far.load(Ordering::Relaxed) + block.samples.len() as u64;
        so_far.store(samples, Ordering::Relaxed);
        blocks.push(block);
        progress.set(samples, format_args!("{} of {all} starts", blocks.len()));
        Ok(())
    };
    let work = |engine: &mut Engine, start, is_over: &dyn Fn() -> bool| {
        Ok(block(args, engine, start, is_over))
    };
    let result = jobs::run((&engine, args.threads), stop, &mut next, work, &mut take);
    progress.finish();
    journal.sync()?;
    result?;
    let found = count(&blocks);
    if stop.load(Ordering::Relaxed) {
        return Err(Failure::interrupted(format!(
            "stopped after {}, kept in {}; the same command goes on",
            counted(found, "sample"),
            args.samples.display()
        )));
    }
    if found < args.count {
        // Other games and options make other samples, which a file does not take beside its own.
        output::note(format_args!(
            "note: {} gave {}, not {}; more come of more games or of larger --per-game and \
             --per-search, into a new file of --samples",
            counted(all, "position"),
            counted(found, "sample"),
            args.count
        ));
    }
    Ok(blocks)
}

fn count(blocks: &[Block]) -> u64 {
    blocks.iter().map(|block| block.samples.len() as u64).sum()
}

/// The samples of a start; `None` if nobody wants them any more. Every search is made by an engine
/// that knows nothing: neither the order nor the threads matter.
fn block(
    args: &SampleArgs,
    engine: &mut Engine,
    start: Start,
    is_over: &dyn Fn() -> bool,
) -> Option<Block> {
    let searches = &args.searches;
    engine.new_game();
    let watch = Watch {
        random: Random::of_item(args.seed, start.index),
        wanted: searches.per_search,
        drawn: Vec::new(),
        next: 0.0,
    };
    let limits = Limits {
        nodes: Some(searches.search_nodes),
        ..Limits::default()
    };
    let game = Game::new(start.position);
    let (_, watch) = engine.observed(watch).go(&game, &limits, 1, &mut |_| ());
    let Watch {
        drawn, mut random, ..
    } = watch;
    let mut samples = Vec::new();
    for (_, picked) in drawn {
        if is_over() {
            return None;
        }
        let node = picked.unlabeled();
        let best = match searches.label {
            Label::Best => vec![node.best(engine, searches.label_nodes)],
            Label::Worth => node.worth(engine, searches.label_nodes, &mut random),
        };
        samples.extend(best.into_iter().map(|place| Sample {
            best: place as u16,
            ..picked.sample.clone()
        }));
    }
    let group = start.group;
    Some(Block { group, samples })
}

/// Picks nodes at random, each as likely as the square of its depth in plies says: most nodes of a
/// tree stand next to the horizon, where there is least to reduce. No position is picked twice.
///
/// The method is the weighted reservoir of Efraimidis and Spirakis (2006): every node draws
/// `ln(u) / weight`, and the largest draws stay.
struct Watch {
    random: Random,
    wanted: usize,
    /// With their draws.
    drawn: Vec<(f64, Picked)>,
    /// The draw of the node that is about to be shown.
    next: f64,
}

/// A node that was picked, its label still to be found.
struct Picked {
    position: Position,
    moves: Vec<Move>,
    alpha: Score,
    depth: Depth,
    sample: Sample,
}

impl Picked {
    fn unlabeled(&self) -> Unlabeled<'_> {
        Unlabeled {
            position: &self.position,
            moves: &self.moves,
            alpha: self.alpha,
            depth: self.depth,
        }
    }
}

impl Watch {
    /// The place of the least draw, once there are enough.
    fn to_replace(&self) -> Option<usize> {
        let draws = self.drawn.iter().map(|(draw, _)| draw).enumerate();
        let least = draws.min_by(|(_, a), (_, b)| a.total_cmp(b));
        least
            .map(|(place, _)| place)
            .filter(|_| self.drawn.len() >= self.wanted)
    }
}

impl Observer for Watch {
    fn wants_snapshot(&mut self, node: &Node<'_>) -> bool {
        let key = node.pos.key();
        if self.drawn.iter().any(|(_, one)| one.position.key() == key) {
            return false;
        }
        let plies = f64::from(node.depth.in_plies().max(1));
        // In (0, 1].
        let uniform = ((self.random.next_u64() >> 11) + 1) as f64 / (1u64 << 53) as f64;
        self.next = uniform.ln() / (plies * plies);
        self.to_replace()
            .is_none_or(|place| self.next > self.drawn[place].0)
    }

    fn snapshot(&mut self, snapshot: &NodeSnapshot<'_>) {
        let picked = Picked {
            position: snapshot.node.pos.clone(),
            moves: snapshot.moves.iter().map(|one| one.mv).collect(),
            alpha: snapshot.node.window.alpha,
            depth: snapshot.node.depth,
            sample: Sample {
                phase: snapshot.facts.phase.index() as u8,
                best: 0,
                moves: rows(snapshot),
            },
        };
        match self.to_replace() {
            Some(place) => self.drawn[place] = (self.next, picked),
            None => self.drawn.push((self.next, picked)),
        }
    }
}

fn rows(snapshot: &NodeSnapshot<'_>) -> Vec<Row> {
    let eval = |mv: &MoveSnapshot| mv.score.filter(|_| mv.facts.is_quiet());
    let best_eval = snapshot.moves.iter().filter_map(eval).max();
    let row = |mv: &MoveSnapshot| {
        let eval_gap = match (best_eval, eval(mv)) {
            (Some(best), Some(score)) => best - score,
            _ => 0,
        };
        let small = |gap: i32| gap.clamp(0, i32::from(u16::MAX)) as u16;
        let categories = Category::applicable(&to_price(mv, &snapshot.facts)).by_number();
        Row(categories, small(mv.order.gap), small(eval_gap))
    };
    snapshot.moves.iter().map(row).collect()
}

/// A move as the engine's price list sees it.
fn to_price<'a>(mv: &'a MoveSnapshot, node: &'a NodeFacts) -> MoveToPrice<'a> {
    MoveToPrice {
        facts: &mv.facts,
        exchange: mv.exchange,
        order: mv.order,
        node,
    }
}

#[cfg(test)]
mod tests {
    use sextant_board::{parse_fen, to_fen};
    use sextant_config::Config;
    use sextant_search::budget::Prices;

    use super::{super::prices::PriceList, *};

    const FENS: [&str; 5] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/P1k5/8/8/3pP3/8/1K4p1/8 b - e3 0 1",
        "6k1/5ppp/8/3r4/8/1B6/5PPP/R5K1 w - - 0 1",
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
        // A queen ahead, and mated if it passes.
        "3r2k1/5ppp/8/8/8/7P/1Q3PP1/1N4K1 b - - 0 1",
    ];

    /// Compares every node with the engine's own price list.
    struct Checks<'a> {
        theirs: &'a Prices,
        ours: &'a PriceList,
        compared: u64,
        /// The categories of all moves.
        seen: u32,
    }

    impl Observer for Checks<'_> {
        fn wants_snapshot(&mut self, _: &Node<'_>) -> bool {
            true
        }

        fn snapshot(&mut self, snapshot: &NodeSnapshot<'_>) {
            for (mv, row) in snapshot.moves.iter().zip(rows(snapshot)) {
                let (theirs, _) = self.theirs.price(&to_price(mv, &snapshot.facts));
                let ours = self.ours.price(&row).1 + self.ours.phase(snapshot.facts.phase.index());
                // The engine rounds the part of the gap.
                let far = ours - f64::from(theirs.raw());
                let fen = to_fen(snapshot.node.pos, true);
                assert!((0.0..1.0).contains(&far), "{:?} in {fen}", mv.mv);
                self.compared += 1;
                self.seen |= row.0;
            }
        }
    }

    #[test]
    fn rows_are_priced_as_the_engine_prices_moves() {
        let mut config = Config::default();
        config.engine.hash = 1;
        config.extensions.gap_weight = 30;
        config.extensions.phase = [0, 8, 16, 24, 32, 40, 48, 56];
        // All different, so that every rule shows.
        for category in Category::ALL {
            let weight = 80 + 16 * ((category as i32 * 7) % 18) - category as i32;
            *category.weight_mut(&mut config.extensions) = weight;
        }
        let (theirs, ours) = (
            Prices::new(&config.extensions, false),
            PriceList::of(&config),
        );
        let mut engine = Engine::new(config).unwrap();
        let (mut compared, mut seen) = (0, 0);
        for fen in FENS {
            let checks = Checks {
                theirs: &theirs,
                ours: &ours,
                compared,
                seen,
            };
            let game = Game::new(parse_fen(fen).unwrap());
            let limits = Limits {
                nodes: Some(10_000),
                ..Limits::default()
            };
            let (_, checks) = engine.observed(checks).go(&game, &limits, 1, &mut |_| ());
            (compared, seen) = (checks.compared, checks.seen);
        }
        assert!(compared > 10_000, "{compared}");
        assert_eq!(seen, (1 << Category::COUNT) - 1, "every category came up");
    }
}
