//! `sextant-tune train` and `net`: a run that was stopped is the run that was not, and mistakes are
//! explained.

use std::fs;

use bulletformat::{BulletFormat, ChessBoard};
use sextant_board::Random;

use crate::util::Place;

/// Records of positions with a few pieces; who has more of them has the better score.
fn records(count: usize, seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let mut bytes = Vec::new();
    for _ in 0..count {
        let mut middle = ["1"; 8];
        let mut score = 0;
        for square in &mut middle {
            let (piece, value) = [("1", 0), ("N", 300), ("n", -300), ("Q", 900)][random.below(4)];
            *square = piece;
            score += value;
        }
        let (middle, result) = (middle.concat(), ["0.0", "0.5", "1.0"][random.below(3)]);
        let text = format!("7k/8/8/{middle}/8/8/8/K7 w - - 0 1 | {score} | {result}");
        let board: ChessBoard = text.parse().unwrap();
        bytes.extend_from_slice(ChessBoard::as_bytes_slice(&[board]));
    }
    bytes
}

/// A folder with data to train on.
fn place() -> Place {
    let place = Place::new();
    place.write("train.bin", records(3000, 1));
    place.write("valid.bin", records(300, 2));
    place
}

/// The command of a short run of the smallest network.
fn train(out: &str, more: &str) -> String {
    train_shape(out, "--hidden 32", more)
}

fn train_shape(out: &str, shape: &str, more: &str) -> String {
    format!(
        "train --out {out} --data train.bin --valid valid.bin {shape} --batch 256 --superbatch 3 \
         --save-every 1 {more}"
    )
}

#[cfg(unix)]
#[test]
fn stopped_and_resumed_is_the_same_as_unbroken() {
    let place = place();
    let more = "--superbatches 30 --rate 0.01 --king-buckets 00001111222222222222222222222222";
    let train = |out| {
        train_shape(
            out,
            "--hidden 64 --layers 3 --relations --output-buckets 8",
            more,
        )
    };
    place.succeed(&train("whole"));
    for (out, code) in [("TERM", Some(130)), ("KILL", None)] {
        let checkpoint = format!("{out}/checkpoint.sxt");
        let ended = place.signal(&train(out), &checkpoint, &format!("-{out}"));
        assert_eq!(ended.status.code(), code, "{out}");
        let network = place.path(out).join("net.nnue");
        assert!(!network.exists(), "{out}: ended by itself");
        place.succeed(&format!("train --resume --out {out}"));
        for file in ["net.nnue", "log.csv", "loss.svg", "checkpoint.sxt"] {
            let [whole, resumed] = ["whole", out].map(|run| place.read(&format!("{run}/{file}")));
            assert!(whole == resumed, "{file} after {out}");
        }
    }
}

#[test]
fn training_helps_and_the_engine_takes_the_network() {
    let place = place();
    for (out, shape, told) in [
        ("one", "--hidden 32", "-> 32)x2 -> 1"),
        (
            "three",
            "--hidden 64 --layers 3",
            "-> 64 pairwise)x2 -> (16 -> 32 -> 1)x1",
        ),
        (
            "related",
            "--hidden 64 --layers 3 --relations",
            "-> 64 pairwise)x2 + relations) -> (16 -> 32 -> 1)x1",
        ),
    ] {
        place.succeed(&train_shape(
            out,
            shape,
            "--superbatches 40 --rate 0.01 --score-share 1",
        ));
        let log = place.text(&format!("{out}/log.csv"));
        let last = log.lines().last().unwrap().split(',');
        let numbers: Vec<f64> = last.map(|field| field.parse().unwrap()).collect();
        let (valid, constant) = (numbers[4], numbers[5]);
        assert!(valid < 0.3 * constant, "{out}: {valid} {constant}");
        let (info, _) = place.succeed(&format!("net info {out}/net.nnue"));
        assert!(info.contains(told), "{info}");
    }
}

