//! What a match leaves on the disk: its games, and quiet positions from them.

use std::{fmt::Write as _, path::Path};

use serde::{Deserialize, Serialize};
use sextant_board::{Random, to_fen};
use sextant_cli::{
    append_file::{AppendFile, Mark},
    failure::Failure,
    files::FileError,
};
use sextant_play::{Pair, PgnTags, to_pgn};

use super::{Args, players::Players};

/// Keeps the draws of the positions apart from those of the openings.
const SAMPLING: u64 = 0x5361_6d70_6c65;

/// The files of a match, opened before its first game.
pub(super) struct GameFiles {
    pgn: Option<AppendFile>,
    data: Option<AppendFile>,
    /// What the state knew.
    known: Marks,
    names: [String; 2],
    seed: u64,
    per_game: usize,
}

/// What the state of a match knows of its files; `None` for one that was never written.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Marks {
    pgn: Option<Mark>,
    data: Option<Mark>,
}

impl GameFiles {
    /// Opens what was asked for; a match that is resumed completes its files first.
    pub(super) fn open(
        args: &Args,
        players: &Players,
        known: &Marks,
    ) -> Result<GameFiles, Failure> {
        let open = |path: Option<&Path>, mark: &Option<Mark>| {
            path.map(|path| AppendFile::open(path, mark.as_ref()))
                .transpose()
        };
        Ok(GameFiles {
            pgn: open(args.pgn.as_deref(), &known.pgn)?,
            data: open(args.data.as_deref(), &known.data)?,
            known: known.clone(),
            names: [players.first.name.clone(), players.second.name.clone()],
            seed: args.seed ^ SAMPLING,
            per_game: args.data_per_game,
        })
    }

    /// What the state has to know before [`GameFiles::flush`]. A file that is left out this time stays
    /// known.
    pub(super) fn marks(&self) -> Result<Marks, FileError> {
        let mark = |file: &Option<AppendFile>, known: &Option<Mark>| match file {
            Some(file) => file.mark().map(Some),
            None => Ok(known.clone()),
        };
        Ok(Marks {
            pgn: mark(&self.pgn, &self.known.pgn)?,
            data: mark(&self.data, &self.known.data)?,
        })
    }

    pub(super) fn add(&mut self, pair: &Pair) {
        if let Some(file) = &mut self.pgn {
            file.add(&games(pair, &self.names));
        }
        if let Some(file) = &mut self.data {
            file.add(&positions(pair, self.seed, self.per_game));
        }
    }

    /// Writes the pairs that were taken.
    pub(super) fn flush(&mut self) -> Result<(), FileError> {
        let mut files = [&mut self.pgn, &mut self.data].into_iter().flatten();
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
        text.push_str(&to_pgn(record, &tags));
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
