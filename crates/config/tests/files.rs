//! Files on disk: presets, `extends`, relative paths, and rewriting in place.

use std::fs;
use std::path::Path;

use sextant_config::{Config, ConfigError, Fault, PRESETS, diff, report};
use tempfile::TempDir;

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("inside the folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    folder
}

fn load(folder: &Path, name: &str) -> Result<Config, ConfigError> {
    Config::load(folder.join(name).to_str().expect("UTF-8"))
}

#[test]
fn every_preset_loads_and_says_what_it_is_for() {
    for preset in PRESETS {
        let config = Config::preset(preset.name).expect(preset.name);
        config.validate().expect(preset.name);
        assert_eq!(
            Config::load(&preset.name.to_uppercase()).expect(preset.name),
            config
        );
        assert_eq!(
            Config::from_toml_str(&preset.text(), preset.name).expect(preset.name),
            config
        );
        assert!(preset.summary().ends_with('.'), "{}", preset.name);
        let changes = diff(&Config::default(), &config).len();
        let neutral = matches!(preset.name, "default" | "integer-ply");
        assert!(changes > 0 || neutral, "{} changes nothing", preset.name);
    }
    assert_eq!(
        Config::preset("default").expect("built in"),
        Config::default()
    );
    assert_eq!(
        Config::preset("bebe")
            .expect("built in")
            .search
            .iteration_step,
        16
    );
}

#[test]
fn every_file_of_the_config_folder_is_a_preset() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config");
    for entry in fs::read_dir(folder).expect("the config folder") {
        let path = entry.expect("an entry").path();
        if path
            .extension()
            .is_some_and(|extension| extension == "toml")
        {
            let name = path
                .file_stem()
                .and_then(|stem| stem.to_str())
                .expect("UTF-8");
            assert!(PRESETS.iter().any(|preset| preset.name == name), "{name}");
        }
    }
}

#[test]
fn integer_ply_prices_every_move_at_one_ply() {
    let config = Config::preset("integer-ply").expect("built in");
    let text = config.to_toml();
    let extensions = text
        .split("[extensions]")
        .nth(1)
        .and_then(|rest| rest.split("\n[").next());
    let not_nominal: Vec<_> = extensions
        .expect("the section")
        .lines()
        .filter(|line| !line.starts_with('#') && line.contains(" = "))
        .filter(|line| !line.ends_with(" = 8.0"))
        .map(|line| line.split(" = ").next().unwrap_or_default())
        .collect();
    // Strengths, limits and switches; every price is nominal.
    let expected = [
        "coupling",
        "coupling_rule",
        "refund_ratio",
        "line_credit",
        "phase",
        "singular_enabled",
        "singular",
        "singular_double",
        "singular_depth",
        "singular_margin",
        "gap_weight",
        "gap_source",
        "quiet_forward_max",
        "quiet_backward_max",
        "window_costs",
    ];
    assert_eq!(not_nominal, expected);
    assert_eq!(config.extensions.phase, [0; 8]);
    assert_eq!(
        (
            config.extensions.singular,
            config.extensions.singular_double
        ),
        (0, 0)
    );
}

#[test]
fn extends_starts_from_presets_and_files() {
    let folder = folder(&[
        (
            "base.toml",
            "extends = \"CYRUS68K\"\n[search]\niir = true\n",
        ),
        (
            "sub/top.toml",
            "version = 1\nextends = \"../base.toml\"\n[extensions]\nfirst = 6.5\n",
        ),
    ]);
    let mut expected = Config::preset("cyrus68k").expect("built in");
    expected.search.iir = true;
    expected.extensions.first = 104;
    assert_eq!(
        load(folder.path(), "sub/top.toml").expect("valid"),
        expected
    );
}

#[test]
fn circles_are_refused() {
    let folder = folder(&[
        ("a.toml", "extends = \"b.toml\"\n"),
        ("b.toml", "\nextends = \"./sub/../a.toml\"\n"),
        ("self.toml", "extends = \"self.toml\"\n"),
        ("sub/x.toml", ""),
    ]);
    let error = load(folder.path(), "a.toml").expect_err("a circle");
    let Some(Fault::Cycle { chain }) = error.fault() else {
        panic!("{error}")
    };
    assert_eq!(chain.len(), 3);
    assert!(
        error
            .to_string()
            .contains("b.toml:2:11: extends: these files"),
        "{error}"
    );
    let error = load(folder.path(), "self.toml").expect_err("a circle");
    assert!(
        matches!(error.fault(), Some(Fault::Cycle { .. })),
        "{error}"
    );
}

