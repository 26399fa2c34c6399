//! A driver for the real binary, in which every wait has a time-out, so that a hang is a failure;
//! and what must be true of every line that the engine shows.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use sextant_board::{Position, parse_fen, parse_uci_move};
use sextant_search::Game;

/// Far longer than anything here takes, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Long enough to see that nothing happens.
pub(crate) const SHORT: Duration = Duration::from_millis(300);

pub(crate) const KIWIPETE: &str =
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// A running engine.
pub(crate) struct Engine {
    pub(crate) child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Everything that was read, for messages.
    seen: Vec<String>,
}

/// The binary under test.
pub(crate) fn binary() -> Command {
    Command::new(env!("CARGO_BIN_EXE_sextant"))
}

/// Runs the binary with arguments until it ends: exit code, standard output, standard error.
pub(crate) fn run(args: &[&str]) -> (Option<i32>, String, String) {
    let mut command = binary();
    command.args(args).stdin(Stdio::null());
    let (sender, ended) = mpsc::channel();
    thread::spawn(move || sender.send(command.output().unwrap()));
    let ended = ended.recv_timeout(PATIENCE);
    let output = ended.unwrap_or_else(|_| panic!("{args:?} did not end"));
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    (output.status.code(), out, err)
}

/// The standard output of a run that ends well.
pub(crate) fn works(args: &[&str]) -> String {
    let (code, out, err) = run(args);
    assert_eq!(code, Some(0), "{args:?}: {err}");
    out
}

/// The lines `left => right` of a table, without comments.
pub(crate) fn cases(table: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = table.lines().map(str::trim);
    let cases = lines.filter(|line| !line.is_empty() && !line.starts_with("//"));
    cases.map(|line| {
        let (left, right) = line.split_once("=>").expect("a case");
        (left.trim(), right.trim())
    })
}

/// Waits for the end of a process, but not for ever.
pub(crate) fn wait(child: &mut Child) -> Option<ExitStatus> {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        thread::sleep(Duration::from_millis(2));
    }
    let _ = child.kill();
    None
}

impl Engine {
    /// Starts the engine.
    pub(crate) fn start() -> Engine {
        Engine::with_args(&[])
    }

    /// Starts the engine with arguments.
    pub(crate) fn with_args(args: &[&str]) -> Engine {
        let mut child = binary()
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Engine {
            input: child.stdin.take(),
            child,
            lines,
            seen: Vec::new(),
        }
    }

    /// Sends lines.
    pub(crate) fn send(&mut self, text: &str) -> &mut Engine {
        self.send_bytes(format!("{text}\n").as_bytes())
    }

