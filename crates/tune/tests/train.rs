//! `sextant-tune train` and `net` from outside: a run that was stopped is the run that was not, and
//! mistakes are explained.

mod util;

use std::{
    fs,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use util::{
    binary, run, told,
    training::{Place, records},
};

#[test]
fn stopped_and_resumed_is_the_same_as_unbroken() {
    let place = Place::new();
    let buckets = "00001111222222222222222222222222";
    let more = [
        "--superbatches",
        "60",
        "--rate",
        "0.01",
        "--king-buckets",
        buckets,
    ];
    let (code, _, err) = told(place.train("whole", &more).output().unwrap());
    assert_eq!(code, Some(0), "{err}");
    for (signal, ends_with) in [("-INT", Some(130)), ("-KILL", None)] {
        let out = signal.trim_start_matches('-');
        let mut child = place
            .train(out, &more)
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let checkpoint = place.path(out).join("checkpoint.sxt");
        let start = Instant::now();
        while !checkpoint.exists() {
            assert!(start.elapsed() < Duration::from_secs(120), "no checkpoint");
            thread::sleep(Duration::from_millis(1));
        }
        let id = child.id().to_string();
        assert!(
            Command::new("kill")
                .args([signal, &id])
                .status()
                .unwrap()
                .success()
        );
        assert_eq!(child.wait().unwrap().code(), ends_with, "{signal}");
        assert!(
            !place.path(out).join("net.nnue").exists(),
            "{signal}: ended by itself"
        );

        let out_path = place.path(out);
        let (code, _, err) = told(
            binary()
                .current_dir(&place.folder)
                .args(["train", "--resume", "--out"])
                .arg(&out_path)
                .output()
                .unwrap(),
        );
        assert_eq!(code, Some(0), "{err}");
        for file in ["net.nnue", "log.csv", "loss.svg", "checkpoint.sxt"] {
            let both = ["whole", out].map(|run| fs::read(place.path(run).join(file)).unwrap());
            assert!(both[0] == both[1], "{file} after {signal}");
        }
    }
}

#[test]
fn training_helps_and_the_engine_takes_the_network() {
    let place = Place::new();
    let more = [
        "--superbatches",
        "40",
        "--rate",
        "0.01",
        "--score-share",
        "1",
    ];
    let (code, _, err) = told(place.train("run", &more).output().unwrap());
    assert_eq!(code, Some(0), "{err}");
    let (valid, constant) = place.last_losses("run");
    assert!(valid < 0.3 * constant, "{valid} {constant}");
    let net = place.path("run/net.nnue");
    let (code, out, _) = run(&["net", "info", net.to_str().unwrap()]);
    assert_eq!(code, Some(0));
    assert!(out.contains("-> 32)x2 -> 1"), "{out}");
    let number = |text: &str, before| -> u32 {
        let (_, rest) = text.split_once(before).unwrap();
        let mut parts = rest.trim_start().split(|c: char| !c.is_ascii_digit());
        parts.next().unwrap().parse().unwrap()
    };
    assert_eq!(
        number(&err, "in the header the scale"),
        number(&out, "header scale")
    );

    for init in ["run/net.nnue", "run/checkpoint.sxt"] {
        let out = format!("from-{}", &init[4..]);
        let hardly = [
            "--superbatches=1",
            "--rate=1e-12",
            "--last-rate=1e-12",
            "--score-share=1",
        ];
        let mut command = place.train(&out, &hardly);
        command.args(["--init", init]);
        let (code, _, err) = told(command.output().unwrap());
        assert_eq!(code, Some(0), "{init}: {err}");
        let (again, _) = place.last_losses(&out);
        // A network has been rounded.
        let off = (again - valid).abs();
        assert!(off < 0.01 * constant, "{init}: {again} {valid} {constant}");
    }
}

#[test]
fn bad_data_are_refused_by_name() {
    let place = Place::new();
    let good = fs::read(place.path("train.bin")).unwrap();
    fs::write(place.path("torn.bin"), &good[..good.len() - 1]).unwrap();
    fs::write(place.path("empty.bin"), []).unwrap();
    fs::write(
        place.path("text.bin"),
        "rnbqkbnr/pppppppp/8/8/8/8/PPP | 0 |".repeat(32),
    )
    .unwrap();
    let mut damaged = good.clone();
    damaged[32 * 1234 + 26] = 77;
    fs::write(place.path("damaged.bin"), damaged).unwrap();
    for (file, words) in [
        (
            "torn.bin",
            "95999 bytes are no whole number of 32-byte records",
        ),
        ("empty.bin", "no positions in empty.bin"),
        ("text.bin", "text.bin, record 0: "),
        ("damaged.bin", "damaged.bin, record 1234: result 77"),
        ("none.bin", "cannot read none.bin"),
        (".", "cannot read .: "),
    ] {
        for option in ["--data", "--valid"] {
            let mut command = binary();
            command.current_dir(&place.folder);
            command.args([
                "train",
                "--out",
                "o",
                "--superbatches",
                "9",
                "--batch",
                "500",
            ]);
            let other = if option == "--data" {
                "--valid"
            } else {
                "--data"
            };
            command.args([option, file, other, "valid.bin", "--hidden", "32"]);
            let (code, err) = place.refusal(command);
            assert!(matches!(code, Some(1 | 2)), "{file}: {code:?}");
            assert!(err.contains(words), "{option} {file}: {err}");
        }
    }
}

#[test]
fn bad_options_and_checkpoints_are_refused() {
    let place = Place::new();
    let wide = place.path("wide.nnue");
    let zero = run(&["net", "zero", wide.to_str().unwrap(), "--hidden", "512"]);
    assert_eq!(zero.0, Some(0));
    for (option, value, words) in [
        ("--hidden", "100", "multiples of 32"),
        ("--output-buckets", "3", "3 output buckets"),
        ("--king-buckets", "0123", "32 digits"),
        (
            "--king-buckets",
            "02222222222222222222222222222222",
            "king bucket",
        ),
        ("--batch", "0", "--batch is 0: allowed is 1 to"),
        ("--rate", "NaN", "--rate is NaN"),
        (
            "--score-share",
            "1.5",
            "--score-share is 1.5: allowed is 0 to 1",
        ),
        ("--match-mean-abs", "0", "--match-mean-abs is 0: allowed is"),
        ("--match-mean-abs", "-100", "--match-mean-abs is -100"),
        ("--match-mean-abs", "nan", "--match-mean-abs is NaN"),
        ("--match-mean-abs", "inf", "--match-mean-abs is inf"),
        ("--match-mean-abs", "1e9", "up to 10000"),
        ("--init", "valid.bin", "no checkpoint of this version"),
        (
            "--init",
            "wide.nnue",
            "wide.nnue: has --hidden 512 --output-buckets 1 --king-buckets 0",
        ),
    ] {
        // The last of two equal options would be refused by the parser.
        let mut command = binary();
        command
            .current_dir(&place.folder)
            .args(["train", "--out", "o", option, value]);
        command.args(["--data", "train.bin", "--valid", "valid.bin"]);
        let (code, err) = place.refusal(command);
        assert_eq!(code, Some(2), "{option}: {err}");
        assert!(err.contains(words), "{option}: {err}");
    }

    let (west, south) = ("0011".repeat(8), "0".repeat(16) + &"1".repeat(16));
    let west = ["--superbatches", "1", "--king-buckets", &west];
    let (code, _, err) = told(place.train("west", &west).output().unwrap());
    assert_eq!(code, Some(0), "{err}");
    let south = ["--init", "west/net.nnue", "--king-buckets", &south];
    let (code, err) = place.refusal(place.train("south", &south));
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("--king-buckets 00110011"), "{err}");

    let resume = || {
        let mut command = binary();
        command
            .current_dir(&place.folder)
            .args(["train", "--resume", "--out", "run"]);
        place.refusal(command)
    };
    assert!(resume().1.contains("cannot read run/checkpoint.sxt"));
    let (code, err) = place.refusal(place.train("run", &["--resume"]));
    assert_eq!(code, Some(2), "options cannot change: {err}");

    let (code, _, err) = told(
        place
            .train("run", &["--superbatches", "1"])
            .output()
            .unwrap(),
    );
    assert_eq!(code, Some(0), "{err}");
    records(&place.path("train.bin"), 2999, 1);
    assert!(resume().1.contains("train.bin is not what it was"));
    let path = place.path("run/checkpoint.sxt");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    assert!(resume().1.contains("cut short or damaged"));
}