#[test]
fn a_file_extended_twice_is_no_circle() {
    let folder = folder(&[
        ("a.toml", "extends = \"b.toml\"\n"),
        ("b.toml", "extends = \"c.toml\"\n"),
        ("c.toml", "[eval]\ntempo = 7\n"),
    ]);
    assert_eq!(load(folder.path(), "a.toml").expect("valid").eval.tempo, 7);
}

#[test]
fn a_bad_base_is_reported_where_it_is() {
    let folder = folder(&[
        ("missing.toml", "extends = \"nowhere.toml\"\n"),
        ("top.toml", "extends = \"bad.toml\"\n"),
        ("bad.toml", "\n[eval]\ntempo = 1000\n"),
    ]);
    let error = load(folder.path(), "missing.toml")
        .expect_err("no base")
        .to_string();
    assert!(
        error.contains("missing.toml:1:11: extends: no preset and no file"),
        "{error}"
    );
    let error = load(folder.path(), "top.toml")
        .expect_err("bad base")
        .to_string();
    assert!(
        error.contains("bad.toml:3:9: eval.tempo: found 1000"),
        "{error}"
    );
}

#[test]
fn what_is_no_text_file_is_refused() {
    let folder = folder(&[("sub/x", "")]);
    fs::write(folder.path().join("binary.toml"), b"[eval]\ntempo = \xff\n").expect("a file");
    fs::write(folder.path().join("huge.toml"), vec![b'#'; (1 << 20) + 1]).expect("a file");
    let error = load(folder.path(), "sub")
        .expect_err("a folder")
        .to_string();
    assert!(error.contains("not a regular file"), "{error}");
    let error = load(folder.path(), "binary.toml")
        .expect_err("not text")
        .to_string();
    assert!(
        error.contains("binary.toml:2:9: not valid TOML: not UTF-8"),
        "{error}"
    );
    let error = load(folder.path(), "huge.toml")
        .expect_err("too large")
        .to_string();
    assert!(error.contains("larger than 1 MiB"), "{error}");
    assert!(Config::load("").is_err());
}

#[test]
fn a_byte_order_mark_and_crlf_are_read() {
    let text = "\u{feff}version = 1\r\n[eval]\r\ntempo = 9\r\n";
    assert_eq!(
        Config::from_toml_str(text, "").expect("valid").eval.tempo,
        9
    );
}

#[cfg(unix)]
#[test]
fn relative_paths_start_at_the_file() {
    let folder = folder(&[
        (
            "a.toml",
            "[eval]\nfile = \"nets/x.bin\"\n[syzygy]\npath = \"tb/3:/abs/4;tb/5:\"\n",
        ),
        ("sub/b.toml", "extends = \"../a.toml\"\n"),
        ("sub/none.toml", "[eval]\nfile = \"\"\n"),
    ]);
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let config = load(folder.path(), "a.toml").expect("valid");
    assert_eq!(config.eval.file, at("nets/x.bin"));
    assert_eq!(
        config.syzygy.path,
        format!("{}:/abs/4;{}:", at("tb/3"), at("tb/5"))
    );
    let through = load(folder.path(), "sub/b.toml").expect("valid");
    assert_eq!(through.eval.file, at("sub/../nets/x.bin"));
    assert_eq!(
        load(folder.path(), "sub/none.toml")
            .expect("valid")
            .eval
            .file,
        ""
    );
}

const COMMENTED: &str = "\
# My tuning.
version = 1
extends = \"integer-ply\" # the yardstick

# Costs.
[extensions]
recapture = 5.25   # dear to me
phase = [ 0, 0.5,  # opening
  0, 0, 0, 0, 0, 0 ]
";

#[test]
fn rewriting_keeps_comments_and_touches_only_what_differs() {
    let mut config = Config::from_toml_str(COMMENTED, "my.toml").expect("valid");
    assert_eq!(
        config.write_into(COMMENTED, "my.toml").expect("valid"),
        COMMENTED
    );
    config.extensions.recapture = 81;
    config.extensions.phase[1] = 12;
    config.extensions.killer = 100;
    config.pruning.rfp_margin = 77;
    config.eval.kind = sextant_config::EvalKind::Classical;
    let written = config.write_into(COMMENTED, "my.toml").expect("valid");
    let expected = COMMENTED
        .replace("5.25 ", "5.0625 ")
        .replace("0.5,", "0.75,")
        .replace("0, 0 ]\n", "0, 0 ]\nkiller = 6.25\n")
        + "\n[pruning]\nrfp_margin = 77\n\n[eval]\nkind = \"classical\"\n";
    assert_eq!(written, expected);
    assert_eq!(
        Config::from_toml_str(&written, "my.toml").expect("valid"),
        config
    );
}

