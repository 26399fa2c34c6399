//! Chess positions for the experiments: built in, or from a file.

use std::hash::Hasher as _;
use std::path::Path;
use std::{fs, io};

use cozy_chess::Board;
use fnv::FnvHasher;

use crate::error::LabError;

/// Openings, middle games and endings from the CC0 opening books of the Stockfish project.
const BUILT_IN: &str = include_str!("../testdata/positions.epd");

/// The positions that the laboratory carries.
///
/// # Errors
/// Only if the built-in list were damaged.
pub fn built_in() -> Result<Vec<Board>, LabError> {
    parse(BUILT_IN, "the built-in list of positions")
}

/// Reads a file with one FEN or EPD a line; empty lines and lines that begin with `#` are skipped.
///
/// # Errors
/// When the file cannot be read, a line is no legal position, or there is none.
pub fn read(path: &Path) -> Result<Vec<Board>, LabError> {
    parse(&text(path)?, &path.display().to_string())
}

fn text(path: &Path) -> Result<String, LabError> {
    let missing = |cause: io::Error| LabError::MissingSuite {
        path: path.to_owned(),
        cause,
    };
    fs::read_to_string(path).map_err(missing)
}

/// A number for what a file of positions holds.
///
/// # Errors
/// When the file cannot be read.
pub fn hash(path: &Path) -> Result<u64, LabError> {
    let mut hasher = FnvHasher::default();
    hasher.write(text(path)?.as_bytes());
    Ok(hasher.finish())
}

/// At most `count` of the positions, evenly spread over all of them.
#[must_use]
pub fn spread(all: &[Board], count: usize) -> Vec<Board> {
    let count = count.min(all.len());
    (0..count)
        .map(|index| all[index * all.len() / count].clone())
        .collect()
}

fn parse(text: &str, origin: &str) -> Result<Vec<Board>, LabError> {
    let mut boards = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let board = board_of(line).map_err(|cause| LabError::BadPosition {
            origin: origin.to_owned(),
            line: index + 1,
            text: line.to_owned(),
            cause,
        })?;
        boards.push(board);
    }
    if boards.is_empty() {
        return Err(LabError::EmptySuite {
            origin: origin.to_owned(),
        });
    }
    Ok(boards)
}

/// The first four fields make the position; clocks are taken if they are there, and EPD's
/// operations are not looked at.
fn board_of(line: &str) -> Result<Board, String> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    if fields.len() < 4 {
        return Err(format!("{} fields, at least 4 are needed", fields.len()));
    }
    let clock = |index: usize, default| {
        fields
            .get(index)
            .and_then(|field| field.parse::<u16>().ok())
            .unwrap_or(default)
    };
    let clocks = (clock(4, 0), clock(5, 1));
    let fen = format!("{} {} {}", fields[..4].join(" "), clocks.0, clocks.1);
    Board::from_fen(&fen, false).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_positions_are_legal_and_many() {
        assert!(built_in().unwrap().len() >= 200);
    }

    #[test]
    fn epd_operations_and_comments_are_skipped() {
        let text = "# two\n\n8/8/8/8/8/4k3/8/4K3 w - - bm Kd1; id \"1\";\n\
                    4k3/8/8/8/8/8/8/4K3 b - - 12 40\n";
        let boards = parse(text, "a test").unwrap();
        assert_eq!(boards.len(), 2);
        assert_eq!(boards[1].halfmove_clock(), 12);
    }

    #[test]
    fn a_bad_line_is_named_with_its_number() {
        let error = parse("4k3/8/8/8/8/8/8/4K3 b - -\nnonsense here\n", "x.epd").unwrap_err();
        let message = error.to_string();
        assert!(
            message.starts_with("x.epd, line 2: \"nonsense here\""),
            "{message}"
        );
        assert!(matches!(
            parse("\n# nothing\n", "x"),
            Err(LabError::EmptySuite { .. })
        ));
    }

    #[test]
    fn a_spread_takes_from_everywhere_and_never_too_much() {
        let all = built_in().unwrap();
        let few = spread(&all, 4);
        assert_eq!(few.len(), 4);
        assert_eq!(few[2], all[all.len() / 2]);
        assert_eq!(spread(&all, usize::MAX).len(), all.len());
    }
}
