//! Bad input through the pipes of the real binary: it lives, says what was wrong and what was kept,
//! and the next command works.

use std::{
    fs,
    time::{SystemTime, UNIX_EPOCH},
};

use sextant_board::{Board, Random};
use sextant_eval::nnue::{Architecture, FEATURES, Network, Parameters};
use tempfile::TempDir;

use crate::util::{Engine, KIWIPETE, best_move, cases, infos, last};

/// The positions themselves are refused by the board, whose tests have them all.
#[test]
fn a_refused_position_leaves_the_old_one_whole_and_no_search_plays_from_it() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e4 e7e5");
    let before = engine.fen();
    let endless = format!("startpos moves {}", "e2e4 ".repeat(1_000_000));
    for (position, told) in cases(&format!(
        "=> the form is
         fen hello world => fields
         fen 4k3/8/8/8/8/8/8/4K\u{e9}\u{1f600}2 w - - 0 1  => not a piece
         startpos moves \u{e9}2e4            => move 1
         // An illegal move behind another FEN does not bring that FEN in.
         fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves e1e8 => e1e8
         // Longer than any game.
         {endless} => bytes"
    )) {
        engine.talk(&format!(
            "position {position} => {told}\n go nodes 500 => refused"
        ));
        assert_eq!(engine.fen(), before, "{told}");
    }
    assert_eq!(best_move(&engine.go("nodes 500")), "0000");
    // What is odd and legal: a game of 16,000 moves, clocks out of range.
    let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(4_000);
    for position in [
        &format!("startpos moves {moves}e2e4"),
        "fen 4k3/8/8/8/8/8/4P3/4K3 w - - 9999999999999999999999 70000",
    ] {
        engine.talk(&format!("position {position} =>"));
        let answer = engine.go("nodes 500");
        assert_eq!(best_move(&answer).len(), 4, "{answer:?}");
    }
    engine.quit();
}

/// The values are refused by the settings, whose tests have them all.
#[test]
fn a_refused_option_keeps_the_old_value() {
    let folder = TempDir::new().unwrap();
    let config = folder.path().join("my config.toml");
    fs::write(&config, "[extensions]\nrecaptur = 5.0\n").unwrap();
    let load = format!("setoption name ConfigFile value {}", config.display());
    let mut engine = Engine::start();
    engine.talk(&format!(
        "setoption name MultiPV value 2            =>
         setoption name MultiPV value 0            => kept
         // 32 TB: more than the address space of most machines will back.
         setoption name Hash value 33554432        => kept
         setoption name Debug Log File value /nonexistent/log.txt => kept
         setoption name EvalFile value /nonexistent.nnue => kept
         setoption name SyzygyPath value /nonexistent    => kept
         setoption name SyzygyPath value ;               => kept
         setoption name Reductions_Base value 9999       => -512 to 512
         setoption name Root_Bonus_Underpromotion value 5 => is gone: write underpromoting
         {load} => recaptur"
    ));
    fs::write(&config, "[extensions]\nrecapture = 5.0\n").unwrap();
    engine.talk(&format!("{load} =>"));
    #[cfg(unix)]
    {
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let log = "setoption name Debug Log File value";
        engine.talk(&format!(
            "{log} {}         => it is a pipe or a device
             {log} /dev/stdout => it is a pipe or a device",
            pipe.display()
        ));
    }
    let lines = last(&engine.go("depth 2"), "multipv");
    assert_eq!(lines, 2, "MultiPV was kept");
    engine.quit();
}

