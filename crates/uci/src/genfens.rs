//! `genfens N seed S book B`: openings for data generation, as OpenBench asks for them.

use sextant_board::to_fen;
use sextant_cli::files::{self, FileError};
use sextant_config::Config;
use sextant_play::{BookError, Openings, TrainingStarts, TrainingStartsError};
use sextant_search::{Engine, EngineError, NetworkError};
use thiserror::Error;

use crate::{networks, output::Output};

/// Larger than any book of openings.
const MAX_BOOK_BYTES: u64 = 1 << 30;

/// Random plies behind a position of the book, and behind the initial one.
const PLIES_AFTER_BOOK: usize = 4;
const PLIES_FROM_START: usize = 8;
/// Nodes of the search that judges an opening.
const JUDGE_NODES: u64 = 1_000;
/// Openings that are more unequal than this many centipawns teach little.
const MOST_UNEQUAL: i32 = 400;

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    count: u64,
    seed: u64,
    /// A file of positions; `None` starts from the initial one.
    book: Option<String>,
}

/// Why there are no openings.
#[derive(Debug, Error)]
pub(crate) enum GenFensError {
    /// The book cannot be read.
    #[error("genfens: {0}")]
    Unreadable(#[from] FileError),
    /// The book is none.
    #[error("genfens: {path}: {source}")]
    Book { path: String, source: BookError },
    /// No engine to judge them.
    #[error("genfens: {0}")]
    Engine(#[from] EngineError),
    /// No network for that engine.
    #[error("genfens: {0}")]
    Network(#[from] NetworkError),
    /// The book leads to nothing but lost positions.
    #[error("genfens: {0}")]
    Starts(#[from] TrainingStartsError),
}

impl Request {
    /// Reads what stands after `genfens`; words that mean nothing here are skipped, since the tool
    /// lets its users add their own.
    pub(crate) fn parse(text: &str) -> Option<Request> {
        let mut words = text.split_whitespace();
        let count = words.next()?.parse().ok()?;
        let mut request = Request {
            count,
            seed: 0,
            book: None,
        };
        while let Some(word) = words.next() {
            match word {
                "seed" => request.seed = words.next()?.parse().ok()?,
                "book" => request.book = words.next().map(str::to_owned),
                _ => {}
            }
        }
        request.book = request
            .book
            .filter(|book| !book.eq_ignore_ascii_case("none"));
        Some(request)
    }
}

/// Prints the openings, one `info string genfens FEN` each. The seed alone decides them. `is_stopped`
/// is asked before each.
///
/// # Errors
/// [`GenFensError`] if there is no book or too few openings come of it.
pub(crate) fn run(
    request: &Request,
    config: &Config,
    is_stopped: &dyn Fn() -> bool,
    output: &Output,
) -> Result<(), GenFensError> {
    let book = match &request.book {
        Some(path) => {
            let text = files::read_text(path.as_ref(), MAX_BOOK_BYTES)?;
            let book = Openings::from_book(&text, request.seed);
            Some(book.map_err(|source| GenFensError::Book {
                path: path.clone(),
                source,
            })?)
        }
        None => None,
    };
    let plies = if book.is_some() {
        PLIES_AFTER_BOOK
    } else {
        PLIES_FROM_START
    };
    let starts = TrainingStarts {
        seed: request.seed,
        book,
        chess960_per_mille: 0,
        random_plies: plies..=plies,
        judge_nodes: JUDGE_NODES,
        most_unequal: MOST_UNEQUAL,
    };
    let mut engine = Engine::with_network(config.clone(), networks::open(config)?)?;
    for index in 0..request.count {
        if is_stopped() {
            output.note("genfens was stopped");
            break;
        }
        engine.new_game();
        let start = starts.find(&mut engine, index)?;
        output.line(format_args!(
            "info string genfens {}",
            to_fen(&start, false)
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_in_the_form_of_the_tool() {
        let parse = |text| Request::parse(text);
        let all = parse("5 seed 42 book None extra words").unwrap();
        assert_eq!(
            all,
            Request {
                count: 5,
                seed: 42,
                book: None
            }
        );
        let book = parse("1 seed 7 book books/uho.epd").unwrap();
        assert_eq!(book.book.as_deref(), Some("books/uho.epd"));
        for text in ["", "x", "5 seed", "5 seed x", "-1 seed 2"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
