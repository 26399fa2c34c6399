//! The searches behind the marked moves, as trees on the page. Each is searched once more, as it was
//! before: so nothing is recorded that is not shown, and a run that goes on makes the same page.

use serde_json::Value;
use sextant_cli::{failure::Failure, progress::Progress};
use sextant_search::{Engine, EngineSetup, Limits};
use sextant_view::tree::Recorder;

use super::{
    Args, interrupted,
    judge::Judged,
    work::{on_threads, position_at},
};

/// Nodes of a tree.
const NODES: usize = 2_000;
/// Trees of a page: with so many nodes each about 4 MB.
const MOST: usize = 20;

/// The trees of a page.
#[derive(Default)]
pub(super) struct Trees {
    /// Where each belongs: the game and the ply.
    places: Vec<(usize, usize)>,
    pub(super) found: Vec<Value>,
    /// Moves with a mark.
    marked: usize,
}

/// A marked move.
#[derive(Clone, Copy)]
struct Marked {
    /// The game and the ply.
    place: (usize, usize),
    lost: f64,
    /// Nodes of the search before it.
    nodes: u64,
}

impl Trees {
    /// Searches the positions before the moves that lost most, with the limits of the evaluations.
    pub(super) fn search(
        args: &Args,
        games: &[Judged],
        setup: &EngineSetup,
    ) -> Result<Trees, Failure> {
        let (chosen, marked) = chosen(games);
        let progress = Progress::new("trees", Some(chosen.len() as u64));
        let work = |engine: &mut Engine, marked: &Marked, is_over: &dyn Fn() -> bool| {
            let game = &games.get(marked.place.0)?.game;
            let limits = limits(args, marked.nodes);
            let game = position_at(game, marked.place.1);
            engine.new_game();
            let signals = engine.signals();
            signals.arm(false);
            let observed = engine.observed(Recorder::keeping(NODES));
            let (_, recorder) = observed.go(&game, &limits, 1, &mut |_| {
                if is_over() {
                    signals.stop();
                }
            });
            let tree = || recorder.finish().data(game.position(), engine.config());
            (!is_over()).then(tree)
        };
        let mut found = Vec::new();
        let mut take = |tree| {
            found.push(tree);
            progress.set(found.len() as u64, "");
            Ok(())
        };
        let done = on_threads(setup, args.threads, &mut chosen.iter(), work, &mut take);
        progress.finish();
        done?;
        if found.len() < chosen.len() {
            interrupted(found.len(), chosen.len(), "trees")?;
        }
        let places = chosen.iter().map(|marked| marked.place).collect();
        Ok(Trees {
            places,
            found,
            marked,
        })
    }

    /// The number of the tree behind a ply of a game.
    pub(super) fn number(&self, game: usize, ply: usize) -> Option<usize> {
        self.places.iter().position(|place| *place == (game, ply))
    }

    /// What a person must know of marked moves without a tree.
    pub(super) fn left(&self) -> Option<String> {
        let (found, marked) = (self.found.len(), self.marked);
        (found < marked).then(|| {
            format!(
                "{found} of {marked} marked moves have a search tree: those that lost the most \
                 chances"
            )
        })
    }
}

/// The marked moves that lost most, in the order of the games, and the number of all.
fn chosen(games: &[Judged]) -> (Vec<Marked>, usize) {
    let moves = games.iter().enumerate().flat_map(|(at, game)| {
        let moves = game.moves.iter().enumerate();
        moves.filter_map(move |(ply, judged)| {
            let judged = judged.as_ref().filter(|judged| judged.mark().is_some())?;
            Some(Marked {
                place: (at, ply),
                lost: judged.lost?,
                nodes: judged.nodes,
            })
        })
    });
    let mut chosen: Vec<_> = moves.collect();
    let count = chosen.len();
    chosen.sort_by(|a, b| b.lost.total_cmp(&a.lost));
    chosen.truncate(MOST);
    chosen.sort_by_key(|marked| marked.place);
    (chosen, count)
}

/// The limits of the first search; in place of its time the nodes that it reached.
fn limits(args: &Args, nodes: u64) -> Limits {
    let limits = args.limits();
    let reached = limits.movetime.map(|_| nodes.max(1));
    Limits {
        nodes: reached.or(limits.nodes),
        movetime: None,
        ..limits
    }
}
