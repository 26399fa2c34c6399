//! What a match leaves on the disk: its result so far, from which the same command resumes, its
//! games, for people and for training, and quiet positions from them.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use sextant_board::{Random, to_fen};
use sextant_cli::{
    append_file::{AppendFile, Mark},
    failure::Failure,
    files::{self, Claim, FileError, MIB},
    journal::differences,
};
use sextant_play::{Pair, PgnTags, Tally, to_pgn};
use sextant_search::Limits;

use super::arguments::{Args, NamedSetup, Players};
use crate::{hash::hex, state_file::StateFile, viriformat};

/// How often the state is replaced.
const EVERY: Duration = Duration::from_secs(1);
/// The largest state that is believed; games of a second wait in it.
const LARGEST: u64 = 256 * MIB;
/// Keeps the draws of the positions apart from those of the openings.
const SAMPLING: u64 = 0x5361_6d70_6c65;

/// The result so far, and where it is kept.
pub(super) struct MatchState {
    /// `None` if it is not kept.
    path: Option<PathBuf>,
    _claim: Option<Claim>,
    saved: SavedMatch,
    /// Time that earlier runs of this match took.
    before: Duration,
    begun: Instant,
    written: Option<Instant>,
}

#[derive(Default, Deserialize, Serialize)]
struct SavedMatch {
    conditions: Value,
    result: Tally,
    microseconds: u64,
    files: Marks,
}

/// What the state knows of the files of games in PGN, of positions, and of games in viriformat, in
/// this order; `None` for one that was never written. An older version knew the first two only.
type Marks = Vec<Option<Mark>>;

/// So many files there are.
const FILES: usize = 3;

/// What the games depend on, an object. A bench of both players tells whether their search is still
/// the same.
pub(super) fn conditions(
    args: &Args,
    players: &Players,
    limits: &Limits,
    book_hash: Option<u64>,
) -> Result<Value, Failure> {
    let (a, b) = (&players.first, &players.second);
    let config = |one: &NamedSetup| hex(one.config().hash());
    let network = |one: &NamedSetup| one.setup.network().map(|network| hex(network.hash()));
    // None for a player that leaves something to chance.
    let bench = |one: &NamedSetup| {
        let bench = one.is_deterministic().then(|| one.setup.signature());
        bench.transpose().map_err(Failure::usage)
    };
    let tables = |one: &NamedSetup| {
        let tables = one.setup.tables();
        tables.map_or(0, |tables| tables.inventory().wdl_count())
    };
    let mut all = json!({
        "config_a": config(a),
        "config_b": config(b),
        "network_a": network(a),
        "network_b": network(b),
        "bench_a": bench(a)?,
        "bench_b": bench(b)?,
        "tables_a": tables(a),
        "tables_b": tables(b),
        "nodes": limits.nodes,
        "soft_nodes": limits.soft_nodes,
        "depth": limits.depth,
        "movetime_ms": limits.movetime.map(|time| time.as_millis() as u64),
        "hash_mb": args.hash,
        "book": book_hash.map_or("random".to_owned(), hex),
        "seed": args.seed,
        "adjudication": !args.no_adjudication,
    });
    if let (Some(tc), Some(nodestime)) = (&args.tc, args.nodestime) {
        all["tc"] = json!(tc);
        all["nodestime"] = json!(nodestime);
    }
    Ok(all)
}

#[cfg(fuzzing)]
pub(crate) fn fuzz_state(text: &str) {
    SavedMatch::fuzz(text);
}

impl MatchState {
    /// A new match, or the one that the file holds, if that is the same: `conditions` says so.
    pub(super) fn open(
        path: Option<&Path>,
        conditions: impl FnOnce() -> Result<Value, Failure>,
    ) -> Result<MatchState, Failure> {
        let claim = path.map(Claim::new).transpose()?;
        let mut saved = SavedMatch::default();
        if let Some(path) = path {
            saved.conditions = conditions()?;
            if path.exists() {
                let then = SavedMatch::read(&files::read_text(path, LARGEST)?, path)?;
                let other = differences(&saved.conditions, &then.conditions);
                if !other.is_empty() {
                    return Err(Failure::usage(format!(
                        "{} is of another match: {}; name another file, or take the same options as \
                         before",
                        path.display(),
                        other.join("; ")
                    )));
                }
                saved = then;
            }
        }
        let mut state = MatchState {
            path: path.map(Path::to_owned),
            _claim: claim,
            before: Duration::from_micros(saved.microseconds),
            saved,
            begun: Instant::now(),
            written: None,
        };
        // A folder that cannot be written is better known before the first game.
        state.keep()?;
        Ok(state)
    }

    pub(super) fn tally(&self) -> &Tally {
        &self.saved.result
    }

    /// What is known of the files that belong to it.
    pub(super) fn marks(&self) -> &Marks {
        &self.saved.files
    }

    /// How long the match has taken, with its earlier runs.
    pub(super) fn time(&self) -> Duration {
        self.before + self.begun.elapsed()
    }

