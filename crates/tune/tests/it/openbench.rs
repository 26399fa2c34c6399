//! `openbench` and `import`: the way to a server and back.

use std::fs;

use crate::util::run;
use serde_json::Value;
use sextant_config::{Config, Parameter};

#[test]
fn a_run_goes_out_and_its_result_comes_back() {
    let (code, out, _) = run(&[
        "openbench",
        "--keys",
        "extensions.re*",
        "--keys",
        "pruning.rfp_*",
    ]);
    assert_eq!(code, Some(0));
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(
        lines[0],
        "Extensions_Refund_Ratio, int, 64, 0, 256, 8, 0.002"
    );
    assert!(
        lines.contains(&"Extensions_Recapture, int, 128, -256, 512, 8, 0.002"),
        "{out}"
    );
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("Pruning_Rfp_Margin, int, ")),
        "{out}"
    );

    // The server answers with names and values.
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (result, mine) = (path("result.txt"), path("mine.toml"));
    fs::write(
        &result,
        "Extensions_Recapture, 84\nPruning_Rfp_Margin, 71\n",
    )
    .unwrap();
    let old = "# mine\nversion = 1\n[extensions]\nrecapture = 8.0 # once\n";
    fs::write(&mine, old).unwrap();
    let (code, out, err) = run(&["import", &result, "--into", &mine]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("extensions.recapture: 8.0 -> 5.25"), "{out}");
    let text = fs::read_to_string(&mine).unwrap();
    assert!(
        text.contains("# mine\n") && text.contains("recapture = 5.25 # once"),
        "{text}"
    );
    let config = Config::load(&mine).unwrap();
    assert_eq!(
        (config.extensions.recapture, config.pruning.rfp_margin),
        (84, 71)
    );
    let (_, out, _) = run(&["import", &result, "--into", &mine]);
    assert!(out.starts_with("nothing changed"), "{out}");

    // What was imported is where the next run begins.
    let (_, out, _) = run(&[
        "openbench",
        "--keys",
        "pruning.rfp_margin",
        "--config",
        &mine,
    ]);
    assert!(out.starts_with("Pruning_Rfp_Margin, int, 71, "), "{out}");
    // A new file holds what is imported and nothing else.
    let new = path("new.toml");
    assert_eq!(run(&["import", &result, "--into", &new]).0, Some(0));
    assert_eq!(Config::load(&new).unwrap(), config);
}

#[test]
fn weather_factory_gets_its_objects() {
    let (code, out, _) = run(&["openbench", "--keys", "reductions.*", "--weather-factory"]);
    assert_eq!(code, Some(0));
    let all: Value = serde_json::from_str(&out).unwrap();
    let all = all.as_object().unwrap();
    assert!(all.len() > 10);
    for (name, one) in all {
        let parameter = Parameter::find(name).unwrap();
        let number = parameter.number().unwrap();
        assert_eq!(one["value"], parameter.get(&Config::default()).unwrap());
        assert_eq!(
            (&one["min_value"], &one["max_value"]),
            (&number.min.into(), &number.max.into())
        );
        assert!(one["step"] == number.step && number.step > 0);
    }
}

#[test]
fn mistakes_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (result, mine) = (path("result.txt"), path("mine.toml"));
    let old = "[pruning]\nrfp_margin = 80\n";
    fs::write(&mine, old).unwrap();
    let refused = |text: &str, word: &str| {
        fs::write(&result, text).unwrap();
        let (code, out, err) = run(&["import", &result, "--into", &mine]);
        assert!(
            code == Some(2) && out.is_empty() && err.contains(word),
            "{text}: {err}"
        );
        assert_eq!(fs::read_to_string(&mine).unwrap(), old);
    };
    refused(
        "Pruning_Rfp_Margin, 71\nPruning_Rfp_Margn, 9\n",
        "result.txt:2: unknown option",
    );
    refused("Pruning_Rfp_Margin, 9999\n", "an integer from 10 to 400");
    refused("nonsense\n", "the form is `NAME, value`");
    let fails = |args: &[&str], word: &str| {
        let (code, _, err) = run(args);
        assert!(code == Some(2) && err.contains(word), "{args:?}: {err}");
    };
    fails(&["import", &path("none"), "--into", &mine], "cannot read");
    fails(&["import", &result, "--into", "default"], "is a preset");
    fs::write(&mine, "[prunning]\n").unwrap();
    fails(
        &["import", &result, "--into", &mine],
        "did you mean \"pruning\"?",
    );
    fails(
        &["openbench", "--keys", "prunning.*"],
        "did you mean \"pruning\"?",
    );
    fails(&["openbench"], "--keys");
}
