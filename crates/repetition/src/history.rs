//! The exact history, and the questions asked of it through the filter.

use std::cell::Cell;

use crate::counting::{CountingFilter, FilterBitsError};

/// How many plies beyond the game [`History`] has room for without allocating.
pub const SEARCH_PLIES: usize = 256;

/// The shortest way back to a position, in plies: both sides must leave and return.
const SHORTEST_CYCLE: u16 = 4;

/// What became of the questions since the last [`set_game`](History::set_game) or
/// [`clear`](History::clear): `queries >= maybes >= hits`.
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

/// One position of the game or of the line.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    /// How many plies back a position may lie and still be repeated by this one: the plies since
    /// the last irreversible move, null move or start of the history, whichever is the latest.
    reach: u16,
}

/// The keys of a game and of the line being searched, with a filter in front of them.
///
/// One instance belongs to one search thread. After [`set_game`](Self::set_game), `enter` and
/// `leave` do not allocate as long as the line stays within [`SEARCH_PLIES`] plies; a longer line
/// grows the memory and stays correct.
#[derive(Clone, Debug)]
pub struct History {
    entries: Vec<Entry>,
    /// How many of `entries` belong to the game; the last of these is the root.
    game_len: usize,
    filter: CountingFilter,
    /// In a cell, so that asking needs no `&mut`.
    alarms: Cell<Alarms>,
}

impl History {
    /// An empty history with a filter of `1 << filter_bits` bytes.
    ///
    /// # Errors
    ///
    /// [`FilterBitsError`] when `filter_bits` is outside [`FILTER_BITS`](crate::FILTER_BITS).
    pub fn new(filter_bits: u32) -> Result<History, FilterBitsError> {
        Ok(History {
            entries: Vec::with_capacity(SEARCH_PLIES),
            game_len: 0,
            filter: CountingFilter::new(filter_bits)?,
            alarms: Cell::default(),
        })
    }

    /// Forgets the game, the line and the counts of [`alarms`](Self::alarms).
    pub fn clear(&mut self) {
        self.entries.clear();
        self.game_len = 0;
        self.filter.clear();
        self.alarms = Cell::default();
    }

    /// Starts a search: replaces everything by the game so far.
    ///
    /// Each item is a position's key and its half-move clock, from the oldest position to the
    /// root, both included. What precedes the last irreversible move is dropped, for it cannot be
    /// repeated any more. A root without a known past is a game of one item; its clock then says
    /// nothing about positions that were not given.
    pub fn set_game(&mut self, keys: impl IntoIterator<Item = (u64, u16)>) {
        self.clear();
        for (key, clock) in keys {
            let reach = self.reach_of_next(clock);
            if reach == 0 {
                self.entries.clear();
            }
            self.entries.push(Entry { key, reach });
        }
        self.game_len = self.entries.len();
        self.entries.reserve(SEARCH_PLIES);
        for entry in &self.entries {
            self.filter.raise(entry.key);
        }
    }

    /// A move was made that led to the position `key` with this half-move clock (0 after an
    /// irreversible move).
    #[inline]
    pub fn enter(&mut self, key: u64, clock: u16) {
        let reach = self.reach_of_next(clock);
        self.push(key, reach);
    }

    /// A null move was made that led to the position `key`.
    ///
    /// A null move is not a move of the game: nothing before it repeats with anything after it.
    #[inline]
    pub fn enter_null(&mut self, key: u64) {
        self.push(key, 0);
    }

    /// Takes back the last [`enter`](Self::enter) or [`enter_null`](Self::enter_null).
    ///
    /// # Panics
    ///
    /// When nothing was entered since [`set_game`](Self::set_game): the caller's moves and
    /// take-backs do not pair up.
    #[inline]
    pub fn leave(&mut self) {
        assert!(
            self.entries.len() > self.game_len,
            "History::leave at the root"
        );
        if let Some(left) = self.entries.pop() {
            self.filter.lower(left.key);
        }
    }

    /// How many positions were entered and not left since the root.
    #[inline]
    pub fn plies(&self) -> usize {
        self.entries.len() - self.game_len
    }