#[test]
fn bad_tablebase_paths_keep_the_old_tables() {
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../syzygy/testdata");
    let folder = TempDir::new().unwrap();
    let spaced = folder.path().join("end games \u{e9}");
    fs::create_dir(&spaced).unwrap();
    fs::copy(format!("{tables}/KRvK.rtbw"), spaced.join("KRvK.rtbw")).unwrap();
    fs::write(spaced.join("KQvK.rtbw"), b"short").unwrap();
    fs::write(spaced.join("KRvKR.rtbw"), b"").unwrap();
    fs::create_dir(spaced.join("KBvK.rtbw")).unwrap();
    let empty = TempDir::new().unwrap();
    let (spaced, empty) = (spaced.display(), empty.path().display());
    let mut engine = Engine::start();
    engine.talk(&format!(
        "position fen 8/8/8/8/8/k7/8/K6R w - - 0 1          =>
         // This backend trusts what it maps, and refuses such a folder as a whole.
         setoption name Syzygy_Backend value pyrrhic        => no tables
         setoption name SyzygyPath value {spaced}           => kept
         setoption name Syzygy_Backend value native         => no tables
         setoption name SyzygyPath value {tables}           => WDL
         setoption name SyzygyPath value /nonexistent       => kept
         go nodes 500 => tbhits 1
         setoption name SyzygyPath value {spaced};          => cannot be used
         setoption name SyzygyPath value {tables};{spaced};;/nonexistent; => cannot be used
         setoption name SyzygyPath value {empty}            => 0 WDL
         go nodes 500 => bestmove
         setoption name SyzygyPath value <empty>            => no tables"
    ));
    // What fails in use is said once, and the game goes on.
    let mut mutated = fs::read(format!("{tables}/KQvKR.rtbw")).unwrap();
    let middle = mutated.len() / 2;
    mutated[middle] ^= 1;
    fs::write(folder.path().join("KQvKR.rtbw"), mutated).unwrap();
    engine.talk(&format!(
        "setoption name SyzygyVerify value true         => no tables
         setoption name SyzygyPath value {}             => 1 WDL
         position fen 8/3r4/8/8/8/2k5/8/K6Q w - - 0 1   =>
         go nodes 500                                   => KQvKR.rtbw: checksum is",
        folder.path().display()
    ));
    assert!(!engine.go("nodes 500").concat().contains("checksum"));
    engine.quit();
}

#[test]
fn nonsense_is_answered_with_a_word() {
    let mut engine = Engine::start();
    let long = "a".repeat(100_000);
    engine.talk(&format!(
        "UCI          => unknown command
         \u{0}\u{1}   => unknown command
         \u{feff}uci  => unknown command
         {long}       => unknown command
         bench 0      => bench [HASH]
         speedtest -1 => from 1 to 3600
         genfens x    => genfens N seed S
         genfens 2 seed 3 book missing.epd => missing.epd
         go depth abc                     => info string go: no limit is left
         go nodes 1e6                     => info string go: no limit is left
         go wtime -1000 btime -1000       => bestmove
         go depth 99999 nodes 0           => bestmove
         go searchmoves e2e5 depth 0      => bestmove
         ponderhit    =>
         stop         =>"
    ));
    engine.send_bytes(b"\xff\xfe\xfd\nposition \xc3\x28\n");
    engine.send_bytes(&[b'\n'; 10_000]);
    assert_eq!(engine.tell("").len(), 2);
    engine.talk("position startpos => \n go nodes 500 => bestmove");
    engine.quit();
}

/// The line `key` of what Linux says of a process's memory, in kilobytes.
#[cfg(target_os = "linux")]
fn memory(engine: &Engine, key: &str) -> u64 {
    let path = format!("/proc/{}/status", engine.child.id());
    let text = fs::read_to_string(path).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(key));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1));
    kilobytes.unwrap().parse().unwrap()
}

/// Neither the old table nor the new one takes what no search has written to.
#[cfg(target_os = "linux")]
#[test]
fn a_table_takes_the_memory_that_was_set_as_it_is_used() {
    let mut engine = Engine::start();
    for megabytes in [512, 1024, 1025, 4096] {
        engine.tell(&format!("setoption name Hash value {megabytes}"));
    }
    let peak = memory(&engine, "VmHWM");
    assert!(peak < 300 * 1024, "{peak} kB");
    for megabytes in [16, 64, 16] {
        engine.send(&format!("setoption name Hash value {megabytes}"));
        engine.go("nodes 200000");
        let found = memory(&engine, "VmRSS");
        assert!(found < (megabytes + 40) * 1024, "{found} kB of {megabytes}");
    }
    engine.quit();
}

