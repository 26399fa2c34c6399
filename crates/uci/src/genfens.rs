//! `genfens N seed S book B`: openings for data generation, as OpenBench asks for them.

use sextant_board::to_fen;
use sextant_cli::files;
use sextant_config::Config;
use sextant_play::{Openings, TrainingStarts};
use sextant_search::Engine;

use crate::{error::Failure, output::Output, resources};

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

/// Prints the openings, one `info string genfens FEN` each. The seed alone decides them.
/// `is_stopped` is asked before each.
pub(crate) fn run(
    request: &Request,
    config: &Config,
    is_stopped: &dyn Fn() -> bool,
    output: &Output,
) -> Result<(), Failure> {
    let (book, plies) = match &request.book {
        None => (None, PLIES_FROM_START),
        Some(path) => {
            let text = files::read_positions(path.as_ref(), MAX_BOOK_BYTES)?;
            let book = Openings::from_book(&text, request.seed);
            let book = book.map_err(|error| format!("{path}: {error}"))?;
            (Some(book), PLIES_AFTER_BOOK)
        }
    };
    let starts = TrainingStarts {
        seed: request.seed,
        book,
        chess960_per_mille: 0,
        random_plies: plies..=plies,
        judge_nodes: JUDGE_NODES,
        most_unequal: MOST_UNEQUAL,
    };
    let mut engine = Engine::with_network(config.clone(), resources::network(config)?)?;
    for index in 0..request.count {
        if is_stopped() {
            output.note("genfens was stopped");
            break;
        }
        engine.new_game();
        let start = to_fen(&starts.find(&mut engine, index)?, false);
        output.line(format_args!("info string genfens {start}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_in_the_form_of_the_tool() {
        let request = |count, seed, book: Option<&str>| {
            let book = book.map(str::to_owned);
            Some(Request { count, seed, book })
        };
        for (text, expected) in [
            ("5 seed 42 book None extra words", request(5, 42, None)),
            (
                "1 seed 7 book books/uho.epd",
                request(1, 7, Some("books/uho.epd")),
            ),
            ("", None),
            ("x", None),
            ("5 seed", None),
            ("5 seed x", None),
            ("-1 seed 2", None),
        ] {
            assert_eq!(Request::parse(text), expected, "{text}");
        }
    }
}
