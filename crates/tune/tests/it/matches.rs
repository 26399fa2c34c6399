//! `match` from outside: results that can be repeated, matches that were killed, and mistakes that
//! are explained.

use std::fs;

use serde_json::Value;

use crate::util::{Place, told};

/// Openings that differ enough for both sides to win games.
const BOOK: &str = "\
rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq -
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -
";
fn place() -> Place {
    let place = Place::new();
    place.write("book.epd", BOOK);
    place
}

/// A short match of a config against itself.
fn of_equals(more: &str) -> String {
    format!("match default default --nodes 150 --book book.epd {more}")
}

/// A match in which the first player has a handicap, so that not every pair is even.
fn handicap(more: &str) -> String {
    format!("match default default --set a:pruning.null_move=false --hash 1 --json {more}")
}

/// The parts of a result that do not depend on the machine.
fn lasting(json: &str) -> Value {
    let mut result: Value = serde_json::from_str(json).unwrap();
    for key in ["command", "a", "b", "concurrency", "seconds"] {
        result[key].take();
    }
    result
}

fn games(place: &Place, pgn: &str) -> usize {
    place.text(pgn).matches("[Result ").count()
}

#[test]
fn the_same_seed_plays_the_same_games_on_any_number_of_threads() {
    let place = place();
    let played = |name: &str, more: &str| {
        let files = format!("--pgn {name}.pgn --data {name}.txt");
        let line = format!("--nodes 150 --book book.epd --games 6 {files} {more}");
        let (out, _) = place.succeed(&handicap(&line));
        let files = ["pgn", "txt"].map(|end| place.text(&format!("{name}.{end}")));
        (lasting(&out), files)
    };
    let first = played("first", "--concurrency 1 --seed 5");
    assert_eq!(first, played("second", "--concurrency 3 --seed 5"));
    let (result, [pgn, data]) = first;
    assert_ne!(pgn, played("third", "--seed 6").1[0]);

    assert_eq!(result["games"], 6);
    assert_eq!(games(&place, "first.pgn"), 6);
    let white = "[White \"A:default(pruning.null_move=false)\"]";
    assert_eq!(pgn.matches(white).count(), 3);
    for line in data.lines() {
        let (fen, result) = line.split_once(';').unwrap();
        assert!(sextant_board::parse_fen(fen).is_ok(), "{line}");
        assert!(["1-0", "1/2-1/2", "0-1"].contains(&result), "{line}");
    }
    assert!(data.lines().count() > 20, "{data}");
}

/// A player that plans with less for a move takes fewer nodes, and both live on what they have.
#[test]
fn games_on_a_clock_of_nodes_can_be_repeated() {
    let place = place();
    let line = "match default default --set a:time.base_percent=20 --tc 1+0.01 --nodestime 20 \
                --book book.epd --games 4 --json";
    let (out, _) = place.succeed(line);
    let result: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(lasting(&out), lasting(&place.succeed(line).0));
    assert_eq!(result["limits"]["nodestime"], 20);
    let nodes = ["a", "b"].map(|side| result[side]["nodes_per_move"].as_f64().unwrap());
    // The increment alone is 200 nodes a move, and the clock 20,000 a game.
    assert!(nodes[0] > 200.0 && nodes[0] < 0.8 * nodes[1], "{nodes:?}");
    assert!(nodes[1] < 2_000.0, "{nodes:?}");
}

#[test]
fn the_summary_says_all() {
    let place = place();
    let (out, err) = place.succeed(&of_equals("--games 3 --sprt -10 10 --seed 9"));
    assert!(err.contains("search alike"), "{err}");
    // Equal players: every pair is even, and symmetric hypotheses stay undecided.
    for part in [
        "command     sextant-tune match default default --nodes 150",
        "A           A:default (config ",
        "150 nodes a move, Hash 8 MB, book ",
        "(4 openings), seed 9, concurrency 1, reproducible",
        "games       4 in ",
        "Ptnml(0-2)  [0, 0, 2, 0, 0]",
        "Elo         +0.0 +- ? (95 %), normalized unknown, LOS ?",
        "in [-2.94, 2.94] for logistic Elo [-10, 10]",
        "end         all games played",
    ] {
        assert!(out.contains(part), "no {part:?} in\n{out}");
    }
    for (more, parts) in [
        ("--sprt -10 10", ["games       8 in ", "no openings left"]),
        ("--games 2 --movetime 1", ["1 ms a", "not reproducible"]),
    ] {
        let (out, _) = place.succeed(&of_equals(more));
        assert!(parts.iter().all(|part| out.contains(part)), "{out}");
    }
    let weak = "--set b:level.elo=500 --set b:level.limit_strength=true --sprt -400 0";
    let (out, _) = place.succeed(&of_equals(&format!("{weak} --alpha 0.3 --beta 0.3 --json")));
    let result: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(result["sprt"]["verdict"], "H1", "{out}");
}

