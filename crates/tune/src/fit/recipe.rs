//! How samples are made: what they are a function of, but for their number.

use std::{fmt::Display, fs, path::PathBuf};

use serde::{Deserialize, Serialize};

use super::args::Args;
use crate::{
    engine::Mind,
    failure::Failure,
    hash::{fnv, hex},
};

/// What samples are a function of, but for their number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Recipe {
    /// Version of the engine.
    pub(super) engine: String,
    /// Nodes of a short bench.
    pub(super) signature: u64,
    /// The config, by name and by hash.
    pub(super) config: String,
    pub(super) config_hash: String,
    /// The files of positions, by name and by hash of their contents.
    pub(super) inputs: Vec<(String, String)>,
    pub(super) seed: u64,
    pub(super) per_game: usize,
    pub(super) search_nodes: u64,
    pub(super) per_search: usize,
    pub(super) label_nodes: u64,
    pub(super) hash: i32,
}

impl Recipe {
    /// The recipe of a run that searches with `mind`.
    ///
    /// # Errors
    /// [`Failure`] if a file of positions cannot be read.
    pub(super) fn new(args: &Args, mind: &Mind) -> Result<Recipe, Failure> {
        let inputs = args.inputs.iter().map(hashed);
        Ok(Recipe {
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            signature: mind.signature()?,
            config: args.config.clone(),
            config_hash: hex(mind.config().hash()),
            inputs: inputs.collect::<Result<_, _>>()?,
            seed: args.seed,
            per_game: args.per_game,
            search_nodes: args.search_nodes,
            per_search: args.per_search,
            label_nodes: args.label_nodes,
            hash: args.hash,
        })
    }

    /// The first thing in which the recipe of older samples differs. What a person chose comes before
    /// what follows from it: another config has another bench.
    pub(super) fn difference(&self, then: &Recipe) -> Option<String> {
        self.other_inputs(then)
            .or_else(|| self.other_config(then))
            .or_else(|| differs("--seed", self.seed, then.seed))
            .or_else(|| differs("--per-game", self.per_game, then.per_game))
            .or_else(|| differs("--search-nodes", self.search_nodes, then.search_nodes))
            .or_else(|| differs("--per-search", self.per_search, then.per_search))
            .or_else(|| differs("--label-nodes", self.label_nodes, then.label_nodes))
            .or_else(|| differs("--hash", self.hash, then.hash))
            .or_else(|| differs("the version", &self.engine, &then.engine))
            .or_else(|| {
                let what = "the engine or its network, by a short bench";
                differs(what, self.signature, then.signature)
            })
    }

    /// The same files may have other names today.
    fn other_inputs(&self, then: &Recipe) -> Option<String> {
        if self.inputs.len() != then.inputs.len() {
            let names = |inputs: &[(String, String)]| {
                let names: Vec<_> = inputs.iter().map(|(name, _)| name.as_str()).collect();
                names.join(" ")
            };
            return differs("the positions", names(&self.inputs), names(&then.inputs));
        }
        let mut pairs = self.inputs.iter().zip(&then.inputs);
        let ((now, _), (was, _)) = pairs.find(|(now, then)| now.1 != then.1)?;
        differs("the positions", now, was)
            .or_else(|| Some(format!("the contents of {now} have changed")))
    }

    fn other_config(&self, then: &Recipe) -> Option<String> {
        if self.config_hash == then.config_hash {
            return None;
        }
        differs("--config", &self.config, &then.config).or_else(|| {
            Some(format!(
                "the values of --config {} have changed",
                self.config
            ))
        })
    }
}

fn differs<T: PartialEq + Display>(what: &str, now: T, then: T) -> Option<String> {
    (now != then).then(|| format!("{what} (now {now}, there {then})"))
}

/// A file's name and the hash of its contents.
fn hashed(path: &PathBuf) -> Result<(String, String), Failure> {
    let bytes = fs::read(path)
        .map_err(|error| Failure::usage(format!("cannot read {}: {error}", path.display())))?;
    Ok((path.display().to_string(), hex(fnv(&bytes))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipe() -> Recipe {
        let file = |name: &str, hash: &str| (name.to_owned(), hash.to_owned());
        Recipe {
            engine: "1".to_owned(),
            signature: 1000,
            config: "default".to_owned(),
            config_hash: "d".to_owned(),
            inputs: vec![file("a.epd", "a"), file("b.epd", "b")],
            seed: 1,
            per_game: 2,
            search_nodes: 3,
            per_search: 4,
            label_nodes: 5,
            hash: 6,
        }
    }

    fn told(change: impl Fn(&mut Recipe)) -> Option<String> {
        let mut now = recipe();
        change(&mut now);
        now.difference(&recipe())
    }

    #[test]
    fn what_a_person_chose_is_named_first() {
        let said = |change: fn(&mut Recipe)| {
            // Whatever else differs, the bench does too.
            told(|now| {
                change(now);
                now.signature = 7;
            })
            .unwrap()
        };
        let other_file = said(|now| now.inputs[1] = ("c.epd".to_owned(), "c".to_owned()));
        assert_eq!(other_file, "the positions (now c.epd, there b.epd)");
        let edited = said(|now| now.inputs[1].1 = "c".to_owned());
        assert_eq!(edited, "the contents of b.epd have changed");
        let fewer = said(|now| now.inputs.truncate(1));
        assert_eq!(fewer, "the positions (now a.epd, there a.epd b.epd)");
        let other =
            said(|now| (now.config, now.config_hash) = ("my.toml".to_owned(), "m".to_owned()));
        assert_eq!(other, "--config (now my.toml, there default)");
        let edited = said(|now| now.config_hash = "e".to_owned());
        assert_eq!(edited, "the values of --config default have changed");
        assert_eq!(said(|now| now.seed = 9), "--seed (now 9, there 1)");
        let engine = said(|_| ());
        assert!(
            engine.ends_with("a short bench (now 7, there 1000)"),
            "{engine}"
        );
    }

    #[test]
    fn everything_but_a_name_is_a_difference() {
        let renamed = |now: &mut Recipe| {
            now.config = "copy.toml".to_owned();
            now.inputs[0].0 = "copy.epd".to_owned();
        };
        assert_eq!(told(renamed), None);
        let changes: [fn(&mut Recipe); 7] = [
            |now| now.engine = "2".to_owned(),
            |now| now.signature += 1,
            |now| now.per_game += 1,
            |now| now.search_nodes += 1,
            |now| now.per_search += 1,
            |now| now.label_nodes += 1,
            |now| now.hash += 1,
        ];
        assert!(changes.into_iter().all(|change| told(change).is_some()));
    }
}
