//! Where searches start: positions of EPD or FEN lines, of games in viriformat, or of PGN.

use std::{
    collections::HashMap,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
    vec,
};

use sextant_board::{Epd, MoveSets, PgnReader, Position, Random};
use sextant_cli::{failure::Failure, files, output};

use crate::{hash::fnv, viriformat::Reader};

const BUFFER: usize = 1 << 20;
/// So much of a file tells what it is.
const HEAD: u64 = 4096;
/// The largest PGN that is read.
const LARGEST_PGN: u64 = 4096 * files::MIB;
/// Old programs end a text with it.
const DOS_END: u8 = 0x1a;
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

/// The starts of some files, in order; of a game, `per_game` positions at random.
pub(super) struct Starts {
    files: vec::IntoIter<PathBuf>,
    source: Source,
    /// Of a game and not given out yet.
    waiting: vec::IntoIter<Position>,
    group: u64,
    seed: u64,
    per_game: usize,
    groups: u64,
    /// The groups of lines by the keys of their positions.
    known: HashMap<u64, u64>,
    starts: u64,
    /// What was left out.
    note: Option<String>,
}

/// A file, piece by piece.
type Source = Box<dyn Iterator<Item = Result<Found, Failure>> + Send>;

/// A piece of a file.
enum Found {
    Line(Position, Option<String>),
    Game(Vec<Position>),
    /// The end of a file that was cut off.
    Torn(String),
}

impl Starts {
    pub(super) fn new(files: Vec<PathBuf>, seed: u64, per_game: usize) -> Starts {
        Starts {
            files: files.into_iter(),
            source: Box::new(std::iter::empty()),
            waiting: Vec::new().into_iter(),
            group: 0,
            seed,
            per_game,
            groups: 0,
            known: HashMap::new(),
            starts: 0,
            note: None,
        }
    }

    /// The next start; `None` after the last of the last file.
    ///
    /// # Errors
    /// [`Failure`] for a file that cannot be read or that holds something else or nothing.
    pub(super) fn next(&mut self) -> Result<Option<Start>, Failure> {
        loop {
            if let Some(position) = self.waiting.next() {
                self.starts += 1;
                return Ok(Some(Start {
                    index: self.starts - 1,
                    group: self.group,
                    position,
                }));
            }
            match self.source.next().transpose()? {
                Some(Found::Line(position, id)) => self.take_line(position, id),
                Some(Found::Game(positions)) => self.take_game(positions),
                Some(Found::Torn(note)) => {
                    self.note = Some(note);
                    self.source = Box::new(std::iter::empty());
                }
                None => match self.files.next() {
                    Some(path) => self.source = open(&path)?,
                    None => return Ok(None),
                },
            }
        }
    }

    /// How many there are, every line and every game looked at: a mistake is better known before
    /// the searches than in the midst of them. Says what is left out.
    ///
    /// # Errors
    /// As [`Starts::next`], and if there is none at all.
    pub(super) fn count(mut self) -> Result<u64, Failure> {
        while self.next()?.is_some() {}
        if let Some(note) = self.note {
            output::note(format_args!("note: {note}; these bytes are left out"));
        }
        if self.starts == 0 {
            return Err(Failure::usage(
                "the files hold no position with a legal move",
            ));
        }
        Ok(self.starts)
    }

    fn take_line(&mut self, position: Position, id: Option<String>) {
        self.groups += 1;
        let group = id.map_or(self.groups, |id| fnv(id.as_bytes()));
        // A position that is given twice must not both teach and judge.
        self.group = *self.known.entry(position.key()).or_insert(group);
        self.waiting = vec![position].into_iter();
    }

    fn take_game(&mut self, mut positions: Vec<Position>) {
        self.groups += 1;
        self.group = self.groups;
        Random::of_item(self.seed ^ PLIES, self.group).shuffle(&mut positions);
        positions.truncate(self.per_game);
        self.waiting = positions.into_iter();
    }
}

/// Opens a file and looks what it is: games have bytes that no text has, PGN begins with a tag or a
/// move number, and everything else must be FEN or EPD.
fn open(path: &Path) -> Result<Source, Failure> {
    let unreadable = files::FileError::of("read", path);
    let mut head = Vec::new();
    let mut start = files::open(path)?.take(HEAD);
    start.read_to_end(&mut head).map_err(&unreadable)?;
    let head = head.strip_suffix(&[DOS_END]).unwrap_or(&head);
    if head.iter().all(u8::is_ascii_whitespace) {
        return Err(Failure::usage(format!(
            "{} is empty; positions come from lines of FEN or EPD, from PGN, or from a file of \
             `sextant-tune datagen`",
            path.display()
        )));
    }
    let file = BufReader::with_capacity(BUFFER, files::open(path)?);
    if head
        .iter()
        .any(|&byte| byte < b' ' && !byte.is_ascii_whitespace())
    {
        return Ok(games(Reader::new(file, path)));
    }
    if is_pgn(&String::from_utf8_lossy(head)) {
        return pgn(path);
    }
    let path = path.to_owned();
    let lines = file
        .split(b'\n')
        .zip(1..)
        .filter_map(move |(line, number)| {
            let read = line.map_err(|error| Failure::from(unreadable(error)));
            read.and_then(|line| epd(&line, &path, number)).transpose()
        });
    Ok(Box::new(lines))
}

fn games(mut reader: Reader<BufReader<std::fs::File>>) -> Source {
    Box::new(std::iter::from_fn(move || match reader.next_game() {
        Ok(Some(game)) => {
            let mut positions = Vec::with_capacity(game.turns.len());
            game.visit(|position, _| positions.push(position.clone()));
            Some(Ok(Found::Game(positions)))
        }
        // The file may still be growing.
        Ok(None) => reader.torn().map(|note| Ok(Found::Torn(note))),
        Err(failure) => Some(Err(failure)),
    }))
}

/// The position of a line, if it has one where the game goes on.
fn epd(line: &[u8], path: &Path, number: u64) -> Result<Option<Found>, Failure> {
    let line = String::from_utf8_lossy(line);
    let line = line
        .trim_start_matches('\u{feff}')
        .trim_end_matches(char::from(DOS_END))
        .trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let epd = Epd::parse(line)
        .map_err(|error| Failure::usage(format!("{}: line {number}: {error}", path.display())))?;
    let is_over = MoveSets::generate(&epd.position).is_empty();
    Ok((!is_over).then_some(Found::Line(epd.position, epd.id)))
}

fn pgn(path: &Path) -> Result<Source, Failure> {
    let bytes = files::read(path, LARGEST_PGN)?;
    let text = String::from_utf8_lossy(&bytes);
    let mut reader = PgnReader::new(text.trim_end_matches(char::from(DOS_END)));
    let path = path.to_owned();
    Ok(Box::new(std::iter::from_fn(move || {
        let game = reader.next_game().transpose()?;
        let found = game.map(|game| Found::Game(game.positions().collect()));
        Some(found.map_err(|error| Failure::usage(format!("{}: {error}", path.display()))))
    })))
}

fn is_pgn(text: &str) -> bool {
    // A comment may stand before anything.
    let mut lines = text
        .trim_start_matches('\u{feff}')
        .lines()
        .map(str::trim_start);
    let line = lines.find(|line| !line.is_empty() && !line.starts_with(';'));
    line.is_some_and(|line| line.starts_with(['[', '{', '%']) || line.starts_with("1."))
}
