//! What the server answers to a client of good will.

use crate::{Server, TABLES, WON, command};

#[test]
fn positions_and_lines_are_judged() {
    let server = Server::start(&[]);
    let probed = server.get(WON);
    assert_eq!(probed.status, 200);
    assert_eq!(probed.header("content-type"), Some("application/json"));
    assert_eq!(probed.json()["category"], "win");
    assert_eq!(probed.json()["moves"][0]["uci"], "h1c6");
    let line = server.get("/standard/mainline?fen=8%2F8%2F8%2F8%2F8%2F2k5%2F8%2FK6Q+w");
    assert_eq!(line.json()["winner"], "w", "{}", line.body);
    let page = server.get("/");
    assert!(
        page.body.contains("<title>Sextant</title>"),
        "{}",
        page.body
    );
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("script-src 'self';") && !policy.contains("unsafe"));
    assert_eq!(server.get("/health").json()["status"], "ok");
    let described = server.get("/openapi.json").json();
    assert!(described["paths"]["/standard"]["post"].is_object());
}

#[test]
fn many_positions_are_judged_in_order() {
    let server = Server::start(&[]);
    let post = |body: &str| {
        let length = format!("Content-Length: {}", body.len());
        let headers = ["Content-Type: application/json", &length];
        server.ask("POST /standard", &headers, body)
    };
    let answers =
        post(r#"{"positions":["8/8/8/8/8/2k5/8/K6Q w","nonsense","8/8/8/8/8/2k5/8/K7 w"]}"#);
    let answers = &answers.json()["answers"];
    assert_eq!(answers[0]["category"], "win");
    assert!(answers[1]["error"].as_str().unwrap().contains("ranks"));
    assert_eq!(answers[2]["insufficient_material"], true);

    let many = vec!["\"8/8/8/8/8/2k5/8/K7 w\""; 257].join(",");
    let refused = post(&format!("{{\"positions\":[{many}]}}"));
    assert_eq!(refused.status, 422);
    assert!(refused.body.contains("at most 256"), "{}", refused.body);
    assert_eq!(post("{").status, 400);
    assert_eq!(post("{}").status, 422);
    assert_eq!(
        server
            .ask("POST /standard", &["Content-Length: 2"], "{}")
            .status,
        415
    );
}

#[test]
fn what_is_wrong_is_named() {
    let server = Server::start(&[]);
    let long = format!("/standard?fen={}", "8".repeat(3_000));
    for (line, status, says) in [
        ("GET /standard", 400, "no fen given"),
        ("GET /standard?fen=%zz", 400, "bad position"),
        (
            "GET /standard?fen=k7/8/8/8/8/8/8/K7_w_-_-_101_1",
            400,
            "0 to 100",
        ),
        (
            "GET /standard/mainline?fen=8/8/8/8/8/2k5/pppppppp/K6Q_w",
            404,
            "men",
        ),
        ("GET /etc/passwd", 404, "/openapi.json"),
        (&format!("GET {long}"), 414, "too long"),
        ("DELETE /standard", 405, "only GET"),
        ("POST /health", 405, "only GET"),
    ] {
        let reply = server.ask(line, &[], "");
        assert_eq!(reply.status, status, "{line}: {}", reply.body);
        let error = reply.json()["error"].as_str().unwrap().to_owned();
        assert!(error.contains(says), "{line}: {error}");
    }
    let headers = ["Content-Type: application/json", "Content-Length: 70000"];
    let long = server.ask("POST /standard", &headers, "");
    assert_eq!(long.status, 413, "{}", long.body);
    assert!(long.json()["error"].as_str().unwrap().contains("65536"));
}

#[test]
fn the_forms_of_http_are_known() {
    let server = Server::start(&[]);
    let head = server.ask(&format!("HEAD {WON}"), &[], "");
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    assert_ne!(head.header("content-length"), Some("0"));
    let options = server.ask("OPTIONS /standard", &[], "");
    assert_eq!(options.header("allow"), Some("GET, HEAD, OPTIONS, POST"));
    assert_eq!(server.ask("OPTIONS *", &[], "").status, 204);
    let absolute = format!("GET http://{}{WON}", server.address);
    assert_eq!(server.ask(&absolute, &[], "").status, 200);

    let first = server.get(WON);
    let tag = format!("If-None-Match: {}", first.header("etag").unwrap());
    let again = server.ask(&format!("GET {WON}"), &[&tag], "");
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    assert!(again.header("cache-control").unwrap().contains("max-age"));
    let unknown = server.get("/standard?fen=8/8/8/8/8/2k5/pppppppp/K6Q_w");
    assert_eq!(unknown.header("cache-control"), Some("no-cache"));

    let packed = server.ask(&format!("GET {WON}"), &["Accept-Encoding: gzip"], "");
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
}

#[test]
fn only_this_machine_and_named_origins_may_ask() {
    let server = Server::start(&[]);
    for host in ["attacker.example", "127.0.0.1.nip.io:80"] {
        let request = format!("GET {WON} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        let reply = server.raw(request.as_bytes());
        assert!(reply.starts_with("HTTP/1.1 421"), "{reply}");
    }
    let nameless = format!("GET {WON} HTTP/1.1\r\nConnection: close\r\n\r\n");
    assert!(server.raw(nameless.as_bytes()).starts_with("HTTP/1.1 421"));
    let old = format!("GET {WON} HTTP/1.0\r\n\r\n");
    assert!(server.raw(old.as_bytes()).starts_with("HTTP/1.0 200"));

    let origin = "access-control-allow-origin";
    let from = |server: &Server, site: &str| {
        let reply = server.ask(&format!("GET {WON}"), &[&format!("Origin: {site}")], "");
        reply.header(origin).map(str::to_owned)
    };
    assert_eq!(from(&server, "https://a.example"), None);
    let open = Server::start(&["--cors", "https://a.example"]);
    assert_eq!(
        from(&open, "https://a.example").as_deref(),
        Some("https://a.example")
    );
    assert_eq!(from(&open, "https://b.example"), None);
    let asked = [
        "Origin: https://a.example",
        "Access-Control-Request-Method: POST",
    ];
    let preflight = open.ask("OPTIONS /standard", &asked, "");
    assert_eq!(preflight.header(origin), Some("https://a.example"));
    let all = Server::start(&["--cors", "*"]);
    assert_eq!(from(&all, "https://b.example").as_deref(), Some("*"));
}

#[test]
fn without_tables_the_rest_is_there() {
    let server = Server::spawn(&mut command());
    for address in [WON, "/standard/mainline?fen=8/8/8/8/8/2k5/8/K6Q_w"] {
        let reply = server.get(address);
        assert_eq!(reply.status, 404);
        assert!(
            reply.body.contains("no tables are loaded"),
            "{}",
            reply.body
        );
    }
    assert_eq!(server.get("/health").json()["men"], 0);
    for file in ["/", "/page.js", "/page.css", "/favicon.svg"] {
        assert_eq!(server.get(file).status, 200, "{file}");
    }
}

#[test]
fn a_server_with_a_wrong_folder_or_address_does_not_start() {
    let empty = tempfile::tempdir().unwrap();
    let empty = empty.path().to_str().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    for (arguments, says) in [
        (&["--path", empty][..], "no tables in"),
        (&["--path", "/nonexistent"], "/nonexistent"),
        (&["--path", TABLES, "--bind", "nowhere"], "nowhere"),
        (
            &["--path", TABLES, "--cors", "notanorigin"],
            "https://example.org",
        ),
        (&["--path", TABLES, "--bind", &taken], "cannot listen on"),
        (
            &["--engines", "0"],
            "there is nothing to serve; name tables",
        ),
    ] {
        let told = command().args(arguments).output().unwrap();
        let error = String::from_utf8(told.stderr).unwrap();
        assert_eq!(told.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains(says), "{arguments:?}: {error}");
    }
}

#[test]
fn a_server_tells_an_address_that_can_be_opened() {
    for address in ["localhost:0", "0.0.0.0:0"] {
        let server = Server::bound(
            command().args(["--path", TABLES, "--engines", "0"]),
            address,
        );
        assert!(
            server.address.starts_with("127.0.0.1:"),
            "{}",
            server.address
        );
        assert_eq!(server.get("/").status, 200, "{address}");
    }
}
