//! Files on disk: presets, `extends`, relative paths, and rewriting in place.

use std::{fs, path::Path};

use sextant_config::{Config, ConfigError, EvalKind, PRESETS, SPECS, diff, report};
use tempfile::TempDir;

use crate::parse;

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

/// The message with which a file is refused.
fn load_refusal(folder: &TempDir, name: &str) -> String {
    load(folder.path(), name).expect_err(name).to_string()
}

#[test]
fn the_config_folder_is_presets_that_load_and_say_what_they_are_for() {
    for preset in PRESETS {
        let name = preset.name;
        let config = Config::preset(name).expect(name);
        assert_eq!(Config::load(name.to_uppercase()).expect(name), config);
        assert_eq!(parse(preset.text), config);
        assert!(preset.summary().ends_with('.'), "{name}");
        let changes = diff(&Config::default(), &config).len();
        let neutral = matches!(name, "default" | "integer-ply");
        assert!(changes > 0 || neutral, "{name} changes nothing");
    }
    assert_eq!(
        Config::preset("default").expect("built in"),
        Config::default()
    );
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config");
    for entry in fs::read_dir(folder).expect("the config folder") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_str().expect("UTF-8").strip_suffix(".toml");
        let is_preset = |name| PRESETS.iter().any(|preset| preset.name == name);
        assert!(name.is_none_or(is_preset), "{name:?}");
    }
}

#[test]
fn integer_ply_prices_every_move_at_one_ply() {
    let config = Config::preset("integer-ply").expect("built in");
    let not_nominal: Vec<_> = SPECS
        .iter()
        .filter(|spec| spec.section == "extensions" && spec.text(&config) != "8.0")
        .map(|spec| spec.name)
        .collect();
    // Strengths, limits and switches; every price is nominal.
    let expected = "coupling coupling_rule refund_ratio lead verified line_credit \
                    beyond_nominal phase singular_enabled singular \
                    singular_double singular_depth singular_margin \
                    singular_double_margin singular_triple gap_weight gap_source \
                    quiet_forward_max quiet_backward_max window_costs";
    assert_eq!(not_nominal.join(" "), expected);
    let prices = &config.extensions;
    assert_eq!(prices.phase, [0; 8]);
    assert_eq!((prices.singular, prices.singular_double), (0, 0));
}

/// What their source says of them, and that the second budget alone makes one the other.
#[test]
fn the_programs_of_the_source_have_its_prices_and_differ_in_the_second_budget() {
    let preset = |name| Config::preset(name).expect("built in");
    let [first, single, double] = ["first-generation", "cyrus68k-single", "cyrus68k"].map(preset);
    let changed = diff(&single, &double);
    let keys: Vec<_> = changed.iter().map(|change| change.spec.key()).collect();
    assert_eq!(keys, ["extensions.coupling"]);
    let sx = |value: i32| f64::from(value) / 16.0;
    let e = &single.extensions;
    assert_eq!(sx(e.quiet_forward_max), 21.0);
    assert_eq!(sx(e.quiet_backward_max), 24.0);
    let interesting = [
        e.check_safe,
        e.check_unsafe,
        e.capture_winning,
        e.capture_equal,
        e.capture_losing,
        e.recapture,
        e.promotion,
        e.underpromotion,
        e.passed_pawn,
        e.only_reply,
        e.evasion,
        e.mate_threat,
        e.mate_glance,
    ];
    assert!(
        interesting
            .iter()
            .all(|&price| (3.0..=7.0).contains(&sx(price)))
    );
    assert!([7, 8].contains(&single.search.iteration_step));
    // By category alone: no distance, and no question about mates.
    let e = &first.extensions;
    assert_eq!((e.coupling, e.gap_weight), (0, 0));
    assert!(e.mate_threat > e.quiet_backward && e.mate_glance > e.quiet_backward);
}

#[test]
fn extends_starts_from_presets_and_files() {
    let base = "extends = \"CYRUS68K\"\n[search]\niir = true\n";
    let top = "version = 1\nextends = \"../base.toml\"\n[extensions]\nfirst = 6.5\n";
    let folder = folder(&[("base.toml", base), ("sub/top.toml", top)]);
    let mut expected = Config::preset("cyrus68k").expect("built in");
    expected.search.iir = true;
    expected.extensions.first = 104;
    let loaded = load(folder.path(), "sub/top.toml").expect("valid");
    assert_eq!(loaded, expected);
}

/// A limit, because every file of a chain takes its share of the stack.
#[test]
fn a_chain_of_32_files_is_read_and_a_longer_one_refused() {
    let folder = TempDir::new().expect("a temporary folder");
    for number in 0..33 {
        let text = match number {
            0 => "[eval]\ntempo = 7\n".to_owned(),
            _ => format!("extends = \"{}.toml\"\n", number - 1),
        };
        fs::write(folder.path().join(format!("{number}.toml")), text).expect("a file");
    }
    let longest = load(folder.path(), "31.toml").expect("32 files");
    assert_eq!(longest.eval.tempo, 7);
    let error = load_refusal(&folder, "32.toml");
    let expected = ":1:11: extends: more than 32 files";
    assert!(error.contains(expected), "{error}");
}

