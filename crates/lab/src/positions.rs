//! Chess positions for the experiments: built in, or from a file with one FEN or EPD a line.

use std::path::Path;

use sextant_board::Epd;
use sextant_cli::{failure::Failure, files};

/// Openings, middle games and endings from the CC0 opening books of the Stockfish project.
const POSITIONS: &str = include_str!("../testdata/positions.epd");
/// Reinfeld's and the Encyclopedia's combinations.
const TACTICS: &str = include_str!("../testdata/tactics.epd");
/// Mates in 3 to 8 from games of the engine with itself.
const MATES: &str = include_str!("../testdata/mates.epd");
/// A larger file is no suite.
const LARGEST: u64 = 64 * files::MIB;

/// The positions of a suite, or those that are built in. Empty lines and lines that begin with `#`
/// are skipped; what has no name is called by its place, as in `line 12`.
///
/// # Errors
/// When the file cannot be read, a line is no legal position, or there is none.
pub(crate) fn read(suite: Option<&Path>) -> Result<Vec<Epd>, Failure> {
    match suite {
        Some(path) => parse(&text(path)?, &path.display().to_string()),
        None => parse(POSITIONS, "the built-in list of positions"),
    }
}

/// The positions of a suite that name moves to find or to avoid, or the built-in combinations if
/// there are none.
///
/// # Errors
/// As [`read`].
pub(crate) fn problems(suite: Option<&Path>) -> Result<Vec<Epd>, Failure> {
    let mut problems = suite.map_or(Ok(Vec::new()), |path| read(Some(path)))?;
    problems.retain(|epd| !epd.bm.is_empty() || !epd.am.is_empty());
    if problems.is_empty() {
        problems = parse(TACTICS, "the built-in list of combinations")?;
    }
    Ok(problems)
}

/// The built-in mates, each with its length (`dm`).
///
/// # Errors
/// None but a line that is no position.
pub(crate) fn mates() -> Result<Vec<Epd>, Failure> {
    parse(MATES, "the built-in list of mates")
}

/// The text of a suite.
pub(crate) fn text(path: &Path) -> Result<String, Failure> {
    files::read_positions(path, LARGEST).map_err(|error| {
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

fn parse(text: &str, origin: &str) -> Result<Vec<Epd>, Failure> {
    let lines = text.lines().map(str::trim).zip(1..);
    let written = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
    let parsed = written.map(|(line, number)| {
        let mut epd = Epd::parse(line).map_err(|cause| {
            Failure::work(format!(
                "{origin}, line {number}: \"{line}\" is no legal position ({cause}); expected a \
                 FEN or EPD"
            ))
        })?;
        epd.id.get_or_insert_with(|| format!("line {number}"));
        Ok(epd)
    });
    let suite = parsed.collect::<Result<Vec<Epd>, Failure>>()?;
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
    fn comments_are_skipped_and_clocks_are_read_and_bad_lines_are_named() {
        let text = "# two\n\n8/8/8/8/8/4k3/8/4K3 w - - bm Kd1; id \"1\";\n\
                    4k3/8/8/8/8/8/8/4K3 b - - 12 40\n";
        let suite = parse(text, "a test").unwrap();
        let name = |epd: &Epd| epd.id.clone().unwrap();
        assert_eq!(suite.iter().map(name).collect::<Vec<_>>(), ["1", "line 4"]);
        assert_eq!(suite[1].position.clock(), 12);
        for (text, expected) in [
            (
                "4k3/8/8/8/8/8/8/4K3 b - -\nnonsense here\n",
                "x, line 2: \"nonsense here\" is no legal position",
            ),
            ("\n# nothing\n", "x holds no position"),
        ] {
            let message = parse(text, "x").unwrap_err().to_string();
            assert!(message.starts_with(expected), "{message}");
        }
    }

    #[test]
    fn a_spread_takes_from_everywhere_and_never_too_much() {
        let all: Vec<usize> = (0..200).collect();
        assert_eq!(spread(&all, 4), [0, 50, 100, 150]);
        assert_eq!(spread(&all, usize::MAX), all);
    }

    #[test]
    fn problems_name_moves_and_the_built_in_ones_stand_in_for_none() {
        let dir = tempfile::tempdir().unwrap();
        let suite = dir.path().join("suite.epd");
        let avoid = "4k3/8/8/8/8/8/8/R3K3 w - - am Ra7;\n";
        let silent = "4k3/8/8/8/8/8/8/4K3 w - -\n";
        for (text, count) in [([silent, avoid].concat(), 1), (silent.to_owned(), 483)] {
            std::fs::write(&suite, text).unwrap();
            assert_eq!(problems(Some(&suite)).unwrap().len(), count);
        }
    }
}
