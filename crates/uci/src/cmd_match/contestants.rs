//! The two configs of a match.

use std::sync::Arc;

use sextant_config::{Config, Difference, Kind, Spec, diff};
use sextant_eval::nnue::Network;
use sextant_search::{Engine, EngineError, bench};
use sextant_syzygy::Tablebase;

use super::Args;
use crate::{
    cli::{Failure, Setup},
    networks, tables,
};

/// The skill level at which nothing is left to chance.
const FULL_SKILL: i32 = 20;
/// The seed of the root bonuses that stands for a new one at every search.
const SEED_FROM_CLOCK: i32 = 0;

/// Both players.
pub(super) struct Contestants {
    pub(super) first: Contestant,
    pub(super) second: Contestant,
}

/// One player: a config and its name.
pub(super) struct Contestant {
    /// `A` or `B` with the preset or file and what was changed, as in `A:default(search.iir=false)`.
    pub(super) name: String,
    pub(super) config: Config,
    tables: Option<Arc<Tablebase>>,
    network: Option<Arc<Network>>,
}

impl Contestant {
    /// Loads both configs and applies what the command line changes.
    pub(super) fn both(args: &Args, setup: &Setup) -> Result<Contestants, Failure> {
        if setup.config.is_some() {
            return Err("match takes its configs as A and B; leave --config away".into());
        }
        let overrides = args.overrides.iter().map(|text| Override::parse(text));
        let overrides = overrides.collect::<Result<Vec<_>, _>>()?;
        let load = |side, name| Contestant::load(side, name, &overrides, args, setup);
        Ok(Contestants {
            first: load('a', &args.first)?,
            second: load('b', &args.second)?,
        })
    }

    fn load(
        side: char,
        name: &str,
        overrides: &[Override],
        args: &Args,
        setup: &Setup,
    ) -> Result<Contestant, Failure> {
        let setup = Setup {
            config: Some(name.to_owned()),
            ..setup.clone()
        };
        let mut config = setup.settings()?.config;
        let mine = overrides
            .iter()
            .filter(|change| change.side.is_none_or(|of| of == side));
        let mut changes = Vec::new();
        for change in mine {
            change.apply(&mut config)?;
            changes.push(format!(
                "{}={}",
                change.spec.key(),
                change.spec.text(&config)
            ));
        }
        config.engine.hash = args.hash;
        if args.limits.tc.is_none() {
            // Nothing lies between the engine and the board that could take time.
            config.engine.move_overhead = 0;
        }
        let mut name = format!("{}:{name}", side.to_ascii_uppercase());
        if !changes.is_empty() {
            name.push_str(&format!("({})", changes.join(" ")));
        }
        let tables = tables::open(&config)?;
        let network = networks::open(&config)?;
        Ok(Contestant {
            name,
            config,
            tables,
            network,
        })
    }

    /// The nodes of a short bench, which tell engines and networks apart.
    pub(super) fn signature(&self) -> Result<u64, EngineError> {
        bench::signature(&self.config, self.network.clone())
    }

    /// How many tables it probes.
    pub(super) fn table_count(&self) -> usize {
        let tables = self.tables.as_ref();
        tables.map_or(0, |tables| tables.inventory().wdl_count())
    }

    /// An engine that plays for this side.
    pub(super) fn engine(&self) -> Result<Engine, Failure> {
        let (config, network) = (self.config.clone(), self.network.clone());
        let mut engine = if config.engine.threads == 1 {
            Engine::on_caller(config, network)?
        } else {
            Engine::with_network(config, network)?
        };
        engine.set_tablebase(self.tables.clone());
        Ok(engine)
    }
}

impl Contestants {
    /// Do both search the same way?
    pub(super) fn are_equal(&self) -> bool {
        self.first.config.hash() == self.second.config.hash()
            && tables::are_same(&self.first.config, &self.second.config)
            && self.first.network == self.second.network
    }

