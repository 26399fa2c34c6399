//! `openbench` and `import`: the way to a server and back.

use serde_json::Value;
use sextant_config::{Config, Parameter};

use crate::util::Place;

#[test]
fn a_run_goes_out_and_its_result_comes_back() {
    let place = Place::new();
    let (out, _) = place.succeed("openbench --keys extensions.re* --keys pruning.rfp_*");
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(
        lines[0],
        "Extensions_Refund_Ratio, int, 64, 0, 256, 8, 0.002"
    );
    for start in [
        "Extensions_Recapture, int, 112, -256, 1024, 8, 0.002",
        "Pruning_Rfp_Margin, int, ",
    ] {
        assert!(lines.iter().any(|line| line.starts_with(start)), "{out}");
    }

    // The server answers with names and values.
    let result = "Extensions_Recapture, 84\nPruning_Rfp_Margin, 71\n";
    place.write("result.txt", result);
    let old = "# mine\nversion = 1\n[extensions]\nrecapture = 8.0 # once\n";
    place.write("mine.toml", old);
    let (out, _) = place.succeed("import result.txt --into mine.toml");
    assert!(out.contains("extensions.recapture: 8.0 -> 5.25"), "{out}");
    let text = place.text("mine.toml");
    for kept in ["# mine\n", "recapture = 5.25 # once"] {
        assert!(text.contains(kept), "{text}");
    }
    let config = place.config("mine.toml");
    let found = (config.extensions.recapture, config.pruning.rfp_margin);
    assert_eq!(found, (84, 71));
    let (out, _) = place.succeed("import result.txt --into mine.toml");
    assert!(out.starts_with("nothing changed"), "{out}");

    // What was imported is where the next run begins.
    let (out, _) = place.succeed("openbench --keys pruning.rfp_margin --config mine.toml");
    assert!(out.starts_with("Pruning_Rfp_Margin, int, 71, "), "{out}");
    // A new file holds what is imported and nothing else.
    place.succeed("import result.txt --into new.toml");
    assert_eq!(place.config("new.toml"), config);
}

#[test]
fn weather_factory_gets_its_objects() {
    let (out, _) = Place::new().succeed("openbench --keys reductions.* --weather-factory");
    let all: Value = serde_json::from_str(&out).unwrap();
    let all = all.as_object().unwrap();
    assert!(all.len() > 10);
    for (name, one) in all {
        let parameter = Parameter::find(name).unwrap();
        let number = parameter.number().unwrap();
        let value = parameter.get(&Config::default()).unwrap();
        for (key, expected) in [
            ("value", value),
            ("min_value", number.min),
            ("max_value", number.max),
            ("step", number.step),
        ] {
            assert_eq!(one[key], expected, "{name} {key}");
        }
        assert!(number.step > 0);
    }
}

#[test]
fn mistakes_change_nothing() {
    let place = Place::new();
    let old = "[pruning]\nrfp_margin = 80\n";
    place.write("mine.toml", old);
    place.write("bad.toml", "[prunning]\n");
    place.write("good.txt", "Pruning_Rfp_Margin, 71\n");
    place.write("bad.txt", "Pruning_Rfp_Margin, 71\nPruning_Rfp_Margn, 9\n");
    for (line, message) in [
        (
            "import bad.txt --into mine.toml",
            "bad.txt:2: unknown option",
        ),
        ("import good.txt --into default", "is a preset"),
        (
            "import good.txt --into bad.toml",
            "did you mean \"pruning\"?",
        ),
        ("openbench", "--keys"),
    ] {
        place.refused(line, message);
    }
    assert_eq!(place.text("mine.toml"), old);
}
