//! Chess positions for the experiments: built in, or from a file with one FEN or EPD a line.

use std::path::Path;

use sextant_board::Epd;
use sextant_cli::{failure::Failure, files};

/// Openings, middle games and endings from the CC0 opening books of the Stockfish project.
const POSITIONS: &str = include_str!("../testdata/positions.epd");
/// Reinfeld's and the Encyclopedia's combinations.
const TACTICS: &str = include_str!("../testdata/tactics.epd");
/// A larger file is no suite.
const LARGEST: u64 = 64 * files::MIB;

/// A line of a suite and its number, from 1.
pub(crate) type Line = (usize, Epd);

pub(crate) fn built_in() -> Result<Vec<Line>, Failure> {
    parse(POSITIONS, "the built-in list of positions")
}

pub(crate) fn tactics() -> Result<Vec<Line>, Failure> {
    parse(TACTICS, "the built-in list of combinations")
}

/// Reads a suite; empty lines and lines that begin with `#` are skipped.
///
/// # Errors
/// When the file cannot be read, a line is no legal position, or there is none.
pub(crate) fn read(path: &Path) -> Result<Vec<Line>, Failure> {
    parse(&text(path)?, &path.display().to_string())
}

/// The text of a suite.
pub(crate) fn text(path: &Path) -> Result<String, Failure> {
    files::read_text(path, LARGEST).map_err(|error| {
        Failure::work(error).advise(
            "give a file with one FEN or EPD a line, or leave --suite out to use the built-in \
             positions",
        )
    })
}

/// At most `count` of the items, evenly spread over all of them.
pub(crate) fn spread<T: Clone>(all: &[T], count: usize) -> Vec<T> {
    let count = count.min(all.len());
    let places = (0..count).map(|index| index * all.len() / count);
    places.map(|place| all[place].clone()).collect()
}

fn parse(text: &str, origin: &str) -> Result<Vec<Line>, Failure> {
    let lines = text.lines().map(str::trim).zip(1..);
    let written = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
    let parsed = written.map(|(line, number)| {
        Epd::parse(line).map(|epd| (number, epd)).map_err(|cause| {
            Failure::work(format!(
                "{origin}, line {number}: \"{line}\" is no legal position ({cause}); expected a \
                 FEN or EPD"
            ))
        })
    });
    let suite = parsed.collect::<Result<Vec<Line>, Failure>>()?;
    if suite.is_empty() {
        let text = format!("{origin} holds no position; expected one FEN or EPD a line");
        return Err(Failure::work(text));
    }
    Ok(suite)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_skipped_and_clocks_are_read() {
        let text = "# two\n\n8/8/8/8/8/4k3/8/4K3 w - - bm Kd1; id \"1\";\n\
                    4k3/8/8/8/8/8/8/4K3 b - - 12 40\n";
        let suite = parse(text, "a test").unwrap();
        assert_eq!(suite.len(), 2);
        assert_eq!((suite[0].0, suite[1].1.position.clock()), (3, 12));
    }

    #[test]
    fn a_bad_line_is_named_with_its_number() {
        let error = parse("4k3/8/8/8/8/8/8/4K3 b - -\nnonsense here\n", "x.epd").unwrap_err();
        let message = error.to_string();
        let expected = "x.epd, line 2: \"nonsense here\" is no legal position";
        assert!(message.starts_with(expected), "{message}");
        let error = parse("\n# nothing\n", "x").unwrap_err();
        assert!(error.to_string().starts_with("x holds no position"));
    }

    #[test]
    fn a_spread_takes_from_everywhere_and_never_too_much() {
        let all = built_in().unwrap();
        assert!(all.len() >= 200);
        let few = spread(&all, 4);
        assert_eq!((few.len(), few[2].0), (4, all[all.len() / 2].0));
        assert_eq!(spread(&all, usize::MAX).len(), all.len());
    }
}
