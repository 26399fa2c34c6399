//! What is refused, where the error points and what it says.

use sextant_config::{Config, ConfigError};

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

/// The words are the parser's.
#[test]
fn syntax_errors_have_a_place() {
    let deep = 200_000;
    for (text, place) in [
        ("[search\n".to_owned(), "my.toml:1:"),
        ("[search]\niir = \n".to_owned(), "my.toml:2:"),
        (
            "[search]\niir = true\niir = true\n".to_owned(),
            "my.toml:3:1:",
        ),
        ("[search]\n[eval]\n[search]\n".to_owned(), "my.toml:3:"),
        (format!("x = {}", "[".repeat(deep)), "my.toml:1:"),
        (format!("x = {}", "{a=".repeat(deep)), "my.toml:1:"),
        (format!("eval{} = 1", ".a".repeat(deep)), "my.toml:1:"),
        (format!("[eval{}]", ".a".repeat(deep)), "my.toml:1:"),
    ] {
        let error = refusal(&text);
        assert!(error.starts_with(place), "{error}");
        assert!(error.contains("not valid TOML"), "{error}");
        assert!(!error.contains('\n') && error.len() < 500, "{error}");
    }
}

#[test]
fn costs_accept_every_sixteenth_and_nothing_between() {
    for sixteenths in -256..=1024 {
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
