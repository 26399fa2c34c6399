//! The codec of `viriformat`, the compact format of the engine Viridithas for games of training
//! data (<https://github.com/cosmobobak/viriformat>).
//!
//! A game is 32 bytes for its start and result, 4 bytes for each move and its score, and 4 zero
//! bytes; a file is nothing but games. The crate `viriformat` brings a second chess board and its
//! own random numbers along, so this codec is our own, and the crate is the oracle of its tests.

mod pack;
#[cfg(test)]
mod tests;

use std::{
    io::{self, BufReader, Read},
    path::{Path, PathBuf},
};

use sextant_board::{Color, Move, Position};
use sextant_cli::{
    append_file::{AppendFile, Mark},
    failure::Failure,
    files::{self, FileError},
    hash::fnv,
};
use sextant_play::{GameResult, Pair, Record};

use self::pack::START_BYTES;

/// Bytes of a move with its score, and of the zeros behind the last move.
const TURN_BYTES: usize = 4;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Game {
    pub(crate) start: Position,
    pub(crate) result: GameResult,
    pub(crate) turns: Vec<Turn>,
}

/// A move and the score of the position before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    pub(crate) mv: Move,
    /// Raw score (see `sextant_board::Score`), from White's point of view.
    pub(crate) white_score: i16,
}

impl Turn {
    /// A move with its score from the point of view of `color`.
    pub(crate) fn new(mv: Move, color: Color, score: i16) -> Turn {
        let white_score = white_view(color, score);
        Turn { mv, white_score }
    }
}

/// What `color` sees, from White's point of view.
pub(crate) fn white_view(color: Color, score: i16) -> i16 {
    match color {
        Color::White => score,
        Color::Black => -score,
    }
}

impl Game {
    /// The training data of a game that was played.
    pub(crate) fn of_record(record: &Record) -> Game {
        let first = record.start.side_to_move();
        let movers = [first, !first].into_iter().cycle();
        let turns = record.turns.iter().zip(movers);
        let turns = turns.map(|(turn, mover)| Turn::new(turn.mv, mover, turn.score.raw() as i16));
        Game {
            start: record.start.clone(),
            result: record.result,
            turns: turns.collect(),
        }
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = pack::pack_start(&self.start, self.result).to_vec();
        for (position, turn) in self.positions() {
            bytes.extend(pack::pack_move(&position, turn.mv).to_le_bytes());
            bytes.extend(turn.white_score.to_le_bytes());
        }
        bytes.extend([0; TURN_BYTES]);
        bytes
    }

    /// Every position with the move that was played in it, in order.
    pub(crate) fn positions(&self) -> impl Iterator<Item = (Position, Turn)> {
        let mut position = self.start.clone();
        self.turns.iter().map(move |&turn| {
            let before = position.clone();
            position.play(turn.mv);
            (before, turn)
        })
    }

    /// The same for this game wherever it stands, another for almost every other game.
    pub(crate) fn key(&self) -> u64 {
        let mut bytes = self.start.key().to_le_bytes().to_vec();
        for turn in &self.turns {
            bytes.extend([turn.mv.from as u8, turn.mv.to as u8]);
            bytes.extend(turn.white_score.to_le_bytes());
        }
        fnv(&bytes)
    }

    /// The position after the last move.
    pub(crate) fn end(&self) -> Position {
        let mut position = self.start.clone();
        for turn in &self.turns {
            position.play(turn.mv);
        }
        position
    }
}

/// The bytes of both games of a pair.
pub(crate) fn of_pair(pair: &Pair) -> Vec<u8> {
    let games = pair.games.iter();
    games
        .flat_map(|record| Game::of_record(record).to_bytes())
        .collect()
}

/// Opens a file that games are appended to, as [`AppendFile::open`] does. Behind a game that is not
/// whole nobody could read them, so such a file is refused.
pub(crate) fn open_append(path: &Path, known: Option<&Mark>) -> Result<AppendFile, Failure> {
    let opened = AppendFile::open(path, known)?;
    if files::is_device(path) {
        return Ok(opened);
    }
    let mut reader = Reader::new(BufReader::new(files::open(path)?), path);
    while reader.next_game()?.is_some() {}
    match reader.torn() {
        None => Ok(opened),
        Some(torn) => Err(Failure::usage(format!(
            "{torn}; games behind that could not be read: name another file, or cut this one to {} \
             bytes",
            reader.whole()
        ))),
    }
}

/// Reads the games of a file one after the other, every byte checked: a file has no magic number,
/// so that only its contents say whether it is one of games.
pub(crate) struct Reader<R> {
    source: R,
    path: PathBuf,
    /// Games read so far, and their bytes.
    games: u64,
    whole: u64,
    /// Bytes of the game that is being read.
    partial: u64,
}

impl<R: Read> Reader<R> {
    /// A reader of a buffered stream; `path` names it in errors.
    pub(crate) fn new(source: R, path: impl Into<PathBuf>) -> Reader<R> {
        Reader {
            source,
            path: path.into(),
            games: 0,
            whole: 0,
            partial: 0,
        }
    }

    pub(crate) fn whole(&self) -> u64 {
        self.whole
    }

    /// The next game; `None` at the end of the stream, also if that is inside a game (see
    /// [`Reader::torn`]). After an error there is nothing more to read.
    pub(crate) fn next_game(&mut self) -> Result<Option<Game>, Failure> {
        self.partial = 0;
        let Some(bytes) = self.bytes::<START_BYTES>()? else {
            return Ok(None);
        };
        let start = pack::unpack_start(&bytes);
        let (start, result) = start.map_err(|fault| self.refused(&fault))?;
        let mut turns = Vec::new();
        let mut position = start.clone();
        loop {
            let Some(bytes) = self.bytes::<TURN_BYTES>()? else {
                return Ok(None);
            };
            if bytes == [0; TURN_BYTES] {
                break;
            }
            let [low, high, score_low, score_high] = bytes;
            let bits = u16::from_le_bytes([low, high]);
            let mv = pack::unpack_move(&position, bits).ok_or_else(|| {
                let number = turns.len() + 1;
                self.refused(&format!("move {number} (0x{bits:04x}) is not legal"))
            })?;
            let white_score = i16::from_le_bytes([score_low, score_high]);
            turns.push(Turn { mv, white_score });
            position.play(mv);
        }
        self.games += 1;
        self.whole += self.partial;
        Ok(Some(Game {
            start,
            result,
            turns,
        }))
    }

    fn refused(&self, fault: &str) -> Failure {
        Failure::usage(format!(
            "{} is no file of games (viriformat), or it is damaged: game {} at byte {}: {fault}",
            self.path.display(),
            self.games + 1,
            self.whole
        ))
    }

    /// Behind the last game: what to say if the stream ends inside another one.
    pub(crate) fn torn(&self) -> Option<String> {
        (self.partial > 0).then(|| {
            format!(
                "{} ends inside game {}, {} bytes after its last whole one at byte {}",
                self.path.display(),
                self.games + 1,
                self.partial,
                self.whole
            )
        })
    }

    /// The next bytes; `None` if so many do not follow.
    fn bytes<const N: usize>(&mut self) -> Result<Option<[u8; N]>, FileError> {
        let mut bytes = [0; N];
        let mut left = &mut bytes[..];
        while !left.is_empty() {
            match self.source.read(left) {
                Ok(0) => return Ok(None),
                Ok(count) => {
                    left = &mut left[count..];
                    self.partial += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(FileError::of("read", &self.path)(error)),
            }
        }
        Ok(Some(bytes))
    }
}
