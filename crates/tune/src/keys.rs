//! Tunables by pattern, as in `pruning.*`.

use sextant_config::{Config, Parameter, SECTIONS, parameters, report};

/// Why a choice of keys is none.
#[derive(Debug, thiserror::Error)]
pub(crate) enum KeyError {
    /// Nothing has such a name.
    #[error("--{option} {pattern}: no key matches{hint}; `sextant config show` lists all keys")]
    Unknown {
        /// `keys` or `except`.
        option: &'static str,
        pattern: String,
        /// What may have been meant.
        hint: String,
    },
    /// What has such a name is no number that games can tune.
    #[error(
        "--keys {pattern}: no SPSA step is declared for {found}; such keys are not tuned by games"
    )]
    NotTuned {
        pattern: String,
        /// A key that matches.
        found: String,
    },
    /// The exceptions leave nothing.
    #[error("--except takes away all keys that --keys names")]
    NothingLeft,
}

/// The name of a parameter: its key, and the game phase behind it where there is one, as in
/// `extensions.phase_3`.
pub(crate) fn name(parameter: &Parameter) -> String {
    let key = parameter.spec.key();
    match parameter.phase {
        Some(phase) => format!("{key}_{phase}"),
        None => key,
    }
}

/// The parameter of such a name.
pub(crate) fn find(wanted: &str) -> Option<Parameter> {
    parameters().find(|parameter| name(parameter) == wanted)
}

/// The parameters with an SPSA step that match one of `patterns` and none of `except`, in the order
/// of the file. In a pattern `*` stands for any letters and `?` for one.
///
/// # Errors
/// [`KeyError`] for a pattern that matches nothing, or nothing that games can tune.
pub(crate) fn choose(patterns: &[String], except: &[String]) -> Result<Vec<Parameter>, KeyError> {
    for pattern in patterns {
        let named: Vec<_> = matching("keys", pattern)?;
        if let (false, Some(first)) = (named.iter().any(is_tuned), named.first()) {
            let (pattern, found) = (pattern.clone(), name(first));
            return Err(KeyError::NotTuned { pattern, found });
        }
    }
    for pattern in except {
        matching("except", pattern)?;
    }
    let named = |parameter: &Parameter, patterns: &[String]| {
        patterns.iter().any(|pattern| is_named(parameter, pattern))
    };
    let chosen: Vec<_> = parameters()
        .filter(is_tuned)
        .filter(|parameter| named(parameter, patterns) && !named(parameter, except))
        .collect();
    if chosen.is_empty() {
        return Err(KeyError::NothingLeft);
    }
    Ok(chosen)
}

/// All parameters that match one of `patterns`; `option` names them in errors.
///
/// # Errors
/// [`KeyError`] for a pattern that matches nothing.
pub(crate) fn matching_all(
    option: &'static str,
    patterns: &[String],
) -> Result<Vec<Parameter>, KeyError> {
    let found = patterns.iter().map(|pattern| matching(option, pattern));
    Ok(found.collect::<Result<Vec<_>, _>>()?.concat())
}

fn matching(option: &'static str, pattern: &str) -> Result<Vec<Parameter>, KeyError> {
    let found: Vec<_> = parameters()
        .filter(|parameter| is_named(parameter, pattern))
        .collect();
    if found.is_empty() {
        let (pattern, hint) = (pattern.to_owned(), hint(pattern));
        return Err(KeyError::Unknown {
            option,
            pattern,
            hint,
        });
    }
    Ok(found)
}

fn is_tuned(parameter: &Parameter) -> bool {
    parameter.number().is_some_and(|number| number.step > 0)
}

/// A pattern may be written as a key or as the option of that key.
fn is_named(parameter: &Parameter, pattern: &str) -> bool {
    [name(parameter), parameter.spec.key(), parameter.uci_name()]
        .iter()
        .any(|name| matches(pattern.as_bytes(), name.as_bytes()))
}

