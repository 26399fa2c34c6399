//! The command line.

use std::{
    ffi::OsString,
    net::{SocketAddr, ToSocketAddrs},
};

use axum::http::{HeaderValue, Uri};
use clap::{Parser, value_parser};

/// Serves a page to play and analyze on, and Syzygy tablebases over HTTP in lila-tablebase's form.
///
/// Tables are optional. They are looked for in --path (repeatable), else in SYZYGY_PATH, else in
/// TB_PATH, else in `syzygy.path` of the configuration.
#[derive(Parser)]
#[command(name = "sextant-web", version, after_long_help = EXAMPLES)]
pub(crate) struct Cli {
    /// Folder with tables (.rtbw, .rtbz); may be given several times
    #[arg(long = "path", value_name = "DIR")]
    pub(crate) paths: Vec<OsString>,
    /// Address or name of this machine to listen on; the default is reachable from this machine
    /// only, what others can reach needs --token
    #[arg(long, default_value = "127.0.0.1:9000", value_name = "ADDRESS:PORT", value_parser = address)]
    pub(crate) bind: SocketAddr,
    /// What a page must give before it may use the engine: at least 16 characters
    #[arg(long, env = "SEXTANT_TOKEN", hide_env_values = true)]
    pub(crate) token: Option<String>,
    /// Searches at once, of all pages together; with 0 the tables are served alone
    #[arg(long, default_value_t = 4, value_name = "N")]
    #[arg(value_parser = value_parser!(u16).range(..=256))]
    pub(crate) engines: u16,
    /// Transposition table of each engine, in MB
    #[arg(long, default_value_t = 64, value_name = "MB")]
    #[arg(value_parser = value_parser!(i32).range(1..=65_536))]
    pub(crate) hash: i32,
    /// Threads of each search
    #[arg(long, default_value_t = 1, value_name = "N")]
    #[arg(value_parser = value_parser!(i32).range(1..=1_024))]
    pub(crate) threads: i32,
    /// A site whose pages may ask, such as `https://example.org`; may be given several times; *
    /// opens the tables, but not the engine, to all
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    pub(crate) cors: Vec<HeaderValue>,
    /// Configuration file or preset of the engine, whose `syzygy.path` is used when nothing else
    /// names a folder
    #[arg(long, value_name = "FILE|PRESET")]
    pub(crate) config: Option<OsString>,
}

/// The address that a text is or names.
fn address(text: &str) -> Result<SocketAddr, String> {
    let advice = "write an address or a name, a colon and a port, such as 127.0.0.1:9000 or \
                  localhost:9000";
    let found: Vec<_> = text
        .to_socket_addrs()
        .map_err(|error| format!("{error}; {advice}"))?
        .collect();
    // A name may have addresses of both kinds; a machine without IPv6 still knows `::1`.
    let first = found.iter().find(|it| it.is_ipv4()).or(found.first());
    first
        .copied()
        .ok_or_else(|| format!("the name has no address; {advice}"))
}

/// What a browser can say in `Origin`, or `*`; anything else would never match.
fn origin(text: &str) -> Result<HeaderValue, String> {
    let is_origin = text.parse::<Uri>().is_ok_and(|uri| {
        let parts = uri.scheme().zip(uri.authority());
        parts.is_some_and(|(scheme, host)| {
            text == format!("{scheme}://{host}").to_lowercase() && !text.contains('@')
        })
    });
    if !is_origin && text != "*" {
        return Err(
            "an origin is a scheme and a host in small letters, perhaps a port, and no \
                    slash after it: https://example.org or http://localhost:8080; * is all sites"
                .to_owned(),
        );
    }
    HeaderValue::from_str(text).map_err(|error| error.to_string())
}

const EXAMPLES: &str = "\
Examples (the tables in crates/syzygy/testdata come with the sources):
  sextant-web                                          then open http://127.0.0.1:9000/
  sextant-web --path crates/syzygy/testdata            with endgame tables
  SEXTANT_TOKEN=$(openssl rand -hex 16) sextant-web --bind 0.0.0.0:9000
  curl 'http://127.0.0.1:9000/standard?fen=8/3r4/8/8/8/2k5/8/K6Q_w_-_-_0_1'
  curl 'http://127.0.0.1:9000/standard/mainline?fen=8/8/8/8/8/2k5/8/K6Q_w'
  curl http://127.0.0.1:9000/openapi.json              every address and answer

Ctrl-C or SIGTERM ends it: what is asked is still answered, for a second at most.";

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn addresses_may_be_names() {
        assert_eq!(address("127.0.0.1:9").unwrap().to_string(), "127.0.0.1:9");
        assert_eq!(address("[::1]:9").unwrap().to_string(), "[::1]:9");
        assert!(address("localhost:9").unwrap().ip().is_loopback());
        for wrong in ["localhost", "9000", "localhost:port", "127.0.0.1:99999"] {
            assert!(address(wrong).unwrap_err().contains("localhost:9000"));
        }
    }

    #[test]
    fn origins_are_what_browsers_say() {
        for text in [
            "https://a.example",
            "http://localhost:8080",
            "http://[::1]:80",
            "*",
        ] {
            assert_eq!(origin(text).unwrap(), text);
        }
        for text in [
            "notanorigin",
            "a.example:80",
            "https://a.example/",
            "https://a.example/page",
            "https://A.example",
            "https://me@a.example",
            "https://",
            "null",
            "",
        ] {
            assert!(
                origin(text).unwrap_err().contains("https://example.org"),
                "{text}"
            );
        }
    }
}
