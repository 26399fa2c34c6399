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
    length: u64,
}

/// Bytes of the files of a match that are counted; `None` for one that is not written.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct Lengths {
    pgn: Option<u64>,
    data: Option<u64>,
}

impl Files {
    /// Opens what was asked for. A match that goes on cuts off what its files have beyond
    /// `lengths`: those games are played again. With a clock the PGN is not ours to write.
    pub(super) fn open(
        args: &Args,
        contestants: &Contestants,
        lengths: Lengths,
    ) -> Result<Files, String> {
        let pgn = args.pgn.as_deref().filter(|_| args.limits.tc.is_none());
        let open =
            |path: Option<&str>, length| path.map(|path| Sink::open(path, length)).transpose();
        Ok(Files {
            pgn: open(pgn, lengths.pgn)?,
            data: open(args.data.as_deref(), lengths.data)?,
            names: [
                contestants.first.name.clone(),
                contestants.second.name.clone(),
            ],
            seed: args.seed ^ SAMPLING,
            per_game: args.data_per_game,
        })
    }

    /// How long the files are.
    pub(super) fn lengths(&self) -> Lengths {
        let length = |sink: &Option<Sink>| sink.as_ref().map(|sink| sink.length);
        Lengths {
            pgn: length(&self.pgn),
            data: length(&self.data),
        }
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
    fn open(path: &str, counted: Option<u64>) -> Result<Sink, String> {
        let file = OpenOptions::new().create(true).append(true).open(path);
        let opened = file.and_then(|file| {
            let mut length = file.metadata()?.len();
            if let Some(counted) = counted.filter(|counted| *counted < length) {
                file.set_len(counted)?;
                length = counted;
            }
            Ok((file, length))
        });
        let (file, length) = opened.map_err(|error| failure(path, &error))?;
        Ok(Sink {
            path: path.to_owned(),
            file,
            length,
        })
    }

    fn append(&mut self, text: &str) -> Result<(), String> {
        self.file
            .write_all(text.as_bytes())
            .map_err(|error| failure(&self.path, &error))?;
        self.length += text.len() as u64;
        Ok(())
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
