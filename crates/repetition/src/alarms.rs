//! How often the filter was asked and how often it had to pass the question on.

use std::cell::Cell;

/// What became of the questions since the last [`set_game`](crate::History::set_game) or
/// [`clear`](crate::History::clear): `queries >= maybes >= hits`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Alarms {
    /// Questions that reached the filter. Those answered by the clock alone are not counted.
    pub queries: u64,
    /// Questions that the filter could not answer with no, so that the history was scanned.
    pub maybes: u64,
    /// Maybes that the scan confirmed by the rule (second occurrence inside the search, third
    /// otherwise). A maybe below that is either a shared counter or an occurrence too few.
    pub hits: u64,
}

/// The running counts, behind cells so that asking needs no `&mut`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    queries: Cell<u64>,
    maybes: Cell<u64>,
    hits: Cell<u64>,
}

impl Tally {
    #[inline]
    pub(crate) fn query(&self) {
        self.queries.set(self.queries.get() + 1);
    }

    #[inline]
    pub(crate) fn maybe(&self, confirmed: bool) {
        self.maybes.set(self.maybes.get() + 1);
        self.hits.set(self.hits.get() + u64::from(confirmed));
    }

    pub(crate) fn read(&self) -> Alarms {
        Alarms {
            queries: self.queries.get(),
            maybes: self.maybes.get(),
            hits: self.hits.get(),
        }
    }
}
