//! The written schemas hold for every answer.

use std::fs;

use crate::{TABLES, run, run_with, shared};
use serde_json::Value;

fn schema(name: &str) -> Value {
    let path = format!(
        "{}/../syzygy/schema/{name}.schema.json",
        env!("CARGO_MANIFEST_DIR")
    );
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn is_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64(),
        "null" => value.is_null(),
        other => panic!("the checker does not know type {other}"),
    }
}

/// The part of JSON Schema that our schemas use; panics on any other keyword.
fn check(schema: &Value, value: &Value, place: &str) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("{place}: {what}: {value}"));
    for (keyword, rule) in schema.as_object().unwrap() {
        let holds = match keyword.as_str() {
            "$schema" | "title" | "description" => true,
            "const" => value == rule,
            "enum" => rule.as_array().unwrap().contains(value),
            "type" => match rule {
                Value::Array(names) => names
                    .iter()
                    .any(|name| is_type(value, name.as_str().unwrap())),
                name => is_type(value, name.as_str().unwrap()),
            },
            "required" => rule
                .as_array()
                .unwrap()
                .iter()
                .all(|key| value.get(key.as_str().unwrap()).is_some()),
            "additionalProperties" => {
                let known = &schema["properties"];
                *rule == Value::Bool(false)
                    && value
                        .as_object()
                        .unwrap()
                        .keys()
                        .all(|key| known.get(key).is_some())
            }
            "properties" => {
                for (key, schema) in rule.as_object().unwrap() {
                    if let Some(value) = value.get(key) {
                        check(schema, value, &format!("{place}.{key}"))?;
                    }
                }
                true
            }
            "items" => {
                for (at, value) in value.as_array().unwrap().iter().enumerate() {
                    check(rule, value, &format!("{place}[{at}]"))?;
                }
                true
            }
            other => panic!("the checker does not know {other}"),
        };
        if !holds {
            return wrong(keyword);
        }
    }
    Ok(())
}

#[test]
fn the_checker_notices_what_is_wrong() {
    let schema = schema("probe");
    let told = run(&["probe", "--json", "8/8/8/8/8/2k5/8/K6Q w"]);
    let good: Value = serde_json::from_str(&told.out).unwrap();
    check(&schema, &good, "answer").unwrap();
    let break_it = |change: &dyn Fn(&mut Value)| {
        let mut bad = good.clone();
        change(&mut bad);
        check(&schema, &bad, "answer").unwrap_err();
    };
    break_it(&|bad| bad["category"] = "won".into());
    break_it(&|bad| bad["dtz"] = "1".into());
    break_it(&|bad| bad["moves"][3]["extra"] = 1.into());
    break_it(&|bad| drop(bad["moves"][0].as_object_mut().unwrap().remove("san")));
}

#[test]
fn every_truth_position_fits_the_schema_and_the_truth() {
    let Some(folder) = shared() else {
        println!("skipped: no ../shared/data/syzygy");
        return;
    };
    let schema = schema("probe");
    let truth: Vec<Value> = ["truth_34.jsonl", "truth_5.jsonl"]
        .iter()
        .flat_map(|file| {
            let text = fs::read_to_string(folder.join(file)).unwrap();
            text.lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect::<Vec<Value>>()
        })
        .collect();
    let input: String = truth
        .iter()
        .map(|row| format!("{}\n", row["fen"].as_str().unwrap()))
        .collect();
    let paths = format!("{0}/3-4:{0}/5", folder.display());
    let told = run_with(&["--path", &paths, "batch", "-", "--moves"], &input);
    // Children of the five-man positions with a promoted pawn have no DTZ table here, but all have
    // an answer.
    assert_eq!(told.code, 0, "{}", told.err);
    let mut answers = 0;
    for (line, row) in told.out.lines().zip(&truth) {
        let mut answer: Value = serde_json::from_str(line).unwrap();
        let object = answer.as_object_mut().unwrap();
        object.remove("line");
        assert_eq!(object.remove("fen").as_ref(), Some(&row["fen"]));
        check(&schema, &answer, "answer").unwrap();
        assert_eq!(answer["dtz"], row["dtz"], "{row}");
        let wdl = row["wdl"].as_i64().unwrap();
        let category = answer["category"].as_str().unwrap();
        let sign = match category {
            "win" | "maybe-win" | "cursed-win" => 1,
            "draw" => 0,
            _ => -1,
        };
        assert_eq!(wdl.signum(), sign, "{row}: {category}");
        best_move_first(&answer, row);
        answers += 1;
    }
    assert_eq!(answers, truth.len());
}

/// The first move keeps the result, seen from the other side.
fn best_move_first(answer: &Value, row: &Value) {
    let turned = |category: &str| -> i32 {
        match category {
            "win" | "maybe-win" | "syzygy-win" => 2,
            "cursed-win" => 1,
            "draw" => 0,
            "blessed-loss" => -1,
            "unknown" => panic!("unknown in {row}"),
            _ => -2,
        }
    };
    let own = turned(answer["category"].as_str().unwrap());
    if let Some(first) = answer["moves"].get(0) {
        let after = turned(first["category"].as_str().unwrap());
        assert_eq!(own.signum(), -after.signum(), "{row}: {first}");
    }
}

#[test]
fn main_lines_fit_their_schema() {
    let schema = schema("mainline");
    for fen in [
        "8/8/8/8/8/2k5/8/K6Q w",
        "8/3r4/8/8/8/2k5/8/K6Q w",
        "8/3r4/8/8/8/2k5/8/K6R w",
    ] {
        let told = run_with(
            &["--path", TABLES, "probe", "--json", "--mainline", fen],
            "",
        );
        assert_eq!(told.code, 0, "{}", told.err);
        check(&schema, &serde_json::from_str(&told.out).unwrap(), "line").unwrap();
    }
}
