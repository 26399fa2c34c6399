//! The command line.

use std::{ffi::OsString, net::SocketAddr};

use axum::http::HeaderValue;
use clap::Parser;

/// Serves Syzygy tablebases over HTTP: verdicts in lila-tablebase's form, and a page.
///
/// The tables are looked for in --path (repeatable), else in SYZYGY_PATH, else in TB_PATH, else in
/// `syzygy.path` of the configuration.
#[derive(Parser)]
#[command(name = "sextant-web", version, after_long_help = EXAMPLES)]
pub(crate) struct Cli {
    /// Folder with tables (.rtbw, .rtbz); may be given several times
    #[arg(long = "path", value_name = "DIR")]
    pub(crate) paths: Vec<OsString>,
    /// Address to listen on; the default is reachable from this machine only
    #[arg(long, default_value = "127.0.0.1:9000", value_name = "ADDRESS:PORT")]
    pub(crate) bind: SocketAddr,
    /// A site whose pages may ask, such as `https://example.org`, or `*` for all; may be given several
    /// times
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) cors: Vec<HeaderValue>,
    /// Configuration file or preset whose `syzygy.path` is used when nothing else names a folder
    #[arg(long, value_name = "FILE|PRESET")]
    pub(crate) config: Option<OsString>,
}

const EXAMPLES: &str = "\
Examples (the tables in crates/syzygy/testdata come with the sources):
  sextant-web --path crates/syzygy/testdata            then open http://127.0.0.1:9000/
  curl 'http://127.0.0.1:9000/standard?fen=8/3r4/8/8/8/2k5/8/K6Q_w_-_-_0_1'
  curl 'http://127.0.0.1:9000/standard/mainline?fen=8/8/8/8/8/2k5/8/K6Q_w'
  curl http://127.0.0.1:9000/openapi.json              every address and answer

Ctrl-C or SIGTERM ends it: what is asked is still answered, for a second at most.";