/// A full disk, played by a limit on the size of files.
#[cfg(unix)]
#[test]
fn a_full_disk_is_told_and_nothing_is_lost() {
    let place = Place::new();
    let (code, _, err) = told(
        place
            .train("run", &["--superbatches", "1"])
            .output()
            .unwrap(),
    );
    assert_eq!(code, Some(0), "{err}");
    let (code, err) = place.refusal(place.train("run", &["--superbatches", "2"]));
    assert_eq!(code, Some(2), "a run is not overwritten: {err}");
    assert!(err.contains("run holds a run already"), "{err}");

    let files = ["run/checkpoint.sxt", "run/net.nnue"].map(|name| place.path(name));
    let before = files.clone().map(|file| fs::read(file).unwrap());
    let mut resumed = binary();
    resumed.args(["train", "--resume", "--out", "run"]);
    let fresh = place.train("new", &["--superbatches", "2"]);
    for (command, file) in [(resumed, "run/net.nnue"), (fresh, "new/checkpoint.sxt")] {
        let mut limited = Command::new("sh");
        // The signal of a file that grows too large would end the process; ignored, the write fails.
        limited.args(["-c", "trap '' XFSZ; ulimit -f 16; exec \"$@\"", "sh"]);
        limited.arg(command.get_program()).args(command.get_args());
        limited.current_dir(&place.folder);
        let (code, err) = place.refusal(limited);
        assert_eq!(code, Some(1), "{err}");
        assert!(err.contains(&format!("cannot write {file}")), "{err}");
        assert!(!place.path(&format!("{file}.part")).exists());
    }
    assert!(files.map(|file| fs::read(file).unwrap()) == before);
}

#[test]
fn files_of_networks_are_told_apart() {
    let place = Place::new();
    let path = place.path("zero.nnue");
    let path = path.to_str().unwrap();
    assert_eq!(run(&["net", "zero", path, "--hidden", "64"]).0, Some(0));
    assert_eq!(
        run(&["net", "verify", path]),
        (Some(0), String::new(), String::new())
    );
    let (_, out, _) = run(&["net", "info", path]);
    assert!(out.contains("-> 64)x2"), "{out}");
    assert!(out.contains(&"0".repeat(32)), "{out}");

    let bytes = fs::read(path).unwrap();
    for (content, words) in [
        (bytes[..bytes.len() - 1].to_vec(), "cut short"),
        (
            b"PNG and so on, long enough for a header".repeat(9),
            "not a Sextant network",
        ),
    ] {
        fs::write(path, content).unwrap();
        for command in ["verify", "info"] {
            let (code, _, err) = run(&["net", command, path]);
            assert_eq!(code, Some(1), "{err}");
            assert!(err.contains(words), "{err}");
        }
    }
    let (code, _, err) = run(&["net", "zero", path]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("zero.nnue is there already"), "{err}");
    fs::remove_file(path).unwrap();
    assert_eq!(run(&["net", "zero", path, "--hidden", "33"]).0, Some(2));
}