/// The config knows the likest section or key; a key that exists is right but for its wildcards.
fn hint(pattern: &str) -> String {
    let plain = pattern.replace(['*', '?'], "");
    let (section, rest) = plain.split_once('.').unwrap_or((&plain, ""));
    let config = Config::default();
    let near = |wanted: &str| {
        let refusal = report::show(&config, Some(wanted)).err()?.to_string();
        let (_, hint) = refusal.split_once("; did you mean ")?;
        Some(format!("; did you mean {}", hint.trim_end_matches('?')))
    };
    let near = match rest {
        // A whole section is meant, or something like one.
        "" if SECTIONS.iter().any(|(name, _)| *name == section) => {
            Some(format!("; did you mean '{section}.*'"))
        }
        "" => near(section),
        _ => near(&plain).or_else(|| near(section)),
    };
    near.map(|hint| hint + "?").unwrap_or_default()
}

/// Does a pattern with `*` and `?` match all of a text? Letters have no case.
fn matches(mut pattern: &[u8], mut text: &[u8]) -> bool {
    // What follows the last star, and where it was last tried. Earlier stars need not be tried again.
    let mut star = None;
    loop {
        match (pattern.split_first(), text.split_first()) {
            (None, None) => return true,
            (Some((b'*', rest)), _) => {
                star = Some((rest, text));
                pattern = rest;
            }
            (Some((p, pattern_rest)), Some((t, text_rest)))
                if *p == b'?' || p.eq_ignore_ascii_case(t) =>
            {
                (pattern, text) = (pattern_rest, text_rest);
            }
            _ => {
                let Some((rest, [_, later @ ..])) = star else {
                    return false;
                };
                star = Some((rest, later));
                (pattern, text) = (rest, later);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(patterns: &[&str], except: &[&str]) -> Result<Vec<String>, String> {
        let owned = |texts: &[&str]| {
            texts
                .iter()
                .map(|&text| text.to_owned())
                .collect::<Vec<_>>()
        };
        choose(&owned(patterns), &owned(except))
            .map(|chosen| chosen.iter().map(name).collect())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn patterns_choose_numbers_with_a_step_in_the_order_of_the_file() {
        let chosen = names(&["reductions.*", "pruning.rfp_*"], &["*.rfp_depth"]).unwrap();
        assert_eq!(chosen[0], "reductions.base");
        assert!(chosen.contains(&"pruning.rfp_margin".to_owned()));
        assert!(chosen.iter().all(|name| name != "pruning.rfp_depth"));
        assert!(
            chosen.iter().all(|name| name != "reductions.enabled"),
            "no switches"
        );
        assert_eq!(
            names(&["Extensions_Recapture", "extensions.recaptur?"], &[]).unwrap(),
            ["extensions.recapture"]
        );
    }

    #[test]
    fn a_phase_is_a_parameter_of_its_own() {
        assert_eq!(names(&["extensions.phase"], &[]).unwrap().len(), 8);
        assert_eq!(
            names(&["extensions.phase_3"], &[]).unwrap(),
            ["extensions.phase_3"]
        );
        for parameter in parameters() {
            let found = find(&name(&parameter)).unwrap();
            assert_eq!(found.uci_name(), parameter.uci_name());
        }
    }

    #[test]
    fn what_matches_nothing_is_refused_with_a_hint() {
        let error = |patterns: &[&str], except: &[&str]| names(patterns, except).unwrap_err();
        assert!(error(&["prunning.*"], &[]).contains("did you mean \"pruning\"?"));
        let near = error(&["pruning.rfp_margn"], &[]);
        assert!(
            near.contains("did you mean \"pruning.rfp_margin\"?"),
            "{near}"
        );
        assert!(error(&["pruning"], &[]).contains("did you mean 'pruning.*'?"));
        assert!(error(&["engine.*"], &[]).contains("no SPSA step"));
        assert!(error(&["pruning.*"], &["xyz"]).starts_with("--except xyz: no key"));
        assert!(error(&["pruning.rfp_margin"], &["pruning.*"]).contains("takes away all"));
    }

    #[test]
    fn stars_stand_for_any_letters() {
        for (pattern, text, expected) in [
            ("*", "", true),
            ("a*c", "abbc", true),
            ("a*c", "abcb", false),
            ("**b?", "aabC", true),
            ("a?", "a", false),
            ("A.B", "a.b", true),
            ("a*b*c", "a-b-b-c", true),
            (
                "*****************************x",
                "pruning.rfp_margin",
                false,
            ),
        ] {
            assert_eq!(
                matches(pattern.as_bytes(), text.as_bytes()),
                expected,
                "{pattern} {text}"
            );
        }
    }
}
