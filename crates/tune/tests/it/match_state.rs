//! `match --state` from outside: matches that were killed, and files that they share.

use std::{fs, path::Path, process::Stdio, thread, time};

use serde_json::Value;
use sextant_eval::nnue::{Architecture, FEATURES, Network, Parameters};

use crate::util::{binary, run};

/// How long a match may take to write its first state.
const PATIENCE: time::Duration = time::Duration::from_secs(60);

/// A folder with a match in it: `NAME.json`, `NAME.pgn` and `NAME.txt`.
struct Match<'a> {
    folder: &'a Path,
    name: &'a str,
    games: u64,
}

impl Match<'_> {
    fn path(&self, end: &str) -> String {
        let path = self.folder.join(self.name).with_extension(end);
        path.to_str().unwrap().to_owned()
    }

    fn text(&self, end: &str) -> String {
        fs::read_to_string(self.path(end)).unwrap_or_default()
    }

    fn args(&self) -> Vec<String> {
        let games = self.games.to_string();
        let [state, pgn, data] = ["json", "pgn", "txt"].map(|end| self.path(end));
        let rest = ["--state", &state, "--pgn", &pgn, "--data", &data];
        let words = [
            "match",
            "default",
            "default",
            "--set",
            "a:pruning.null_move=false",
            "--nodes",
            "400",
            "--hash",
            "1",
            "--json",
            "--games",
            &games,
        ];
        words.iter().chain(&rest).map(|&w| w.to_owned()).collect()
    }

    /// Plays to the end; the parts of the result that do not depend on the machine.
    fn finish(&self) -> Vec<Value> {
        let args = self.args();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let (code, out, err) = run(&args);
        assert_eq!(code, Some(0), "{err}");
        let result: Value = serde_json::from_str(&out).unwrap();
        let keys = ["games", "wins", "draws", "pentanomial", "endings", "end"];
        keys.iter().map(|key| result[key].clone()).collect()
    }

    /// Games in the state.
    fn counted(&self) -> Option<u64> {
        let page: Value = serde_json::from_str(&self.text("json")).ok()?;
        let results = ["wins", "draws", "losses"].map(|key| page["result"][key].as_u64());
        results.into_iter().sum()
    }

    /// Begins to play, and is killed when the state counts as many games.
    fn kill_after(&self, games: u64) {
        let mut child = binary()
            .args(self.args())
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let start = time::Instant::now();
        while self.counted().is_none_or(|counted| counted < games) {
            assert!(start.elapsed() < PATIENCE, "no game is written down");
            thread::sleep(time::Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

#[test]
fn killed_and_gone_on_with_is_unbroken() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // Long enough to be killed before its end, wherever the test runs.
    let long = |name| Match {
        folder,
        name,
        games: 4000,
    };
    long("broken").kill_after(0);
    long("broken").kill_after(2);
    let games = long("broken").counted().unwrap() + 4;
    let last = |name| Match {
        folder,
        name,
        games,
    };
    assert_eq!(last("broken").finish(), last("whole").finish());
    for end in ["pgn", "txt"] {
        let [broken, whole] = ["broken", "whole"].map(|name| last(name).text(end));
        assert!(broken == whole, "games twice or never in the {end}");
    }
    assert_eq!(
        last("whole").text("pgn").matches("[Result ").count() as u64,
        games
    );
}

#[test]
fn matches_share_a_file_and_never_cut_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let play = |state: &str, rival: &str, pgn: &str, games: &str| {
        let files = ["--state", &path(state), "--pgn", &path(pgn)];
        let rest = ["--nodes", "50", "--hash", "1", "--games", games];
        run(&[&["match", "default", rival], &files[..], &rest].concat())
    };
    let count = |pgn: &str| {
        let text = fs::read_to_string(path(pgn)).unwrap();
        text.matches("[Result ").count()
    };
    assert!(play("a", "integer-ply", "all.pgn", "4").0 == Some(0));
    assert!(play("b", "cyrus68k", "all.pgn", "6").0 == Some(0));
    assert!(play("a", "integer-ply", "all.pgn", "4").0 == Some(0));
    assert_eq!(count("all.pgn"), 10);
    assert!(play("a", "integer-ply", "all.pgn", "6").0 == Some(0));
    assert_eq!(count("all.pgn"), 12);
    fs::write(path("precious.pgn"), "[Result \"*\"]\n").unwrap();
    assert!(play("a", "integer-ply", "precious.pgn", "8").0 == Some(0));
    assert_eq!(count("precious.pgn"), 3);
    // Games that the state counts are gone.
    fs::remove_file(path("precious.pgn")).unwrap();
    let (code, _, err) = play("a", "integer-ply", "precious.pgn", "10");
    assert_eq!(code, Some(2));
    assert!(err.contains("bring the file back"), "{err}");
}

#[test]
fn another_match_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (state, book, net) = (path("state"), path("book.epd"), path("net.toml"));
    fs::write(
        &book,
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n",
    )
    .unwrap();
    let nets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config/nets");
    fs::copy(nets.join("default.nnue"), path("x.nnue")).unwrap();
    let config = "version = 1\nextends = \"default\"\n[eval]\nfile = \"x.nnue\"\n";
    fs::write(&net, config).unwrap();
    let play = |more: &[&str]| {
        let usual = ["match", &net, "default", "--nodes", "50"];
        run(&[&usual[..], &["--games", "2", "--state", &state], more].concat())
    };
    assert!(play(&[]).0 == Some(0));
    for (more, word) in [
        (
            ["--seed", "2"],
            "seed was 1 and is now 2; name another file",
        ),
        (["--book", &book], "book was \"random\""),
    ] {
        let (code, _, err) = play(&more);
        assert!(code == Some(2) && err.contains(word), "{err}");
    }
    // The same name, another network.
    fs::write(path("x.nnue"), material(20).to_bytes()).unwrap();
    let (code, _, err) = play(&[]);
    assert_eq!(code, Some(2));
    assert!(err.contains("network_a was"), "{err}");
    let honest = fs::read_to_string(&state).unwrap();
    fs::write(&state, honest.replace("\"plies\": ", "\"plies\": 1")).unwrap();
    let (code, _, err) = play(&[]);
    assert!(code == Some(2) && err.contains("contradict"), "{err}");
    fs::write(&state, honest.replace("1,", "1 ,")).unwrap();
    assert!(play(&[]).2.contains("was changed after"));
    fs::write(&state, "{}").unwrap();
    assert!(play(&[]).2.contains("state is no state of a match"));
    fs::write(&state, "{\"version\": 1}").unwrap();
    assert!(play(&[]).2.contains("has version 1"));
}