#[test]
fn bad_data_are_refused_by_name() {
    let place = place();
    let good = place.read("train.bin");
    let text = "rnbqkbnr/pppppppp/8/8/8/8/PPP | 0 |".repeat(32);
    let mut damaged = good.clone();
    damaged[32 * 1234 + 26] = 77;
    for (file, content, message) in [
        ("torn.bin", &good[1..], "95999 bytes are no whole number"),
        ("empty.bin", &[], "no positions in empty.bin"),
        ("text.bin", text.as_bytes(), "text.bin, record 0: "),
        ("damaged.bin", &damaged, "bin, record 1234: result 77"),
    ] {
        place.write(file, content);
        for (data, valid) in [(file, "valid.bin"), ("valid.bin", file)] {
            let (code, _, err) = place.run(&format!(
                "train --out o --superbatches 9 --batch 500 --hidden 32 --data {data} --valid {valid}"
            ));
            assert!(matches!(code, Some(1 | 2)), "{file}: {code:?}");
            assert!(err.contains(message), "{data} {valid}: {err}");
        }
    }
    let missing = "train --out o --data none.bin --valid valid.bin";
    place.refused(missing, "cannot read none.bin");
}

#[test]
fn bad_options_are_refused() {
    let place = place();
    place.succeed("net zero wide.nnue --hidden 512");
    for (options, message) in [
        ("--hidden 100", "multiples of 32"),
        ("--hidden 96 --layers 3", "multiples of 64"),
        ("--layers 2", "allowed are 1 and 3"),
        ("--relations", "--relations needs --layers 3"),
        ("--output-buckets 3", "3 output buckets"),
        ("--king-buckets 0123", "32 digits"),
        ("--batch 0", "1..=1048576"),
        ("--rate NaN", "numbers above 0, up to 1"),
        ("--rate 0.1 --last-rate 0.2", "allowed is 0 to --rate"),
        ("--score-share 1.5", "allowed: 0 to 1"),
        ("--match-mean-abs 0", "above 0, up to 10000"),
        ("--init valid.bin", "not a Sextant network"),
        ("--init wide.nnue", "wide.nnue: has --hidden 512 --output-"),
    ] {
        let line = format!("train --out o --data train.bin --valid valid.bin {options}");
        place.refused(&line, message);
    }

    let west = format!("--superbatches 1 --king-buckets {}", "0011".repeat(8));
    place.succeed(&train("west", &west));
    let south = "0".repeat(16) + &"1".repeat(16);
    let south = format!("--init west/net.nnue --king-buckets {south}");
    place.refused(&train("south", &south), "--king-buckets 00110011");
    let empty = format!("--king-buckets 0{}", "2".repeat(31));
    place.refused(&train("empty", &empty), "king bucket");
}

#[test]
fn a_run_replaces_nothing_and_goes_on_only_with_its_own_files() {
    let place = place();
    let (one, resume) = (train("run", "--superbatches 1"), "train --resume --out run");
    place.refused(resume, "cannot read run/checkpoint.sxt");
    place.refused(&train("run", "--resume"), "cannot be used with");
    fs::create_dir(place.path("run")).unwrap();
    for name in ["run/net.nnue", "run/log.csv", "run/loss.svg"] {
        place.write(name, "precious");
        place.refused(&one, &format!("{name} is there already"));
        assert_eq!(place.read(name), b"precious");
        fs::remove_file(place.path(name)).unwrap();
    }
    assert_eq!(fs::read_dir(place.path("run")).unwrap().count(), 0);

    place.succeed(&one);
    place.refused(&one, "run/checkpoint.sxt is there already: --resume");
    for (name, count) in [("train.bin", 3000), ("valid.bin", 300), ("train.bin", 2999)] {
        let before = place.read(name);
        place.write(name, records(count, 77));
        place.refused(resume, &format!("{name} is not what it was"));
        place.write(name, before);
    }
    place.succeed(resume);
    let checkpoint = place.read("run/checkpoint.sxt");
    place.write("run/checkpoint.sxt", &checkpoint[..checkpoint.len() / 2]);
    place.refused(resume, "cut short or damaged");
}

