//! `data tree`: what one deep search found out about every position of its tree that it searched
//! deep enough, bounds included: TreeStrap (Veness, Silver, Uther and Blair 2009). A search that
//! gives one label to its root gives dozens to its tree.

use std::collections::BTreeMap;

use sextant_board::{Move, Position, Random, Score};
use sextant_cli::{failure::Failure, output, signals};
use sextant_play::GameResult;
use sextant_search::{Bound, Engine, Game, Leave, Node, Observer};

use super::{
    games::{Inputs, check_interrupt},
    points::PointsArgs,
    positions::{Label, Positions, PositionsArgs},
};
use crate::{
    args::{self, SearchArgs},
    engine, jobs,
    viriformat::{self, white_view},
};

/// So many nodes of the searches of a game become a byte for each byte of the game, at most about: a
/// game has some 400 bytes, a position that is kept 60, and some nodes have too little depth.
const NODES_A_BYTE: u64 = 64;
/// Keeps the choice of positions apart from the split and the order.
const ROOTS: u64 = 0x0072_6f6f_7473;

#[derive(clap::Args, Debug)]
#[command(mut_arg("soft_nodes", |nodes| nodes.default_value("40000")))]
pub(crate) struct Args {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    positions: PositionsArgs,
    #[command(flatten)]
    search: SearchArgs,
    /// Positions of each game that are searched.
    #[arg(long, value_name = "N", default_value_t = 4)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    per_game: u16,
    /// Take positions that were searched to this depth in plies or deeper.
    #[arg(long, value_name = "PLIES", default_value_t = 8)]
    #[arg(value_parser = clap::value_parser!(i32).range(1..=100))]
    least_depth: i32,
    #[command(flatten)]
    points: PointsArgs,
}

impl Args {
    /// Bytes of positions for each byte of the games.
    fn growth(&self) -> u64 {
        u64::from(self.per_game).saturating_mul(self.search.soft_nodes) / NODES_A_BYTE + 1
    }
}

/// What the searches of one game found out.
struct Trees {
    /// The game's.
    key: u64,
    result: GameResult,
    searches: u64,
    /// Each with the ply of its game in which the search began.
    found: Vec<(usize, Found)>,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let points = args.points.load()?;
    let setup = engine::load(&args.search.config, args.search.hash)?;
    let mut input = args.inputs.open("searching")?;
    let mut positions =
        Positions::create(&args.positions, input.bytes().saturating_mul(args.growth()))?;
    // Kept positions by how their scores bound the truth: exact, lower, upper.
    let (mut numbers, mut searches, mut bounds) = (0.., 0, [0_u64; 3]);
    let mut next = || Ok(input.next_game()?.zip(numbers.next()));
    let work = |engine: &mut Engine, (game, number), is_over: &dyn Fn() -> bool| {
        Ok(search(args, engine, (&game, number), is_over))
    };
    let mut take = |trees: Trees| {
        searches += trees.searches;
        let (group, result) = (positions.group(trees.key), trees.result);
        for (ply, found) in trees.found {
            let (white_score, bound) = (found.white_score, found.bound);
            if positions.keeps(&found.position, ply, white_score, found.best) {
                bounds[bound as usize] += 1;
                let label = Label {
                    white_score: points.written(white_score, &found.position),
                    bound: Some(bound),
                    result,
                };
                positions.add(&found.position, label, group)?;
            }
        }
        Ok(())
    };
    let threads = args.search.threads;
    jobs::run(
        (&setup, threads),
        signals::flag(),
        &mut next,
        work,
        &mut take,
    )?;
    check_interrupt()?;
    let report = positions.finish()?;
    let [exact, lower, upper] = bounds;
    output::print(format_args!(
        "searches   {searches:>12}\n{report}of the scores that were not left out at once {exact} are \
         exact, {lower} lower and {upper} upper bounds\n"
    ))
}

/// Searches some positions of a game; `None` if nobody wants them any more.
fn search(
    args: &Args,
    engine: &mut Engine,
    (game, number): (&viriformat::Game, u64),
    is_over: &dyn Fn() -> bool,
) -> Option<Trees> {
    let soft = args.search.soft_nodes;
    let limits = args::limits(soft, args::usual_hard(soft));
    let positions = game.positions().map(|(position, _)| position);
    let mut roots: Vec<(usize, Position)> = positions.enumerate().collect();
    Random::of_item(args.positions.seed ^ ROOTS, number).shuffle(&mut roots);
    roots.truncate(args.per_game.into());
    let mut trees = Trees {
        key: game.key(),
        result: game.result,
        searches: roots.len() as u64,
        found: Vec::new(),
    };
    for (ply, root) in roots {
        if is_over() {
            return None;
        }
        engine.new_game();
        let watch = Watch::new(args.least_depth);
        let root = Game::new(root);
        let (_, watch) = engine.observed(watch).go(&root, &limits, 1, &mut |_| ());
        let found = watch.found.into_values();
        trees.found.extend(found.map(|one| (ply, one)));
    }
    Some(trees)
}