/// A program that sends without end while it is searched: what waits has a bound, `stop` comes
/// through, and no search plays from a position of before the one that was ignored.
#[cfg(target_os = "linux")]
#[test]
fn a_flood_of_commands_does_not_fill_the_memory() {
    let mut engine = Engine::start();
    engine.talk("position startpos => \n go nodes 10 => bestmove");
    engine.send("go infinite");
    let moves = " g1f3 g8f6 f3g1 f6g8".repeat(100);
    let line = format!("position startpos moves{moves}\n").repeat(50);
    for _ in 0..1_000 {
        engine.send_bytes(line.as_bytes());
    }
    engine.send("isready");
    let told = engine.until("readyok");
    let notes = told
        .iter()
        .filter(|line| line.contains("too many commands wait"));
    assert_eq!(notes.count(), 1);
    let peak = memory(&engine, "VmHWM");
    assert!(peak < 150 * 1024, "{peak} kB");
    engine.send("stop");
    engine.until("bestmove");
    engine.talk("go nodes 10 => bestmove 0000");
    engine.talk("position startpos => \n go nodes 10 => bestmove");
    engine.quit();
}

/// Material as a network: one neuron for what is there, fed by every piece but the king.
fn material(seed: i16) -> Network {
    let architecture = Architecture::plain(32).unwrap();
    let mut parameters = Parameters {
        feature_weights: vec![0; FEATURES * 32],
        feature_biases: vec![20 + seed; 32],
        output_weights: [[40; 32], [-40; 32]].concat(),
        output_biases: vec![0],
        stacks: Vec::new(),
        relation_weights: Vec::new(),
        scale: 400,
    };
    for (kind, worth) in [2, 6, 6, 10, 18].into_iter().enumerate() {
        let own = kind * 64 * 32;
        parameters.feature_weights[own..own + 64 * 32].fill(worth);
    }
    Network::new(architecture, &parameters).unwrap()
}