#[test]
fn mistakes_are_named_before_the_first_game() {
    let place = place();
    place.write("bad.epd", format!("# a comment\n{BOOK}rubbish\n"));
    let games = place.play("games.vf", "--games 3");
    place.write("torn", &games[..games.len() - 1]);
    place.refused("match default defualt", "did you mean \"default\"?");
    place.refused("match default", "<B>");
    for (more, message) in [
        ("--book missing.epd", "missing.epd"),
        ("--book bad.epd", "bad.epd: line 6: "),
        ("--book book.epd --games 10", "at most 8 games"),
        ("--sprt 10 0", "the first must be below the second"),
        ("--sprt 0 10 --alpha 0.7", "error rate 0.7"),
        ("--set a:search.irr=false", "unknown key search.irr"),
        ("--set a:pruning.null_move", "the form is a:KEY=VALUE"),
        ("--book /dev/zero", "it is a pipe or a device"),
        ("--pgn no/such/folder", "cannot write"),
        ("--viriformat no/such/folder", "cannot write"),
        ("--pgn games --viriformat games", "another process"),
        ("--nodes 0", "write 1 or more"),
        ("--tc 1+0.1", "no clock but --nodestime"),
        ("--tc 40/60 --nodestime 100", "write 8+0.08"),
        ("--tc 0+1 --nodestime 100", "write 8+0.08"),
        ("--nodestime 100", "--tc <TIME>"),
        (
            "--tc 1+0.1 --nodestime 100 --soft-nodes 9",
            "cannot be used with",
        ),
        ("--viriformat torn", "torn ends inside game 3"),
    ] {
        place.refused(&format!("match default default {more}"), message);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_match_with_its_result() {
    let (code, out, err) = Place::new().run("match default default --nodes 50 --data /dev/full");
    assert_eq!(code, Some(1));
    assert!(out.contains("end         failed"), "{out}");
    assert!(err.contains("cannot write /dev/full"), "{err}");
}

/// Games in a state.
fn counted(place: &Place, state: &str) -> Option<u64> {
    let state: Value = serde_json::from_slice(&fs::read(place.path(state)).ok()?).ok()?;
    let results = ["wins", "draws", "losses"].map(|key| state["result"][key].as_u64());
    results.into_iter().sum()
}

#[cfg(unix)]
#[test]
fn killed_or_interrupted_and_resumed_is_unbroken() {
    let (broken, whole) = (Place::new(), Place::new());
    let line = |games: u64| {
        let files = "--state state --pgn all.pgn --data all.txt --viriformat all.vf";
        handicap(&format!("--nodes 400 --games {games} {files}"))
    };
    // Long enough to be killed before its end, wherever the test runs.
    for (games, signal, expected) in [(0, "-KILL", None), (2, "-INT", Some(130))] {
        let is_time = || counted(&broken, "state").is_some_and(|counted| counted >= games);
        let (code, out, _) = told(broken.signal_when(&line(4000), is_time, signal));
        assert_eq!(code, expected);
        assert_eq!(out.contains("\"end\":\"interrupted\""), code.is_some());
    }
    let all = counted(&broken, "state").unwrap() + 4;
    let [one, two] = [&broken, &whole].map(|place| lasting(&place.succeed(&line(all)).0));
    assert_eq!(one, two);
    for file in ["all.pgn", "all.txt", "all.vf"] {
        let is_same = broken.read(file) == whole.read(file);
        assert!(is_same, "games twice or never in {file}");
    }
    assert_eq!(games(&whole, "all.pgn") as u64, all);
    let training = whole.games("all.vf");
    assert_eq!(training.len() as u64, all);
    let mut scores = training.iter().flat_map(|game| &game.moves);
    assert!(scores.any(|(_, score)| score.get() != 0));
}

#[test]
fn another_match_is_refused() {
    let place = place();
    silent(&place, "a", 32);
    let line = "match a/x.toml default --nodes 50 --games 2 --state state";
    place.succeed(line);
    let seed = "seed was 1 and is now 2; name another file";
    place.refused(&format!("{line} --seed 2"), seed);
    place.refused(&format!("{line} --book book.epd"), "book was \"random\"");
    // The same name, another network.
    silent(&place, "b", 64);
    let (_, err) = place.succeed("match a/x.toml b/x.toml --games 2 --nodes 200");
    assert!(!err.contains("search alike"), "{err}");
    silent(&place, "a", 64);
    place.refused(line, "network_a was");
    // Forged: another result, whether or not its sums agree.
    silent(&place, "a", 32);
    let state = place.text("state");
    let wins = state.find("\"wins\": ").unwrap() + "\"wins\": ".len();
    place.write("state", format!("{}7{}", &state[..wins], &state[wins..]));
    place.refused(line, "was changed");
    place.write("state", &state);
    place.succeed(line);
    place.write("state", "{}");
    place.refused(line, "state is no state of a match");
}

/// A bench does not tell players apart that leave something to chance.
#[test]
fn players_with_chance_in_them_resume() {
    let place = Place::new();
    for games in [2, 4] {
        let (out, _) = place.succeed(&format!(
            "match default default --set level.limit_strength=true --nodes 50 --json --state state \
             --games {games}"
        ));
        assert!(out.contains(&format!("\"games\":{games},")), "{out}");
    }
}

/// A folder with a config, and a network of so many neurons whose value is always 0.
fn silent(place: &Place, folder: &str, hidden: u32) {
    let _ = fs::remove_dir_all(place.path(folder));
    fs::create_dir(place.path(folder)).unwrap();
    place.succeed(&format!("net zero {folder}/net.nnue --hidden {hidden}"));
    let config = "[eval]\nkind = \"nnue\"\nfile = \"net.nnue\"\n";
    place.write(&format!("{folder}/x.toml"), config);
}

#[cfg(unix)]
#[test]
fn a_match_tells_how_it_stands_and_ends_in_time() {
    let place = place();
    let line = "match default cyrus68k --nodes 150 --games 1000000 --max-time 5s --pgn games.pgn";
    let (code, out, err) = told(place.signal(line, "games.pgn", "-USR1"));
    assert_eq!(code, Some(0), "{err}");
    assert!(err.contains("end         not yet\n"), "{err}");
    assert!(out.contains("end         time is up\n"), "{out}");
}

/// A fastchess that keeps its arguments and openings, and says what it is told to say.
#[cfg(unix)]
fn fake_fastchess(place: &Place, says: &str) {
    use std::os::unix::fs::PermissionsExt;

    let script = format!(
        "#!/bin/sh\n[ \"$1\" = -version ] && echo fastchess 9.9 && exit\n\
         printf '%s\\n' \"$@\" >asked\n\
         for word; do case $word in file=*.epd) cp \"${{word#file=}}\" openings ;; esac; done\n\
         {says}\n"
    );
    place.write("fast", script);
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(place.path("fast"), executable).unwrap();
}

#[cfg(unix)]
const AGAINST: &str = "match default --book book.epd --fastchess ./fast --engine cmd=foe";

#[cfg(unix)]
#[test]
fn other_engines_are_played_through_fastchess() {
    let place = place();
    let says = "for i in 1 2; do\n\
        echo \"Finished game $((2 * i - 1)) (A:default(search.iir=false) vs foe): 1-0 {White mates}\"\n\
        echo \"Finished game $((2 * i)) (foe vs A:default(search.iir=false)): 1/2-1/2 {Draw by adjudication}\"\n\
        echo 'Warning; the foe is odd - in game '$i >&2; done";
    let set = "--set a:search.iir=false";
    fake_fastchess(&place, says);
    let line = format!("{AGAINST} --games 4 --sprt 0 10 --nodes 2k {set} --pgn games.pgn");
    // fastchess splits the arguments of an engine at blanks.
    fs::create_dir(place.path("a folder")).unwrap();
    let mut command = place.command(&line);
    command.env("TMPDIR", place.path("a folder"));
    let (code, out, err) = told(command.output().unwrap());
    assert_eq!(code, Some(0), "{err}");
    for part in [
        "A           A:default(search.iir=false) (config ",
        "B           cmd=foe",
        "conditions  nodes=2000, book book.epd (4 openings), seed 1",
        "played by fastchess 9.9",
        "result      +2 =2 -0, score 75.0 %",
        "Ptnml(0-2)  [0, 0, 0, 2, 0]",
        "for logistic Elo [0, 10]",
        "endings     A mates 2, Draw by adjudication 2",
        "warnings    the foe is odd 2",
        "end         all games played",
    ] {
        assert!(out.contains(part), "no {part:?} in\n{out}");
    }
    let warned = err.matches("the foe is odd").count();
    assert_eq!(warned, 1, "the first of its kind: {err}");
    let asked = place.text("asked");
    let mut engines = asked.split("-engine\n").skip(1);
    let [ours, theirs] = [engines.next().unwrap(), engines.next().unwrap()];
    assert!(ours.contains("nodes=2000\n") && ours.contains("args=--config \"/"));
    assert!(
        theirs.starts_with("cmd=foe\nname=foe\nnodes=2000\n"),
        "{asked}"
    );
    let sprt = "-sprt\nelo0=0\nelo1=10\nalpha=0.05\nbeta=0.05\nmodel=logistic\n";
    for part in [
        sprt,
        "-rounds\n2\n",
        "file=games.pgn\n",
        "-resign\n",
        "-draw\n",
    ] {
        assert!(asked.contains(part), "no {part:?} in\n{asked}");
    }
    assert_eq!(place.text("openings").lines().count(), 2);

    // An engine with a clock of its own keeps it, Chess960 is one of the openings, and as JSON there
    // are the same numbers.
    let shuffled = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    place.write(
        "shuffled.epd",
        format!("{shuffled}\n{}", BOOK.lines().next().unwrap()),
    );
    let line = "match default --fastchess ./fast --book shuffled.epd --tc 2+0.2 --games 4 --json";
    let mut command = place.command(&format!("{line} {set}"));
    command.args(["--engine", "cmd=foe tc=1+0.1"]);
    let (code, out, err) = told(command.output().unwrap());
    assert_eq!(code, Some(0), "{err}");
    let result: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(result["pentanomial"].to_string(), "[0,0,0,2,0]");
    assert_eq!(result["endings"]["A mates"], 2);
    let asked = place.text("asked");
    assert!(
        asked.contains("cmd=foe\ntc=1+0.1\nname=foe\n-variant\n"),
        "{asked}"
    );
    for part in ["tc=2+0.2\n", "-variant\nfischerandom\n"] {
        assert!(asked.contains(part), "no {part:?} in\n{asked}");
    }
    assert!(place.text("openings").contains(" HFhf "));
}

#[cfg(unix)]
#[test]
fn without_games_against_an_engine_there_is_no_result() {
    let place = place();
    place.refused(
        "match default --engine cmd=foe --fastchess ./missing",
        "https://github.com/Disservin/fastchess",
    );
    place.refused("match default --engine foe", "is not KEY=VALUE");
    place.refused(&format!("{AGAINST} --state s"), "cannot be used with");
    place.refused(&format!("{AGAINST} --viriformat g"), "cannot be used with");
    fake_fastchess(&place, "echo 'Fatal; foe startup failure' >&2; exit 1");
    let (code, out, err) = place.run(&format!("{AGAINST} --games 4"));
    assert!(code == Some(1) && out.is_empty(), "{out}{err}");
    assert!(
        err.contains("no games with foe") && err.contains("startup failure"),
        "{err}"
    );
    // Half of the points of no games is no score.
    fake_fastchess(&place, "exec sleep 600");
    let (out, _) = place.succeed(&format!("{AGAINST} --games 4 --max-time 1s"));
    assert!(
        out.contains("games       none\nendings     \nend         time is up\n"),
        "{out}"
    );
    // A run that breaks off says so, after what it has.
    let game = |number, players| format!("echo 'Finished game {number} ({players}): 0-1 {{x}}'\n");
    let pair = game(1, "A:default vs foe") + &game(2, "foe vs A:default");
    fake_fastchess(&place, &format!("{pair}echo 'no disk'; exit 3"));
    let (code, out, err) = place.run(&format!("{AGAINST} --games 4"));
    assert!(
        code == Some(1) && out.contains("games       2 in "),
        "{out}{err}"
    );
    assert!(
        out.contains("end         failed") && err.contains("no disk"),
        "{out}{err}"
    );
}
