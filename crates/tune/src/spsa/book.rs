//! The openings of a run.

use std::{
    fs,
    path::{Path, PathBuf},
};

use sextant_play::Openings;

use crate::{
    failure::Failure,
    hash::{fnv, hex},
};

/// A book that was read, or random openings.
pub(super) struct Book(Option<(PathBuf, String)>);

impl Book {
    /// Reads the book; without one openings are random.
    ///
    /// # Errors
    /// [`Failure`] if it cannot be read.
    pub(super) fn read(path: Option<&Path>) -> Result<Book, Failure> {
        let read = |path: &Path| {
            let text = fs::read_to_string(path).map_err(|error| {
                Failure::usage(format!("cannot read the book {}: {error}", path.display()))
            })?;
            Ok((path.to_owned(), text))
        };
        Ok(Book(path.map(read).transpose()?))
    }

    /// The openings in the order of a seed.
    ///
    /// # Errors
    /// [`Failure`] names the first bad line.
    pub(super) fn openings(&self, seed: u64) -> Result<Openings, Failure> {
        match &self.0 {
            Some((path, text)) => Openings::from_book(text, seed)
                .map_err(|error| Failure::usage(format!("{}: {error}", path.display()))),
            None => Ok(Openings::random(seed)),
        }
    }

    /// Tells books apart; empty without a book.
    pub(super) fn hash(&self) -> String {
        let text = self.0.as_ref().map(|(_, text)| text.as_bytes());
        text.map_or_else(String::new, |text| hex(fnv(text)))
    }
}
