//! How a search ends: with a value, or because it was told to.

use sextant_board::Score;

/// The search was told to stop; whatever was being searched has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// The value of a node, or the news that the search is over.
pub(crate) type Flow<T = Score> = Result<T, Stopped>;
