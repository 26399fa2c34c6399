//! The same answers over HTTP, for this machine unless told otherwise.

use std::net::SocketAddr;
use std::sync::Arc;

use serde::Serialize;
use sextant_cli::{failure::Failure, output};
use sextant_syzygy::Tablebase;
use tiny_http::{Header, Method, Request, Response, Server};

use crate::cli::ServeArgs;
use crate::{json, judge, position};

/// Longest address that is looked at; a FEN has at most some 90 characters.
const MAX_URL_BYTES: usize = 1_024;
/// Threads that answer; probes are short, so a few keep slow readers from blocking the others.
const THREADS: usize = 4;

/// The page loads nothing from anywhere else.
const PAGE: &str = include_str!("page.html");
const JSON: &str = "application/json; charset=utf-8";
const HTML: &str = "text/html; charset=utf-8";

#[derive(Serialize)]
struct Problem<'a> {
    error: &'a str,
}

/// A reply before it is HTTP.
struct Reply {
    status: u16,
    kind: &'static str,
    body: String,
}

impl Reply {
    fn json(body: String) -> Reply {
        Reply {
            status: 200,
            kind: JSON,
            body,
        }
    }

    fn problem(status: u16, message: &str) -> Reply {
        Reply {
            status,
            kind: JSON,
            body: json::print(&Problem { error: message }),
        }
    }
}

/// The `serve` command; returns on Ctrl-C.
pub(crate) fn run(tables: &Tablebase, args: &ServeArgs) -> Result<u8, Failure> {
    let failed = |error: Box<dyn std::error::Error + Send + Sync>| {
        Failure::usage(format!("cannot listen on {}: {error}", args.bind))
    };
    let server = Arc::new(Server::http(args.bind).map_err(failed)?);
    let stopper = Arc::clone(&server);
    let stop = move || (0..THREADS).for_each(|_| stopper.unblock());
    ctrlc::set_handler(stop)
        .map_err(|error| Failure::usage(format!("cannot catch Ctrl-C: {error}")))?;
    announce(tables, server.server_addr().to_ip().unwrap_or(args.bind))?;
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Ok(Some(request)) = next(&server) {
                    answer(tables, request);
                }
            });
        }
    });
    Ok(0)
}

/// Waits for a request; `None` once the server is told to stop.
fn next(server: &Server) -> std::io::Result<Option<Request>> {
    match server.recv() {
        Ok(request) => Ok(Some(request)),
        // `unblock` ends the waiting with an error of this kind.
        Err(error) if error.kind() == std::io::ErrorKind::Other => Ok(None),
        Err(error) => Err(error),
    }
}

fn announce(tables: &Tablebase, address: SocketAddr) -> Result<(), Failure> {
    let inventory = tables.inventory();
    output::print(format_args!(
        "sextant-tb: {} WDL and {} DTZ tables, up to {} men\nOpen http://{address}/ (Ctrl-C ends)\n",
        inventory.wdl_count(),
        inventory.dtz_count(),
        tables.max_men()
    ))
}

fn answer(tables: &Tablebase, request: Request) {
    let reply = match request.method() {
        Method::Get => route(tables, request.url()),
        _ => Reply::problem(405, "only GET is answered"),
    };
    let mut response = Response::from_string(reply.body).with_status_code(reply.status);
    let allow = if reply.status == 405 {
        Some(("Allow", "GET"))
    } else {
        None
    };
    let headers = [
        ("Content-Type", reply.kind),
        ("X-Content-Type-Options", "nosniff"),
    ];
    for (name, value) in headers.into_iter().chain(allow) {
        if let Ok(header) = Header::from_bytes(name, value) {
            response.add_header(header);
        }
    }
    // A reader who left does not matter to the others.
    let _ = request.respond(response);
}

fn route(tables: &Tablebase, url: &str) -> Reply {
    if url.len() > MAX_URL_BYTES {
        return Reply::problem(414, "the address is too long");
    }
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    match path {
        "/" => Reply {
            status: 200,
            kind: HTML,
            body: PAGE.into(),
        },
        "/standard" | "/standard/mainline" => probe(tables, path, query),
        "/favicon.ico" => Reply {
            status: 204,
            kind: HTML,
            body: String::new(),
        },
        _ => Reply::problem(
            404,
            "nothing here; try /, /standard?fen=... or /standard/mainline?fen=...",
        ),
    }
}

fn probe(tables: &Tablebase, path: &str, query: &str) -> Reply {
    let fen = query.split('&').find_map(|pair| pair.strip_prefix("fen="));
    let Some(fen) = fen else {
        return Reply::problem(
            400,
            "no fen given; write ?fen=8/3r4/8/8/8/2k5/8/K6Q_w_-_-_0_1",
        );
    };
    let board = match decode(fen).map(|fen| position::parse(&fen)) {
        Some(Ok(board)) => board,
        Some(Err(error)) => return Reply::problem(400, &error.to_string()),
        None => return Reply::problem(400, "bad percent-encoding in fen"),
    };
    if path == "/standard" {
        return Reply::json(json::print(&json::response(&judge::judge(tables, &board))));
    }
    match json::main_line(tables, &board) {
        Ok(line) => Reply::json(json::print(&line)),
        Err(error) => Reply::problem(404, &error.to_string()),
    }
}

/// Percent-decoding; plus signs and underscores stand for spaces.
fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' | b'_' => b' ',
            b'%' => {
                let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
                (digit(rest.next())? * 16 + digit(rest.next())?) as u8
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_decoded() {
        assert_eq!(decode("8%2F8_w+-").as_deref(), Some("8/8 w -"));
        assert_eq!(decode("%zz"), None);
        assert_eq!(decode("%2"), None);
        assert_eq!(decode("%ff"), None);
    }

    #[test]
    fn routes_answer_or_say_why_not() {
        let tables = Tablebase::empty();
        let status = |url: &str| route(&tables, url).status;
        assert_eq!(status("/"), 200);
        assert_eq!(status("/standard"), 400);
        assert_eq!(status("/standard?fen=nonsense"), 400);
        assert_eq!(status("/standard?fen=8/8/8/8/8/2k5/8/K7_w_-_-_0_1"), 200);
        assert_eq!(status("/standard/mainline?fen=8/8/8/8/8/2k5/8/K6Q_w"), 404);
        assert_eq!(status("/etc/passwd"), 404);
        assert_eq!(status(&format!("/standard?fen={}", "8".repeat(2_000))), 414);
    }
}