#[test]
fn files_of_networks_are_told_apart() {
    let place = Place::new();
    place.succeed("net zero zero.nnue --hidden 64");
    let silent = (String::new(), String::new());
    assert_eq!(place.succeed("net verify zero.nnue"), silent);
    let (info, _) = place.succeed("net info zero.nnue");
    assert!(info.contains("-> 64)x2"), "{info}");
    assert!(info.contains(&"0".repeat(32)), "{info}");

    let bytes = place.read("zero.nnue");
    place.write("bad.nnue", &bytes[..bytes.len() - 1]);
    for command in ["verify", "info"] {
        let (code, _, err) = place.run(&format!("net {command} bad.nnue"));
        assert!(code == Some(1) && err.contains("cut short"), "{err}");
    }
    place.refused("net zero zero.nnue", "zero.nnue: it is there already");
    place.refused("net zero new.nnue --hidden 33", "multiples of 32");
}

/// The scale and the hash of the header change, and nothing else.
#[test]
fn a_network_gets_another_scale() {
    let place = Place::new();
    place.succeed("net zero zero.nnue");
    place.succeed("net scale zero.nnue 123 scaled.nnue");
    let (info, _) = place.succeed("net info scaled.nnue");
    assert!(info.contains("header scale   123 centipawns"), "{info}");
    let [before, after] = ["zero.nnue", "scaled.nnue"].map(|name| place.read(name));
    assert_ne!(before, after);
    assert_eq!((&before[..48], &before[64..]), (&after[..48], &after[64..]));

    place.refused(
        "net scale zero.nnue 321 scaled.nnue",
        "scaled.nnue: it is there already",
    );
    place.refused(
        "net scale zero.nnue 0 other.nnue",
        "scale 0; allowed is 1 to",
    );
}

#[test]
fn networks_of_one_shape_have_a_mean() {
    let place = place();
    for (out, more) in [
        ("one", "--superbatches 10 --rate 0.01 --seed 1"),
        ("two", "--superbatches 10 --rate 0.01 --seed 2"),
    ] {
        place.succeed(&train_shape(
            out,
            "--hidden 64 --layers 3 --relations",
            more,
        ));
    }
    place.succeed("net mean same.nnue one/net.nnue one/net.nnue");
    assert_eq!(place.read("same.nnue"), place.read("one/net.nnue"));
    place.succeed("net mean mean.nnue one/net.nnue two/net.nnue");
    place.succeed("net verify mean.nnue");
    for own in ["one/net.nnue", "two/net.nnue"] {
        assert_ne!(place.read("mean.nnue"), place.read(own));
    }

    place.refused(
        "net mean same.nnue one/net.nnue two/net.nnue",
        "same.nnue: it is there already",
    );
    place.succeed("net zero zero.nnue");
    place.refused(
        "net mean new.nnue one/net.nnue zero.nnue",
        "differ in shape",
    );
    place.refused("net mean new.nnue zero.nnue zero.nnue", "three layers");
}

/// At sight a queen is worth more than the rook that is about to take it.
#[test]
fn searches_are_judged_too() {
    let place = Place::new();
    let hanging = "6k1/5ppp/8/q7/8/8/5PPP/R5K1 w - - 0 1,0.95\n";
    let level = "6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1,0.5\n";
    let rows = (hanging.to_owned() + level).repeat(10);
    place.write("positions.csv", format!("fen,expected\n{rows}"));
    place.write(
        "c.toml",
        "version = 1\nextends = \"default\"\n[eval]\nkind = \"classical\"\n",
    );
    let scale = |more: &str| {
        let (told, _) = place.succeed(&format!("net judge positions.csv c.toml{more}"));
        let line = told.lines().find(|line| line.contains("all ")).unwrap();
        let cells: Vec<&str> = line.split_whitespace().collect();
        cells[cells.len() - 3].parse::<f64>().unwrap()
    };
    // What is expected has the opposite sign of what is seen.
    assert!(scale("") < 0.0 && scale(" --soft-nodes 100") > 0.0);
    place.refused("net judge positions.csv --soft-nodes 0", "--soft-nodes");
}

