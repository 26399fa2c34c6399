//! What a match leaves on the disk: games and positions.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use sextant_board::{Random, to_fen};
use sextant_play::{Pair, PgnTags, Record, quiet_positions, to_pgn};

use super::{
    Args,
    contestants::Contestants,
    sink::{Mark, Sink},
};

/// Keeps the draws of the positions apart from those of the openings.
const SAMPLING: u64 = 0x5361_6d70_6c65;

/// The files of a match, opened before its first game.
pub(super) struct Files {
    pgn: Option<Sink>,
    data: Option<Sink>,
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

impl Files {
    /// Opens what was asked for; a match that goes on completes its files first. With a clock the
    /// PGN is not ours to write.
    pub(super) fn open(
        args: &Args,
        contestants: &Contestants,
        known: &Marks,
    ) -> Result<Files, String> {
        let pgn = args.pgn.as_deref().filter(|_| args.limits.tc.is_none());
        let open = |path: Option<&str>, mark: &Option<Mark>| {
            path.map(|path| Sink::open(path, mark.as_ref())).transpose()
        };
        Ok(Files {
            pgn: open(pgn, &known.pgn)?,
            data: open(args.data.as_deref(), &known.data)?,
            known: known.clone(),
            names: [
                contestants.first.name.clone(),
                contestants.second.name.clone(),
            ],
            seed: args.seed ^ SAMPLING,
            per_game: args.data_per_game,
        })
    }

    /// What the state has to know before [`Files::flush`]. A file that is left out this time stays
    /// known.
    pub(super) fn marks(&self) -> Marks {
        let mark = |sink: &Option<Sink>, known: &Option<Mark>| {
            let mark = sink.as_ref().map(|sink| sink.mark().clone());
            mark.or_else(|| known.clone())
        };
        Marks {
            pgn: mark(&self.pgn, &self.known.pgn),
            data: mark(&self.data, &self.known.data),
        }
    }

    /// Takes a pair.
    pub(super) fn add(&mut self, pair: &Pair) {
        if let Some(sink) = &mut self.pgn {
            sink.add(&games(pair, &self.names));
        }
        if let Some(sink) = &mut self.data {
            sink.add(&positions(pair, self.seed, self.per_game));
        }
    }

    /// Writes the pairs that were taken.
    pub(super) fn flush(&mut self) -> Result<(), String> {
        let sinks = [&mut self.pgn, &mut self.data];
        sinks.into_iter().flatten().try_for_each(Sink::flush)
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
