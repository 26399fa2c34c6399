//! The searches: a shallow one from which nodes are picked, and deeper ones that say what is best
//! there.

use sextant_board::{Move, PackedMove, Position, Random, parse_fen};
use sextant_search::{Engine, Game, Limits, Outcome};

use super::{
    sample::{Block, Label, Sample, Verdict},
    watch::Watch,
};
use crate::{engine::Mind, failure::Failure, in_order::Work};

/// How samples are made.
pub(super) struct Searches<'a> {
    /// Config and network of all engines.
    pub(super) mind: &'a Mind,
    /// Decides which nodes are picked.
    pub(super) seed: u64,
    /// Nodes of a search that is sampled.
    pub(super) search_nodes: u64,
    /// Most samples of one search.
    pub(super) per_search: usize,
    /// Nodes of a search that labels.
    pub(super) label_nodes: u64,
}

/// A position to search from.
#[derive(Clone, Debug)]
pub(super) struct Start {
    /// Its number among all starts.
    pub(super) index: u64,
    /// What keeps the positions of one game together.
    pub(super) group: u64,
    /// The position.
    pub(super) position: Position,
}

impl Work for Searches<'_> {
    type Job = Start;
    type Worker = Engine;
    type Done = Block;

    fn worker(&self) -> Result<Engine, Failure> {
        self.mind.engine()
    }

    fn work(
        &self,
        engine: &mut Engine,
        start: Start,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<Block>, Failure> {
        let mut block = self.sampled(engine, &start);
        for sample in &mut block.samples {
            if is_over() {
                return Ok(None);
            }
            sample.label = self.label(engine, sample)?;
        }
        Ok(Some(block))
    }
}

impl Searches<'_> {
    /// A shallow search in an engine that knows nothing, and the nodes picked from it.
    pub(super) fn sampled(&self, engine: &mut Engine, start: &Start) -> Block {
        engine.new_game();
        let watch = Watch::new(Random::of_item(self.seed, start.index), self.per_search);
        let game = Game::new(start.position.clone());
        let limits = nodes(self.search_nodes);
        let (_, watch) = engine.observe::<_, false>(&game, &limits, 1, watch, &mut |_| ());
        Block {
            group: start.group,
            growth: watch.growth(),
            samples: watch.into_samples(),
        }
    }

    /// What deeper searches, each in an engine that knows nothing, say of a sample.
    fn label(&self, engine: &mut Engine, sample: &Sample) -> Result<Label, Failure> {
        let position = parse_fen(&sample.fen).map_err(Failure::work)?;
        let found = self.search(engine, &position, Vec::new());
        let best = place(sample, found.best);
        let verdict = verdict(sample, &found);
        let mut enough = best;
        while verdict == Verdict::Cuts && enough > 0 {
            // Would one of the moves before it have done?
            let earlier = moves(&sample.moves[..enough]);
            let found = self.search(engine, &position, earlier);
            let sooner = place(sample, found.best);
            if self::verdict(sample, &found) != Verdict::Cuts || sooner >= enough {
                break;
            }
            enough = sooner;
        }
        Ok(Label {
            best: best as u16,
            enough: enough as u16,
            verdict,
            depth: found.depth().min(255) as u8,
        })
    }

    fn search(&self, engine: &mut Engine, position: &Position, only: Vec<Move>) -> Outcome {
        engine.new_game();
        let game = Game::new(position.clone());
        let limits = Limits {
            searchmoves: only,
            ..nodes(self.label_nodes)
        };
        engine.go_armed(&game, &limits, 1, &mut |_| ())
    }
}

fn nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

fn moves(rows: &[super::sample::Row]) -> Vec<Move> {
    rows.iter()
        .filter_map(|row| PackedMove::from_bits(row.mv).unpack())
        .collect()
}

/// The place of a move in the order.
fn place(sample: &Sample, mv: Option<Move>) -> usize {
    let bits = PackedMove::from(mv).to_bits();
    let place = sample.moves.iter().position(|row| row.mv == bits);
    // A sample holds all legal moves, and a search plays one of them.
    place.unwrap_or(0)
}

/// What a score says against the window of the node, whose mates count from another root.
fn verdict(sample: &Sample, found: &Outcome) -> Verdict {
    let score = found.score().to_root(sextant_board::Ply(sample.ply)).raw();
    if score >= i32::from(sample.beta) {
        Verdict::Cuts
    } else if score > i32::from(sample.alpha) {
        Verdict::Inside
    } else {
        Verdict::Fails
    }
}
