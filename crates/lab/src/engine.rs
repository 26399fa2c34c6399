//! The engine as the experiments use it: one thread, a small table, and a clean start for every
//! search, so that a position's result does not depend on the positions before it.

use sextant_board::Position;
use sextant_cli::{failure::Failure, files};
use sextant_config::Config;
use sextant_search::{Engine, EngineSetup, Event, Game, Limits, Observer, Outcome, Unobserved};

use crate::{experiment::track, stats::TTest};

/// Megabytes of the transposition table: few, because it is emptied for each position.
pub(crate) const HASH: i32 = 4;

/// The same config with one thread and a table of so many megabytes, and its network.
pub(crate) fn setup(config: &Config, hash: i32) -> Result<EngineSetup, Failure> {
    let mut config = config.clone();
    config.engine.hash = hash;
    config.engine.threads = 1;
    EngineSetup::new(config, files::read_network).map_err(Failure::work)
}

/// An engine that forgets everything before each search.
pub(crate) struct FreshEngine(pub(crate) Engine);

impl FreshEngine {
    /// An engine of a [`setup`].
    pub(crate) fn new(config: &Config, hash: i32) -> Result<FreshEngine, Failure> {
        let engine = setup(config, hash)?.engine().map_err(Failure::work)?;
        Ok(FreshEngine(engine))
    }

    pub(crate) fn search(&mut self, position: &Position, limits: &Limits) -> Outcome {
        self.watch(position, limits, Unobserved).0
    }

    pub(crate) fn watch<O: Observer + Send>(
        &mut self,
        position: &Position,
        limits: &Limits,
        observer: O,
    ) -> (Outcome, O) {
        let game = Game::new(position.clone());
        self.watch_game(&game, limits, observer, &mut |_| {})
    }

    pub(crate) fn watch_game<O: Observer + Send>(
        &mut self,
        game: &Game,
        limits: &Limits,
        observer: O,
        report: &mut dyn FnMut(Event),
    ) -> (Outcome, O) {
        self.0.new_game();
        self.0.signals().arm(false);
        self.0.observed(observer).go(game, limits, 1, report)
    }
}

/// What one variant of a search did, item by item.
#[derive(Clone, Debug)]
pub(crate) struct Run<V, T> {
    pub(crate) variant: V,
    pub(crate) each: Vec<T>,
}

impl<V, T> Run<V, T> {
    /// Measures every item with an engine of this config.
    pub(crate) fn measure<I>(
        what: &str,
        variant: V,
        config: &Config,
        items: &[I],
        mut measure: impl FnMut(&mut FreshEngine, &I) -> T,
    ) -> Result<Run<V, T>, Failure> {
        let mut engine = FreshEngine::new(config, HASH)?;
        let each = track(what, items).map(|item| measure(&mut engine, item));
        let each = each.collect();
        Ok(Run { variant, each })
    }

    pub(crate) fn sum(&self, count: impl Fn(&T) -> u64) -> u64 {
        self.each.iter().map(count).sum()
    }

    /// The sum of one count over that of another.
    pub(crate) fn rate(&self, count: impl Fn(&T) -> u64, over: impl Fn(&T) -> u64) -> f64 {
        self.sum(count) as f64 / self.sum(over).max(1) as f64
    }

    /// The sum of a count over that of another run.
    pub(crate) fn ratio_to(&self, other: &Self, count: impl Fn(&T) -> u64) -> f64 {
        self.sum(&count) as f64 / other.sum(count).max(1) as f64
    }

    /// What this one has more of than the other, item by item.
    pub(crate) fn excess(&self, other: &Self, measure: impl Fn(&T) -> f64) -> Vec<f64> {
        let pairs = self.each.iter().zip(&other.each);
        let excess = pairs.map(|(mine, theirs)| measure(mine) - measure(theirs));
        excess.collect()
    }

    /// A paired test of the logarithms of the other's count over this one's: positive where this
    /// one saves.
    pub(crate) fn savings(&self, other: &Self, count: impl Fn(&T) -> u64) -> Option<TTest> {
        TTest::of(other.excess(self, |item| (count(item).max(1) as f64).ln()))
    }
}

pub(crate) fn to_depth(plies: u32) -> Limits {
    Limits {
        depth: Some(plies),
        ..Limits::default()
    }
}

pub(crate) fn to_nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_saves_where_it_takes_less() {
        let [few, many] = [[50_u64, 51, 53], [100, 100, 100]].map(|each| {
            let each = Vec::from(each);
            Run { variant: (), each }
        });
        assert!(few.savings(&many, |&nodes| nodes).unwrap().mean > 0.0);
        assert!(many.savings(&few, |&nodes| nodes).unwrap().mean < 0.0);
        assert!((few.ratio_to(&many, |&nodes| nodes) - 154.0 / 300.0).abs() < 1e-12);
        assert!((few.rate(|&nodes| nodes, |_| 1) - 154.0 / 3.0).abs() < 1e-12);
    }
}