    /// Does a search depend on nothing but position, history and limits?
    pub(super) fn are_deterministic(&self) -> bool {
        [&self.first.config, &self.second.config]
            .into_iter()
            .all(is_deterministic)
    }

    /// The tables of the first player that has some.
    pub(super) fn tables(&self) -> Option<Arc<Tablebase>> {
        self.first
            .tables
            .clone()
            .or_else(|| self.second.tables.clone())
    }

    /// What the second has otherwise than the first.
    pub(super) fn differences(&self) -> Vec<Difference> {
        diff(&self.first.config, &self.second.config)
    }
}

fn is_deterministic(config: &Config) -> bool {
    let is_weakened = config.level.limit_strength || config.level.skill < FULL_SKILL;
    let is_random = is_weakened || config.root_bonus.random > 0;
    config.engine.threads == 1 && (!is_random || config.root_bonus.seed != SEED_FROM_CLOCK)
}

/// One `--set`.
struct Override {
    /// `a` or `b`; `None` for both.
    side: Option<char>,
    spec: &'static Spec,
    /// A configuration that has the value.
    donor: Config,
}

impl Override {
    fn parse(text: &str) -> Result<Override, Failure> {
        let (side, rest) = match text.split_once(':') {
            Some(("a" | "A", rest)) => (Some('a'), rest),
            Some(("b" | "B", rest)) => (Some('b'), rest),
            _ => (None, text),
        };
        let (key, value) = rest.split_once('=').ok_or_else(|| {
            format!("--set {text}: the form is a:KEY=VALUE, b:KEY=VALUE or KEY=VALUE")
        })?;
        let (key, value) = (key.trim(), value.trim());
        let fail = |error: &dyn std::fmt::Display| Failure::from(format!("--set {text}: {error}"));
        let Some(spec) = Spec::find(key) else {
            // Asking for the value is refused with the nearest key that there is.
            return Err(match Config::default().get(key) {
                Err(error) => fail(&error),
                Ok(_) => fail(&"this key cannot be set"),
            });
        };
        let is_text = matches!(spec.kind, Kind::Choice(_) | Kind::File | Kind::Folders);
        let quoted = value.starts_with(['"', '\'']);
        let value = if is_text && !quoted {
            format!("'{value}'")
        } else {
            value.to_owned()
        };
        let toml = format!("[{}]\n{} = {value}\n", spec.section, spec.name);
        let donor = Config::from_toml_str(&toml, "--set").map_err(|error| match error.fault() {
            Some(fault) => fail(fault),
            None => fail(&error),
        })?;
        Ok(Override { side, spec, donor })
    }

    fn apply(&self, config: &mut Config) -> Result<(), Failure> {
        Ok(self.spec.set(config, self.spec.get(&self.donor))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        match Override::parse(text) {
            Ok(_) => panic!("{text} was accepted"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn values_are_read_as_the_file_has_them() {
        let mut config = Config::default();
        for (text, side) in [
            ("a:extensions.recapture=5.25", Some('a')),
            ("B: extensions.coupling_rule = paper", Some('b')),
            ("pruning.null_move=false", None),
        ] {
            let change = Override::parse(text).unwrap();
            assert_eq!(change.side, side);
            change.apply(&mut config).unwrap();
        }
        assert_eq!(config.extensions.recapture, 84);
        assert_eq!(
            config.extensions.coupling_rule,
            sextant_config::CouplingRule::Paper
        );
        assert!(!config.pruning.null_move);
    }

    #[test]
    fn wrong_changes_are_explained() {
        assert!(error("a:extensions.recapture").contains("the form is a:KEY=VALUE"));
        let unknown = error("a:extensions.recaptur=5");
        assert!(
            unknown.contains("did you mean \"extensions.recapture\""),
            "{unknown}"
        );
        let range = error("extensions.recapture=500");
        assert!(range.starts_with("--set extensions.recapture=500: ") && range.contains("allowed"));
        assert!(error("extensions.coupling_rule=papr").contains("did you mean \"paper\""));
    }
}