/// The files are refused by the network's reader, whose tests have every way to be wrong.
#[test]
fn a_network_is_loaded_exported_and_survives_a_bad_file() {
    /// White is a knight up.
    const FEN: &str = "rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let folder = TempDir::new().unwrap();
    let board: Board = FEN.parse().unwrap();
    let shown = |network: &Network| format!("{} cp for the side to move", network.value(&board));
    let name = |network: &Network| format!("network {:016x}", network.hash());
    let write = |file: &str, bytes: &[u8]| {
        // A name with a space, as on many desktops.
        let path = folder.path().join(format!("my {file}"));
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let [first, second] = [material(0), material(3)];
    let bytes = first.to_bytes();
    let mut engine = Engine::start();
    let by_hand = engine.tell(&format!(
        "position fen {FEN}\nsetoption name Eval_Kind value classical\neval"
    ));
    let copy = folder.path().join("copy");
    engine.talk(&format!(
        "setoption name EvalFile value {good}      => evaluation: classical
         setoption name Eval_Kind value nnue       => (768 mirrored -> 32)x2 -> 1
         eval                                      => {shown}
         setoption name EvalFile value {foreign}   => not a Sextant network
         setoption name EvalFile value {truncated} => cut short
         setoption name EvalFile value {folder}    => kept
         eval                                      => {shown}
         go nodes 2000                             => bestmove
         export_net {copy}                         => {name}
         setoption name EvalFile value {other}     => {other_name}
         eval                                      => {other_shown}
         setoption name Eval_Kind value classical  => evaluation: classical
         export_net                                => has no network",
        good = write("net", &bytes),
        shown = shown(&first),
        foreign = write("foreign", b"\x7fELF\x02\x01\x01 and more"),
        truncated = write("truncated", &bytes[..bytes.len() / 2]),
        folder = folder.path().display(),
        copy = copy.display(),
        name = name(&first),
        other = write("other", &second.to_bytes()),
        other_name = name(&second),
        other_shown = shown(&second),
    ));
    assert_eq!(fs::read(copy).unwrap(), bytes);
    assert_eq!(engine.tell("eval")[..], by_hand[by_hand.len() - 1..]);
    // A config names its network from its own folder.
    let config = write("net.toml", b"[eval]\nkind = \"nnue\"\nfile = \"my net\"\n");
    let mut engine = Engine::with_args(&["--config", &config]);
    engine.talk(&format!("bench 16 1 1 => {}", name(&first)));
    engine.quit();
}

/// Lines to mutate; every command and every kind of operand.
const LINES: &str = include_str!("../../testdata/lines.txt");

/// More words to put in.
const WORDS: &str = "moves value name fen startpos infinite depth -1 0 99999999999 e1e9 e7e8q \u{e9} \
                     \u{0} true w - KQkq <empty> ; # nan";

/// A line, changed in up to three places or not at all; empty if it would end the test and not the
/// engine.
fn mutated(random: &mut Random) -> Vec<u8> {
    let split = |text: &str| -> Vec<Vec<u8>> {
        let words = text.split([' ', '\n']);
        words.map(|word| word.as_bytes().to_vec()).collect()
    };
    let lines: Vec<&str> = LINES.split('\n').collect();
    let all = [split(WORDS), split(LINES)].concat();
    let mut words = split(lines[random.below(lines.len())]);
    for _ in 0..random.below(4) {
        let at = random.below(words.len());
        let word = all[random.below(all.len())].clone();
        match random.below(5) {
            0 => words[at] = word,
            1 => words.insert(at, word),
            2 => words[at].clear(),
            3 => words[at].extend(word),
            _ => words[at].push(random.below(256) as u8),
        }
    }
    let line = words.join(&b' ');
    // Hash and Threads of any size, deep counts, benches and log files belong to other tests; and
    // an added byte may be a line end.
    let text = String::from_utf8_lossy(&line);
    let has = |word: &str| text.split_whitespace().any(|found| found == word);
    let is_large = (has("Hash") || has("Threads")) && !text.trim_end().ends_with(" value 2");
    let is_deep = has("perft") && !text.contains("perft 2") || has("bench") || has("Log");
    let ends = ["quit", "exit", "speedtest"].map(|word| text.contains(word));
    if is_large || is_deep || ends.contains(&true) {
        return Vec::new();
    }
    line
}

#[test]
fn thousands_of_mutated_lines_leave_an_engine_that_answers() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let seed = std::env::var("SEXTANT_GARBAGE_SEED").ok();
    let seed = seed.and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or(now.map_or(1, |time| time.as_nanos() as u64));
    println!("SEXTANT_GARBAGE_SEED={seed}");
    let mut random = Random::new(seed);
    let mut engine = Engine::start();
    for _ in 0..60 {
        let mut sent = Vec::new();
        for _ in 0..100 {
            let line = mutated(&mut random);
            let is_search = line.starts_with(b"go");
            sent.extend(line);
            sent.push(b'\n');
            // Whatever the mutation left of its limits, the search must come to an end.
            if is_search && random.below(2) == 0 {
                sent.extend(b"stop\n");
            }
        }
        sent.extend(b"stop\n");
        engine.send_bytes(&sent);
        engine.tell("stop");
        // What was queued behind the last stop may have been a search.
        engine.send("stop");
    }
    // The garbage asked for a `readyok` here and there, too: only what it cannot have asked for
    // says that all of it is done.
    engine.send("stop\nsetoption name Barrier value 1");
    engine.until("info string unknown option \"Barrier\"");
    engine.send("setoption name Threads value 1\nsetoption name MultiPV value 1");
    engine.send("setoption name Preset value default\nucinewgame");
    engine.send(&format!("position fen {KIWIPETE}"));
    let answer = engine.go("depth 4");
    assert_ne!(best_move(&answer), "(none)");
    assert!(!infos(&answer).is_empty());
    engine.quit();
}
