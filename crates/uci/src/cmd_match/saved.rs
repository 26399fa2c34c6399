//! The result of a match so far, kept in a file so that the same command can go on.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sextant_search::{
    Limits,
    play::{Effort, Ending, Pentanomial, Tally},
};

use super::{Args, contestants::Contestants, files::Lengths};
use crate::whole_file;

/// The meaning of the file changes with this number.
const VERSION: u32 = 1;
/// How often the file is replaced.
const EVERY: Duration = Duration::from_secs(1);

/// The result so far, and where it is kept.
pub(super) struct Saved {
    /// `None` if it is not kept.
    path: Option<PathBuf>,
    conditions: Map<String, Value>,
    tally: Tally,
    lengths: Lengths,
    /// Time that earlier runs of this match took.
    before: Duration,
    begun: Instant,
    written: Option<Instant>,
}

/// The file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    version: u32,
    conditions: Map<String, Value>,
    pairs: [u64; 5],
    /// Wins, draws and losses.
    results: [u64; 3],
    white_wins: u64,
    plies: u64,
    endings: BTreeMap<String, u64>,
    /// Moves, nodes, depths and microseconds of each player.
    efforts: [[u64; 4]; 2],
    seconds: f64,
    lengths: Lengths,
}

impl Saved {
    /// A new match, or the one that the file holds.
    ///
    /// # Errors
    /// What is wrong with the file, or in what its match is another one.
    pub(super) fn open(
        args: &Args,
        contestants: &Contestants,
        limits: &Limits,
    ) -> Result<Saved, String> {
        let mut saved = Saved {
            path: args.state.as_ref().map(PathBuf::from),
            conditions: conditions(args, contestants, limits)?,
            tally: Tally::default(),
            lengths: Lengths::default(),
            before: Duration::ZERO,
            begun: Instant::now(),
            written: None,
        };
        let Some(path) = &args.state else {
            return Ok(saved);
        };
        match whole_file::read(Path::new(path)) {
            Ok(text) => {
                let page: Page = serde_json::from_str(&text)
                    .map_err(|error| format!("{path} is no state of a match: {error}"))?;
                saved.take(path, page)?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(format!("cannot read {path}: {error}")),
        }
        // A folder that cannot be written is better known before the first game.
        saved.save()?;
        Ok(saved)
    }

    fn take(&mut self, path: &str, page: Page) -> Result<(), String> {
        if page.version != VERSION {
            return Err(format!(
                "{path} has version {}; this program reads version {VERSION}",
                page.version
            ));
        }
        let differs = self
            .conditions
            .iter()
            .find(|(key, now)| page.conditions.get(*key) != Some(*now));
        if let Some((key, now)) = differs {
            let then = page.conditions.get(key).cloned().unwrap_or_default();
            return Err(format!(
                "{path} is of another match: {key} was {then} and is now {now}; name another file, \
                 or take the same options as before"
            ));
        }
        self.tally = page.tally();
        self.lengths = page.lengths;
        self.before = Duration::try_from_secs_f64(page.seconds).unwrap_or_default();
        Ok(())
    }

    /// The result so far.
    pub(super) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Lengths of the files that belong to it.
    pub(super) fn lengths(&self) -> Lengths {
        self.lengths
    }

    /// How long the match has taken, with its earlier runs.
    pub(super) fn time(&self) -> Duration {
        self.before + self.begun.elapsed()
    }

    /// Takes over a result, and writes it down if that was not done just now.
    ///
    /// # Errors
    /// What the system says.
    pub(super) fn note(&mut self, tally: &Tally, lengths: Lengths) -> Result<(), String> {
        self.tally = tally.clone();
        self.lengths = lengths;
        if self
            .written
            .is_some_and(|written| written.elapsed() < EVERY)
        {
            return Ok(());
        }
        self.save()
    }

    /// Writes the result down, beside its place and then into it.
    ///
    /// # Errors
    /// What the system says; the old file stays then.
    pub(super) fn save(&mut self) -> Result<(), String> {
        let Some(path) = &self.path else {
            return Ok(());
        };
        let bytes = serde_json::to_vec_pretty(&self.page()).map_err(io::Error::from);
        let written = bytes.and_then(|bytes| whole_file::write(path, &bytes));
        self.written = Some(Instant::now());
        written.map_err(|error| {
            format!(
                "cannot write {}: {error}; what it holds is good",
                path.display()
            )
        })
    }

    fn page(&self) -> Page {
        let tally = &self.tally;
        let effort = |effort: &Effort| {
            let time = u64::try_from(effort.time.as_micros()).unwrap_or(u64::MAX);
            [effort.moves, effort.nodes, effort.depth, time]
        };
        let [first, second] = &tally.efforts;
        let endings = tally.endings.iter();
        Page {
            version: VERSION,
            conditions: self.conditions.clone(),
            pairs: tally.pairs.0,
            results: [tally.wins, tally.draws, tally.losses],
            white_wins: tally.white_wins,
            plies: tally.plies,
            endings: endings
                .map(|(ending, count)| (ending.text().to_owned(), *count))
                .collect(),
            efforts: [effort(first), effort(second)],
            seconds: self.time().as_secs_f64(),
            lengths: self.lengths,
        }
    }
}

impl Page {
    fn tally(&self) -> Tally {
        let [wins, draws, losses] = self.results;
        let effort = |[moves, nodes, depth, micros]: [u64; 4]| Effort {
            moves,
            nodes,
            depth,
            time: Duration::from_micros(micros),
        };
        let count = |ending: Ending| {
            let count = self.endings.get(ending.text()).copied();
            count.map(|count| (ending, count))
        };
        Tally {
            pairs: Pentanomial(self.pairs),
            wins,
            draws,
            losses,
            white_wins: self.white_wins,
            endings: Ending::ALL.into_iter().filter_map(count).collect(),
            plies: self.plies,
            efforts: self.efforts.map(effort),
        }
    }
}

/// What the games depend on.
fn conditions(
    args: &Args,
    contestants: &Contestants,
    limits: &Limits,
) -> Result<Map<String, Value>, String> {
    let hash = |one: &super::Contestant| format!("{:016x}", one.config.hash());
    let book = match &args.book {
        Some(path) => {
            let bytes =
                fs::read(path).map_err(|error| format!("cannot read the book {path}: {error}"))?;
            format!("{:016x}", fnv(&bytes))
        }
        None => "random".to_owned(),
    };
    let conditions = json!({
        "a": hash(&contestants.first),
        "b": hash(&contestants.second),
        "nodes": limits.nodes,
        "soft_nodes": limits.soft_nodes,
        "depth": limits.depth,
        "movetime": args.limits.movetime,
        "tc": args.limits.tc.as_ref().map(ToString::to_string),
        "hash": args.hash,
        "book": book,
        "seed": args.seed,
        "adjudication": !args.no_adjudication,
    });
    match conditions {
        Value::Object(map) => Ok(map),
        _ => Ok(Map::new()),
    }
}

/// FNV-1a (Fowler, Noll and Vo): tells books apart.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
