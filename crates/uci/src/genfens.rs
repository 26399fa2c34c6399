//! `genfens N seed S book B`: openings for data generation, as OpenBench asks for them.

use sextant_board::{MoveSets, Position, to_fen};
use sextant_config::Config;
use sextant_search::{
    Engine, EngineError, Game, Limits, NetworkError,
    play::{BookError, Openings, Random},
};
use thiserror::Error;

use crate::{networks, output::Output};

/// Random plies behind a position of the book.
const PLIES_AFTER_BOOK: usize = 4;
/// Nodes of the search that judges an opening.
const JUDGE_NODES: u64 = 1_000;
/// Openings that are more unequal than this many centipawns teach little.
const MOST_UNEQUAL: i32 = 400;
/// Candidates for each opening asked for, before it is given up.
const PATIENCE: u64 = 1_000;

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
    #[error("genfens: cannot read the book {path:?}: {source}")]
    Unreadable {
        /// The file.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// The book is none.
    #[error("genfens: {0}")]
    Book(#[from] BookError),
    /// No engine to judge them.
    #[error("genfens: {0}")]
    Engine(#[from] EngineError),
    /// No network for that engine.
    #[error("genfens: {0}")]
    Network(#[from] NetworkError),
    /// The book leads to nothing but lost positions.
    #[error("genfens: found {found} of {wanted} balanced openings; use another book")]
    TooFew {
        /// Openings printed.
        found: u64,
        /// Openings asked for.
        wanted: u64,
    },
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
///
/// # Errors
/// [`GenFensError`] if there is no book or too few openings come of it.
pub(crate) fn run(request: &Request, config: &Config, output: &Output) -> Result<(), GenFensError> {
    let openings = match &request.book {
        Some(path) => {
            let text =
                std::fs::read_to_string(path).map_err(|source| GenFensError::Unreadable {
                    path: path.clone(),
                    source,
                })?;
            Openings::from_book(&text, request.seed)?
        }
        None => Openings::random(request.seed),
    };
    let mut engine = Engine::with_network(config.clone(), networks::open(config)?)?;
    let mut found = 0;
    for index in 0..request.count.saturating_mul(PATIENCE) {
        if found == request.count {
            break;
        }
        let Some(position) = candidate(&openings, request.seed, index) else {
            continue;
        };
        if is_balanced(&mut engine, &position) {
            output.line(format_args!(
                "info string genfens {}",
                to_fen(&position, false)
            ));
            found += 1;
        }
    }
    if found < request.count {
        return Err(GenFensError::TooFew {
            found,
            wanted: request.count,
        });
    }
    Ok(())
}

/// The opening number `index`; a book begins anew at its end, with other moves behind it.
fn candidate(openings: &Openings, seed: u64, index: u64) -> Option<Position> {
    let Some(count) = openings.count() else {
        return openings.get(index);
    };
    let mut position = openings.get(index.checked_rem(count)?)?;
    let mut random = Random::of_item(seed, index);
    for _ in 0..PLIES_AFTER_BOOK {
        let moves: Vec<_> = MoveSets::generate(&position).iter().collect();
        let mv = moves.get(random.below(moves.len().max(1)))?;
        position = position.make(*mv).0;
    }
    (!MoveSets::generate(&position).is_empty()).then_some(position)
}

fn is_balanced(engine: &mut Engine, position: &Position) -> bool {
    engine.new_game();
    let limits = Limits {
        nodes: Some(JUDGE_NODES),
        ..Limits::default()
    };
    let game = Game::new(position.clone());
    let outcome = engine.go_armed(&game, &limits, 1, &mut |_| ());
    outcome.score().raw().abs() <= MOST_UNEQUAL
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