#[test]
fn rewriting_keeps_comments_at_the_end_where_they_are() {
    let text = "[pruning]\nrfp_margin = 70 # tail\n# after margin\n\n#[search]\n#iir = false\n";
    let mut config = Config::from_toml_str(text, "my.toml").expect("valid");
    config.search.iir_depth += 1;
    config.eval.tempo += 1;
    let written = config.write_into(text, "my.toml").expect("valid");
    let rest = written.strip_prefix(text).expect("all of the old text");
    assert!(rest.starts_with("\n[search]\niir_depth = "), "{rest}");
    assert_eq!(rest.matches("tempo").count(), 1);
}

#[test]
fn rewriting_keeps_line_ends() {
    let text = COMMENTED.replace('\n', "\r\n");
    let mut config = Config::from_toml_str(&text, "my.toml").expect("valid");
    assert_eq!(config.write_into(&text, "my.toml").expect("valid"), text);
    config.extensions.killer = 100;
    let written = config.write_into(&text, "my.toml").expect("valid");
    assert_eq!(
        written.matches("\r\n").count(),
        written.matches('\n').count()
    );
    assert_eq!(written.lines().count(), text.lines().count() + 1);
}

#[test]
fn rewriting_works_on_inline_and_dotted_sections() {
    for text in [
        "eval = { tempo = 3 } # here\n",
        "eval.tempo = 3 # here\n",
        "[engine]\nhash = 4\n[eval]\n# before\ntempo = 3 # here\n",
        "",
    ] {
        let mut config = Config::from_toml_str(text, "x.toml").expect(text);
        config.eval.tempo = 4;
        config.engine.threads = 2;
        config.eval.kind = sextant_config::EvalKind::Classical;
        let written = config.write_into(text, "x.toml").expect(text);
        assert_eq!(
            Config::from_toml_str(&written, "x.toml").expect(&written),
            config,
            "{written}"
        );
        assert_eq!(
            written.contains("# here"),
            text.contains("# here"),
            "{written}"
        );
    }
}

#[cfg(unix)]
#[test]
fn rewriting_keeps_paths_pointing_at_the_same_files() {
    let text = "[eval]\nfile = \"nets/x.bin\"\n";
    let mut config = Config::from_toml_str(text, "sub/my.toml").expect("valid");
    assert_eq!(config.eval.file, "sub/nets/x.bin");
    assert_eq!(config.write_into(text, "sub/my.toml").expect("valid"), text);
    config.eval.file = "sub/nets/y.bin".to_owned();
    config.syzygy.path = "/tb/3:/tb/4".to_owned();
    let written = config.write_into(text, "sub/my.toml").expect("valid");
    assert!(written.contains("file = \"nets/y.bin\""), "{written}");
    assert_eq!(
        Config::from_toml_str(&written, "sub/my.toml").expect("valid"),
        config
    );
}

#[test]
fn reports_say_what_the_subcommands_show() {
    let folder = folder(&[("bad.toml", "[eval]\ntempo = 999\nkin = 1\n[x]\n")]);
    let bad = folder.path().join("bad.toml");
    let problems = report::verify(bad.to_str().expect("UTF-8")).expect_err("three problems");
    assert_eq!(problems.lines().count(), 3, "{problems}");
    let valid = report::verify("bebe").expect("built in");
    assert!(valid.starts_with("bebe: valid; 2 keys differ"), "{valid}");

    let bebe = Config::preset("bebe").expect("built in");
    assert_eq!(
        report::differences(&Config::default(), &bebe),
        "search.iteration_step: 8 -> 16\nquiescence.enabled: true -> false\n"
    );
    assert_eq!(report::differences(&bebe, &bebe), "no differences\n");
    assert_eq!(report::list().lines().count(), PRESETS.len());
    assert_eq!(
        Config::from_toml_str(&report::dump(&bebe), "").expect("valid"),
        bebe
    );

    let all = report::show(&bebe, None).expect("everything");
    assert!(all.contains("search.iteration_step = 16\n"), "{all}");
    let section = report::show(&bebe, Some("repetition")).expect("a section");
    assert!(
        section.starts_with("repetition.filter_bits = 14\n"),
        "{section}"
    );
    let key = report::show(&bebe, Some("search.iteration_step")).expect("a key");
    assert!(
        key.contains("allowed: 1 to 32 SX") && key.contains("default: 8"),
        "{key}"
    );
    let error = report::show(&bebe, Some("extension"))
        .expect_err("unknown")
        .to_string();
    assert!(error.contains("did you mean \"extensions\"?"), "{error}");
}
