//! Where searches start: positions of EPD or FEN lines, of games in viriformat, or of PGN.

use std::{
    collections::HashMap,
    fs::{self, File},
    io::{BufReader, Read},
    path::{Path, PathBuf},
    vec,
};

use sextant_board::{Epd, MoveSets, Position, Random};

use super::{
    pgn::{Games, Place},
    searches::Start,
};
use crate::{
    failure::Failure,
    games::{ReadError, Reader},
    hash::fnv,
    say,
};

const BUFFER: usize = 1 << 20;
/// So much of a file tells what it is.
const HEAD: usize = 4096;
/// Old programs end a text with it.
const DOS_END: char = '\u{1a}';
/// Keeps the choice of plies apart from the choice of nodes.
const PLIES: u64 = 0x0070_6c69_6573;

/// The starts of some files, in order.
pub(super) struct Starts {
    files: vec::IntoIter<PathBuf>,
    source: Option<Source>,
    /// Drawn from a game and not given out yet, the last first.
    waiting: Vec<Start>,
    seed: u64,
    per_game: usize,
    groups: u64,
    /// The groups of lines by the keys of their positions.
    known: HashMap<u64, u64>,
    starts: u64,
    /// What was left out.
    note: Option<String>,
}

enum Source {
    Epd {
        path: PathBuf,
        text: String,
        at: usize,
        line: usize,
    },
    Games(Reader<BufReader<File>>),
    Pgn {
        path: PathBuf,
        text: String,
        place: Place,
    },
}

impl Starts {
    /// The starts of `files`; of a game, `per_game` positions at random.
    pub(super) fn new(files: Vec<PathBuf>, seed: u64, per_game: usize) -> Starts {
        Starts {
            files: files.into_iter(),
            source: None,
            waiting: Vec::new(),
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
            if let Some(start) = self.waiting.pop() {
                return Ok(Some(start));
            }
            let Some(source) = &mut self.source else {
                let Some(path) = self.files.next() else {
                    return Ok(None);
                };
                self.source = Some(open(&path)?);
                continue;
            };
            match source.next()? {
                Some(Found::One(position, id)) => self.take_line(position, id),
                Some(Found::Game(positions)) => self.take_game(positions),
                Some(Found::Torn(note)) => {
                    self.note = Some(note);
                    self.source = None;
                }
                None => self.source = None,
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
            say::note(format_args!("note: {note}; these bytes are left out"));
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
        let group = *self.known.entry(position.key()).or_insert(group);
        self.push(position, group);
    }

    fn take_game(&mut self, mut positions: Vec<Position>) {
        self.groups += 1;
        let group = self.groups;
        let mut random = Random::of_item(self.seed ^ PLIES, group);
        random.shuffle(&mut positions);
        positions.truncate(self.per_game);
        for position in positions {
            self.push(position, group);
        }
    }

    fn push(&mut self, position: Position, group: u64) {
        let start = Start {
            index: self.starts,
            group,
            position,
        };
        self.starts += 1;
        self.waiting.insert(0, start);
    }
}

/// What a source gives.
enum Found {
    One(Position, Option<String>),
    Game(Vec<Position>),
    /// The end of a file that was cut off.
    Torn(String),
}

impl Source {
    fn next(&mut self) -> Result<Option<Found>, Failure> {
        match self {
            Source::Games(reader) => match reader.next_game() {
                Ok(game) => Ok(game.map(|game| {
                    let mut positions = Vec::with_capacity(game.turns.len());
                    game.visit(|position, _| positions.push(position.clone()));
                    Found::Game(positions)
                })),
                // The file may still be growing.
                Err(torn @ ReadError::Torn { .. }) => Ok(Some(Found::Torn(torn.to_string()))),
                Err(error) => Err(Failure::usage(error)),
            },
            Source::Pgn { path, text, place } => {
                let mut games = Games::new(text, *place);
                let positions = games
                    .next_game()
                    .map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
                *place = games.place();
                Ok(positions.map(Found::Game))
            }
            Source::Epd {
                path,
                text,
                at,
                line,
            } => {
                while *at < text.len() {
                    let rest = &text[*at..];
                    let end = rest.find('\n').map_or(rest.len(), |end| end + 1);
                    let content = rest[..end].trim();
                    *at += end;
                    *line += 1;
                    if content.is_empty() || content.starts_with('#') {
                        continue;
                    }
                    let epd = Epd::parse(content).map_err(|error| {
                        Failure::usage(format!("{}: line {line}: {error}", path.display()))
                    })?;
                    // Nothing can be learned where the game is over.
                    if !MoveSets::generate(&epd.position).is_empty() {
                        return Ok(Some(Found::One(epd.position, epd.id)));
                    }
                }
                Ok(None)
            }
        }
    }
}

/// Opens a file and looks what it is: games have bytes that no text has, PGN begins with a tag or a
/// move number, and everything else must be FEN or EPD.
fn open(path: &Path) -> Result<Source, Failure> {
    let unreadable = |error| Failure::usage(format!("cannot read {}: {error}", path.display()));
    let mut head = Vec::with_capacity(HEAD);
    let file = File::open(path).map_err(unreadable)?;
    file.take(HEAD as u64)
        .read_to_end(&mut head)
        .map_err(unreadable)?;
    let head = head.strip_suffix(&[DOS_END as u8]).unwrap_or(&head);
    if head.iter().all(u8::is_ascii_whitespace) {
        return Err(Failure::usage(format!(
            "{} is empty; positions come from lines of FEN or EPD, from PGN, or from a file of \
             `sextant-tune datagen`",
            path.display()
        )));
    }
    let is_text = !head
        .iter()
        .any(|&byte| byte < b' ' && !byte.is_ascii_whitespace());
    if !is_text {
        let file = File::open(path).map_err(unreadable)?;
        let reader = BufReader::with_capacity(BUFFER, file);
        return Ok(Source::Games(Reader::new(reader, path)));
    }
    let bytes = fs::read(path).map_err(unreadable)?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_start_matches('\u{feff}');
    let text = text.trim_end_matches(DOS_END).to_owned();
    let path = path.to_owned();
    if is_pgn(&text) {
        let place = Place::START;
        return Ok(Source::Pgn { path, text, place });
    }
    Ok(Source::Epd {
        path,
        text,
        at: 0,
        line: 0,
    })
}

fn is_pgn(text: &str) -> bool {
    // A comment may stand before anything.
    let mut lines = text.lines().map(str::trim_start);
    let line = lines.find(|line| !line.is_empty() && !line.starts_with(';'));
    line.is_some_and(|line| line.starts_with(['[', '{', '%']) || line.starts_with("1."))
}
