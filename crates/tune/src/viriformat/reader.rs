//! Reading games, every byte checked: a file has no magic number, so that only its contents say
//! whether it is one of games.

use std::{
    io::{self, Read},
    path::PathBuf,
};

use sextant_cli::{failure::Failure, files::FileError};

use super::{Game, START_BYTES, TURN_BYTES, Turn, moves, start};

/// Reads the games of a file one after the other.
pub(crate) struct Reader<R> {
    source: R,
    path: PathBuf,
    /// Games read so far, and their bytes.
    games: u64,
    whole: u64,
    /// Bytes of the game that is being read.
    partial: u64,
}

/// Why there is no next game.
enum Stop {
    End,
    System(io::Error),
    Fault(String),
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

    /// Bytes of the games read so far.
    pub(crate) fn whole(&self) -> u64 {
        self.whole
    }

    /// The next game; `None` at the end of the stream, also if that is inside a game (see
    /// [`Reader::torn`]).
    ///
    /// # Errors
    /// If the stream cannot be read or is none of games; there is nothing more to read then.
    pub(crate) fn next_game(&mut self) -> Result<Option<Game>, Failure> {
        self.partial = 0;
        match self.game() {
            Ok(game) => {
                self.games += 1;
                self.whole += self.partial;
                Ok(Some(game))
            }
            Err(Stop::End) => Ok(None),
            Err(Stop::System(error)) => Err(FileError::of("read", &self.path)(error).into()),
            Err(Stop::Fault(fault)) => Err(Failure::usage(format!(
                "{} is no file of games (viriformat), or it is damaged: game {} at byte {}: {fault}",
                self.path.display(),
                self.games + 1,
                self.whole
            ))),
        }
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

    fn game(&mut self) -> Result<Game, Stop> {
        let bytes = self.bytes::<START_BYTES>()?;
        let (start, result) = start::unpack(&bytes).map_err(Stop::Fault)?;
        let mut turns = Vec::new();
        let mut position = start.clone();
        loop {
            let bytes = self.bytes::<TURN_BYTES>()?;
            if bytes == [0; TURN_BYTES] {
                return Ok(Game {
                    start,
                    result,
                    turns,
                });
            }
            let [low, high, score_low, score_high] = bytes;
            let bits = u16::from_le_bytes([low, high]);
            let mv = moves::unpack(&position, bits).ok_or_else(|| {
                let number = turns.len() + 1;
                Stop::Fault(format!("move {number} (0x{bits:04x}) is not legal"))
            })?;
            let white_score = i16::from_le_bytes([score_low, score_high]);
            turns.push(Turn { mv, white_score });
            position.play(mv);
        }
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Stop> {
        let mut bytes = [0; N];
        let mut filled = 0;
        while filled < N {
            match self.source.read(&mut bytes[filled..]) {
                Ok(0) => return Err(Stop::End),
                Ok(count) => {
                    filled += count;
                    self.partial += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Stop::System(error)),
            }
        }
        Ok(bytes)
    }
}