/// A bench does not tell players apart that leave something to chance.
#[test]
fn players_with_chance_in_them_resume() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    let chance = ["--set", "level.limit_strength=true", "--nodes", "50"];
    for games in ["2", "4"] {
        let rest = [
            "--games",
            games,
            "--json",
            "--state",
            state.to_str().unwrap(),
        ];
        let (code, out, err) =
            run(&[&["match", "default", "default"], &chance[..], &rest].concat());
        assert_eq!(code, Some(0), "{err}");
        assert!(out.contains(&format!("\"games\":{games},")), "{out}");
    }
}

/// Networks of one name in two folders are two players.
#[test]
fn networks_of_the_same_name_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let sides = [("a", 20), ("b", 27)].map(|(side, bias)| {
        let at = folder.path().join(side);
        fs::create_dir(&at).unwrap();
        fs::write(at.join("net.nnue"), material(bias).to_bytes()).unwrap();
        let config = at.join("x.toml");
        fs::write(&config, "[eval]\nkind = \"nnue\"\nfile = \"net.nnue\"\n").unwrap();
        config.to_str().unwrap().to_owned()
    });
    let (code, out, err) = run(&[
        "match", &sides[0], &sides[1], "--games", "2", "--nodes", "200",
    ]);
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(
        !format!("{out}{err}").contains("search alike"),
        "{out}{err}"
    );
}

/// Material as a network: one neuron for what is there, fed by every piece but the king.
fn material(bias: i16) -> Network {
    let architecture = Architecture::plain(32).unwrap();
    let mut parameters = Parameters {
        feature_weights: vec![0; FEATURES * 32],
        feature_biases: vec![bias; 32],
        output_weights: [[40; 32], [-40; 32]].concat(),
        output_biases: vec![0],
        scale: 400,
    };
    for (kind, worth) in [2, 6, 6, 10, 18].into_iter().enumerate() {
        let own = kind * 64 * 32;
        parameters.feature_weights[own..own + 64 * 32].fill(worth);
    }
    Network::new(architecture, &parameters).unwrap()
}
