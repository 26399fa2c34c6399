//! Where games begin: a book in a random order, or random moves.

use std::{collections::HashSet, sync::Arc};

use sextant_board::{Epd, MoveSets, Position, Random};
use thiserror::Error;

/// Random plies from the start position when there is no book.
const RANDOM_PLIES: usize = 8;

/// The openings of a match. The seed alone decides which pair gets which.
#[derive(Clone, Debug)]
pub struct Openings {
    seed: u64,
    book: Option<Arc<[Position]>>,
    /// The number of the first opening, if the book begins again at its end.
    endless_from: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BookError {
    #[error("line {line}: {why}; the line is {text:?}")]
    Line {
        /// Line number, from 1.
        line: usize,
        text: String,
        why: String,
    },
    #[error("the book holds no position; a book has one FEN or EPD a line")]
    Empty,
}

impl Openings {
    /// Reads a book, one FEN or EPD a line; a byte-order mark, empty lines and lines that begin
    /// with `#` are skipped, and so are positions that were there before: at a fixed number of
    /// nodes a repeated opening repeats its games, and the statistics would count one result twice.
    pub fn from_book(text: &str, seed: u64) -> Result<Openings, BookError> {
        let mut book = Vec::new();
        let mut seen = HashSet::new();
        for (line, text) in numbered_lines(text) {
            let position = read(text).map_err(|why| BookError::Line {
                line,
                text: text.chars().take(100).collect(),
                why,
            })?;
            if seen.insert(position.key()) {
                book.push(position);
            }
        }
        if book.is_empty() {
            return Err(BookError::Empty);
        }
        Random::new(seed).shuffle(&mut book);
        Ok(Openings {
            book: Some(book.into()),
            ..Openings::random(seed)
        })
    }

    /// Openings of eight random moves from the start position.
    pub fn random(seed: u64) -> Openings {
        Openings {
            seed,
            book: None,
            endless_from: None,
        }
    }

    /// The openings from number `first` on, where a book that is at its end begins again: for a row
    /// of matches between players who are never the same.
    pub fn endless_from(&self, first: u64) -> Openings {
        Openings {
            endless_from: Some(first),
            ..self.clone()
        }
    }

    /// How many openings there are; `None` if there is no end to them.
    pub fn count(&self) -> Option<u64> {
        let book = self.book.as_ref().filter(|_| self.endless_from.is_none());
        book.map(|book| book.len() as u64)
    }

    /// The opening of game pair `index`, `None` beyond the book's end.
    pub fn get(&self, index: u64) -> Option<Position> {
        let index = index + self.endless_from.unwrap_or(0);
        match &self.book {
            Some(book) => {
                let length = book.len() as u64;
                let index = self.endless_from.map_or(index, |_| index % length);
                book.get(usize::try_from(index).ok()?).cloned()
            }
            None => Some(random_opening(&mut Random::of_item(self.seed, index))),
        }
    }
}

/// The lines with their numbers, from 1, without a byte-order mark, empty lines and comments.
pub(crate) fn numbered_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.trim_start_matches('\u{feff}');
    (1..)
        .zip(text.lines().map(str::trim))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// A position in which the game is not over; an error says what is wrong.
fn read(text: &str) -> Result<Position, String> {
    let epd = Epd::parse(text).map_err(|error| error.to_string())?;
    if MoveSets::generate(&epd.position).is_empty() {
        return Err("the side to move has no legal move".to_owned());
    }
    Ok(epd.position)
}

/// Random moves until none of them ended the game.
fn random_opening(random: &mut Random) -> Position {
    'again: loop {
        let mut position = Position::startpos();
        for _ in 0..RANDOM_PLIES {
            let moves: Vec<_> = MoveSets::generate(&position).iter().collect();
            if moves.is_empty() {
                continue 'again;
            }
            position = position.make(moves[random.below(moves.len())]).0;
        }
        if !MoveSets::generate(&position).is_empty() {
            return position;
        }
    }
}

#[cfg(test)]
mod tests {
    use sextant_board::to_fen;

    use super::*;

    const BOOK: &str = "\
# three openings, one of them twice
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -
rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1

rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1
rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - hmvc 0; id \"English\";
";

    fn all(openings: &Openings) -> Vec<String> {
        (0..openings.count().unwrap())
            .map(|i| to_fen(&openings.get(i).unwrap(), false))
            .collect()
    }

    #[test]
    fn a_book_in_the_order_of_its_seed() {
        let book = |seed| Openings::from_book(BOOK, seed).unwrap();
        assert_eq!(all(&book(3)), all(&book(3)));
        let orders: HashSet<_> = (0..50).map(|seed| all(&book(seed))).collect();
        assert!(orders.iter().all(|order| order.len() == 3));
        assert_eq!(orders.len(), 6, "all orders of three openings come up");
        assert!(book(1).get(3).is_none());
        let (once, endless) = (book(3), book(3).endless_from(5));
        assert_eq!((endless.count(), endless.get(4)), (None, once.get(0)));
    }

    #[test]
    fn bad_books_are_refused_by_line() {
        let error = |text| Openings::from_book(text, 0).unwrap_err().to_string();
        let two = "4k3/8/8/8/8/8/8/4K2R w K - 0 1\n4k3/8/8/8/8/8/8/8 w - - 0 1\n";
        assert_eq!(
            error(two),
            "line 2: White has 0 kings instead of 1; the line is \"4k3/8/8/8/8/8/8/8 w - - 0 1\""
        );
        assert!(error("\n7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").starts_with("line 2: the side to move"));
        assert!(error("# nothing\n").contains("no position"));
        assert!(error(&"x".repeat(100_000)).len() < 400);
    }
}
