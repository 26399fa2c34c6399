//! Clients of ill will, and the end: whatever they do, the next one is answered within a second.

use std::{
    io::{Read, Write},
    net::TcpStream,
    thread,
    time::{Duration, Instant},
};

use crate::{Server, WON};

const SOON: Duration = Duration::from_secs(1);

#[test]
fn lying_lengths_and_nonsense_hurt_nobody() {
    let server = Server::start(&[]);
    for length in ["40000000000", "18446744073709551615", "-1", "x"] {
        for method in ["GET", "POST"] {
            let request = format!(
                "{method} {WON} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\nx"
            );
            let reply = server.raw(request.as_bytes());
            assert!(reply.starts_with("HTTP/1.1 "), "{length}: {reply}");
            assert!(server.answers_within() < SOON, "{length}");
        }
    }
    for nonsense in [
        &b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"[..],
        b"GET / HTTP/2.0\r\nHost: localhost\r\n\r\n",
        b"\0\x01nonsense\r\n\r\n",
        b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET\r\n\r\n",
    ] {
        let mut stream = server.connect();
        stream.write_all(nonsense).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        stream.read_to_end(&mut Vec::new()).unwrap();
        assert!(server.answers_within() < SOON);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn heads_have_an_end() {
    let server = Server::start(&[]);
    let mut stream = server.connect();
    stream
        .write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        .unwrap();
    let line = format!("X-{}: y\r\n", "x".repeat(1_000));
    let sent = (0..200_000).take_while(|_| stream.write_all(line.as_bytes()).is_ok());
    assert!(sent.count() < 20_000, "200 MB of head were taken");
    let short = "a: b\r\n".repeat(1_000);
    let reply = server.raw(format!("GET / HTTP/1.1\r\nHost: localhost\r\n{short}\r\n").as_bytes());
    assert!(reply.starts_with("HTTP/1.1 431"), "{reply}");
    assert!(server.answers_within() < SOON);
    assert!(server.peak_memory() < 64, "{} MB", server.peak_memory());
}

#[cfg(target_os = "linux")]
#[test]
fn slow_idle_and_deaf_clients_keep_nobody_waiting() {
    let server = Server::under("ulimit -n $(ulimit -Hn)");
    let idle: Vec<TcpStream> = (0..2_000).map(|_| server.connect()).collect();
    let mut slow: Vec<TcpStream> = (0..64).map(|_| server.connect()).collect();
    for client in &mut slow {
        let post = "POST /standard HTTP/1.1\r\nHost: localhost\r\n\
                    Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n";
        client.write_all(post.as_bytes()).unwrap();
    }
    // Clients that ask and ask and never read.
    let deaf: Vec<TcpStream> = (0..8).map(|_| server.connect()).collect();
    for mut client in &deaf {
        client.set_nonblocking(true).unwrap();
        let request = format!("GET {WON} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        while client.write_all(request.as_bytes()).is_ok() {}
    }
    for _ in 0..3 {
        for client in &mut slow {
            client.write_all(b"x").unwrap();
        }
        assert!(server.answers_within() < SOON);
        thread::sleep(Duration::from_millis(100));
    }
    assert!(server.peak_memory() < 200, "{} MB", server.peak_memory());
    drop(idle);
}

#[cfg(unix)]
#[test]
fn a_low_limit_of_open_files_is_lived_with() {
    let server = Server::under("ulimit -n 128");
    let idle: Vec<TcpStream> = (0..300).map(|_| server.connect()).collect();
    for _ in 0..3 {
        assert!(server.answers_within() < SOON);
    }
    drop(idle);
    assert!(server.answers_within() < SOON);
}

/// A request whose body never comes.
fn ask_slowly(server: &Server) -> TcpStream {
    let mut slow = server.connect();
    let head = b"POST /standard HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n";
    slow.write_all(head).unwrap();
    thread::sleep(Duration::from_millis(50));
    slow
}

#[cfg(unix)]
#[test]
fn signals_end_it_within_two_seconds() {
    for signal in ["-INT", "-TERM"] {
        let mut server = Server::start(&[]);
        let _idle = server.connect();
        let _slow = ask_slowly(&server);
        let start = Instant::now();
        assert_eq!(server.end_by(signal).code(), Some(0), "{signal}");
        assert!(start.elapsed() < Duration::from_secs(2), "{signal}");
    }
}

#[cfg(unix)]
#[test]
fn a_second_signal_ends_it_at_once() {
    let mut server = Server::start(&[]);
    let _slow = ask_slowly(&server);
    server.signal("-INT");
    thread::sleep(Duration::from_millis(100));
    assert_eq!(server.end_by("-TERM").code(), Some(130));
}
