//! Reading games, every byte checked: a file has no magic number, so that only its contents say
//! whether it is one of games.

use std::{
    io::{self, Read},
    path::PathBuf,
};

use super::{Game, START_BYTES, TURN_BYTES, Turn, packed_move, packed_start};

/// What is wrong with a file of games.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    /// The system cannot read it.
    #[error("cannot read {path}: {source}", path = path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file ends inside a game.
    #[error(
        "{path} ends inside game {game}, {bytes} bytes after its last whole one at byte {whole}",
        path = path.display()
    )]
    Torn {
        /// The file.
        path: PathBuf,
        /// Number of the game, from 1.
        game: u64,
        /// Length of the whole games.
        whole: u64,
        /// What is there of the torn one.
        bytes: u64,
    },
    /// The bytes are no game.
    #[error(
        "{path} is no file of games (viriformat), or it is damaged: game {game} at byte {at}: {fault}",
        path = path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Number of the game, from 1.
        game: u64,
        /// Where the game begins.
        at: u64,
        /// What is wrong.
        fault: Fault,
    },
}

/// Why bytes are no game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Fault {
    /// Its start is none.
    #[error("{0}")]
    Start(#[from] packed_start::StartFault),
    /// A move that cannot be played.
    #[error("move {number} (0x{bits:04x}) is not legal")]
    Move {
        /// Number of the move, from 1.
        number: usize,
        /// The bits.
        bits: u16,
    },
}

/// Reads the games of a stream one after the other.
pub(crate) struct Reader<R> {
    source: R,
    path: PathBuf,
    /// Games read.
    games: u64,
    /// Bytes of these games.
    whole: u64,
    /// Bytes of the game that is being read.
    partial: u64,
}

/// Why a game could not be read, before the file is named.
enum Stop {
    End,
    System(io::Error),
    Fault(Fault),
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

    /// Length of the games read so far.
    pub(crate) fn whole(&self) -> u64 {
        self.whole
    }

    /// The next game; `None` at the end of the stream.
    ///
    /// # Errors
    /// [`ReadError`]; after one there is nothing more to read.
    pub(crate) fn next_game(&mut self) -> Result<Option<Game>, ReadError> {
        self.partial = 0;
        match self.game() {
            Ok(game) => {
                self.games += 1;
                self.whole += self.partial;
                Ok(Some(game))
            }
            Err(Stop::End) if self.partial == 0 => Ok(None),
            Err(stop) => Err(self.error(stop)),
        }
    }

    fn error(&self, stop: Stop) -> ReadError {
        let (path, game) = (self.path.clone(), self.games + 1);
        match stop {
            Stop::System(source) => ReadError::Unreadable { path, source },
            Stop::End => ReadError::Torn {
                path,
                game,
                whole: self.whole,
                bytes: self.partial,
            },
            Stop::Fault(fault) => ReadError::Foreign {
                path,
                game,
                at: self.whole,
                fault,
            },
        }
    }

    fn game(&mut self) -> Result<Game, Stop> {
        let start = self.bytes::<START_BYTES>()?;
        let (start, result) =
            packed_start::unpack(&start).map_err(|fault| Stop::Fault(fault.into()))?;
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
            let bits = u16::from_le_bytes([bytes[0], bytes[1]]);
            let number = turns.len() + 1;
            let mv = packed_move::unpack(&position, bits)
                .ok_or(Stop::Fault(Fault::Move { number, bits }))?;
            turns.push(Turn {
                mv,
                white_score: i16::from_le_bytes([bytes[2], bytes[3]]),
            });
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
