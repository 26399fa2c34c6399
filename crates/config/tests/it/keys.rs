//! Every declared key works in the file, as a UCI option and in an SPSA line, and the generated
//! files are what the declarations say.

use std::{collections::HashSet, path::Path};

use sextant_config::{
    Config, CouplingRule, Kind, QuietFirst, SPECS, Spec, Value, default_toml, diff, parameters,
    report::reference,
};

use crate::parse;

/// Values that the declaration allows and that are not the default, the ends of the range among
/// them.
fn others(spec: &Spec) -> Vec<Value> {
    let default = spec.get(&Config::default());
    let candidates = match &spec.kind {
        Kind::Number(number) => [number.min, number.max].map(Value::Number).to_vec(),
        Kind::Phases(number) => {
            let different = [number.min, number.max, 1, 2, 3, 4, 5, 6];
            [different, [number.max; 8]].map(Value::Phases).to_vec()
        }
        Kind::Bool => vec![Value::Bool(true), Value::Bool(false)],
        Kind::Choice(words) => words.iter().map(|word| Value::Choice(word)).collect(),
        Kind::File | Kind::Folders => vec![Value::Text("/a b/\u{fc} \"c\" #".to_owned())],
    };
    let others = candidates.into_iter().filter(|value| *value != default);
    others.collect()
}

/// Asserts that exactly this key changed, to exactly this value.
fn assert_only(config: &Config, spec: &Spec, value: &Value) {
    let changes = diff(&Config::default(), config);
    let keys: Vec<_> = changes.iter().map(|change| change.spec.key()).collect();
    assert_eq!(keys, [spec.key()]);
    assert_eq!(changes[0].to, *value);
}

#[test]
fn every_key_is_set_by_a_file() {
    for spec in SPECS {
        for value in others(spec) {
            let text = spec.kind.text(&value);
            let config = parse(&format!("[{}]\n{} = {text}\n", spec.section, spec.name));
            assert_only(&config, spec, &value);
        }
    }
}

#[test]
fn every_option_is_set_by_uci() {
    for parameter in parameters() {
        for value in others(parameter.spec) {
            let mut wanted = Config::default();
            let spec = parameter.spec;
            spec.set(&mut wanted, value).expect("a valid value");
            let text = parameter.uci_value(&wanted);
            for name in [parameter.name(), parameter.uci_name().to_uppercase()] {
                let mut config = Config::default();
                config.set_uci(&name, &text).expect(&name);
                assert_eq!(parameter.uci_value(&config), text, "{name}");
                if parameter.phase.is_none() {
                    assert_eq!(config, wanted, "{name}");
                }
            }
        }
    }
}

#[test]
fn setting_a_phase_leaves_the_other_phases() {
    let mut config = Config::default();
    let low = config.set_uci("Extensions_Phase_3", "-128");
    low.expect("the low end");
    assert_eq!(config.extensions.phase, [0, 0, 0, -128, 0, 0, 0, 0]);
    assert!(config.set_uci("Extensions_Phase_8", "0").is_err());
}

#[test]
fn everything_changed_survives_the_file() {
    let mut config = Config::default();
    for spec in SPECS {
        let value = others(spec).pop().expect("one at least");
        spec.set(&mut config, value).expect("a valid value");
    }
    assert_eq!(diff(&Config::default(), &config).len(), SPECS.len());
    assert_eq!(parse(&config.to_toml()), config);
}

const REWRITE: &str = "SEXTANT_BLESS=1 cargo test -p sextant-config default_file";

/// Compares a committed file with its generated text, or rewrites it when asked to.
fn hold(path: &str, generated: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join(path);
    if std::env::var_os("SEXTANT_BLESS").is_some() {
        std::fs::write(&path, generated).expect("the workspace is writable");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed.replace("\r\n", "\n") == generated,
        "{} differs from the declarations; rewrite it with\n  {REWRITE}",
        path.display()
    );
}

#[test]
fn default_file_and_reference_page_match_the_declarations() {
    hold("crates/config/presets/default.toml", &default_toml());
    hold("docs/reference/config.md", &reference());
}

#[test]
fn names_are_unique_and_texts_are_complete() {
    let mut seen = HashSet::new();
    for parameter in parameters() {
        let name = parameter.name();
        assert!(seen.insert(name.to_lowercase()), "{name}");
        if let Some(alias) = parameter.spec.alias {
            assert!(seen.insert(alias.to_lowercase()), "{alias}");
        }
    }
    for spec in SPECS {
        assert!(spec.doc().ends_with('.'), "{}: {}", spec.key(), spec.doc());
        assert!(!spec.doc().contains('\n'), "{}", spec.key());
    }
}