/// A network that knows nothing expects half a point everywhere; the classical evaluation sees a queen.
#[test]
fn evaluations_are_judged_by_what_is_expected() {
    let place = Place::new();
    place.succeed("net zero zero.nnue");
    let row = |fen: &str, expected: f64| format!("{fen},{expected},{}\n", 900.0 * expected);
    let ahead = row("3qk3/8/8/8/8/8/8/QQ2K3 w - - 0 1", 0.9);
    let behind = row("3qk3/8/8/8/8/8/8/QQ2K3 b - - 0 1", 0.1);
    place.write(
        "positions.csv",
        format!("fen,expected,cp\n{}", (ahead + &behind).repeat(20)),
    );
    place.write(
        "c.toml",
        "version = 1\nextends = \"default\"\n[eval]\nkind = \"classical\"\n",
    );
    let (told, _) = place.succeed("net judge positions.csv zero.nnue c.toml default");
    let lines: Vec<&str> = told.lines().filter(|line| line.contains("all ")).collect();
    assert!(
        lines[0].contains(" 0.4000 +- 0.0000      inf cp         0.4000"),
        "{told}"
    );
    let [classical, default] = [1, 2].map(|i: usize| {
        let error = lines[i].split_whitespace().nth(2).unwrap();
        error.parse::<f64>().unwrap()
    });
    assert!(classical < 0.02 && default < 0.2, "{told}");
    assert!(told.contains("mean of all"), "{told}");
    // Both kinds of difference are there, and no opening.
    assert!(
        told.contains("300 cp and more") && !told.contains("24 pieces"),
        "{told}"
    );

    place.write(
        "few.csv",
        format!(
            "fen,expected\n{}",
            "8/8/8/8/8/8/8/K1k5 w - - 0 1,0.5\n".repeat(3)
        ),
    );
    place.refused("net judge few.csv", "3 positions cannot judge");
    place.write(
        "bad.csv",
        "fen,expected\n8/8/8/8/8/8/8/K1k5 w - - 0 1,1.5\n",
    );
    place.refused("net judge bad.csv", "bad.csv, line 2: expected is 1.5");
    place.write("bad.csv", "fen,expected\n8/8/8/8/8/8/8/8 w - - 0 1,0.5\n");
    place.refused("net judge bad.csv", "bad.csv, line 2: 8/8");
    place.write("bad.csv", "fen,score\n8/8/8/8/8/8/8/8 w - - 0 1,0.5\n");
    place.refused("net judge bad.csv", "missing field `expected`");
    place.refused("net judge positions.csv none.nnue", "none.nnue");
}

/// The labels of games are closer to what the default evaluation says than to nothing.
#[test]
fn positions_of_games_judge_evaluations_too() {
    let place = Place::new();
    place.succeed("net zero zero.nnue");
    place.play("games.vf", "--games 20");
    place.succeed("data convert games.vf --out positions.bin --scale 200");
    let errors = |more: &str| -> Vec<f64> {
        let (told, _) = place.succeed(&format!("net judge positions.bin {more}"));
        let lines = told.lines().filter(|line| line.contains("  all "));
        let third = lines.map(|line| line.split_whitespace().nth(2).unwrap().parse().unwrap());
        third.collect()
    };
    let by_default = errors("default")[0];
    let [nothing, known, mean] = errors("zero.nnue default")[..] else {
        panic!("two evaluations and their mean");
    };
    assert_eq!(known, by_default);
    assert!(known < nothing / 2.0, "{known} and {nothing}");
    // Half of what is known has the same sign and another scale.
    assert!((mean - known).abs() < 0.01, "{mean} and {known}");
    assert!(errors("default --scale 400")[0] != known);

    let mut bytes = place.read("positions.bin");
    place.write("cut.bin", &bytes[..bytes.len() - 1]);
    place.refused("net judge cut.bin", "neither CSV");
    bytes[32 + 26] = 7;
    place.write("bad.bin", &bytes);
    place.refused("net judge bad.bin", "bad.bin, position 2: result 7");
}
