//! No text makes the reader panic, and what it accepts is valid and survives writing.

use proptest::prelude::*;
use sextant_config::{Config, SPECS, parameters};

/// A TOML value, often one that is not allowed.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i64>().prop_map(|n| n.to_string()),
        (-40i32..600).prop_map(|n| n.to_string()),
        (-400i32..700).prop_map(|n| format!("{:?}", f64::from(n) / 16.0)),
        any::<f64>().prop_map(|x| format!("{x:?}")),
        any::<bool>().prop_map(|on| on.to_string()),
        "[a-z]{0,8}".prop_map(|word| format!("\"{word}\"")),
        "\\PC{0,12}",
        prop::sample::select(vec!["inf", "\"leaf\"", "[0,1,2,3,4,5,6,7]", "{}"])
            .prop_map(str::to_owned),
    ]
}

/// A line of a file: mostly known keys, now and then rubbish.
fn line() -> impl Strategy<Value = String> {
    let key = (0..SPECS.len(), value())
        .prop_map(|(index, value)| format!("{} = {value}", SPECS[index].key()));
    prop_oneof![
        8 => key,
        1 => "\\PC{0,30}",
        1 => prop::sample::select(vec!["version = 1", "extends = \"bebe\"", "[search]", "[[eval]]"])
            .prop_map(str::to_owned),
    ]
}

/// Accepted text is valid and survives writing; refused text is refused in one line.
fn check(text: &str) {
    match Config::from_toml_str(text, "x.toml") {
        Ok(config) => {
            // The reader checks every value, so what was accepted is valid.
            let again = Config::from_toml_str(&config.to_toml(), "x.toml").expect("own output");
            assert_eq!(again, config);
            assert_eq!(again.hash(), config.hash());
        }
        Err(error) => {
            let message = error.to_string();
            assert!(message.starts_with("x.toml:"), "{message:?}");
            assert!(!message.contains('\n'), "{message:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_lines(lines in prop::collection::vec(line(), 0..3)) {
        check(&lines.join("\n"));
    }

    #[test]
    fn mutated_default(
        cuts in prop::collection::vec((any::<prop::sample::Index>(), "\\PC{0,2}"), 1..4)
    ) {
        let mut characters: Vec<_> = sextant_config::default_toml().chars().collect();
        for (place, replacement) in cuts {
            let place = place.index(characters.len());
            characters.splice(place..=place, replacement.chars());
        }
        check(&characters.into_iter().collect::<String>());
    }

    #[test]
    fn random_options(
        index in 0..SPECS.len(), name in "\\PC{0,20}", known in any::<bool>(), text in value()
    ) {
        let name = if known { parameters().nth(index).expect("fewer specs").name() } else { name };
        let before = Config::default();
        let mut config = before.clone();
        match config.set_uci(&name, &text) {
            Ok(()) => check(&config.to_toml()),
            Err(error) => {
                prop_assert_eq!(&config, &before);
                prop_assert!(!error.to_string().contains('\n'));
            }
        }
    }

    #[test]
    fn random_changes_are_written_into_random_files(
        lines in prop::collection::vec(line(), 0..3),
        changes in prop::collection::vec((any::<prop::sample::Index>(), value()), 1..6),
    ) {
        let text = lines.join("\n");
        let Ok(mut config) = Config::from_toml_str(&text, "x.toml") else { return Ok(()) };
        let all: Vec<_> = parameters().collect();
        for (place, value) in changes {
            // Many values do not suit their option; those that do are the change.
            let _ = config.set_uci(&all[place.index(all.len())].name(), &value);
        }
        let written = config.write_into(&text, "x.toml").expect("an accepted file");
        prop_assert_eq!(Config::from_toml_str(&written, "x.toml").expect("own output"), config);
    }
}
