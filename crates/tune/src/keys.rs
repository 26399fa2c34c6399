//! Tunables by pattern, as in `pruning.*`.

use sextant_cli::failure::Failure;
use sextant_config::{Config, Parameter, SECTIONS, parameters, report};

/// The name of a parameter: its key, and the game phase behind it where there is one, as in
/// `extensions.phase_3`.
pub(crate) fn name(parameter: &Parameter) -> String {
    let key = parameter.spec.key();
    match parameter.phase {
        Some(phase) => format!("{key}_{phase}"),
        None => key,
    }
}

pub(crate) fn find(wanted: &str) -> Option<Parameter> {
    parameters().find(|parameter| name(parameter) == wanted)
}

/// The parameters with an SPSA step that match one of `patterns` and none of `except`, in the order
/// of the file. In a pattern `*` stands for any letters and `?` for one.
pub(crate) fn choose(patterns: &[String], except: &[String]) -> Result<Vec<Parameter>, Failure> {
    for pattern in patterns {
        let named = matching("keys", pattern)?;
        if let (false, Some(first)) = (named.iter().any(is_tuned), named.first()) {
            return Err(Failure::usage(format!(
                "--keys {pattern}: no SPSA step is declared for {}; such keys are not tuned by games",
                name(first)
            )));
        }
    }
    matching_all("except", except)?;
    let named = |parameter: &Parameter, patterns: &[String]| {
        patterns.iter().any(|pattern| is_named(parameter, pattern))
    };
    let chosen: Vec<_> = parameters()
        .filter(is_tuned)
        .filter(|parameter| named(parameter, patterns) && !named(parameter, except))
        .collect();
    if chosen.is_empty() {
        let message = "--except takes away all keys that --keys names";
        return Err(Failure::usage(message));
    }
    Ok(chosen)
}

/// All parameters that match one of `patterns`; `option` names them in errors.
pub(crate) fn matching_all(option: &str, patterns: &[String]) -> Result<Vec<Parameter>, Failure> {
    let found = patterns.iter().map(|pattern| matching(option, pattern));
    Ok(found.collect::<Result<Vec<_>, _>>()?.concat())
}

fn matching(option: &str, pattern: &str) -> Result<Vec<Parameter>, Failure> {
    let found: Vec<_> = parameters()
        .filter(|parameter| is_named(parameter, pattern))
        .collect();
    if found.is_empty() {
        let hint = hint(pattern);
        return Err(Failure::usage(format!(
            "--{option} {pattern}: no key matches{hint}; `sextant config show` lists all keys"
        )));
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

/// The config knows the likest section or key; one that exists is right but for its wildcards.
fn hint(pattern: &str) -> String {
    let plain = pattern.replace(['*', '?'], "");
    let (section, rest) = plain.split_once('.').unwrap_or((&plain, ""));
    // A whole section is meant, or something like one.
    if rest.is_empty() && SECTIONS.iter().any(|(name, _)| *name == section) {
        return format!("; did you mean '{section}.*'?");
    }
    let near = |wanted: &str| {
        let refusal = report::show(&Config::default(), Some(wanted));
        let refusal = refusal.err()?.to_string();
        let (_, near) = refusal.split_once("; did you mean ")?;
        Some(format!("; did you mean {near}"))
    };
    let near = near(plain.trim_end_matches('.')).or_else(|| near(section));
    near.unwrap_or_default()
}

/// Does a pattern with `*` and `?` match all of a text? Letters have no case.
fn matches(pattern: &[u8], text: &[u8]) -> bool {
    match (pattern, text) {
        ([], _) => text.is_empty(),
        ([b'*', rest @ ..], []) => matches(rest, text),
        ([b'*', rest @ ..], [_, more @ ..]) => matches(rest, text) || matches(pattern, more),
        ([p, rest @ ..], [t, more @ ..]) => {
            (*p == b'?' || p.eq_ignore_ascii_case(t)) && matches(rest, more)
        }
        _ => false,
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
        let chosen = choose(&owned(patterns), &owned(except));
        chosen
            .map(|chosen| chosen.iter().map(name).collect())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn patterns_choose_numbers_with_a_step_in_the_order_of_the_file() {
        let chosen = names(&["reductions.*", "pruning.rfp_*"], &["*.rfp_depth"]).unwrap();
        assert_eq!(chosen[0], "reductions.base");
        let has = |name: &str| chosen.iter().any(|one| one == name);
        assert!(has("pruning.rfp_margin") && !has("pruning.rfp_depth"));
        assert!(!has("reductions.enabled"), "no switches");
        for (patterns, expected) in [
            (
                &["Extensions_Recapture", "extensions.recaptur?"][..],
                "extensions.recapture",
            ),
            (&["extensions.phase_3"], "extensions.phase_3"),
        ] {
            assert_eq!(names(patterns, &[]).unwrap(), [expected]);
        }
        assert_eq!(names(&["extensions.phase"], &[]).unwrap().len(), 8);
        for parameter in parameters() {
            let found = find(&name(&parameter)).unwrap();
            assert_eq!(found.uci_name(), parameter.uci_name());
        }
    }

    #[test]
    fn what_matches_nothing_is_refused_with_a_hint() {
        for (pattern, except, message) in [
            ("prunning.*", None, "did you mean \"pruning\"?"),
            (
                "pruning.rfp_margn",
                None,
                "did you mean \"pruning.rfp_margin\"?",
            ),
            ("pruning", None, "did you mean 'pruning.*'?"),
            ("engine.*", None, "no SPSA step"),
            ("pruning.*", Some("xyz"), "--except xyz: no key"),
            ("pruning.rfp_margin", Some("pruning.*"), "takes away all"),
        ] {
            let error = names(&[pattern], except.as_slice()).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn stars_stand_for_any_letters() {
        for (pattern, text, expected) in [
            ("*", "", true),
            ("a*c", "abbc", true),
            ("a*c", "abcb", false),
            ("**b?", "aabC", true),
            ("a?", "a", false),
            ("b", "ab", false),
            ("A.B", "a.b", true),
            ("a*b*c", "a-b-b-c", true),
        ] {
            let found = matches(pattern.as_bytes(), text.as_bytes());
            assert_eq!(found, expected, "{pattern} {text}");
        }
    }
}