/// A position and what its deepest search found out.
struct Found {
    position: Position,
    depth: i32,
    white_score: i16,
    bound: Bound,
    best: Option<Move>,
}

/// A node that has begun and not ended.
#[derive(Default)]
struct Frame {
    /// The key of its position; of the frame below all, 0.
    key: u64,
    /// Position and depth, if it was entered and what it finds is the position's value.
    entered: Option<(Position, i32)>,
}

/// Takes down every position that is searched deep enough, each with its deepest search, in the
/// order of their keys.
struct Watch {
    least_depth: i32,
    /// The nodes on the way to the present one; the first is the root's.
    frames: Vec<Frame>,
    found: BTreeMap<u64, Found>,
}

impl Watch {
    fn new(least_depth: i32) -> Watch {
        Watch {
            least_depth,
            frames: vec![Frame::default()],
            found: BTreeMap::new(),
        }
    }
}

impl Observer for Watch {
    fn begin(&mut self, node: &Node<'_>) {
        self.frames.push(Frame {
            key: node.pos.key(),
            entered: None,
        });
    }

    fn enter(&mut self, node: &Node<'_>) {
        let depth = node.depth.in_plies();
        let here = match &mut self.frames[..] {
            [root] => {
                root.key = node.pos.key();
                root
            }
            // The same position once more is a test without its best move, or a verification.
            [.., before, here] if before.key != here.key => here,
            _ => return,
        };
        here.entered = (depth >= self.least_depth).then(|| (node.pos.clone(), depth));
    }

    fn leave(&mut self, leave: &Leave) {
        let entered = self
            .frames
            .last_mut()
            .and_then(|frame| frame.entered.take());
        let Some((position, depth)) = entered else {
            return;
        };
        let key = position.key();
        if self
            .found
            .get(&key)
            .is_some_and(|known| known.depth > depth)
        {
            return;
        }
        let white_score = white_view(position.side_to_move(), leave.score.raw() as i16);
        self.found.insert(
            key,
            Found {
                position,
                depth,
                white_score,
                bound: leave.bound,
                best: leave.best,
            },
        );
    }

    fn end(&mut self, _: Score) {
        self.frames.pop();
    }
}

#[cfg(test)]
mod tests {
    use sextant_board::{Color, parse_fen};
    use sextant_config::Config;
    use sextant_search::Limits;

    use super::*;

    /// Without guesses, and with a ply for every move, a search is plain negamax: what it finds out
    /// about a position in passing is what a search of that position to the same depth says.
    #[test]
    fn what_is_found_in_passing_is_true() {
        let mut config = Config::preset("integer-ply").unwrap();
        config.engine.hash = 1;
        config.search.tt_cutoffs = false;
        let mut engine = Engine::new(config).unwrap();
        let mut kinds = [0; 3];
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
        ] {
            let mut value = |position: Position, depth: i32, watch: Watch| {
                let limits = Limits {
                    depth: Some(depth as u32),
                    ..Limits::default()
                };
                engine.new_game();
                let search = engine.observed(watch).exact();
                let (outcome, watch) = search.go(&Game::new(position), &limits, 1, &mut |_| ());
                (outcome.score(), watch.found)
            };
            let (_, found) = value(parse_fen(fen).unwrap(), 3, Watch::new(1));
            let every_seventh =
                |(number, one): &(usize, Found)| one.bound == Bound::Exact || number % 7 == 0;
            for (_, one) in found.into_values().enumerate().filter(every_seventh) {
                let (truth, _) = value(one.position.clone(), one.depth, Watch::new(100));
                let sign = match one.position.side_to_move() {
                    Color::White => 1,
                    Color::Black => -1,
                };
                let (truth, score) = (truth.raw(), sign * i32::from(one.white_score));
                let holds = match one.bound {
                    Bound::Exact => truth == score,
                    Bound::Lower => truth >= score,
                    Bound::Upper => truth <= score,
                };
                assert!(holds, "{fen}: {:?} {score}, but {truth}", one.bound);
                kinds[one.bound as usize] += 1;
            }
        }
        assert!(kinds.iter().all(|&count| count > 1), "{kinds:?}");
    }
}
