//! The result of a match so far, kept in a file from which the same command resumes.
//!
//! The file is canonical: what a person changed in it by hand is refused, since a result of games is
//! believed only if every part of it fits the others.

use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sextant_cli::{
    failure::Failure,
    files::{self, Claim, MIB},
    journal::differences,
};
use sextant_play::Tally;
use sextant_search::Limits;

use super::{
    Args,
    games::{GameFiles, Marks},
    players::{NamedSetup, Players},
};
use crate::hash::{fnv, hex};

/// The meaning of the file changes with this number.
const VERSION: u32 = 3;
/// How often the file is replaced.
const EVERY: Duration = Duration::from_secs(1);
/// The largest file that is believed; games of a second wait in it.
const LARGEST: u64 = 256 * MIB;

/// The result so far, and where it is kept.
pub(super) struct MatchState {
    /// `None` if it is not kept.
    path: Option<PathBuf>,
    _claim: Option<Claim>,
    conditions: Conditions,
    tally: Tally,
    marks: Marks,
    /// Time that earlier runs of this match took.
    before: Duration,
    begun: Instant,
    written: Option<Instant>,
}

/// What the games depend on.
#[derive(Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Conditions {
    config_a: String,
    config_b: String,
    network_a: Option<String>,
    network_b: Option<String>,
    /// `None` for a player that leaves something to chance.
    bench_a: Option<u64>,
    bench_b: Option<u64>,
    tables_a: usize,
    tables_b: usize,
    nodes: Option<u64>,
    soft_nodes: Option<u64>,
    depth: Option<u32>,
    movetime_ms: Option<u64>,
    hash_mb: i32,
    book: String,
    seed: u64,
    adjudication: bool,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Page {
    version: u32,
    conditions: Conditions,
    result: Tally,
    microseconds: u64,
    files: Marks,
    /// FNV-1a of the page without this.
    hash: String,
}

impl Conditions {
    /// Those of a match. A bench of both players tells whether their search is still the same.
    pub(super) fn new(
        args: &Args,
        players: &Players,
        limits: &Limits,
        book_hash: Option<u64>,
    ) -> Result<Conditions, Failure> {
        let config = |one: &NamedSetup| hex(one.config().hash());
        let network = |one: &NamedSetup| one.setup.network().map(|network| hex(network.hash()));
        let bench = |one: &NamedSetup| {
            let bench = one.is_deterministic().then(|| one.setup.signature());
            bench.transpose().map_err(Failure::usage)
        };
        let tables = |one: &NamedSetup| {
            let tables = one.setup.tables();
            tables.map_or(0, |tables| tables.inventory().wdl_count())
        };
        let (a, b) = (&players.first, &players.second);
        Ok(Conditions {
            config_a: config(a),
            config_b: config(b),
            network_a: network(a),
            network_b: network(b),
            bench_a: bench(a)?,
            bench_b: bench(b)?,
            tables_a: tables(a),
            tables_b: tables(b),
            nodes: limits.nodes,
            soft_nodes: limits.soft_nodes,
            depth: limits.depth,
            movetime_ms: limits.movetime.map(|time| time.as_millis() as u64),
            hash_mb: args.hash,
            book: book_hash.map_or("random".to_owned(), hex),
            seed: args.seed,
            adjudication: !args.no_adjudication,
        })
    }
}