    /// Sends bytes as they are.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) -> &mut Engine {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).expect("the engine reads");
        input.flush().unwrap();
        self
    }

    /// Reads until a line holds `text`; all lines read, that one last.
    pub(crate) fn until(&mut self, text: &str) -> Vec<String> {
        let start = self.seen.len();
        loop {
            let line = self.lines.recv_timeout(PATIENCE).unwrap_or_else(|error| {
                let last = self.seen.len().saturating_sub(40);
                panic!("{error} before {text:?}; so far: {:#?}", &self.seen[last..])
            });
            let found = line.contains(text);
            self.seen.push(line);
            if found {
                return self.seen[start..].to_vec();
            }
        }
    }

    /// Sends lines, asks `isready` and reads until the answer: all that was printed before it.
    pub(crate) fn tell(&mut self, text: &str) -> Vec<String> {
        let mut read = self.send(text).send("isready").until("readyok");
        read.pop();
        read
    }

    /// A dialogue of lines `sent => text`: each is answered by a line that holds the text, or not
    /// at all if that is empty. Comments begin with `//`.
    pub(crate) fn talk(&mut self, dialogue: &str) {
        for (line, expected) in cases(dialogue) {
            if expected.is_empty() {
                assert_eq!(self.tell(line), [""; 0], "{line}");
            } else {
                let answer = self.send(line).until(expected);
                let is_short = |line: &String| line.len() < 1_200;
                assert!(answer.iter().all(is_short), "{line:?} floods");
            }
        }
        self.tell("");
    }

    /// Sends a `go` and reads until its answer.
    pub(crate) fn go(&mut self, text: &str) -> Vec<String> {
        self.send(&format!("go {text}")).until("bestmove")
    }

    /// The FEN on the board.
    pub(crate) fn fen(&mut self) -> String {
        let lines = self.tell("d");
        let line = lines.iter().find_map(|line| line.strip_prefix("Fen: "));
        line.expect("a FEN").to_owned()
    }

    /// No line that begins so comes for a while.
    pub(crate) fn says_no(&mut self, start: &str, time: Duration) -> bool {
        let end = Instant::now() + time;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) if line.starts_with(start) => return false,
                Ok(line) => self.seen.push(line),
                Err(RecvTimeoutError::Timeout) => return true,
                Err(RecvTimeoutError::Disconnected) => panic!("the engine ended"),
            }
        }
    }

    /// Closes the input, as a GUI does that dies.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits for the end of the process, which must be a good one.
    pub(crate) fn ends_well(&mut self) {
        let ended = wait(&mut self.child).expect("it ends");
        assert!(ended.success(), "{ended}");
    }

    /// Quits and checks that it ends well.
    pub(crate) fn quit(mut self) {
        self.send("quit").ends_well();
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The word after `key` in a line.
pub(crate) fn field<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let mut words = line.split_whitespace();
    words.find(|word| *word == key)?;
    words.next()
}

/// The number after `key`.
pub(crate) fn number(line: &str, key: &str) -> i64 {
    let number = field(line, key).and_then(|word| word.parse().ok());
    number.unwrap_or_else(|| panic!("no number {key} in {line:?}"))
}

/// The moves after `pv`.
pub(crate) fn pv(line: &str) -> Vec<&str> {
    let words = line.split_whitespace();
    words.skip_while(|word| *word != "pv").skip(1).collect()
}

/// The move of the `bestmove` line that ends the answer.
pub(crate) fn best_move(lines: &[String]) -> &str {
    let line = lines.last().expect("an answer");
    field(line, "bestmove").unwrap_or_else(|| panic!("{line:?} is no best move"))
}

/// The info lines with a score.
pub(crate) fn infos(lines: &[String]) -> Vec<&str> {
    let lines = lines.iter().map(String::as_str);
    lines
        .filter(|line| line.starts_with("info ") && field(line, "score").is_some())
        .collect()
}

/// The number after `key` in the last info line with a score.
pub(crate) fn last(lines: &[String], key: &str) -> i64 {
    number(infos(lines).last().expect("a line with a score"), key)
}

pub(crate) fn startpos() -> Game {
    Game::new(Position::startpos())
}

pub(crate) fn game(fen: &str) -> Game {
    Game::new(parse_fen(fen).unwrap())
}

/// The PV is legal and begins with the best move.
pub(crate) fn check_lines(game: &Game, lines: &[String], chess960: bool) {
    let shown = infos(lines);
    assert!(!shown.is_empty(), "no line with a score before {lines:?}");
    for line in &shown {
        check_pv(game.clone(), line, chess960);
    }
    let is_first = |line: &&&str| field(line, "multipv").is_none_or(|rank| rank == "1");
    let first = shown.iter().rev().find(is_first).unwrap();
    assert_eq!(
        pv(first).first().copied().unwrap_or("(none)"),
        best_move(lines)
    );
}

fn check_pv(mut game: Game, line: &str, chess960: bool) {
    for text in pv(line) {
        let mv = parse_uci_move(game.position(), text)
            .unwrap_or_else(|error| panic!("{error} in {line:?}"));
        if !chess960 {
            let own = game
                .position()
                .board()
                .colors(game.position().side_to_move());
            let is_own_notation = own.has(mv.to) && text == mv.to_string();
            assert!(!is_own_notation, "{text} is Chess960 notation: {line:?}");
        }
        game.play(mv);
    }
}
