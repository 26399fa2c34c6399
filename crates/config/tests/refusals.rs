//! What is refused, where the error points and what it says.

use sextant_config::{Config, ConfigError, Fault};

/// The message for a text called `my.toml`.
fn refusal(text: &str) -> String {
    Config::from_toml_str(text, "my.toml")
        .expect_err(text)
        .to_string()
}

#[test]
fn errors_name_place_key_found_and_allowed() {
    for (text, expected) in [
        (
            "# a comment\n[extensions]\n  recaptur = 5.0\n",
            "my.toml:3:3: unknown key extensions.recaptur; did you mean \"extensions.recapture\"?",
        ),
        (
            "[extension]\n",
            "my.toml:1:2: unknown section [extension]; did you mean \"extensions\"?",
        ),
        ("[zzzzzzzzz]\n", "my.toml:1:2: unknown section [zzzzzzzzz]"),
        (
            "[search]\nhash = 64\n",
            "my.toml:2:1: unknown key search.hash; did you mean \"engine.hash\"?",
        ),
        (
            "hash = 64\n",
            "my.toml:1:1: unknown key hash; did you mean \"engine.hash\"?",
        ),
        (
            "extend = \"bebe\"\n",
            "my.toml:1:1: unknown key extend; did you mean \"extends\"?",
        ),
        (
            "[extensions]\nrecapture = 40.0\n",
            "my.toml:2:13: extensions.recapture: found 40.0, which is out of range; \
             allowed: -16.0 to 32.0 SX in steps of 1/16",
        ),
        (
            "[engine]\r\nhash = 0\r\n",
            "my.toml:2:8: engine.hash: found 0, which is out of range; allowed: 1 to 33554432 MB",
        ),
        (
            "[engine]\nhash = 16.0\n",
            "my.toml:2:8: engine.hash: found 16.0, which has the wrong type; \
             allowed: 1 to 33554432 MB",
        ),
        (
            "[extensions]\nrecapture = nan\n",
            "my.toml:2:13: extensions.recapture: found nan, which is not a finite number; \
             allowed: -16.0 to 32.0 SX in steps of 1/16",
        ),
        (
            "[extensions]\nrecapture = 5.3\n",
            "my.toml:2:13: extensions.recapture: found 5.3, which is finer than 1/16; \
             nearest are 5.25 and 5.3125",
        ),
        (
            "[extensions]\ncoupling = 0.33\n",
            "my.toml:2:12: extensions.coupling: found 0.33, which is finer than 1/64; \
             nearest are 0.328125 and 0.34375",
        ),
        (
            "[search]\niir = 1\n",
            "my.toml:2:7: search.iir: found 1, which has the wrong type; allowed: true or false",
        ),
        (
            "[quiescence]\nquiet_first = \"frontir\"\n",
            "my.toml:2:15: quiescence.quiet_first: found \"frontir\"; \
             allowed: \"off\", \"frontier\" or \"leaf\"; did you mean \"frontier\"?",
        ),
        (
            "[extensions]\nphase = [0, 0, 0, 9.5, 0, 0, 0, 0]\n",
            "my.toml:2:19: extensions.phase: found 9.5, which is out of range; \
             allowed: -8.0 to 8.0 SX in steps of 1/16",
        ),
        (
            "[extensions]\nphase = [1, 2]\n",
            "my.toml:2:9: extensions.phase: found [1, 2], which has the wrong type; \
             allowed: 8 numbers, each -8.0 to 8.0 SX in steps of 1/16",
        ),
        (
            "version = 2\n",
            "my.toml:1:11: version: found 2; this program reads version 1",
        ),
        (
            "extends = 3\n",
            "my.toml:1:11: extends: found 3, which has the wrong type; \
             allowed: a preset or a file name in quotes",
        ),
        (
            "search = 5\n",
            "my.toml:1:10: search: found 5, which has the wrong type; allowed: a section [search]",
        ),
        (
            "[[search]]\niir = true\n",
            "my.toml:1:1: search: found [[search]], which has the wrong type; \
             allowed: a section [search]",
        ),
    ] {
        assert_eq!(refusal(text), expected, "{text:?}");
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
        assert!(
            error.starts_with(place) && error.contains("not valid TOML"),
            "{text:?}: {error}"
        );
        assert!(!error.contains('\n'), "{error}");
    }
}

#[test]
fn the_first_problem_of_the_text_is_reported() {
    let error = refusal("[eval]\ntempo = 999\n[search]\niri = true\n[engine]\nhash = 0\n");
    assert!(error.starts_with("my.toml:2:9:"), "{error}");
}

#[test]
fn infinities_and_giants_are_refused() {
    for value in ["inf", "-inf", "+nan", "1e400"] {
        let text = format!("[extensions]\nrefund_ratio = {value}\n");
        let error = Config::from_toml_str(&text, "").expect_err(value);
        let refused = matches!(
            error.fault(),
            Some(Fault::NotFinite { .. } | Fault::Syntax(_))
        );
        assert!(refused, "{value}: {error}");
    }
    for value in [
        "9223372036854775807",
        "-9223372036854775808",
        "1e300",
        "2147483648",
    ] {
        let text = format!("[extensions]\nrefund_ratio = {value}\n");
        let error = Config::from_toml_str(&text, "").expect_err(value);
        assert!(
            matches!(error.fault(), Some(Fault::OutOfRange { .. })),
            "{value}: {error}"
        );
    }
}