impl MatchState {
    /// A new match, or the one that the file holds.
    ///
    /// # Errors
    /// What is wrong with the file, or in what its match is another one.
    pub(super) fn open(
        path: Option<&Path>,
        conditions: impl FnOnce() -> Result<Conditions, Failure>,
    ) -> Result<MatchState, Failure> {
        let claim = path.map(Claim::new).transpose()?;
        let conditions = conditions()?;
        let mut state = MatchState {
            path: path.map(Path::to_owned),
            _claim: claim,
            conditions,
            tally: Tally::default(),
            marks: Marks::default(),
            before: Duration::ZERO,
            begun: Instant::now(),
            written: None,
        };
        if let Some(path) = path {
            match files::read_text(path, LARGEST) {
                Ok(text) => state.take_over(Page::read(&text), path)?,
                Err(error) if error.source.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error.into()),
            }
            // A folder that cannot be written is better known before the first game.
            state.keep()?;
        }
        Ok(state)
    }

    fn take_over(&mut self, page: Result<Page, String>, path: &Path) -> Result<(), Failure> {
        let path = path.display();
        let page = page.map_err(|why| Failure::usage(format!("{path} {why}")))?;
        let differences = differences(&self.conditions, &page.conditions);
        if !differences.is_empty() {
            return Err(Failure::usage(format!(
                "{path} is of another match: {}; name another file, or take the same options as \
                 before",
                differences.join("; ")
            )));
        }
        self.tally = page.result;
        self.marks = page.files;
        self.before = Duration::from_micros(page.microseconds);
        Ok(())
    }

    /// The result so far.
    pub(super) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// What is known of the files that belong to it.
    pub(super) fn marks(&self) -> &Marks {
        &self.marks
    }

    /// How long the match has taken, with its earlier runs.
    pub(super) fn time(&self) -> Duration {
        self.before + self.begun.elapsed()
    }

    /// Takes over a result, and writes it down if that was not done just now. The files get their
    /// games after the state has them: what was killed in between is found there.
    pub(super) fn record(&mut self, tally: &Tally, games: &mut GameFiles) -> Result<(), Failure> {
        self.tally = tally.clone();
        let is_due = |written: Instant| self.path.is_none() || written.elapsed() >= EVERY;
        if self.written.is_none_or(is_due) {
            return self.save(games);
        }
        Ok(())
    }

    /// Writes down the result, and then the games that the files have not got yet. On an error the
    /// old state stays.
    pub(super) fn save(&mut self, games: &mut GameFiles) -> Result<(), Failure> {
        self.marks = games.marks()?;
        self.keep()?;
        Ok(games.flush()?)
    }

    fn keep(&mut self) -> Result<(), Failure> {
        self.written = Some(Instant::now());
        let Some(path) = &self.path else {
            return Ok(());
        };
        let page = Page {
            version: VERSION,
            conditions: self.conditions.clone(),
            result: self.tally.clone(),
            microseconds: self.time().as_micros() as u64,
            files: self.marks.clone(),
            hash: String::new(),
        };
        let written = files::write(path, page.text());
        written.map_err(|error| Failure::from(error).advise("what it holds is good"))
    }
}

impl Page {
    /// The text of the file.
    fn text(mut self) -> String {
        self.hash = String::new();
        self.hash = hex(fnv(self.json().as_bytes()));
        self.json()
    }

    fn json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Reads a file; an error says what the file is or has instead.
    fn read(text: &str) -> Result<Page, String> {
        let foreign = |error| format!("is no state of a match: {error}");
        let page: Value = serde_json::from_str(text).map_err(foreign)?;
        match page.get("version").and_then(Value::as_u64) {
            Some(version) if version != u64::from(VERSION) => {
                return Err(format!(
                    "has version {version}; this program reads version {VERSION}"
                ));
            }
            _ => {}
        }
        let page: Page = serde_json::from_value(page).map_err(foreign)?;
        page.result.check().map_err(|error| {
            format!("cannot be believed, {error}; bring back what a match has written")
        })?;
        let again = Page {
            conditions: page.conditions.clone(),
            result: page.result.clone(),
            files: page.files.clone(),
            hash: String::new(),
            ..page
        };
        if again.text() != text {
            return Err(
                "was changed after a match had written it; bring back what it wrote".to_owned(),
            );
        }
        Ok(page)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Page {
        Page {
            version: VERSION,
            conditions: Conditions {
                config_a: hex(1),
                config_b: hex(2),
                network_a: None,
                network_b: None,
                bench_a: Some(7),
                bench_b: None,
                tables_a: 0,
                tables_b: 0,
                nodes: Some(100),
                soft_nodes: None,
                depth: None,
                movetime_ms: None,
                hash_mb: 1,
                book: "random".to_owned(),
                seed: u64::MAX,
                adjudication: true,
            },
            result: Tally::default(),
            microseconds: 12,
            files: Marks::default(),
            hash: String::new(),
        }
    }

    #[test]
    fn a_page_comes_back_and_every_change_of_it_is_refused() {
        let text = page().text();
        assert_eq!(Page::read(&text).unwrap().text(), text);
        let error = |text: &str| Page::read(text).err().unwrap_or_default();
        for (old, new, word) in [
            (
                "\"microseconds\": 12",
                "\"microseconds\": 13",
                "was changed",
            ),
            ("\"seed\": 1", "\"seed\":  1", "was changed"),
            ("\"wins\": 0", "\"wins\": 1", "contradict"),
            ("\"version\": 3", "\"version\": 2", "has version 2"),
            (
                "\"plies\"",
                "\"more\": 1, \"plies\"",
                "is no state of a match",
            ),
        ] {
            let forged = text.replacen(old, new, 1);
            assert!(forged != text && error(&forged).contains(word), "{new}");
        }
        let reordered = text.replace("\"hash_mb\": 1,\n", "");
        assert!(error(&reordered).contains("missing field `hash_mb`"));
    }
}
