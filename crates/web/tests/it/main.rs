//! The real server over real sockets, asked and attacked.

mod answers;
mod attacks;
mod socket;

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use serde_json::Value;

pub(crate) const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../syzygy/testdata");
pub(crate) const WON: &str = "/standard?fen=8/3r4/8/8/8/2k5/8/K6Q_w_-_-_0_1";

/// The program without the environment's tables.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sextant-web"));
    command.env_remove("SYZYGY_PATH").env_remove("TB_PATH");
    command
}

/// A server on a port of its own, killed when dropped.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) address: String,
}

/// A reply, taken apart.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("{}", self.body))
    }

    /// The value of a header, whose name is written in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(key, _)| *key == name).map(|(_, value)| value)
    }
}

impl Server {
    pub(crate) fn start(arguments: &[&str]) -> Server {
        Server::spawn(command().args(["--path", TABLES]).args(arguments))
    }

    /// A server whose shell sets a limit first.
    #[cfg(unix)]
    pub(crate) fn under(limit: &str) -> Server {
        let mut shell = Command::new("sh");
        let script = format!("{limit}; exec \"$0\" \"$@\"");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_sextant-web")]);
        Server::spawn(shell.args(["--path", TABLES]))
    }

    pub(crate) fn spawn(command: &mut Command) -> Server {
        Server::bound(command, "127.0.0.1:0")
    }

    pub(crate) fn bound(command: &mut Command, address: &str) -> Server {
        let command = command.args(["--bind", address]);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = lines
            .map(Result::unwrap)
            .find_map(|line| Some(line.strip_prefix("Open http://")?.to_owned()));
        let line = line.expect("the server says where it listens");
        let address = line.split('/').next().unwrap().to_owned();
        Server { child, address }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        stream
    }

    /// Sends raw bytes and reads to the end; the server may hang up before it has read all.
    pub(crate) fn raw(&self, request: &[u8]) -> String {
        let mut stream = self.connect();
        let _ = stream.write_all(request);
        let mut reply = Vec::new();
        let _ = stream.read_to_end(&mut reply);
        String::from_utf8_lossy(&reply).into_owned()
    }

    /// Sends a request with these header lines, and takes the reply apart.
    pub(crate) fn ask(&self, line: &str, headers: &[&str], body: &str) -> Reply {
        let mut request = format!("{line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
        for header in headers {
            request += &format!("{header}\r\n");
        }
        let reply = self.raw(format!("{request}\r\n{body}").as_bytes());
        let (head, body) = reply
            .split_once("\r\n\r\n")
            .unwrap_or_else(|| panic!("{reply:?}"));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
        Reply {
            status: status.unwrap(),
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }

    pub(crate) fn get(&self, address: &str) -> Reply {
        self.ask(&format!("GET {address}"), &[], "")
    }

    /// Does it answer, and how soon?
    pub(crate) fn answers_within(&self) -> Duration {
        let start = Instant::now();
        assert_eq!(self.get(WON).status, 200);
        start.elapsed()
    }

    /// The most memory that the server had at once, in MB.
    #[cfg(target_os = "linux")]
    pub(crate) fn peak_memory(&self) -> u64 {
        let status = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(status).unwrap();
        let mut lines = status.lines();
        let line = lines.find(|line| line.starts_with("VmHWM")).unwrap();
        let kilobytes = line.split_whitespace().nth(1).unwrap();
        kilobytes.parse::<u64>().unwrap() / 1_024
    }

    /// Sends a signal and waits for the end.
    #[cfg(unix)]
    pub(crate) fn end_by(&mut self, signal: &str) -> ExitStatus {
        self.signal(signal);
        self.child.wait().unwrap()
    }

    pub(crate) fn signal(&self, signal: &str) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args([signal, &pid]).status().unwrap();
        assert!(sent.success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