#[test]
fn costs_accept_every_sixteenth_and_nothing_between() {
    for sixteenths in -256..=512 {
        let shown = f64::from(sixteenths) / 16.0;
        let text = format!("[extensions]\nkiller = {shown:?}\n");
        let config = Config::from_toml_str(&text, "").expect(&text);
        assert_eq!(config.extensions.killer, sixteenths);
        let between = format!("[extensions]\nkiller = {:?}\n", shown + 0.03125);
        assert!(Config::from_toml_str(&between, "").is_err(), "{between}");
    }
    let config = Config::from_toml_str("[extensions]\nkiller = 5\n", "").expect("an integer");
    assert_eq!(config.extensions.killer, 80);
}

#[test]
fn paths_hold_no_control_characters() {
    let error = refusal("[syzygy]\npath = \"a\\u0000b\"\n");
    assert!(error.contains("control character '\\0'"), "{error}");
    let error = refusal("extends = \"a\\nb\"\n");
    assert!(
        error.starts_with("my.toml:1:11: extends: found the control character"),
        "{error}"
    );
}

#[test]
fn options_refuse_and_keep() {
    let before = Config::default();
    let mut config = before.clone();
    for (name, value, expected) in [
        (
            "Hash",
            "abc",
            "Hash: found \"abc\", which has the wrong type; allowed: an integer from 1",
        ),
        ("Hash", "", "Hash: found \"\""),
        ("Hash", "-1", "Hash: found -1, which is out of range"),
        (
            "Hash",
            "99999999999999999999",
            "Hash: found 99999999999999999999, which is out of range",
        ),
        (
            "Hash",
            "1e3",
            "Hash: found \"1e3\", which has the wrong type",
        ),
        (
            "Extensions_Recapture",
            "5.25",
            "Extensions_Recapture: found \"5.25\"",
        ),
        (
            "Search_IIR",
            "yes",
            "Search_Iir: found \"yes\", which has the wrong type",
        ),
        (
            "Eval_Kind",
            "neural",
            "Eval_Kind: found \"neural\"; allowed: \"classical\" or \"nnue\"",
        ),
        (
            "SyzygyPath",
            "a\u{7}b",
            "SyzygyPath: found the control character",
        ),
        (
            "recapture",
            "2",
            "unknown option \"recapture\"; did you mean \"Extensions_Recapture\"?",
        ),
        (
            "engine.hash",
            "2",
            "unknown option \"engine.hash\"; did you mean \"Hash\"?",
        ),
        (
            "Threds",
            "2",
            "unknown option \"Threds\"; did you mean \"Threads\"?",
        ),
        (
            "Extensions_Recaptur",
            "2",
            "unknown option \"Extensions_Recaptur\"; did you mean \"Extensions_Recapture\"?",
        ),
    ] {
        let error = config.set_uci(name, value).expect_err(name).to_string();
        assert!(error.starts_with(expected), "{name} {value}: {error}");
        assert!(!error.contains(['\n', '\u{7}']), "{error:?}");
        assert_eq!(config, before);
    }
}

#[test]
fn string_options_take_spaces_and_empty() {
    let mut config = Config::default();
    config
        .set_uci("syzygypath", " C:\\my tables;D:\\more ")
        .expect("a path");
    assert_eq!(config.syzygy.path, "C:\\my tables;D:\\more");
    config.set_uci("SyzygyPath", "<empty>").expect("empty");
    assert_eq!(config.syzygy.path, "");
}

#[test]
fn unknown_presets_are_named() {
    let error = Config::preset("cyrus").expect_err("unknown");
    assert!(
        matches!(&error, ConfigError::NotFound { nearest: None, .. }),
        "{error}"
    );
    let error = Config::load("cyrus68").expect_err("unknown").to_string();
    assert!(
        error.starts_with("no preset and no file is called \"cyrus68\"; did you mean"),
        "{error}"
    );
    assert!(error.contains("integer-ply"), "{error}");
}

#[test]
fn deep_nesting_ends_in_a_word() {
    const DEPTH: usize = 200_000;
    for text in [
        format!("x = {}", "[".repeat(DEPTH)),
        format!("x = {}1{}", "[".repeat(DEPTH), "]".repeat(DEPTH)),
        format!("x = {}", "{a=".repeat(DEPTH)),
        format!("eval{} = 1", ".a".repeat(DEPTH)),
        format!("[eval{}]", ".a".repeat(DEPTH)),
    ] {
        let error = Config::from_toml_str(&text, "deep.toml")
            .expect_err("refused")
            .to_string();
        assert!(
            error.starts_with("deep.toml:1:") && error.len() < 500,
            "{error}"
        );
    }
}
