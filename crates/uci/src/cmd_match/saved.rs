//! The result of a match so far, kept in a file so that the same command can go on.

use std::{
    collections::BTreeMap,
    fs,
    hash::Hasher as _,
    io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use fnv::FnvHasher;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sextant_play::{Effort, Ending, Pentanomial, Tally};
use sextant_search::Limits;

use super::{
    Args,
    contestants::{Contestant, Contestants},
    files::{Files, Marks},
};
use crate::whole_file::{self, Claim};

/// The meaning of the file changes with this number.
const VERSION: u32 = 2;
/// How often the file is replaced.
const EVERY: Duration = Duration::from_secs(1);

/// The result so far, and where it is kept.
pub(super) struct Saved {
    /// `None` if it is not kept.
    path: Option<PathBuf>,
    _claim: Option<Claim>,
    conditions: Map<String, Value>,
    tally: Tally,
    marks: Marks,
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
    marks: Marks,
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
        let path = args.state.as_ref().map(PathBuf::from);
        let claim = path.as_deref().map(Claim::new).transpose();
        let claim = claim.map_err(|error| {
            let path = args.state.as_deref().unwrap_or_default();
            format!("cannot keep the match in {path}: {error}")
        })?;
        let conditions = match path {
            Some(_) => conditions(args, contestants, limits)?,
            None => Map::new(),
        };
        let mut saved = Saved {
            path,
            _claim: claim,
            conditions,
            tally: Tally::default(),
            marks: Marks::default(),
            before: Duration::ZERO,
            begun: Instant::now(),
            written: None,
        };
        let Some(path) = &args.state else {
            return Ok(saved);
        };
        match whole_file::read(Path::new(path)) {
            Ok(text) => saved.take(path, Page::read(path, &text)?)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(format!("cannot read {path}: {error}")),
        }
        // A folder that cannot be written is better known before the first game.
        saved.keep()?;
        Ok(saved)
    }

    fn take(&mut self, path: &str, page: Page) -> Result<(), String> {
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
        self.marks = page.marks;
        self.before = Duration::try_from_secs_f64(page.seconds).unwrap_or_default();
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
    ///
    /// # Errors
    /// What the system says.
    pub(super) fn note(&mut self, tally: &Tally, files: &mut Files) -> Result<(), String> {
        self.tally = tally.clone();
        let is_due = |written: Instant| self.path.is_none() || written.elapsed() >= EVERY;
        if self.written.is_none_or(is_due) {
            return self.save(files);
        }
        Ok(())
    }

    /// Writes down the result, and then the games that the files have not got yet.
    ///
    /// # Errors
    /// What the system says; an old state stays then.
    pub(super) fn save(&mut self, files: &mut Files) -> Result<(), String> {
        self.marks = files.marks();
        self.keep()?;
        files.flush()
    }

    /// Writes the state, beside its place and then into it.
    fn keep(&mut self) -> Result<(), String> {
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
            marks: self.marks.clone(),
        }
    }
}

impl Page {
    fn read(path: &str, text: &str) -> Result<Page, String> {
        let foreign = |error| format!("{path} is no state of a match: {error}");
        let page: Value = serde_json::from_str(text).map_err(foreign)?;
        match page.get("version").and_then(Value::as_u64) {
            Some(version) if version != u64::from(VERSION) => Err(format!(
                "{path} has version {version}; this program reads version {VERSION}"
            )),
            _ => serde_json::from_value(page).map_err(foreign),
        }
    }

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
    let hash = |one: &Contestant| format!("{:016x}", one.config.hash());
    let bench = |one: &Contestant| one.signature().map_err(|error| error.to_string());
    let (a, b) = (&contestants.first, &contestants.second);
    let book = match &args.book {
        Some(path) => {
            let bytes =
                fs::read(path).map_err(|error| format!("cannot read the book {path}: {error}"))?;
            let mut hasher = FnvHasher::default();
            hasher.write(&bytes);
            format!("{:016x}", hasher.finish())
        }
        None => "random".to_owned(),
    };
    let conditions = json!({
        "config of A": hash(a),
        "config of B": hash(b),
        "bench of A": bench(a)?,
        "bench of B": bench(b)?,
        "tables of A": a.table_count(),
        "tables of B": b.table_count(),
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
