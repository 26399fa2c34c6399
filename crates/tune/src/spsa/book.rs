//! The openings of a run.

use std::{
    fs,
    path::{Path, PathBuf},
};

use sextant_search::play::Openings;

use crate::failure::Failure;

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

    /// Tells books apart: FNV-1a (Fowler, Noll and Vo), whose values do not change with a library's
    /// version; empty without a book.
    pub(super) fn hash(&self) -> String {
        let fnv = |bytes: &[u8]| {
            bytes
                .iter()
                .fold(0xcbf2_9ce4_8422_2325, |hash: u64, &byte| {
                    (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
                })
        };
        let text = self.0.as_ref().map(|(_, text)| text.as_bytes());
        text.map_or_else(String::new, |text| format!("{:016x}", fnv(text)))
    }
}