    /// Takes over a result, and writes it down if that was not done just now. The files get their
    /// games after the state has them: what was killed in between is found there.
    pub(super) fn record(&mut self, tally: &Tally, games: &mut GameFiles) -> Result<(), Failure> {
        self.saved.result = tally.clone();
        let is_due = |written: Instant| self.path.is_none() || written.elapsed() >= EVERY;
        if self.written.is_none_or(is_due) {
            return self.save(games);
        }
        Ok(())
    }

    /// Writes down the result, and then the games that the files have not got yet. On an error the
    /// old state stays.
    pub(super) fn save(&mut self, games: &mut GameFiles) -> Result<(), Failure> {
        self.saved.files = games.marks()?;
        self.keep()?;
        Ok(games.flush()?)
    }

    fn keep(&mut self) -> Result<(), Failure> {
        self.written = Some(Instant::now());
        let Some(path) = &self.path else {
            return Ok(());
        };
        self.saved.microseconds = self.time().as_micros() as u64;
        let written = files::write(path, self.saved.text()?);
        written.map_err(|error| Failure::from(error).advise("what it holds is good"))
    }
}

impl StateFile for SavedMatch {
    const KIND: &'static str = "state of a match";
    const VERSION: u32 = 4;

    fn print(value: &impl Serialize) -> Result<String, String> {
        let text = serde_json::to_string_pretty(value).map_err(|error| error.to_string());
        text.map(|text| text + "\n")
    }

    fn parse<T: DeserializeOwned>(text: &str) -> Result<T, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    fn check(&self) -> Result<(), String> {
        if self.files.len() > FILES {
            return Err(format!("{} files of {FILES}", self.files.len()));
        }
        self.result.check()
    }
}

/// The files of games and of positions, opened before the first game.
pub(super) struct GameFiles {
    files: [Option<AppendFile>; FILES],
    /// What the state knew.
    known: [Option<Mark>; FILES],
    names: [String; 2],
    seed: u64,
    per_game: usize,
}

impl GameFiles {
    /// Opens what was asked for; a match that is resumed completes its files first.
    pub(super) fn open(
        args: &Args,
        players: &Players,
        known: &Marks,
    ) -> Result<GameFiles, Failure> {
        let known = std::array::from_fn(|file| known.get(file).cloned().flatten());
        let open = |path: &Option<PathBuf>, known: &Option<Mark>| {
            let open = |path| AppendFile::open(path, known.as_ref());
            path.as_deref().map(open).transpose()
        };
        let [pgn, data, training] = &known;
        let open_training = |path| viriformat::open_append(path, training.as_ref());
        Ok(GameFiles {
            files: [
                open(&args.pgn, pgn)?,
                open(&args.data, data)?,
                args.viriformat.as_deref().map(open_training).transpose()?,
            ],
            known,
            names: [players.first.name.clone(), players.second.name.clone()],
            seed: args.seed ^ SAMPLING,
            per_game: args.data_per_game,
        })
    }

    /// What the state has to know before [`GameFiles::flush`]. A file that is left out this time
    /// stays known.
    fn marks(&self) -> Result<Marks, FileError> {
        let mut marks = self.known.to_vec();
        for (mark, file) in marks.iter_mut().zip(&self.files) {
            if let Some(file) = file {
                *mark = Some(file.mark()?);
            }
        }
        Ok(marks)
    }

    pub(super) fn add(&mut self, pair: &Pair) {
        let [pgn, data, viriformat] = &mut self.files;
        if let Some(file) = pgn {
            file.add(games(pair, &self.names));
        }
        if let Some(file) = data {
            file.add(positions(pair, self.seed, self.per_game));
        }
        if let Some(file) = viriformat {
            file.add(viriformat::of_pair(pair));
        }
    }

    /// Writes the pairs that were taken.
    fn flush(&mut self) -> Result<(), FileError> {
        let mut files = self.files.iter_mut().flatten();
        files.try_for_each(AppendFile::flush)
    }
}

fn games(pair: &Pair, [first, second]: &[String; 2]) -> String {
    let players = [(first, second), (second, first)];
    let mut text = String::new();
    for (game, (record, (white, black))) in (1..).zip(pair.games.iter().zip(players)) {
        let tags = PgnTags {
            event: "sextant match".to_owned(),
            round: format!("{}.{game}", pair.index + 1),
            white: white.clone(),
            black: black.clone(),
        };
        text += &to_pgn(record, &tags);
    }
    text
}

fn positions(pair: &Pair, seed: u64, per_game: usize) -> String {
    let mut random = Random::of_item(seed, pair.index);
    let mut text = String::new();
    for record in &pair.games {
        let result = record.result.text();
        for position in record.quiet_positions(per_game, &mut random) {
            let _ = writeln!(text, "{};{result}", to_fen(&position, false));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Older versions knew less files than this one.
    #[test]
    fn a_state_has_as_many_files_as_there_are_or_less() {
        for (count, is_read) in [(0, true), (2, true), (FILES, true), (FILES + 1, false)] {
            let saved = SavedMatch {
                files: vec![None; count],
                ..SavedMatch::default()
            };
            let text = saved.text().unwrap();
            let read = SavedMatch::read(&text, Path::new("state"));
            assert_eq!(read.is_ok(), is_read, "{count}");
        }
    }
}
