//! The page of `serve`, driven in headless Chromium where one is installed: set up KQvKR by clicks, read the verdicts, click the
//! best move.

mod common;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use common::{TABLES, command};

/// A page that loads ours in a frame and plays the person in front of it.
const DRIVER: &str = r##"<!DOCTYPE html><meta charset="utf-8"><pre id="log"></pre><iframe id="page" src="/" width="1000" height="760"></iframe>
<script>
const log = (text) => document.getElementById("log").textContent += text + "\n";
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const frame = document.getElementById("page");
frame.onload = async () => {
  try {
    const page = frame.contentDocument;
    const click = (selector) => { const found = page.querySelector(selector); if (!found) throw "no " + selector; found.click(); };
    const verdict = () => page.getElementById("verdict").textContent;
    const settled = async (wanted) => { for (let i = 0; i < 100 && !verdict().includes(wanted); i++) await pause(50); return verdict(); };
    const put = (piece, square) => { click(`#palette [data-piece="${piece}"]`); click(`#board [data-square="${square}"]`); click(`#palette [data-piece="${piece}"]`); };
    await settled("W");
    click("#clear");
    log("kings: " + await settled("Dead"));
    put("K", "a1"); put("k", "c3"); put("Q", "h1"); put("r", "d7");
    log("set up: " + await settled("wins"));
    log("fen: " + page.getElementById("fen").value);
    const entries = [...page.querySelectorAll("#list button")];
    const count = (kind) => entries.filter((entry) => entry.className === kind).length;
    log(`moves: ${entries.length} won ${count("won")} drawn ${count("drawn")} lost ${count("lost")}`);
    log("best: " + entries[0].textContent);
    entries[0].click();
    log("after: " + await settled("Black"));
  } catch (error) { log("failed: " + error); }
  log("done");
};
</script>"##;

fn chromium() -> Option<&'static str> {
    let runs = |name: &&&str| {
        let mut command = Command::new(name);
        command
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    ["chromium", "chromium-browser", "google-chrome"]
        .iter()
        .find(runs)
        .copied()
}

/// Ends the server also when a test fails.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a server on a free port; returns its address.
fn serve() -> (Server, String) {
    let mut child = command()
        .args(["--path", TABLES, "serve", "--bind", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let server = Server(child);
    let line = lines
        .map(Result::unwrap)
        .find(|line| line.starts_with("Open "))
        .unwrap();
    (server, line.split(' ').nth(1).unwrap().to_owned())
}

/// Stands before the server and adds the driver, so that both pages have one origin and may touch each other.
fn front(upstream: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let upstream = upstream.clone();
            // A browser may drop a connection at any time; the assertions on the log notice what matters.
            std::thread::spawn(move || drop(forward(client, &upstream)));
        }
    });
    address
}

fn forward(mut client: TcpStream, upstream: &str) -> std::io::Result<()> {
    let mut head = BufReader::new(client.try_clone()?).lines();
    let request = head.next().unwrap_or_else(|| Ok(String::new()))?;
    for line in head {
        if line?.is_empty() {
            break;
        }
    }
    let path = request.split(' ').nth(1).unwrap_or("/");
    if path == "/driver" {
        let kind = "Content-Type: text/html; charset=utf-8";
        let length = DRIVER.len();
        return write!(
            client,
            "HTTP/1.1 200 OK\r\n{kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{DRIVER}"
        );
    }
    let mut server = TcpStream::connect(upstream)?;
    write!(
        server,
        "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    )?;
    std::io::copy(&mut server, &mut client).map(|_| ())
}

#[test]
fn a_person_sets_up_a_position_and_clicks_the_best_move() {
    let Some(chromium) = chromium() else {
        println!("skipped: no chromium installed");
        return;
    };
    let (_server, address) = serve();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let address = front(
        address
            .trim_start_matches("http://")
            .trim_end_matches('/')
            .to_owned(),
    );
    let output = Command::new(chromium)
        .args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
        ])
        .args([
            "--window-size=1050,900",
            "--virtual-time-budget=60000",
            "--dump-dom",
        ])
        .arg(format!(
            "--user-data-dir={}",
            folder.join("profile").display()
        ))
        .arg(format!("http://{address}/driver"))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout);
    let log = dom
        .split("<pre id=\"log\">")
        .nth(1)
        .and_then(|rest| rest.split("</pre>").next());
    let log = log.unwrap_or_else(|| panic!("no log in {dom}"));
    for part in [
        "kings: Dead position",
        "set up: White wins, DTZ 3",
        "fen: 8/3r4/8/8/8/2k5/8/K6Q w - - 0 1",
        "moves: 22 won 15 drawn 3 lost 4",
        "best: Qc6+wins, 2",
        "after: Black loses, DTZ -2",
        "done",
    ] {
        assert!(log.contains(part), "{part} in:\n{log}");
    }
}
