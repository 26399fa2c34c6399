//! A driver for the real binary: every wait has a time-out, so that a hang is a failure.

pub(crate) mod game;

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use sextant_eval::nnue::{Architecture, FEATURES, Network, Parameters};

/// Far longer than anything here takes, also on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A running engine.
pub(crate) struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Everything that was read, for messages.
    seen: Vec<String>,
}

/// The binary under test.
pub(crate) fn binary() -> Command {
    Command::new(env!("CARGO_BIN_EXE_sextant"))
}

/// Runs the binary with arguments until it ends: exit status, standard output, standard error.
pub(crate) fn run(args: &[&str]) -> (ExitStatus, String, String) {
    let mut child = binary()
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    fn read(mut from: impl Read + Send + 'static) -> thread::JoinHandle<String> {
        thread::spawn(move || {
            let mut text = String::new();
            from.read_to_string(&mut text).unwrap();
            text
        })
    }
    let out = read(child.stdout.take().unwrap());
    let err = read(child.stderr.take().unwrap());
    let status = wait(&mut child).unwrap_or_else(|| panic!("{args:?} did not end"));
    (status, out.join().unwrap(), err.join().unwrap())
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
            for line in output.lines() {
                let Ok(line) = line else { break };
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Engine {
            child,
            input,
            lines,
            seen: Vec::new(),
        }
    }

    /// The process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
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

    /// The next line, `None` at the end of the output.
    pub(crate) fn next_line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => {
                self.seen.push(line.clone());
                Some(line)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no answer; so far: {:#?}", self.last_seen()),
        }
    }

    fn last_seen(&self) -> &[String] {
        &self.seen[self.seen.len().saturating_sub(40)..]
    }

    /// Reads until a line begins with `start`; all lines read, that one last.
    pub(crate) fn until(&mut self, start: &str) -> Vec<String> {
        let mut read = Vec::new();
        loop {
            let Some(line) = self.next_line() else {
                panic!(
                    "the engine ended before {start:?}; so far: {:#?}",
                    self.last_seen()
                );
            };
            let found = line.starts_with(start);
            read.push(line);
            if found {
                return read;
            }
        }
    }

    /// Asks `isready` and reads until the answer: all lines before it.
    pub(crate) fn sync(&mut self) -> Vec<String> {
        let mut read = self.send("isready").until("readyok");
        read.pop();
        read
    }

    /// Sends a `go` and reads until its answer.
    pub(crate) fn go(&mut self, text: &str) -> Vec<String> {
        self.send(&format!("go {text}")).until("bestmove")
    }

    /// Sends a line and returns what `isready` shows that it printed.
    pub(crate) fn tell(&mut self, text: &str) -> Vec<String> {
        self.send(text).sync()
    }

    /// The FEN on the board.
    pub(crate) fn fen(&mut self) -> String {
        let lines = self.tell("d");
        let line = lines.iter().find_map(|line| line.strip_prefix("Fen: "));
        line.unwrap_or_else(|| panic!("no FEN in {lines:#?}"))
            .to_owned()
    }

    /// No line comes for a while.
    pub(crate) fn is_silent_for(&mut self, time: Duration) -> bool {
        match self.lines.recv_timeout(time) {
            Ok(line) => {
                self.seen.push(line);
                false
            }
            Err(RecvTimeoutError::Timeout) => true,
            Err(RecvTimeoutError::Disconnected) => panic!("the engine ended"),
        }
    }

    /// No `bestmove` comes for a while.
    pub(crate) fn gives_no_move_for(&mut self, time: Duration) -> bool {
        let end = Instant::now() + time;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) if line.starts_with("bestmove") => return false,
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

    /// Waits for the end of the process.
    pub(crate) fn wait(&mut self) -> ExitStatus {
        wait(&mut self.child).unwrap_or_else(|| panic!("no end; so far: {:#?}", self.last_seen()))
    }

    /// Quits and checks that it ends well.
    pub(crate) fn quit(mut self) {
        self.send("quit");
        assert!(self.wait().success());
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
    let word = field(line, key).unwrap_or_else(|| panic!("no {key} in {line:?}"));
    word.parse()
        .unwrap_or_else(|_| panic!("{key} {word} is no number in {line:?}"))
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
pub(crate) fn infos(lines: &[String]) -> Vec<&String> {
    lines
        .iter()
        .filter(|line| line.starts_with("info ") && field(line, "score").is_some())
        .collect()
}

/// Material as a network: one neuron for what is there, fed by every man but the king.
pub(crate) fn material(seed: i16) -> Network {
    let architecture = Architecture::plain(32).unwrap();
    let mut parameters = Parameters {
        feature_weights: vec![0; FEATURES * 32],
        feature_biases: vec![20 + seed; 32],
        output_weights: [[40; 32], [-40; 32]].concat(),
        output_biases: vec![0],
        scale: 400,
    };
    let worth = [2, 6, 6, 10, 18];
    for (kind, worth) in worth.into_iter().enumerate() {
        let own = kind * 64 * 32;
        parameters.feature_weights[own..own + 64 * 32].fill(worth);
    }
    Network::new(architecture, &parameters).unwrap()
}
