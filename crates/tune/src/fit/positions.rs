//! Where searches start: positions of EPD or FEN lines, of games in viriformat, or of PGN.

use std::{
    collections::HashMap,
    fs::File,
    io::{BufRead, BufReader},
    path::Path,
};

use sextant_board::{Epd, MoveSets, PgnReader, Position, Random};
use sextant_cli::{
    failure::Failure,
    files::{self, FileError},
    output,
};

use super::samples::SampleArgs;
use crate::{hash::fnv, viriformat::Reader};

/// So much of a file tells what it is.
const HEAD: usize = 4096;
/// The largest text that is read.
const LARGEST_TEXT: u64 = 4096 * files::MIB;
/// Starts for each sample that is asked for; a start usually gives several samples, not the
/// reverse.
const ENOUGH: u64 = 4;
/// Old programs end a text with it.
const DOS_END: char = '\u{1a}';
/// Keeps the choice of plies apart from the choice of nodes.
const PLIES: u64 = 0x0070_6c69_6573;

/// A position to search from.
pub(super) struct Start {
    /// Its number among all starts.
    pub(super) index: u64,
    /// What keeps the positions of one game together.
    pub(super) group: u64,
    pub(super) position: Position,
}

/// The starts of the files, in order, and no more than can be needed. They are read before the
/// searches: a mistake is better known before them than in the midst of them.
pub(super) fn read(args: &SampleArgs) -> Result<Vec<Start>, Failure> {
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
    args: &'a SampleArgs,
    starts: Vec<Start>,
    groups: u64,
    /// The groups of lines by the keys of their positions.
    known: HashMap<u64, u64>,
}

impl Starts<'_> {
    /// Looks what a file is: games have bytes that no text has, PGN begins with a tag or a move
    /// number, and everything else must be FEN or EPD.
    fn read(&mut self, path: &Path) -> Result<(), Failure> {
        if self.is_enough() {
            return Ok(());
        }
        let mut file = BufReader::with_capacity(1 << 20, files::open(path)?);
        let head = file.fill_buf().map_err(FileError::of("read", path))?;
        let head = &head[..head.len().min(HEAD)];
        let head = head.strip_suffix(&[DOS_END as u8]).unwrap_or(head);
        if head.iter().all(u8::is_ascii_whitespace) {
            return Err(Failure::usage(format!(
                "{} is empty; positions come from lines of FEN or EPD, from PGN, or from a file of \
                 `sextant-tune datagen`",
                path.display()
            )));
        }
        let is_text = |byte: &u8| *byte >= b' ' || byte.is_ascii_whitespace();
        if !head.iter().all(is_text) {
            return self.take_games(file, path);
        }
        let text = files::read(path, LARGEST_TEXT)?;
        let text = String::from_utf8_lossy(&text);
        let text = text.trim_start_matches('\u{feff}');
        let text = text.trim_end_matches(DOS_END);
        let taken = if is_pgn(text) {
            self.take_pgn(text)
        } else {
            self.take_lines(text)
        };
        taken.map_err(|error| Failure::usage(format!("{}: {error}", path.display())))
    }

    fn take_games(&mut self, file: BufReader<File>, path: &Path) -> Result<(), Failure> {
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
            positions.extend(game.positions().map(|(position, _)| position));
            self.take_game(positions);
        }
        Ok(())
    }

    fn take_pgn(&mut self, text: &str) -> Result<(), String> {
        let mut reader = PgnReader::new(text);
        while let Some(game) = reader.next_game().map_err(|error| error.to_string())? {
            self.take_game(game.positions().collect());
        }
        Ok(())
    }

    fn take_lines(&mut self, text: &str) -> Result<(), String> {
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let epd = Epd::parse(line).map_err(|error| format!("line {number}: {error}"))?;
            // Nothing can be learned where the game is over.
            if MoveSets::generate(&epd.position).is_empty() {
                continue;
            }
            self.groups += 1;
            let group = epd.id.map_or(self.groups, |id| fnv(id.as_bytes()));
            // A position that is given twice must not both teach and judge.
            let group = *self.known.entry(epd.position.key()).or_insert(group);
            self.push(epd.position, group);
        }
        Ok(())
    }

    fn is_enough(&self) -> bool {
        self.starts.len() as u64 >= ENOUGH * self.args.count
    }

    fn take_game(&mut self, mut positions: Vec<Position>) {
        self.groups += 1;
        Random::of_item(self.args.seed ^ PLIES, self.groups).shuffle(&mut positions);
        positions.truncate(self.args.searches.per_game);
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

/// A comment may stand before anything.
fn is_pgn(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_start);
    let line = lines.find(|line| !line.is_empty() && !line.starts_with(';'));
    line.is_some_and(|line| line.starts_with(['[', '{', '%']) || line.starts_with("1."))
}
