//! The engine behind its WebSocket, asked by a page and by clients of ill will.

use std::{
    io::Write as _,
    net::{Shutdown, TcpStream},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tungstenite::{
    Error, Message, WebSocket, client::IntoClientRequest, error::ProtocolError,
    handshake::HandshakeError, http::HeaderValue, protocol::WebSocketConfig,
};

use crate::{Server, command};

/// Long before a silent page is given up.
const SOON: Duration = Duration::from_secs(10);

/// Every move takes eight SX, and nothing else takes any.
const WHOLE_PLIES: &str = r#"
version = 1
extends = "integer-ply"
[search]
iir = false
hindsight = false
[extensions]
singular_enabled = false
[reductions]
enabled = false
"#;

/// A page of ours.
struct Page(WebSocket<TcpStream>);

/// Opens a WebSocket with an `Origin`; the status where it is refused.
fn open(server: &Server, origin: Option<&str>) -> Result<Page, u16> {
    let address = format!("ws://{}/engine", server.address);
    let mut request = address.into_client_request().unwrap();
    if let Some(origin) = origin {
        let origin = HeaderValue::from_str(origin).unwrap();
        request.headers_mut().insert("Origin", origin);
    }
    let config = WebSocketConfig::default().read_buffer_size(4 * 1024);
    match tungstenite::client::client_with_config(request, server.connect(), Some(config)) {
        Ok((socket, _)) => Ok(Page(socket)),
        Err(HandshakeError::Failure(Error::Http(reply))) => Err(reply.status().as_u16()),
        Err(error) => panic!("{error}"),
    }
}

impl Page {
    fn of(server: &Server) -> Page {
        open(server, None).unwrap()
    }

    fn say(&mut self, message: Value) {
        self.0.send(Message::text(message.to_string())).unwrap();
    }

    /// The next message that is no ping.
    fn read(&mut self) -> tungstenite::Result<Message> {
        loop {
            match self.0.read() {
                Ok(Message::Ping(_)) => {}
                other => return other,
            }
        }
    }

    /// What the next message says; the code and reason where the server closes.
    fn hear(&mut self) -> Result<Value, (u16, String)> {
        match self.read() {
            Ok(Message::Text(text)) => Ok(serde_json::from_str(&text).unwrap()),
            Ok(Message::Close(Some(close))) => Err((close.code.into(), close.reason.to_string())),
            Ok(other) => panic!("{other}"),
            Err(error) => panic!("{error}"),
        }
    }

    fn ask(&mut self, message: Value) -> Value {
        self.say(message);
        self.hear().unwrap()
    }

    /// All messages up to the first of a type.
    fn until(&mut self, kind: &str) -> Vec<Value> {
        let mut heard = Vec::new();
        loop {
            heard.push(self.hear().unwrap());
            if heard.last().is_some_and(|last| last["type"] == kind) {
                return heard;
            }
        }
    }
}

fn go(id: u64, limits: Value) -> Value {
    json!({"type": "go", "id": id, "game": {"start": "startpos"}, "limits": limits})
}

#[test]
fn games_are_judged_by_the_rules() {
    let server = Server::start(&[]);
    let mut page = Page::of(&server);
    assert_eq!(page.ask(json!({"type": "hello"}))["men"], 4);
    let mut position = |start: &str, moves: &str| {
        let moves: Vec<&str> = moves.split_whitespace().collect();
        let game = json!({"start": start, "moves": moves});
        page.ask(json!({"type": "position", "id": 7, "game": game}))
    };
    let mate = position("startpos", "f2f3 e7e5 g2g4 d8h4");
    assert_eq!(mate["id"], 7);
    assert_eq!(mate["plies"][4]["san"], "Qh4#");
    assert_eq!(mate["plies"][4]["check"], true);
    assert_eq!(mate["end"], json!({"result": "0-1", "reason": "checkmate"}));
    let threefold = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    let draw = position("startpos", threefold);
    assert_eq!(draw["end"]["reason"], "threefold repetition");
    assert!(draw["legal"].as_array().unwrap().is_empty());
    let castling = |reply: Value| {
        let moves = reply["legal"].as_array().unwrap().clone();
        let castles = moves.into_iter().find(|it| it["san"] == "O-O").unwrap();
        (castles["uci"].clone(), castles["to"].clone())
    };
    let usual = castling(position("4k3/8/8/8/8/8/8/4K2R w K - 0 1", ""));
    assert_eq!(usual, (json!("e1g1"), json!(["h1", "g1"])));
    // The king could step to g1.
    let other = castling(position("4k3/8/8/8/8/8/8/5K1R w H - 0 1", ""));
    assert_eq!(other, (json!("f1h1"), json!(["h1"])));
    let drawn = position("chess960:0", "");
    assert!(
        drawn["plies"][0]["fen"]
            .as_str()
            .unwrap()
            .starts_with("bbqnnrkr/")
    );
    for (start, moves, says) in [
        ("8/8/8 w", "", "ranks"),
        ("chess960:960", "", "0 to 959"),
        ("startpos", "e2e4 e2e4", "move 2: "),
    ] {
        let error = position(start, moves);
        assert_eq!(
            (&error["id"], &error["code"]),
            (&json!(7), &json!("bad_game"))
        );
        assert!(error["message"].as_str().unwrap().contains(says), "{error}");
    }
}

#[test]
fn broken_games_of_a_pgn_hide_no_others() {
    let server = Server::start(&[]);
    let mut page = Page::of(&server);
    let good = "[White \"Ann\"]\n\n1. e4 {best} (1. d4) e5 1-0";
    let text = format!("1. d4 Ke4 *\n\n{good}\n\n1. d4 Ke4 *\n\n1. c4 *");
    let read = page.ask(json!({"type": "pgn", "id": 8, "text": text}));
    let games = read["games"].as_array().unwrap();
    assert_eq!(games[0]["moves"], json!(["e2e4", "e7e5"]));
    assert_eq!(
        (&games[0]["number"], &games[1]["number"]),
        (&json!(2), &json!(4))
    );
    let kept = "[White \"Ann\"]\n\n1. e4 {best} (1. d4) 1... e5 1-0\n";
    assert_eq!(games[0]["text"], kept);
    let errors = read["errors"].as_array().unwrap();
    assert_eq!(errors.len(), 2);
    assert!(errors[0].as_str().unwrap().starts_with("line 1: game 1: "));
    assert!(errors[1].as_str().unwrap().starts_with("line 7: game 3: "));

    let many = page.ask(json!({"type": "pgn", "id": 9, "text": "1. c4 *\n\n".repeat(101)}));
    assert_eq!(many["games"].as_array().unwrap().len(), 100);
    assert_eq!(many["errors"], json!(["only the first 100 games are read"]));
    let none = page.ask(json!({"type": "pgn", "id": 10, "text": " "}));
    assert_eq!(none["errors"], json!(["there is no game in this text"]));
}

/// With tables any move that wins will do, so that lines come back to the root.
#[test]
fn every_line_has_its_budgets_where_positions_recur() {
    let server = Server::start(&[]);
    let mut page = Page::of(&server);
    let mut request = go(1, json!({"depth": 12}));
    request["game"] = json!({"start": "8/8/8/4k3/8/8/R7/K7 w - - 0 1"});
    request["multipv"] = json!(3);
    request["budgets"] = json!(true);
    page.say(request);
    let heard = page.until("bestmove");
    let infos: Vec<_> = heard.iter().filter(|it| it["type"] == "info").collect();
    assert!(infos.len() >= 36);
    for info in infos {
        assert!(!info["budgets"].as_array().unwrap().is_empty(), "{info}");
    }
}

#[test]
fn a_search_streams_lines_and_ends_with_a_move() {
    let mut config = tempfile::NamedTempFile::new().unwrap();
    config.write_all(WHOLE_PLIES.as_bytes()).unwrap();
    let server = Server::start(&["--config", config.path().to_str().unwrap()]);
    let mut page = Page::of(&server);
    let mut request = go(1, json!({"depth": 8}));
    request["multipv"] = json!(2);
    request["budgets"] = json!(true);
    page.say(request);
    let heard = page.until("bestmove");
    let last = |multipv: u64| {
        let is_it = |it: &&Value| it["type"] == "info" && it["multipv"] == multipv;
        heard.iter().rev().find(is_it).unwrap()
    };
    let best = last(1);
    assert_eq!((&best["depth"], &best["id"]), (&json!(8), &json!(1)));
    assert_eq!(best["pv"][0], heard.last().unwrap()["best"]);
    assert!(best["score"]["cp"].is_i64() && best["wdl"][0].is_u64());
    assert!(last(2)["pv"][0].is_string());
    // Eight plies are 64 SX, half of them each side's, and each move takes four of both.
    let budgets: Vec<[f64; 2]> = serde_json::from_value(best["budgets"].clone()).unwrap();
    let taken = (0..budgets.len()).map(|moves| [32.0 - 4.0 * moves as f64; 2]);
    assert!(budgets.len() > 1 && taken.eq(budgets), "{best}");

    // The next search ends the one before.
    page.say(go(2, json!({})));
    page.until("info");
    page.say(go(3, json!({"nodes": 500})));
    assert_eq!(page.until("bestmove").last().unwrap()["id"], 2);
    assert_eq!(page.until("bestmove").last().unwrap()["id"], 3);
    page.say(go(4, json!({})));
    page.until("info");
    page.say(json!({"type": "stop"}));
    assert!(page.until("bestmove").last().unwrap()["best"].is_string());

    // At the end of a search that was watched comes its tree, whose rows begin with their parents.
    let mut watched = go(7, json!({"depth": 5}));
    watched["tree"] = json!(true);
    page.say(watched);
    let heard = page.until("bestmove");
    let [.., tree, best] = &heard[..] else {
        panic!()
    };
    assert_eq!((&tree["type"], &best["id"]), (&json!("tree"), &json!(7)));
    let rows = tree["tree"]["rows"].as_array().unwrap();
    assert_eq!((&rows[0][0], &rows[1][0]), (&json!(0), &json!(0)));

    let mut weak = go(5, json!({"clock": 60_000, "increment": 1_000}));
    weak["options"] = json!({"UCI_LimitStrength": true, "UCI_Elo": 500});
    page.say(weak);
    let nodes = |heard: &[Value]| heard.iter().filter_map(|it| it["nodes"].as_u64()).max();
    assert!(nodes(&page.until("bestmove")) < Some(200));
    let mated = json!({"start": "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"});
    page.say(json!({"type": "go", "id": 6, "game": mated, "limits": {"depth": 3}}));
    assert_eq!(page.until("bestmove").last().unwrap()["best"], Value::Null);
}

#[test]
fn rubbish_is_named_and_hurts_nobody() {
    let server = Server::start(&[]);
    let mut page = Page::of(&server);
    let mut hash = go(1, json!({}));
    hash["options"] = json!({"Hash": 4096});
    let mut level = go(1, json!({}));
    level["options"] = json!({"UCI_Elo": 9_999});
    let mut lines = go(1, json!({}));
    lines["multipv"] = json!(0);
    for (message, says) in [
        ("}{".to_owned(), "expected value"),
        (
            format!("{{\"a\":{}", "[".repeat(100_000)),
            "recursion limit",
        ),
        (r#"{"type":"quit"}"#.to_owned(), "unknown variant `quit`"),
        (r#"{"type":"go","id":-1}"#.to_owned(), "invalid value"),
        (
            go(1, json!({"dept": 3})).to_string(),
            "unknown field `dept`",
        ),
        (hash.to_string(), "\"Hash\" cannot be set here"),
        (level.to_string(), "from 500 to 2700"),
        (lines.to_string(), "from 1 to 256"),
    ] {
        page.0.send(Message::text(message.as_str())).unwrap();
        let error = page.hear().unwrap();
        assert_eq!(error["code"], "bad_request", "{error}");
        assert!(error["message"].as_str().unwrap().contains(says), "{error}");
    }
    let moves = vec!["e2e4"; 2_001];
    let long = json!({"type": "position", "id": 1, "game": {"start": "startpos", "moves": moves}});
    assert!(
        page.ask(long)["message"]
            .as_str()
            .unwrap()
            .contains("at most 2000")
    );

    page.0.send(Message::binary(vec![0; 10])).unwrap();
    assert_eq!(page.hear().unwrap_err().0, 1003);
    let mut page = Page::of(&server);
    // The server may hang up before all is sent; then the reason may be lost on the way.
    let _ = page.0.send(Message::text("x".repeat(300_000)));
    match page.read() {
        Ok(Message::Close(Some(close))) => assert_eq!(u16::from(close.code), 1009),
        Err(Error::Io(_) | Error::Protocol(_)) => {}
        other => panic!("{other:?}"),
    }
    let mut raw = Page::of(&server);
    std::io::Write::write_all(raw.0.get_mut(), &[0xff; 64]).unwrap();
    while raw.0.read().is_ok() {}
    assert_eq!(server.get("/engine").status, 426);
    assert!(server.answers_within() < Duration::from_secs(1));
}

#[test]
fn whoever_goes_away_ends_the_search() {
    let server = Server::start(&["--engines", "1"]);
    let mut first = Page::of(&server);
    first.say(go(1, json!({})));
    first.until("info");
    let mut second = Page::of(&server);
    let busy = second.ask(go(1, json!({})));
    assert_eq!(busy["code"], "busy");
    assert!(busy["message"].as_str().unwrap().contains("--engines 1"));
    first.0.get_mut().shutdown(Shutdown::Both).unwrap();
    let gone = Instant::now();
    while second.ask(go(2, json!({"nodes": 100})))["code"] == "busy" {
        assert!(gone.elapsed() < SOON);
        std::thread::sleep(Duration::from_millis(5));
    }
    second.until("bestmove");
}

#[test]
fn a_page_that_never_reads_takes_no_memory() {
    let server = Server::start(&["--engines", "1", "--hash", "1"]);
    let mut page = Page::of(&server);
    page.0.get_ref().set_nonblocking(true).unwrap();
    let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(400);
    let moves: Vec<&str> = moves.split_whitespace().collect();
    let request =
        json!({"type": "position", "id": 1, "game": {"start": "startpos", "moves": moves}});
    let request = request.to_string();
    while page.0.send(Message::text(request.as_str())).is_ok() {}
    std::thread::sleep(Duration::from_millis(500));
    assert!(server.answers_within() < Duration::from_secs(1));
    #[cfg(target_os = "linux")]
    assert!(server.peak_memory() < 200, "{} MB", server.peak_memory());
}

#[test]
fn only_pages_of_this_site_and_of_named_ones_get_in() {
    let server = Server::start(&["--cors", "https://a.example", "--cors", "*"]);
    let own = format!("http://{}", server.address);
    for (origin, status) in [
        (None, None),
        (Some(own.as_str()), None),
        (Some("https://a.example"), None),
        (Some("https://b.example"), Some(403)),
        (Some("null"), Some(403)),
        (Some("*"), Some(403)),
        (Some("http://127.0.0.1:1"), Some(403)),
    ] {
        assert_eq!(open(&server, origin).err(), status, "{origin:?}");
    }
    // A name that was made to point here.
    let rebound = "GET /engine HTTP/1.1\r\nHost: attacker.example\r\n\
                   Origin: http://attacker.example\r\nConnection: upgrade\r\n\
                   Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                   Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    let reply = server.raw(rebound.as_bytes());
    assert!(reply.starts_with("HTTP/1.1 421"), "{reply}");
}

#[test]
fn a_token_keeps_others_out() {
    let token = "0123456789abcdef";
    let server = Server::start(&["--token", token]);
    for hello in [
        json!({"type": "hello"}),
        json!({"type": "hello", "token": "0123456789abcdee"}),
        go(1, json!({})),
    ] {
        let mut page = Page::of(&server);
        assert_eq!(page.ask(hello)["code"], "token");
        assert_eq!(page.hear().unwrap_err().0, 1008);
    }
    let mut page = Page::of(&server);
    let hello = page.ask(json!({"type": "hello", "token": token}));
    assert_eq!(hello["type"], "hello");
    page.say(go(1, json!({"nodes": 100})));
    page.until("bestmove");

    for arguments in [&["--bind", "0.0.0.0:0"][..], &["--token", "short"]] {
        let told = command().args(arguments).output().unwrap();
        let error = String::from_utf8(told.stderr).unwrap();
        assert_eq!(told.status.code(), Some(2), "{error}");
        assert!(error.contains("openssl rand -hex 16"), "{error}");
    }
    let tables = Server::start(&["--engines", "0"]);
    let mut page = Page::of(&tables);
    let refused = page.ask(go(1, json!({})));
    assert!(refused["message"].as_str().unwrap().contains("no engine"));
}

#[test]
fn of_a_thousand_pages_the_last_are_told() {
    let server = Server::start(&[]);
    let mut pages: Vec<Page> = (0..1_000).map(|_| Page::of(&server)).collect();
    let mut refused = 0;
    for page in pages.iter_mut().rev() {
        page.0.send(Message::text(r#"{"type":"hello"}"#)).ok();
        match page.hear() {
            Ok(hello) if hello["type"] == "hello" => {}
            Ok(error) => {
                assert_eq!(error["code"], "full");
                assert_eq!(page.hear().unwrap_err().0, 1013);
                refused += 1;
            }
            Err((code, _)) => panic!("{code}"),
        }
    }
    assert_eq!(refused, 800);
    assert!(server.answers_within() < Duration::from_secs(1));
    #[cfg(target_os = "linux")]
    assert!(server.peak_memory() < 200, "{} MB", server.peak_memory());
    drop(pages);
    let gone = Instant::now();
    while open(&server, None).unwrap().ask(json!({"type": "hello"}))["type"] != "hello" {
        assert!(gone.elapsed() < SOON);
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_server_that_searches_and_says_so() {
    let mut server = Server::start(&[]);
    let mut page = Page::of(&server);
    page.say(go(1, json!({})));
    page.until("info");
    let start = Instant::now();
    assert_eq!(server.end_by("-TERM").code(), Some(0));
    assert!(start.elapsed() < SOON);
    let close = loop {
        match page.0.read() {
            Ok(Message::Close(close)) => break close.map(|close| u16::from(close.code)),
            Ok(_) => {}
            Err(Error::Protocol(ProtocolError::ResetWithoutClosingHandshake)) => panic!("no word"),
            Err(error) => panic!("{error}"),
        }
    };
    assert_eq!(close, Some(1001));
}
