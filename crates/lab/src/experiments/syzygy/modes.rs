//! The same positions searched without tables, with tables at the root, and with tables everywhere.

use std::sync::Arc;

use sextant_board::{Move, Position};
use sextant_search::Limits;
use sextant_syzygy::{Tablebase, Wdl};

use super::endings::Ending;
use crate::engine::{Subject, to_depth};
use crate::error::LabError;
use crate::experiment::Context;

/// Where the tables are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Nowhere.
    Off,
    /// At the root only: moves that are not best by the tables are not searched.
    AtRoot,
    /// At the root and in the search.
    InSearch,
}

impl Mode {
    /// All three.
    pub const ALL: [Mode; 3] = [Mode::Off, Mode::AtRoot, Mode::InSearch];

    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Mode::Off => "off",
            Mode::AtRoot => "at the root",
            Mode::InSearch => "in the search",
        }
    }
}

/// An ending under one mode.
#[derive(Clone, Debug)]
pub struct Run {
    /// Which ending.
    pub ending: String,
    /// Where the tables were asked.
    pub mode: Mode,
    /// How many positions.
    pub positions: usize,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Table hits in the search.
    pub hits: u64,
    /// Sum of the scores' sizes in centipawns.
    pub score: f64,
    /// Positions whose result the tables know.
    pub judged: usize,
    /// Of those, positions whose score says win, draw or loss as the tables do.
    pub right: usize,
    /// Of those, chosen moves that keep the result.
    pub kept: usize,
}

/// A score from here on is a claim to win, in centipawns.
const WIN: i32 = 200;
/// A score below this either way is a claim to draw.
const DRAW: i32 = 100;

/// Searches every position in every mode to the same depth.
///
/// # Errors
/// When the engine cannot be had.
pub fn run(
    context: &Context<'_>,
    tables: &Arc<Tablebase>,
    endings: &[Ending],
    modes: &[Mode],
    depth: u32,
) -> Result<Vec<Run>, LabError> {
    let steps = endings.len() * modes.len();
    context.progress.begin(steps as u64, "tabled endings");
    let mut runs = Vec::new();
    let mut subject = Subject::new(&context.config)?;
    for ending in endings {
        for &mode in modes {
            let probed = (mode == Mode::InSearch).then(|| tables.clone());
            subject.probe(probed);
            runs.push(one(&mut subject, tables, ending, mode, depth));
            context.progress.step();
        }
    }
    Ok(runs)
}

fn one(subject: &mut Subject, tables: &Tablebase, ending: &Ending, mode: Mode, depth: u32) -> Run {
    let mut run = Run {
        ending: ending.name.clone(),
        mode,
        positions: ending.positions.len(),
        nodes: 0,
        hits: 0,
        score: 0.0,
        judged: 0,
        right: 0,
        kept: 0,
    };
    for position in &ending.positions {
        let mut limits = to_depth(depth);
        if mode == Mode::AtRoot {
            limits.searchmoves = best_by_tables(tables, position);
        }
        run.add(subject, tables, position, &limits);
    }
    run
}

impl Run {
    fn add(
        &mut self,
        subject: &mut Subject,
        tables: &Tablebase,
        position: &Position,
        limits: &Limits,
    ) {
        let outcome = subject.search(position, limits, &mut |_| {});
        let score = outcome.score().raw();
        self.nodes += outcome.nodes;
        self.hits += outcome.lines.first().map_or(0, |line| line.totals.tbhits);
        self.score += f64::from(score.abs());
        let Some(truth) = tables.wdl(position.board()) else {
            return;
        };
        self.judged += 1;
        self.right += usize::from(says(score, truth));
        let after = outcome.best.map(|mv| position.make(mv).0);
        let result = after.and_then(|after| tables.wdl(after.board()));
        self.kept += usize::from(result.map(|theirs| -points(theirs)) == Some(points(truth)));
    }
}

/// Does the score say what the tables do? The half-move clock of all positions is 0, so cursed wins
/// are draws.
fn says(score: i32, truth: Wdl) -> bool {
    match truth {
        Wdl::Win => score >= WIN,
        Wdl::Loss => score <= -WIN,
        Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => score.abs() < DRAW,
    }
}

/// Win, draw or loss under the fifty-move rule.
fn points(wdl: Wdl) -> i32 {
    match wdl {
        Wdl::Win => 1,
        Wdl::Loss => -1,
        Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => 0,
    }
}

/// The moves that the tables rank first; empty (all moves) where they do not know.
fn best_by_tables(tables: &Tablebase, position: &Position) -> Vec<Move> {
    let ranked = tables
        .probe_root(position.board(), false, true)
        .unwrap_or_default();
    let best = ranked.iter().map(|ranked| ranked.rank).max();
    ranked
        .iter()
        .filter(|ranked| Some(ranked.rank) == best)
        .map(|ranked| ranked.mv)
        .collect()
}
