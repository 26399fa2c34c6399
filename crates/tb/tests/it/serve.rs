//! The server over real sockets.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use crate::{TABLES, command};

struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start() -> Server {
        let mut child = command()
            .args(["--path", TABLES, "serve", "--bind", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = lines
            .map(Result::unwrap)
            .find(|line| line.starts_with("Open "))
            .unwrap();
        let address = line.split(' ').nth(1).unwrap();
        let address = address
            .trim_start_matches("http://")
            .trim_end_matches('/')
            .to_owned();
        Server { child, address }
    }

    /// Sends raw bytes, returns the whole reply.
    fn raw(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        reply
    }

    fn get(&self, url: &str) -> String {
        self.raw(&format!(
            "GET {url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        ))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn answers_and_refusals() {
    let server = Server::start();
    let probed = server.get("/standard?fen=8/3r4/8/8/8/2k5/8/K6Q_w_-_-_0_1");
    assert!(probed.starts_with("HTTP/1.1 200"), "{probed}");
    assert!(probed.contains("application/json") && probed.contains("\"category\": \"win\""));
    let line = server.get("/standard/mainline?fen=8%2F8%2F8%2F8%2F8%2F2k5%2F8%2FK6Q+w");
    assert!(line.contains("\"winner\": \"w\""), "{line}");
    assert!(
        server
            .get("/")
            .contains("<title>Sextant tablebases</title>")
    );
    for (url, status) in [
        ("/standard", "400"),
        ("/standard?fen=%zz", "400"),
        ("/x", "404"),
    ] {
        assert!(
            server.get(url).starts_with(&format!("HTTP/1.1 {status}")),
            "{url}"
        );
    }
    let long = format!("/standard?fen={}", "8".repeat(5_000));
    assert!(server.get(&long).starts_with("HTTP/1.1 414"));
    let post =
        "POST /standard HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    assert!(server.raw(post).starts_with("HTTP/1.1 405"));
    // Garbage and early leavers hurt nobody.
    server.raw("\0\u{1}nonsense\r\n\r\n");
    drop(TcpStream::connect(&server.address).unwrap());
    assert!(server.get("/").starts_with("HTTP/1.1 200"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_cleanly() {
    let mut server = Server::start();
    let pid = server.child.id().to_string();
    let status = std::process::Command::new("kill")
        .args(["-INT", &pid])
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
}