#[test]
fn what_cannot_be_read_is_reported_where_it_is() {
    let folder = folder(&[
        ("missing.toml", "extends = \"nowhere.toml\"\n"),
        ("top.toml", "extends = \"bad.toml\"\n"),
        ("bad.toml", "\n[eval]\ntempo = 1000\n"),
        ("a.toml", "extends = \"b.toml\"\n"),
        ("b.toml", "\nextends = \"./sub/../a.toml\"\n"),
        ("self.toml", "extends = \"self.toml\"\n"),
        ("sub/x", ""),
    ]);
    fs::write(folder.path().join("binary.toml"), b"[eval]\ntempo = \xff\n").expect("a file");
    fs::write(folder.path().join("huge.toml"), vec![b'#'; (1 << 20) + 1]).expect("a file");
    for (name, expected) in [
        (
            "missing.toml",
            "missing.toml:1:11: extends: no preset and no file",
        ),
        ("top.toml", "bad.toml:3:9: eval.tempo: found 1000"),
        (
            "a.toml",
            "b.toml:2:11: extends: these files extend each other",
        ),
        ("self.toml", "self.toml:1:11: extends: these files extend"),
        ("sub", "not a regular file"),
        ("binary.toml", "binary.toml:2:9: not valid TOML: not UTF-8"),
        ("huge.toml", "larger than 1 MiB"),
    ] {
        let error = load_refusal(&folder, name);
        assert!(error.contains(expected), "{error}");
    }
    assert!(Config::load("").is_err());
}

#[cfg(unix)]
#[test]
fn relative_paths_start_at_the_file() {
    let a = "[eval]\nfile = \"nets/x.bin\"\n[syzygy]\npath = \"tb/3:/abs/4;tb/5:\"\n";
    let folder = folder(&[
        ("a.toml", a),
        ("sub/b.toml", "extends = \"../a.toml\"\n"),
        ("sub/none.toml", "[eval]\nfile = \"\"\n"),
    ]);
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let config = load(folder.path(), "a.toml").expect("valid");
    assert_eq!(config.eval.file, at("nets/x.bin"));
    let folders = format!("{}:/abs/4;{}:", at("tb/3"), at("tb/5"));
    assert_eq!(config.syzygy.path, folders);
    let through = load(folder.path(), "sub/b.toml").expect("valid");
    assert_eq!(through.eval.file, at("sub/../nets/x.bin"));
    let none = load(folder.path(), "sub/none.toml").expect("valid");
    assert_eq!(none.eval.file, "");
}

/// What the text of `my.toml` becomes for this configuration; it loads as that.
fn rewritten(text: &str, config: &Config) -> String {
    let written = config.write_into(text, "my.toml").expect("valid");
    assert_eq!(parse(&written), *config, "{written}");
    written
}

const COMMENTED: &str = "\
# My tuning.
version = 1
extends = \"integer-ply\" # the yardstick

# Costs.
[extensions]
recapture = 5.25   # dear to me
phase = [ 0, 0.5, 0, 0, 0, 0, 0, 0 ] # opening
";

#[test]
fn rewriting_keeps_comments_and_line_ends_and_touches_only_what_differs() {
    assert_eq!(parse(&format!("\u{feff}{COMMENTED}")), parse(COMMENTED));
    for end in ["\n", "\r\n"] {
        let old = COMMENTED.replace('\n', end);
        let mut config = parse(&old);
        assert_eq!(rewritten(&old, &config), old);
        config.extensions.recapture = 81;
        config.extensions.phase[1] = 12;
        config.extensions.killer = 100;
        config.pruning.rfp_margin = 77;
        config.eval.kind = EvalKind::Classical;
        let expected = COMMENTED.replace("5.25 ", "5.0625 ").replace(
            "[ 0, 0.5, 0, 0, 0, 0, 0, 0 ] # opening\n",
            "[0.0, 0.75, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0] # opening\nkiller = 6.25\n",
        ) + "\n[pruning]\nrfp_margin = 77\n\n[eval]\nkind = \"classical\"\n";
        assert_eq!(rewritten(&old, &config), expected.replace('\n', end));
    }
}

#[test]
fn rewriting_keeps_comments_at_the_end_where_they_are() {
    let text = "[pruning]\nrfp_margin = 70 # tail\n# after margin\n\n#[search]\n#iir = false\n";
    let mut config = parse(text);
    config.search.iir_depth += 1;
    config.eval.tempo += 1;
    let written = rewritten(text, &config);
    let rest = written.strip_prefix(text).expect("all of the old text");
    assert!(rest.starts_with("\n[search]\niir_depth = "), "{rest}");
    assert_eq!(rest.matches("tempo").count(), 1);
}

#[test]
fn rewriting_works_on_inline_and_dotted_sections() {
    for text in [
        "eval = { tempo = 3 } # here\n",
        "eval.tempo = 3 # here\n",
        "[engine]\nhash = 4\n[eval]\n# before\ntempo = 3 # here\n",
        "",
    ] {
        let mut config = parse(text);
        config.eval.tempo = 4;
        config.engine.threads = 2;
        config.eval.kind = EvalKind::Classical;
        let written = rewritten(text, &config);
        let comment = |text: &str| text.contains("# here");
        assert_eq!(comment(&written), comment(text), "{written}");
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
    let changes = "search.iteration_step: 8 -> 16\nquiescence.enabled: true -> false\n";
    assert_eq!(report::differences(&Config::default(), &bebe), changes);
    assert_eq!(report::differences(&bebe, &bebe), "no differences\n");
    assert_eq!(report::list().lines().count(), PRESETS.len());

    let show = |filter| report::show(&bebe, filter).expect("a known name");
    assert!(show(None).contains("search.iteration_step = 16\n"));
    assert!(show(Some("repetition")).starts_with("repetition.filter_bits = 14\n"));
    let key = show(Some("search.iteration_step"));
    assert!(
        key.contains("allowed: 1 to 32 SX") && key.contains("default: 8"),
        "{key}"
    );
    let error = report::show(&bebe, Some("extension")).expect_err("unknown");
    let error = error.to_string();
    assert!(error.contains("did you mean \"extensions\"?"), "{error}");
}
