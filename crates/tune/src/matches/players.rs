//! The two configs of a match.

use std::sync::Arc;

use sextant_cli::failure::Failure;
use sextant_config::{Config, Difference, diff};
use sextant_play::{EnginePlayer, MatchPlayers};
use sextant_search::{EngineSetup, Limits};
use sextant_syzygy::Tablebase;

use super::Args;
use crate::{
    engine,
    overrides::{Override, Side},
};

/// The skill level at which nothing is left to chance.
const FULL_SKILL: i32 = 20;
/// The seed of the root bonuses that stands for a new one at every search.
const SEED_FROM_CLOCK: i32 = 0;

pub(super) struct Players {
    pub(super) first: NamedSetup,
    pub(super) second: NamedSetup,
}

/// One player: an engine's setup and its name.
pub(super) struct NamedSetup {
    /// `A` or `B` with the preset or file and what was changed, as in `A:default(search.iir=false)`.
    pub(super) name: String,
    pub(super) setup: EngineSetup,
}

impl NamedSetup {
    fn load(side: Side, name: &str, args: &Args) -> Result<NamedSetup, Failure> {
        let mut config = Config::load(name).map_err(Failure::usage)?;
        let changes = Override::apply_all(&args.overrides, side, &mut config);
        let changes = changes.map_err(|error| Failure::usage(format!("--set: {error}")))?;
        config.engine.hash = args.hash;
        // Nothing lies between the engine and the board that could take time.
        config.engine.move_overhead = 0;
        let mut name = format!("{side:?}:{name}");
        if !changes.is_empty() {
            name.push_str(&format!("({})", changes.join(" ")));
        }
        let setup = engine::setup(config)?;
        Ok(NamedSetup { name, setup })
    }

    pub(super) fn config(&self) -> &Config {
        self.setup.config()
    }

    fn player(&self, limits: &Limits) -> Result<EnginePlayer, Failure> {
        let engine = if self.config().engine.threads == 1 {
            self.setup.engine_on_caller()
        } else {
            self.setup.engine()
        };
        let engine = engine.map_err(Failure::usage)?;
        Ok(EnginePlayer::new(engine, limits.clone()))
    }

    /// Does a search depend on nothing but position, history and limits?
    pub(super) fn is_deterministic(&self) -> bool {
        let config = self.config();
        let is_weakened = config.level.limit_strength || config.level.skill < FULL_SKILL;
        let is_random = is_weakened || config.root_bonus.random > 0;
        config.engine.threads == 1 && (!is_random || config.root_bonus.seed != SEED_FROM_CLOCK)
    }
}

impl Players {
    /// Loads both configs and applies what the command line changes.
    pub(super) fn load(args: &Args) -> Result<Players, Failure> {
        Ok(Players {
            first: NamedSetup::load(Side::A, &args.first, args)?,
            second: NamedSetup::load(Side::B, &args.second, args)?,
        })
    }

    /// Engines for `count` games at the same time.
    pub(super) fn teams(
        &self,
        count: u16,
        limits: &Limits,
    ) -> Result<Vec<MatchPlayers<EnginePlayer>>, Failure> {
        let team = |_| {
            Ok(MatchPlayers {
                first: self.first.player(limits)?,
                second: self.second.player(limits)?,
            })
        };
        (0..count).map(team).collect()
    }

    /// Do both search the same way?
    pub(super) fn are_equal(&self) -> bool {
        let (a, b) = (self.first.config(), self.second.config());
        a.hash() == b.hash()
            && a.syzygy.path == b.syzygy.path
            && a.syzygy.backend == b.syzygy.backend
            && self.first.setup.network() == self.second.setup.network()
    }

    pub(super) fn are_deterministic(&self) -> bool {
        self.first.is_deterministic() && self.second.is_deterministic()
    }

    /// The tables of the first player that has some.
    pub(super) fn tables(&self) -> Option<Arc<Tablebase>> {
        let tables = self.first.setup.tables();
        tables.or_else(|| self.second.setup.tables()).cloned()
    }

    /// What the second has otherwise than the first.
    pub(super) fn differences(&self) -> Vec<Difference> {
        diff(self.first.config(), self.second.config())
    }
}
