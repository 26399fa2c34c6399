//! Changes of a config on the command line, as in `--set a:search.iir=false`.

use std::{fmt::Display, str::FromStr};

use sextant_config::{Config, Kind, Spec};

/// One change, for the first config, the second or both.
#[derive(Clone, Debug)]
pub(crate) struct Override {
    side: Option<Side>,
    spec: &'static Spec,
    /// A config that has the value.
    donor: Box<Config>,
}

/// A config of two.
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
        let Some(spec) = Spec::find(key) else {
            // Asking for the value is refused with the nearest key that there is.
            return Err(match Config::default().get(key) {
                Err(error) => error.to_string(),
                Ok(_) => "this key cannot be set".to_owned(),
            });
        };
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
    ///
    /// # Errors
    /// If a value does not go with the rest of the config.
    pub(crate) fn apply_all(
        all: &[Override],
        side: Side,
        config: &mut Config,
    ) -> Result<Vec<String>, impl Display + use<>> {
        let mine = |change: &&Override| change.side.is_none_or(|of| of == side);
        let apply = |change: &Override| {
            let spec = change.spec;
            spec.set(config, spec.get(&change.donor))?;
            Ok::<_, sextant_config::ConfigError>(format!("{}={}", spec.key(), spec.text(config)))
        };
        all.iter().filter(mine).map(apply).collect()
    }
}

#[cfg(test)]
mod tests {
    use sextant_config::CouplingRule;

    use super::*;

    #[test]
    fn values_are_read_as_the_file_has_them() {
        let all: Vec<Override> = [
            "a:extensions.recapture=5.25",
            "B: extensions.coupling_rule = paper",
            "pruning.null_move=false",
        ]
        .map(|text| text.parse().unwrap())
        .into();
        let [mut a, mut b] = [Config::default(), Config::default()];
        let changes = Override::apply_all(&all, Side::A, &mut a);
        let changes = changes.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(
            changes,
            ["extensions.recapture=5.25", "pruning.null_move=false"]
        );
        assert!(Override::apply_all(&all, Side::B, &mut b).is_ok());
        assert_eq!((a.extensions.recapture, a.pruning.null_move), (84, false));
        assert_eq!(b.extensions.coupling_rule, CouplingRule::Paper);
        assert_ne!(b.extensions.recapture, 84);
    }

    #[test]
    fn wrong_changes_are_explained() {
        for (text, word) in [
            ("a:extensions.recapture", "the form is a:KEY=VALUE"),
            (
                "a:extensions.recaptur=5",
                "did you mean \"extensions.recapture\"",
            ),
            ("extensions.recapture=500", "allowed"),
            ("extensions.coupling_rule=papr", "did you mean \"paper\""),
        ] {
            let error = text.parse::<Override>().unwrap_err();
            assert!(error.contains(word), "{text}: {error}");
        }
    }
}
