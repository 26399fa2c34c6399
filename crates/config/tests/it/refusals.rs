//! What is refused, where the error points and what it says.

use sextant_config::{Config, ConfigError, Fault, Problem};

use crate::{parse, refusal};

/// The cases of `testdata/refusals.txt`: the text of a file or the setting of an option, and the
/// whole message. Line feeds of the text are written as `\n`.
#[test]
fn errors_name_place_key_found_and_allowed() {
    let before = Config::default();
    for case in include_str!("../../testdata/refusals.txt").lines() {
        let (text, expected) = case.split_once(" => ").expect(case);
        let found = match text.strip_prefix("setoption ") {
            None => refusal(&text.replace("\\n", "\n").replace("\\r", "\r")),
            Some(option) => {
                let (name, value) = option.split_once(" value ").expect(case);
                let mut config = before.clone();
                let error = config.set_uci(name, value).expect_err(case);
                assert_eq!(config, before, "{case}");
                error.to_string()
            }
        };
        assert_eq!(found, expected, "{case}");
    }
}

#[test]
fn columns_count_characters() {
    let error = refusal("engine = { hash = 16 } # \u{fc}\n\"\u{fc}\u{fc}\" = 1\nx = 1\n");
    assert!(error.starts_with("my.toml:2:1: unknown key"), "{error}");
    let error = refusal("eval = { file = \"\u{fc}\u{fc}\", tempo = 999 }\n");
    assert!(
        error.starts_with("my.toml:1:31: eval.tempo: found 999"),
        "{error}"
    );
}

#[test]
fn syntax_errors_have_a_place() {
    for (text, place) in [
        ("[search\n", "my.toml:1:"),
        ("[search]\niir = \n", "my.toml:2:"),
        ("[search]\niir = true\niir = true\n", "my.toml:3:1:"),
        ("[search]\n[eval]\n[search]\n", "my.toml:3:"),
    ] {
        let error = refusal(text);
        assert!(error.starts_with(place), "{text:?}: {error}");
        assert!(
            error.contains("not valid TOML") && !error.contains('\n'),
            "{error}"
        );
    }
}

#[test]
fn infinities_and_giants_are_refused() {
    let problem = |value: &str| {
        let text = format!("[extensions]\nrefund_ratio = {value}\n");
        let error = Config::from_toml_str(&text, "").expect_err(value);
        error.fault().cloned().expect(value)
    };
    for value in ["inf", "-inf", "+nan", "1e400"] {
        let fault = problem(value);
        let not_finite = matches!(
            &fault,
            Fault::Value {
                problem: Problem::NotFinite(_),
                ..
            }
        );
        assert!(
            not_finite || matches!(fault, Fault::Syntax(_)),
            "{value}: {fault}"
        );
    }
    let giants = [
        "9223372036854775807",
        "-9223372036854775808",
        "1e300",
        "2147483648",
    ];
    for value in giants {
        let fault = problem(value);
        let out_of_range = matches!(
            &fault,
            Fault::Value {
                problem: Problem::OutOfRange(_),
                ..
            }
        );
        assert!(out_of_range, "{value}: {fault}");
    }
}

#[test]
fn costs_accept_every_sixteenth_and_nothing_between() {
    for sixteenths in -256..=512 {
        let shown = f64::from(sixteenths) / 16.0;
        let config = parse(&format!("[extensions]\nkiller = {shown:?}\n"));
        assert_eq!(config.extensions.killer, sixteenths);
        let between = format!("[extensions]\nkiller = {:?}\n", shown + 0.03125);
        assert!(Config::from_toml_str(&between, "").is_err(), "{between}");
    }
    assert_eq!(parse("[extensions]\nkiller = 5\n").extensions.killer, 80);
}

#[test]
fn string_options_take_spaces_and_empty() {
    let mut config = Config::default();
    let folders = " C:\\my tables;D:\\more ";
    config.set_uci("syzygypath", folders).expect("a path");
    assert_eq!(config.syzygy.path, "C:\\my tables;D:\\more");
    config.set_uci("SyzygyPath", "<empty>").expect("empty");
    assert_eq!(config.syzygy.path, "");
    let error = config.set_uci("SyzygyPath", "a\u{7}b").expect_err("a bell");
    let error = error.to_string();
    assert!(
        error.starts_with("SyzygyPath: found the control character"),
        "{error}"
    );
    assert!(!error.contains('\u{7}'), "{error}");
}

#[test]
fn unknown_presets_are_named() {
    let error = Config::preset("cyrus").expect_err("unknown");
    let far = matches!(&error, ConfigError::NotFound { nearest: None, .. });
    assert!(far, "{error}");
    let error = Config::load("cyrus68").expect_err("unknown").to_string();
    let expected = "no preset and no file is called \"cyrus68\"; did you mean \"cyrus68k\"?";
    assert!(
        error.starts_with(expected) && error.contains("integer-ply"),
        "{error}"
    );
}

#[test]
fn deep_nesting_ends_in_a_message() {
    const DEPTH: usize = 200_000;
    for text in [
        format!("x = {}", "[".repeat(DEPTH)),
        format!("x = {}1{}", "[".repeat(DEPTH), "]".repeat(DEPTH)),
        format!("x = {}", "{a=".repeat(DEPTH)),
        format!("eval{} = 1", ".a".repeat(DEPTH)),
        format!("[eval{}]", ".a".repeat(DEPTH)),
    ] {
        let error = Config::from_toml_str(&text, "deep.toml").expect_err("refused");
        let error = error.to_string();
        assert!(
            error.starts_with("deep.toml:1:") && error.len() < 500,
            "{error}"
        );
    }
}
