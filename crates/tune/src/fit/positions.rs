//! Where searches start: positions of EPD or FEN lines, of games in viriformat, or of PGN.

use std::{
    collections::HashMap,
    io::{BufRead, BufReader, Read},
    path::Path,
};

use sextant_board::{Epd, MoveSets, PgnReader, Position, Random};
use sextant_cli::{
    failure::Failure,
    files::{self, FileError},
    output,
};

use super::args::Args;
use crate::{hash::fnv, viriformat::Reader};

/// So much of a file tells what it is.
const HEAD: u64 = 4096;
/// The largest PGN that is read.
const LARGEST_PGN: u64 = 4096 * files::MIB;
/// Starts for each sample that is asked for; a start usually gives several samples, not the reverse.
const ENOUGH: u64 = 4;
/// Old programs end a text with it.
const DOS_END: char = '\u{1a}';
/// Keeps the choice of plies apart from the choice of nodes.
const PLIES: u64 = 0x0070_6c69_6573;

/// A position to search from.
#[derive(Clone, Debug)]
pub(super) struct Start {
    /// Its number among all starts.
    pub(super) index: u64,
    /// What keeps the positions of one game together.
    pub(super) group: u64,
    pub(super) position: Position,
}

/// The starts of the files, in order, and no more than can be needed. They are read before the
/// searches: a mistake is better known before them than in the midst of them.
///
/// # Errors
/// [`Failure`] for a file that cannot be read or holds something else or nothing, and if there is no
/// start at all.
pub(super) fn read(args: &Args) -> Result<Vec<Start>, Failure> {
    let mut starts = Starts {
        args,
        starts: Vec::new(),
        groups: 0,
        known: HashMap::new(),
    };
    args.inputs.iter().try_for_each(|path| starts.read(path))?;
    if starts.starts.is_empty() {
        return Err(Failure::usage(
            "the files hold no position with a legal move",
        ));
    }
    Ok(starts.starts)
}

struct Starts<'a> {
    args: &'a Args,
    starts: Vec<Start>,
    groups: u64,
    /// The groups of lines by the keys of their positions.
    known: HashMap<u64, u64>,
}

impl Starts<'_> {
    /// Looks what a file is: games have bytes that no text has, PGN begins with a tag or a move number,
    /// and everything else must be FEN or EPD.
    fn read(&mut self, path: &Path) -> Result<(), Failure> {
        if self.is_enough() {
            return Ok(());
        }
        let mut head = Vec::new();
        let mut start = files::open(path)?.take(HEAD);
        start
            .read_to_end(&mut head)
            .map_err(FileError::of("read", path))?;
        let head = head.strip_suffix(&[DOS_END as u8]).unwrap_or(&head);
        if head.iter().all(u8::is_ascii_whitespace) {
            return Err(Failure::usage(format!(
                "{} is empty; positions come from lines of FEN or EPD, from PGN, or from a file of \
                 `sextant-tune datagen`",
                path.display()
            )));
        }
        let is_text = |byte: &u8| *byte >= b' ' || byte.is_ascii_whitespace();
        if !head.iter().all(is_text) {
            self.read_games(path)
        } else if is_pgn(&String::from_utf8_lossy(head)) {
            self.read_pgn(path)
        } else {
            self.read_lines(path)
        }
    }

    fn read_games(&mut self, path: &Path) -> Result<(), Failure> {
        let file = BufReader::with_capacity(1 << 20, files::open(path)?);
        let mut reader = Reader::new(file, path);
        while !self.is_enough() {
            let Some(game) = reader.next_game()? else {
                // The file may still be growing.
                if let Some(torn) = reader.torn() {
                    output::note(format_args!("note: {torn}; these bytes are left out"));
                }
                break;
            };
            let mut positions = Vec::with_capacity(game.turns.len());
            game.visit(|position, _| positions.push(position.clone()));
            self.take_game(positions);
        }
        Ok(())
    }

    fn read_pgn(&mut self, path: &Path) -> Result<(), Failure> {
        let bytes = files::read(path, LARGEST_PGN)?;
        let text = String::from_utf8_lossy(&bytes);
        let mut reader = PgnReader::new(text.trim_end_matches(DOS_END));
        let failed = |error| Failure::usage(format!("{}: {error}", path.display()));
        while let Some(game) = reader.next_game().map_err(failed)? {
            self.take_game(game.positions().collect());
        }
        Ok(())
    }

    fn read_lines(&mut self, path: &Path) -> Result<(), Failure> {
        let lines = BufReader::new(files::open(path)?).split(b'\n');
        for (number, line) in (1..).zip(lines) {
            let line = line.map_err(FileError::of("read", path))?;
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_start_matches('\u{feff}');
            let line = line.trim_end_matches(DOS_END).trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let epd = Epd::parse(line).map_err(|error| {
                Failure::usage(format!("{}: line {number}: {error}", path.display()))
            })?;
            // Nothing can be learned where the game is over.
            if !MoveSets::generate(&epd.position).is_empty() {
                self.take_line(epd);
            }
        }
        Ok(())
    }

    fn is_enough(&self) -> bool {
        self.starts.len() as u64 >= ENOUGH * self.args.count
    }

    fn take_line(&mut self, epd: Epd) {
        self.groups += 1;
        let group = epd.id.map_or(self.groups, |id| fnv(id.as_bytes()));
        // A position that is given twice must not both teach and judge.
        let group = *self.known.entry(epd.position.key()).or_insert(group);
        self.push(epd.position, group);
    }

    fn take_game(&mut self, mut positions: Vec<Position>) {
        self.groups += 1;
        Random::of_item(self.args.seed ^ PLIES, self.groups).shuffle(&mut positions);
        positions.truncate(self.args.per_game);
        for position in positions {
            self.push(position, self.groups);
        }
    }

    fn push(&mut self, position: Position, group: u64) {
        self.starts.push(Start {
            index: self.starts.len() as u64,
            group,
            position,
        });
    }
}

fn is_pgn(head: &str) -> bool {
    // A comment may stand before anything.
    let lines = head.trim_start_matches('\u{feff}').lines();
    let mut lines = lines.map(str::trim_start);
    let line = lines.find(|line| !line.is_empty() && !line.starts_with(';'));
    line.is_some_and(|line| line.starts_with(['[', '{', '%']) || line.starts_with("1."))
}
