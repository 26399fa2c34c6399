//! What a match leaves on the disk: games and positions.

use std::{
    fmt::Write as _,
    fs::{File, OpenOptions},
    io::{self, Write as _},
};

use sextant_board::to_fen;
use sextant_search::play::{Pair, PgnTags, Random, Record, quiet_positions, to_pgn};

use super::{Args, contestants::Contestants};

/// Keeps the draws of the positions apart from those of the openings.
const SAMPLING: u64 = 0x5361_6d70_6c65;

/// The files of a match, opened before its first game.
pub(super) struct Files {
    pgn: Option<Sink>,
    data: Option<Sink>,
    names: [String; 2],
    seed: u64,
    per_game: usize,
}

/// A file that is appended to.
struct Sink {
    path: String,
    file: File,
}

impl Files {
    /// Opens what was asked for.
    pub(super) fn open(args: &Args, contestants: &Contestants) -> Result<Files, String> {
        let open = |path: &Option<String>| path.as_deref().map(Sink::open).transpose();
        Ok(Files {
            pgn: open(&args.pgn)?,
            data: open(&args.data)?,
            names: [
                contestants.first.name.clone(),
                contestants.second.name.clone(),
            ],
            seed: args.seed ^ SAMPLING,
            per_game: args.data_per_game,
        })
    }

    /// Writes a pair; it is on its way to the disk when this returns.
    pub(super) fn write(&mut self, pair: &Pair) -> Result<(), String> {
        if let Some(sink) = &mut self.pgn {
            sink.append(&games(pair, &self.names))?;
        }
        if let Some(sink) = &mut self.data {
            sink.append(&positions(pair, self.seed, self.per_game))?;
        }
        Ok(())
    }
}

impl Sink {
    fn open(path: &str) -> Result<Sink, String> {
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.map_err(|error| failure(path, &error))?;
        Ok(Sink {
            path: path.to_owned(),
            file,
        })
    }

    fn append(&mut self, text: &str) -> Result<(), String> {
        self.file
            .write_all(text.as_bytes())
            .map_err(|error| failure(&self.path, &error))
    }
}

fn failure(path: &str, error: &io::Error) -> String {
    format!("cannot write {path}: {error}")
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
        text.push_str(&to_pgn(record, &tags));
    }
    text
}

fn positions(pair: &Pair, seed: u64, per_game: usize) -> String {
    let mut random = Random::of_item(seed, pair.index);
    let mut text = String::new();
    let mut add = |record: &Record| {
        for position in quiet_positions(record, per_game, &mut random) {
            let _ = writeln!(
                text,
                "{};{}",
                to_fen(&position, false),
                record.result.text()
            );
        }
    };
    pair.games.iter().for_each(&mut add);
    text
}