    /// Whether the current position (the last entered, or the root) is a draw by repetition: it
    /// occurred before after the root, or at least twice before within the game.
    #[inline]
    pub fn is_repetition(&self) -> bool {
        let Some(current) = self.entries.last() else {
            return false;
        };
        if current.reach < SHORTEST_CYCLE {
            return false;
        }
        self.count(|alarms| alarms.queries += 1);
        // The position itself is in the filter, so only a second one there is news.
        self.filter.count(current.key) >= 2
            && self.confirm(current.key, self.entries.len() - 1, current.reach)
    }

    /// How many earlier occurrences of the current position are there, exactly, since the last
    /// irreversible or null move? Does not ask the filter.
    pub fn occurrences(&self) -> usize {
        self.entries.last().map_or(0, |current| {
            self.earlier(self.entries.len() - 1, current.reach)
                .filter(|&index| self.entries[index].key == current.key)
                .count()
        })
    }

    /// Whether a reversible move to `child_key` would make a draw by repetition, by the rule of
    /// [`is_repetition`](Self::is_repetition).
    ///
    /// Only for moves that do not reset the half-move clock: an irreversible move repeats nothing.
    #[inline]
    pub fn would_repeat(&self, child_key: u64) -> bool {
        let reach = self.reach_of_next(u16::MAX);
        if reach < SHORTEST_CYCLE {
            return false;
        }
        self.count(|alarms| alarms.queries += 1);
        self.filter.count(child_key) >= 1 && self.confirm(child_key, self.entries.len(), reach)
    }

    /// What became of the questions since the last [`set_game`](Self::set_game).
    pub fn alarms(&self) -> Alarms {
        self.alarms.get()
    }

    #[inline]
    fn count(&self, change: impl FnOnce(&mut Alarms)) {
        let mut alarms = self.alarms.get();
        change(&mut alarms);
        self.alarms.set(alarms);
    }

    #[inline]
    fn reach_of_next(&self, clock: u16) -> u16 {
        // The clock alone is not enough: a game given from its middle and a null move both have
        // less behind them than the clock says.
        self.entries
            .last()
            .map_or(0, |last| clock.min(last.reach.saturating_add(1)))
    }

    #[inline]
    fn push(&mut self, key: u64, reach: u16) {
        self.entries.push(Entry { key, reach });
        self.filter.raise(key);
    }

    /// Settles a maybe: the rule itself, for a position that stands (or would stand) at `index`.
    #[inline(never)]
    fn confirm(&self, key: u64, index: usize, reach: u16) -> bool {
        let mut same = self
            .earlier(index, reach)
            .filter(|&earlier| self.entries[earlier].key == key);
        // The newest occurrence comes first: if that one is not inside the search, none is.
        let repeated = same
            .next()
            .is_some_and(|newest| newest >= self.game_len || same.next().is_some());
        self.count(|alarms| {
            alarms.maybes += 1;
            alarms.hits += u64::from(repeated);
        });
        repeated
    }

    /// The places where a position at `index` may have occurred before, the newest first. Every
    /// second ply has the other side to move.
    #[inline]
    fn earlier(&self, index: usize, reach: u16) -> impl Iterator<Item = usize> + use<> {
        (SHORTEST_CYCLE..=reach)
            .step_by(2)
            .map(move |back| index - usize::from(back))
    }
}

#[cfg(test)]
mod tests {
    use super::{History, SEARCH_PLIES};

    #[test]
    fn a_line_of_the_promised_length_takes_no_memory() {
        for plies in [0, 1, 100, 500, 6_000] {
            let mut history = History::new(14).expect("an allowed size");
            history.set_game((0..plies).map(|ply| (u64::from(ply), ply)));
            let capacity = history.entries.capacity();
            for ply in 0..SEARCH_PLIES as u16 {
                history.enter(u64::from(ply % 16), plies + ply);
            }
            assert_eq!(history.plies(), SEARCH_PLIES);
            assert_eq!(
                history.entries.capacity(),
                capacity,
                "a game of {plies} plies"
            );
        }
    }
}
