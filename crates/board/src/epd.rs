//! Extended position description: a position and what a test suite says about it. And positions as
//! people type them: a FEN with one to six fields, an EPD, underscores for spaces.

use cozy_chess::{Board, Move};
use thiserror::Error;

use crate::{
    fen::{FenError, parse_fen},
    position::Position,
    san::{SanError, parse_san},
};

/// One line of a test suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Epd {
    /// The position, with both clocks if the line has them.
    pub position: Position,
    /// `bm`: the best moves; any of them solves the problem.
    pub bm: Vec<Move>,
    /// `am`: moves to avoid.
    pub am: Vec<Move>,
    /// Mate in this many full moves: `dm 5`, or `bm #5` as in mate suites; negative when the side
    /// to move is mated.
    pub dm: Option<i32>,
    /// `id`: the name of the problem.
    pub id: Option<String>,
    /// The other operations, as opcode and operands, in their order.
    pub ops: Vec<(String, String)>,
}

/// Why a line was rejected as EPD.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "the messages say what the variants and fields mean"
)]
pub enum EpdError {
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("in {opcode}: {source}")]
    San { opcode: String, source: SanError },
    #[error("in {opcode}: {found:?} is not a number of moves to mate")]
    MateDistance { opcode: String, found: String },
}

impl Epd {
    /// Reads a line: four FEN fields, perhaps both clocks, then operations ended by semicolons.
    ///
    /// # Errors
    /// [`EpdError`] if the position, or a move or distance of the known operations, is wrong.
    ///
    /// ```
    /// use sextant_board::Epd;
    /// let epd = Epd::parse("4k3/8/8/8/8/8/8/R3K3 w Q - bm Ra8+; id \"a;b\"; c0 \"x\";").unwrap();
    /// assert_eq!(epd.bm.len(), 1);
    /// assert_eq!(epd.id.as_deref(), Some("a;b"));
    /// assert_eq!(epd.ops, [("c0".to_owned(), "x".to_owned())]);
    /// ```
    pub fn parse(line: &str) -> Result<Epd, EpdError> {
        let (fen, operations) = split_fen(line);
        let mut epd = Epd {
            position: parse_fen(fen)?,
            bm: Vec::new(),
            am: Vec::new(),
            dm: None,
            id: None,
            ops: Vec::new(),
        };
        for operation in split_operations(operations) {
            epd.apply(operation)?;
        }
        Ok(epd)
    }

    fn apply(&mut self, operation: &str) -> Result<(), EpdError> {
        let (opcode, operand) = match operation.split_once(char::is_whitespace) {
            Some((opcode, operand)) => (opcode, operand.trim()),
            None => (operation, ""),
        };
        let text = operand.trim_matches('"');
        match opcode {
            "bm" | "am" => {
                for word in operand.split_ascii_whitespace() {
                    self.add_move(opcode, word)?;
                }
            }
            "dm" => self.dm = Some(mate_distance(opcode, text)?),
            "id" => self.id = Some(text.to_owned()),
            _ => self.ops.push((opcode.to_owned(), text.to_owned())),
        }
        Ok(())
    }

    fn add_move(&mut self, opcode: &str, word: &str) -> Result<(), EpdError> {
        if let Some(distance) = word.strip_prefix('#') {
            self.dm = Some(mate_distance(opcode, distance)?);
            return Ok(());
        }
        let mv = parse_san(&self.position, word).map_err(|source| EpdError::San {
            opcode: opcode.to_owned(),
            source,
        })?;
        if opcode == "bm" {
            self.bm.push(mv);
        } else {
            self.am.push(mv);
        }
        Ok(())
    }
}

fn mate_distance(opcode: &str, text: &str) -> Result<i32, EpdError> {
    text.parse().map_err(|_| EpdError::MateDistance {
        opcode: opcode.to_owned(),
        found: text.to_owned(),
    })
}

/// The FEN at the start of the line (four fields, or six if two numbers follow) and the rest.
fn split_fen(line: &str) -> (&str, &str) {
    let mut end = 0;
    for field in 0..6 {
        let rest = &line[end..];
        let start = rest.len() - rest.trim_start().len();
        let word = rest[start..]
            .split(|c: char| c.is_whitespace() || c == ';')
            .next()
            .unwrap_or_default();
        if field >= 4 && (word.is_empty() || !word.bytes().all(|b| b.is_ascii_digit())) {
            break;
        }
        end += start + word.len();
    }
    line.split_at(end)
}

/// The operations between the semicolons that stand outside quotation marks.
fn split_operations(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    text.split(move |c: char| {
        quoted ^= c == '"';
        c == ';' && !quoted
    })
    .map(str::trim)
    .filter(|operation| !operation.is_empty())
}

/// Why a text is no position.
#[derive(Debug, PartialEq, Eq, Error)]
#[allow(
    missing_docs,
    reason = "the messages say what the variants and fields mean"
)]
pub enum LooseFenError {
    #[error("no position given; write a FEN such as \"8/3r4/8/8/8/2k5/8/K6Q w - - 0 1\"")]
    Empty,
    /// The half-move clock, as it was written, is no number from 0 to 100.
    #[error("bad position: the half-move clock is {0:?}; allowed: 0 to 100")]
    Clock(String),
    #[error("bad position: {0}")]
    Fen(#[from] FenError),
}

/// Cuts a line into the fields that [`parse_loose_fen`] reads and the EPD operations behind them.
///
/// ```
/// use sextant_board::split_loose_fen;
/// let line = "4k3/8/8/8/8/8/8/R3K3 w - - 3 9 bm Ra8+; id \"x\";";
/// let (fen, operations) = split_loose_fen(line);
/// assert_eq!(fen, "4k3/8/8/8/8/8/8/R3K3 w - - 3 9");
/// assert_eq!(operations, "bm Ra8+; id \"x\";");
/// ```
pub fn split_loose_fen(line: &str) -> (&str, &str) {
    let line = line.trim();
    let mut end = 0;
    for field in 0..6 {
        let rest = &line[end..];
        let start = rest.len() - rest.trim_start().len();
        let word = rest[start..].split_whitespace().next().unwrap_or_default();
        if word.is_empty() || field >= 4 && is_operation(&word) {
            break;
        }
        end += start + word.len();
    }
    let (fen, operations) = line.split_at(end);
    (fen, operations.trim_start())
}

/// Does an operation begin with this field?
fn is_operation(field: &&str) -> bool {
    *field == ";" || field.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Reads a position of one to six fields, with underscores for spaces if they are easier to type.
/// Missing fields: White to move, no castling rights, no en passant, clock 0, move 1; EPD
/// operations are ignored.
///
/// # Errors
/// [`LooseFenError`], whose text says what is wrong and where.
pub fn parse_loose_fen(text: &str) -> Result<Board, LooseFenError> {
    let text = text.replace('_', " ");
    let fields: Vec<&str> = text.split_whitespace().collect();
    let (position, after) = fields.split_at(fields.len().min(4));
    let clocks = after.split(is_operation).next().unwrap_or_default();
    let clocks = clocks.get(..2).unwrap_or(clocks);
    if position.is_empty() {
        return Err(LooseFenError::Empty);
    }
    // The engine takes a larger one for 100; here it would be another question than was asked.
    if let Some(clock) = clocks.first()
        && !clock.parse::<u8>().is_ok_and(|clock| clock <= 100)
    {
        return Err(LooseFenError::Clock((*clock).to_owned()));
    }
    let defaults = &["", "w", "-", "-"][position.len()..];
    let whole = [position, defaults, clocks].concat().join(" ");
    Ok(parse_fen(&whole)?.board().clone())
}