#[test]
fn setters_check_kind_and_range() {
    let mut config = Config::default();
    for (key, value, is_right) in [
        ("extensions.recapture", Value::Number(84), true),
        ("extensions.recapture", Value::Number(1025), false),
        ("extensions.recapture", Value::Number(-257), false),
        ("extensions.recapture", Value::Bool(true), false),
        ("eval.kind", Value::Choice("magic"), false),
        ("eval.file", Value::Text("a\0b".to_owned()), false),
    ] {
        let spec = Spec::find(key).expect("known");
        assert_eq!(spec.set(&mut config, value).is_ok(), is_right, "{key}");
    }
    assert_eq!(config.extensions.recapture, 84);
    assert_eq!(diff(&Config::default(), &config).len(), 1);
    let unknown = Spec::named("recapture").expect_err("no section");
    let expected = "unknown key recapture; did you mean \"extensions.recapture\"?";
    assert_eq!(unknown.to_string(), expected);
}

#[test]
fn choices_have_no_case() {
    let text = "[quiescence]\nquiet_first = \"leaf\"\n[extensions]\ncoupling_rule = \"Forcing\"\n";
    let config = parse(text);
    assert_eq!(config.quiescence.quiet_first, QuietFirst::Leaf);
    assert_eq!(config.extensions.coupling_rule, CouplingRule::Forcing);
}

#[test]
fn option_lines_follow_the_protocol() {
    let config = Config::default();
    let options: Vec<_> = parameters().map(|p| p.uci_option(&config)).collect();
    for expected in [
        "option name Hash type spin default 16 min 1 max 33554432",
        "option name Move Overhead type spin default 10 min 0 max 5000",
        "option name SyzygyPath type string default <empty>",
        "option name Syzygy50MoveRule type check default true",
        "option name Extensions_Promotion type spin default 128 min -256 max 1024",
        "option name Extensions_Phase_3 type spin default 0 min -128 max 128",
        "option name Extensions_Coupling_Rule type combo default paper var forcing var paper",
        "option name Quiescence_Enabled type check default true",
    ] {
        assert!(options.iter().any(|line| line == expected), "{expected}");
    }
    assert!(!options.iter().any(|line| line.contains("Engine_Hash")));
}

#[test]
fn spsa_lines_follow_openbench() {
    let config = Config::default();
    let lines: Vec<_> = parameters()
        .filter_map(|parameter| parameter.spsa_line(&config, 0.002))
        .collect();
    assert!(lines.len() > 50, "{}", lines.len());
    assert!(lines.contains(&"Extensions_Promotion, int, 128, -256, 1024, 8, 0.002".to_owned()));
    assert!(lines.contains(&"Search_Aspiration_Window, int, 18, 2, 200, 3, 0.002".to_owned()));
    let of_host = |line: &String| line.starts_with("Hash") || line.starts_with("Engine_Hash");
    assert!(!lines.iter().any(of_host));
    for line in &lines {
        let fields: Vec<_> = line.split(", ").collect();
        let [name, "int", value, min, max, c_end, r_end] = fields[..] else {
            panic!("{line}")
        };
        let number = |text: &str| text.parse::<f64>().expect("a number");
        let (min, max, c_end) = (number(min), number(max), number(c_end));
        assert!((min..=max).contains(&number(value)), "{line}");
        // A perturbation must find room in the range, and must not vanish in rounding.
        assert!(c_end >= 1.0 && 2.0 * c_end <= max - min, "{line}");
        assert!(number(r_end) > 0.0, "{line}");
        // OpenBench splits at commas, blanks and equality signs.
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        assert!(name.chars().all(is_plain), "{name}");
        let set = config.clone().set_uci(name, value);
        set.expect("an option of this name");
    }
}

#[test]
fn the_hash_sees_the_search_and_nothing_else() {
    let base = Config::default();
    for spec in SPECS {
        let mut changed = base.clone();
        spec.set(&mut changed, others(spec).remove(0))
            .expect("a valid value");
        let key = spec.key();
        let host = matches!(spec.section, "engine" | "time")
            || ["syzygy.path", "syzygy.verify"].contains(&key.as_str());
        assert_eq!(changed.hash() == base.hash(), host, "{}", spec.key());
    }
    let net_at = |path: &str| {
        let mut config = base.clone();
        config.eval.file = path.to_owned();
        config.hash()
    };
    assert_eq!(net_at("/a/net.bin"), net_at("b/net.bin"));
    assert_ne!(net_at("net.bin"), net_at("other.bin"));
}
