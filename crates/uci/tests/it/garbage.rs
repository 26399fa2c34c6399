//! A long session of garbage: thousands of mutated UCI lines, and the engine still answers.

use crate::util::{Engine, best_move, infos};
use sextant_board::Random;

/// Lines to mutate; every command and every kind of operand.
const LINES: &[&str] = &[
    "uci",
    "isready",
    "ucinewgame",
    "position startpos",
    "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1",
    "position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "position fen 4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
    "go depth 3",
    "go nodes 300",
    "go movetime 2",
    "go wtime 20 btime 20 winc 1 binc 1 movestogo 3",
    "go infinite",
    "go ponder wtime 20 btime 20",
    "go mate 1 nodes 200",
    "go searchmoves e2e4 d2d4 depth 2",
    "go perft 2",
    "stop",
    "ponderhit",
    "setoption name Hash value 2",
    "setoption name Threads value 2",
    "setoption name MultiPV value 3",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_ShowWDL value true",
    "setoption name Clear Hash",
    "setoption name Preset value cyrus68k",
    "setoption name Extensions_Coupling value 32",
    "setoption name Extensions_Phase_3 value -4",
    "setoption name SyzygyPath value <empty>",
    "setoption name nodestime value 100",
    "setoption name UCI_LimitStrength value true",
    "setoption name UCI_Elo value 1200",
    "d",
    "eval",
    "flip",
    "compiler",
    "help",
    "debug on",
    "# comment",
    "",
];

/// Pieces to put in.
const WORDS: &[&str] = &[
    "moves",
    "value",
    "name",
    "fen",
    "startpos",
    "infinite",
    "depth",
    "-1",
    "0",
    "99999999999",
    "e1e9",
    "e7e8q",
    "\u{e9}",
    "\u{0}",
    "true",
    "w",
    "-",
    "KQkq",
    "<empty>",
    ";",
    "#",
    "nan",
];

struct Garbage(Random);

impl Garbage {
    fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound)
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    /// A line, changed in up to three places or not at all.
    fn line(&mut self) -> Vec<u8> {
        let line = self.pick(LINES);
        let mut words: Vec<Vec<u8>> = line
            .split(' ')
            .map(|word| word.as_bytes().to_vec())
            .collect();
        for _ in 0..self.below(4) {
            let at = self.below(words.len());
            match self.below(8) {
                0 => words[at] = self.pick(WORDS).as_bytes().to_vec(),
                1 => words.insert(at, self.pick(WORDS).as_bytes().to_vec()),
                2 if words.len() > 1 => drop(words.remove(at)),
                3 => {
                    let other = self.below(words.len());
                    words.swap(at, other);
                }
                4 if !words[at].is_empty() => {
                    let letter = self.below(words[at].len());
                    words[at][letter] = self.below(256) as u8;
                }
                5 => {
                    let copy = words[at].clone();
                    words[at].extend(copy);
                }
                6 => words.extend(
                    self.pick(LINES)
                        .split(' ')
                        .map(|word| word.as_bytes().to_vec()),
                ),
                _ => words[at].truncate(1),
            }
        }
        let mut bytes = words.join(&b' ');
        // A changed byte may be a line end; these three would end the test, not the engine.
        for end in [&b"quit"[..], b"exit", b"speedtest"] {
            if bytes.windows(end.len()).any(|window| window == end) {
                bytes.clear();
            }
        }
        bytes
    }
}

/// Limits that keep a search short even where a mutation left nothing to end it.
fn is_heavy(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line);
    let has = |word: &str| text.split_whitespace().any(|found| found == word);
    // Hash and Threads of any size, deep counts, benches and log files belong to other tests.
    has("perft") && !text.contains("perft 2")
        || text.contains("99999999999") && (has("Hash") || has("Threads"))
        || has("bench")
        || has("Log")
        || (has("Hash") || has("Threads")) && !text.contains("value 2")
}

#[test]
fn thousands_of_mutated_lines_leave_an_engine_that_answers() {
    let seed = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(1, |time| time.as_nanos() as u64);
    let seed = std::env::var("SEXTANT_GARBAGE_SEED")
        .ok()
        .and_then(|s| s.parse().ok())
        .unwrap_or(seed);
    println!("SEXTANT_GARBAGE_SEED={seed}");
    let mut random = Garbage(Random::new(seed));
    let mut engine = Engine::start();
    for _ in 0..60 {
        let mut sent = Vec::new();
        for _ in 0..100 {
            let line = random.line();
            if is_heavy(&line) {
                continue;
            }
            let ends_search = line.starts_with(b"go");
            sent.extend(line);
            sent.push(b'\n');
            // Whatever the mutation left of its limits, the search must come to an end.
            if ends_search && random.below(2) == 0 {
                sent.extend(b"stop\n");
            }
        }
        sent.extend(b"stop\n");
        engine.send_bytes(&sent);
        engine.send("stop");
        engine.sync();
        // What was queued behind the last stop may have been a search.
        engine.send("stop");
    }
    // The garbage asked for a `readyok` here and there, too: only what it cannot have asked for says
    // that all of it is done.
    engine.send("stop").send("setoption name Barrier value 1");
    engine.until("info string unknown option \"Barrier\"");
    engine
        .send("setoption name Threads value 1")
        .send("setoption name MultiPV value 1");
    engine
        .send("setoption name Preset value default")
        .send("ucinewgame");
    engine.send("position startpos").sync();
    let answer = engine.go("depth 4");
    assert_ne!(best_move(&answer), "(none)");
    assert!(!infos(&answer).is_empty());
    engine.quit();
}
