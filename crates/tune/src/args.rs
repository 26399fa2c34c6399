//! What several subcommands take from the command line: fractions, changes of a config as in
//! `--set a:search.iir=false`, and how positions are searched.

use std::{
    fmt::Display,
    str::FromStr,
    time::{Duration, Instant},
};

use sextant_cli::amount;
use sextant_config::{Config, ConfigError, Kind, Spec};
use sextant_search::Limits;

/// A parser of numbers (clap has ranges for whole ones only) that `is_allowed` accepts; `allowed`
/// names them in its message.
pub(crate) fn within<T: FromStr>(
    allowed: &'static str,
    is_allowed: fn(&T) -> bool,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(is_allowed);
        number.ok_or_else(|| format!("allowed: {allowed}"))
    }
}

/// A parser of shares, 0 to 1.
pub(crate) fn share<T>() -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + From<u8> + PartialOrd,
{
    let is_share = |share: &T| (T::from(0)..=T::from(1)).contains(share);
    within("0 to 1, as in 0.02", is_share)
}

/// A parser of learning rates at the end of a tuning run.
pub(crate) fn rate() -> impl Fn(&str) -> Result<f64, String> + Clone {
    within("more than 0, at most 1", |rate| *rate > 0.0 && *rate <= 1.0)
}

/// One change, for the first config, the second or both.
#[derive(Clone, Debug)]
pub(crate) struct Override {
    side: Option<Side>,
    spec: &'static Spec,
    /// A config that has the value.
    donor: Box<Config>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    A,
    B,
}

impl FromStr for Override {
    type Err = String;

    fn from_str(text: &str) -> Result<Override, String> {
        let (side, rest) = match text.split_once(':') {
            Some(("a" | "A", rest)) => (Some(Side::A), rest),
            Some(("b" | "B", rest)) => (Some(Side::B), rest),
            _ => (None, text),
        };
        let form = "the form is a:KEY=VALUE, b:KEY=VALUE or KEY=VALUE";
        let (key, value) = rest.split_once('=').ok_or(form)?;
        let (key, value) = (key.trim(), value.trim());
        let spec = Spec::named(key).map_err(|fault| fault.to_string())?;
        let is_text = matches!(spec.kind, Kind::Choice(_) | Kind::File | Kind::Folders);
        let value = if is_text && !value.starts_with(['"', '\'']) {
            format!("'{value}'")
        } else {
            value.to_owned()
        };
        let toml = format!("[{}]\n{} = {value}\n", spec.section, spec.name);
        let donor = Config::from_toml_str(&toml, "--set");
        let donor = donor.map_err(|error| match error.fault() {
            Some(fault) => fault.to_string(),
            None => error.to_string(),
        })?;
        Ok(Override {
            side,
            spec,
            donor: Box::new(donor),
        })
    }
}

impl Override {
    /// Applies those of `all` that are for `side`, and says what they changed, as `KEY=VALUE`.
    pub(crate) fn apply_all(
        all: &[Override],
        side: Side,
        config: &mut Config,
    ) -> Result<Vec<String>, impl Display + use<>> {
        let mine = |change: &&Override| change.side.is_none_or(|of| of == side);
        let apply = |change: &Override| {
            let spec = change.spec;
            spec.set(config, spec.get(&change.donor))?;
            Ok::<_, ConfigError>(format!("{}={}", spec.key(), spec.text(config)))
        };
        all.iter().filter(mine).map(apply).collect()
    }
}

/// How the positions of many games are searched.
#[derive(clap::Args, Debug)]
pub(crate) struct SearchArgs {
    /// A preset or a TOML file.
    #[arg(long, value_name = "CONFIG", default_value = "default")]
    pub(crate) config: String,
    /// No new iteration once a search took this many nodes.
    #[arg(long, value_name = "N", default_value_t = 1_200)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) soft_nodes: u64,
    /// Hash table of each game in MB.
    #[arg(long, value_name = "MB", default_value_t = 4)]
    #[arg(value_parser = clap::value_parser!(i32).range(1..=65_536))]
    pub(crate) hash: i32,
    /// Games at the same time; the file does not depend on it.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: u16,
}

/// What ends a search; all that are given hold together.
#[derive(Debug, clap::Args)]
pub(crate) struct LimitArgs {
    /// Nodes such as 50k, never more [default without another limit: 10k in a match, 1M in a suite].
    #[arg(long, value_parser = amount::count)]
    nodes: Option<u64>,
    /// No new iteration after this many nodes.
    #[arg(long, value_parser = amount::count)]
    soft_nodes: Option<u64>,
    /// Depth in plies.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: Option<u32>,
    /// Time such as 100ms or 2s, a number alone is milliseconds; the results then depend on the
    /// machine.
    #[arg(long, value_name = "TIME", value_parser = amount::time_or_ms)]
    movetime: Option<Duration>,
}

/// When a run must not begin anything more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    /// So long from now, or never.
    pub(crate) fn after(time: Option<Duration>) -> Deadline {
        Deadline(time.and_then(|time| Instant::now().checked_add(time)))
    }

    pub(crate) fn is_past(self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }
}

impl LimitArgs {
    /// The limits, or `usual` nodes where there are none.
    pub(crate) fn limits(&self, usual: u64) -> Limits {
        let mut limits = Limits {
            nodes: self.nodes,
            soft_nodes: self.soft_nodes,
            depth: self.depth,
            movetime: self.movetime,
            ..Limits::default()
        };
        if limits == Limits::default() {
            limits.nodes = Some(usual);
        }
        limits
    }
}

/// Limits of a search that ends after about `soft` nodes, and surely after `hard`.
pub(crate) fn limits(soft: u64, hard: u64) -> Limits {
    Limits {
        soft_nodes: Some(soft),
        nodes: Some(hard),
        ..Limits::default()
    }
}

/// Most nodes of a search where nothing else is said. An iteration costs a few times its
/// predecessor; beyond this the search has exploded.
pub(crate) fn usual_hard(soft: u64) -> u64 {
    soft.saturating_mul(8)
}

#[cfg(test)]
mod tests {
    use sextant_config::CouplingRule;

    use super::*;

    #[test]
    fn values_are_read_as_the_file_has_them() {
        let all = [
            "a:extensions.recapture=5.25",
            "B: extensions.coupling_rule = paper",
            "pruning.null_move=false",
        ];
        let all = all.map(|text| text.parse::<Override>().unwrap());
        let [mut a, mut b] = [Config::default(), Config::default()];
        let changes = Override::apply_all(&all, Side::A, &mut a);
        let changes = changes.unwrap_or_else(|error| panic!("{error}"));
        let expected = ["extensions.recapture=5.25", "pruning.null_move=false"];
        assert_eq!(changes, expected);
        assert!(Override::apply_all(&all, Side::B, &mut b).is_ok());
        assert_eq!((a.extensions.recapture, a.pruning.null_move), (84, false));
        assert_eq!(b.extensions.coupling_rule, CouplingRule::Paper);
        assert_ne!(b.extensions.recapture, 84);
    }
}
