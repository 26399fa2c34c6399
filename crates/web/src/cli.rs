//! The command line.

use std::{ffi::OsString, net::SocketAddr};

use axum::http::HeaderValue;
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
    /// Address to listen on; the default is reachable from this machine only, any other needs
    /// --token
    #[arg(long, default_value = "127.0.0.1:9000", value_name = "ADDRESS:PORT")]
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
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) cors: Vec<HeaderValue>,
    /// Configuration file or preset of the engine, whose `syzygy.path` is used when nothing else
    /// names a folder
    #[arg(long, value_name = "FILE|PRESET")]
    pub(crate) config: Option<OsString>,
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
