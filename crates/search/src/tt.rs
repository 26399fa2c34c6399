//! The transposition table: shared by all threads without locks.
//!
//! Plain relaxed atomics: a slot that two threads write at once fails its check and is no entry.

mod entry;

use std::{
    num::NonZero,
    sync::atomic::{AtomicU8, AtomicU64, Ordering},
    thread,
};

use sextant_board::{Move, PackedMove, Piece, Position, prefetch};

pub(crate) use entry::Entry;
use entry::{AGES, Packed};

use crate::{
    budget::Depth,
    memory::{ZeroPages, Zeroed},
    window::Bound,
};

/// Up to this clock a position's key is its table key; above, positions of different clock buckets
/// are kept apart, because the fifty-move rule makes them different.
const CLOCK_BUCKETS_FROM: u16 = 14;
/// An odd number that spreads small ones over all bits of a key (the golden ratio).
const CLOCK_SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// The key under which a position is kept in the table.
#[inline]
pub(crate) fn tt_key(pos: &Position) -> u64 {
    at_clock(pos.key(), pos.clock())
}

/// The key of exact mode: every half-move clock has its own, for it moves the evaluation.
pub(crate) fn exact_tt_key(pos: &Position) -> u64 {
    pos.key() ^ u64::from(pos.clock()).wrapping_mul(CLOCK_SPREAD)
}

/// The table key after a move that was not made yet, right for most moves: to ask for its entry
/// early.
#[inline]
pub(crate) fn tt_key_guess(pos: &Position, mv: Move) -> u64 {
    let board = pos.board();
    let zeroing =
        board.pieces(Piece::Pawn).has(mv.from) || board.colors(!pos.side_to_move()).has(mv.to);
    at_clock(pos.key_guess(mv), if zeroing { 0 } else { pos.clock() + 1 })
}

fn at_clock(key: u64, clock: u16) -> u64 {
    if clock < CLOCK_BUCKETS_FROM {
        return key;
    }
    key ^ (u64::from(clock / 8) + 1).wrapping_mul(CLOCK_SPREAD)
}

#[derive(Debug, Default)]
struct Slot {
    data: AtomicU64,
    check: AtomicU64,
}

impl Slot {
    fn load(&self) -> Packed {
        Packed {
            data: self.data.load(Ordering::Relaxed),
            check: self.check.load(Ordering::Relaxed),
        }
    }

    fn store(&self, packed: Packed) {
        self.data.store(packed.data, Ordering::Relaxed);
        self.check.store(packed.check, Ordering::Relaxed);
    }
}

/// Four slots share a cache line.
const CLUSTER: usize = 4;

#[derive(Debug, Default)]
#[repr(align(64))]
struct Cluster([Slot; CLUSTER]);

/// Clusters of the table of mates: 4 MiB, which are only taken where mates are found.
const MATE_CLUSTERS: usize = 1 << 16;

/// Fewest clusters that are worth a thread, to clear them: 4 MiB.
const MIN_PART: usize = 1 << 16;

impl Cluster {
    /// Memory that was never written to is not taken from the system by being cleared.
    fn clear(&self) {
        for slot in &self.0 {
            let packed = slot.load();
            if packed.data != 0 || packed.check != 0 {
                slot.store(Packed { data: 0, check: 0 });
            }
        }
    }

    #[inline]
    fn probe(&self, key: u64) -> Option<Entry> {
        self.0.iter().find_map(|slot| slot.load().unpack(key))
    }

    /// The same position's entry is replaced unless it is of this search and much deeper; else the
    /// slot that is worth least, by draft and age, makes room.
    #[inline]
    fn store(&self, key: u64, mut entry: Entry, age: u8) {
        let mut target = &self.0[0];
        let mut least = i32::MAX;
        for slot in &self.0 {
            let packed = slot.load();
            if let Some(old) = packed.unpack(key) {
                if entry.mv == PackedMove::NONE {
                    entry.mv = old.mv;
                }
                let keep = entry.bound != Bound::Exact
                    && packed.age() == age
                    && entry.depth + Depth::plies(4) <= old.depth;
                if !keep {
                    slot.store(Packed::pack(key, &entry, age));
                }
                return;
            }
            let worth = if packed.is_empty() {
                i32::MIN
            } else {
                packed.draft() - 16 * i32::from((age + AGES - packed.age()) % AGES)
            };
            if worth < least {
                least = worth;
                target = slot;
            }
        }
        target.store(Packed::pack(key, &entry, age));
    }
}

#[inline]
fn cluster(clusters: &[Cluster], key: u64) -> &Cluster {
    let index = (u128::from(key) * clusters.len() as u128) >> 64;
    &clusters[index as usize]
}

// SAFETY: all bits 0 are a cluster of empty slots, and dropping one does nothing.
#[allow(unsafe_code)]
unsafe impl Zeroed for Cluster {}

/// The memory for a table could not be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a hash table of {megabytes} MB does not fit into memory; set Hash to less")]
pub struct TableTooLarge {
    pub megabytes: usize,
}

#[derive(Debug)]
pub(crate) struct TranspositionTable {
    clusters: ZeroPages<Cluster>,
    /// Proved mates once more, so that deep entries without one do not keep them out: the line of a
    /// mate is told from here. The search itself never asks it.
    mates: ZeroPages<Cluster>,
    age: AtomicU8,
}

impl TranspositionTable {
    /// An empty table of exactly `megabytes`, which come from the system as they are written to: a
    /// large table is ready at once, beside one that is still there.
    ///
    /// # Errors
    /// [`TableTooLarge`] if the system has not that much memory to promise.
    pub(crate) fn new(megabytes: usize) -> Result<TranspositionTable, TableTooLarge> {
        let too_large = TableTooLarge { megabytes };
        let bytes = megabytes.checked_mul(1 << 20).ok_or(too_large)?;
        let count = (bytes / size_of::<Cluster>()).max(1);
        Ok(TranspositionTable {
            clusters: ZeroPages::new(count).map_err(|_| too_large)?,
            mates: ZeroPages::new(MATE_CLUSTERS).map_err(|_| too_large)?,
            age: AtomicU8::new(0),
        })
    }

    /// Forgets everything, on all cores: a table of gigabytes takes one of them a second.
    pub(crate) fn clear(&self) {
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let part = self.clusters.len().div_ceil(cores).max(MIN_PART);
        let clear = |clusters: &[Cluster]| clusters.iter().for_each(Cluster::clear);
        let parts = self.clusters.chunks(part).chain([&self.mates[..]]);
        if cores == 1 {
            parts.for_each(clear);
        } else {
            thread::scope(|scope| parts.for_each(|part| drop(scope.spawn(move || clear(part)))));
        }
        self.age.store(0, Ordering::Relaxed);
    }

    /// A new search begins: what is in the table grows older.
    pub(crate) fn new_search(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age.store((age + 1) % AGES, Ordering::Relaxed);
    }

    /// Asks the processor to have the entry of `key` ready.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(cluster(&self.clusters, key));
    }

    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        cluster(&self.clusters, key).probe(key)
    }

    /// The entry of a proved mate if there is one, whatever the clock, else any.
    pub(crate) fn probe_mate(&self, pos: &Position) -> Option<Entry> {
        let mate = cluster(&self.mates, pos.key()).probe(pos.key());
        mate.or_else(|| self.probe(tt_key(pos)))
    }

    /// Remembers `entry`.
    pub(crate) fn store(&self, key: u64, entry: Entry) {
        let age = self.age.load(Ordering::Relaxed);
        cluster(&self.clusters, key).store(key, entry, age);
    }

    /// Remembers `entry`, which proves a mate, for [`TranspositionTable::probe_mate`], unless a
    /// nearer one is known. Most searches find none: it stays out of the hot code.
    #[cold]
    pub(crate) fn store_mate(&self, pos: &Position, entry: Entry) {
        let key = pos.key();
        let cluster = cluster(&self.mates, key);
        let old = cluster.probe(key);
        if old.is_none_or(|old| old.score.raw().abs() < entry.score.raw().abs()) {
            let sure = Entry {
                // A deeper old entry does not keep it out.
                bound: Bound::Exact,
                ..entry
            };
            cluster.store(key, sure, self.age.load(Ordering::Relaxed));
        }
    }

    /// How many of a thousand sampled slots belong to this search.
    pub(crate) fn per_mille_full(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let sampled = self.clusters.len().min(250);
        let used = self.clusters[..sampled]
            .iter()
            .flat_map(|cluster| &cluster.0)
            .filter(|slot| {
                let packed = slot.load();
                !packed.is_empty() && packed.age() == age
            })
            .count();
        (used * 1000 / (sampled * CLUSTER)) as u32
    }
}

#[cfg(test)]
mod tests {
    use sextant_board::Score;

    use super::*;

    fn entry(depth: i32, bound: Bound) -> Entry {
        Entry {
            mv: PackedMove::from_bits(0x123),
            score: Score::new(17),
            eval: Score::NONE,
            bound,
            was_pv: false,
            depth: Depth::plies(depth),
            imbalance: 0,
        }
    }

    /// 64 clusters: Miri looks at the whole of a table whenever that is borrowed.
    fn tiny() -> TranspositionTable {
        TranspositionTable {
            clusters: ZeroPages::new(64).unwrap(),
            mates: ZeroPages::new(1).unwrap(),
            age: AtomicU8::new(0),
        }
    }

    #[test]
    fn a_stored_entry_is_found() {
        let tt = tiny();
        let key = 0xDEAD_BEEF_0123_4567;
        assert_eq!(tt.probe(key), None);
        tt.store(key, entry(5, Bound::Lower));
        assert_eq!(tt.probe(key), Some(entry(5, Bound::Lower)));
        tt.clear();
        assert_eq!(tt.probe(key), None);
    }

    #[test]
    fn a_much_deeper_entry_of_this_search_stays() {
        let tt = tiny();
        tt.store(7 << 60, entry(12, Bound::Lower));
        tt.store(7 << 60, entry(3, Bound::Upper));
        assert_eq!(tt.probe(7 << 60).unwrap().depth, Depth::plies(12));
        tt.new_search();
        tt.store(7 << 60, entry(3, Bound::Upper));
        assert_eq!(tt.probe(7 << 60).unwrap().depth, Depth::plies(3));
    }

    #[test]
    fn the_nearest_mate_is_kept_beside_deeper_entries_and_known_at_any_clock() {
        let tt = tiny();
        let at = |clock: &str| {
            let fen = format!("7k/8/8/4K3/8/8/8/6R1 w - - {clock} 90");
            sextant_board::parse_fen(&fen).unwrap()
        };
        let (now, later) = (at("0"), at("40"));
        tt.store(tt_key(&now), entry(12, Bound::Lower));
        assert_eq!(tt.probe_mate(&now), Some(entry(12, Bound::Lower)));
        let mate = Entry {
            score: Score::new(31_990),
            ..entry(3, Bound::Exact)
        };
        tt.store_mate(&now, mate);
        assert_eq!(tt.probe(tt_key(&now)), Some(entry(12, Bound::Lower)));
        assert_eq!(
            [&now, &later].map(|pos| tt.probe_mate(pos)),
            [Some(mate); 2]
        );
        tt.clear();
        assert_eq!(tt.probe_mate(&now), None);
    }

    #[test]
    fn an_impossible_size_is_an_error() {
        assert_eq!(
            TranspositionTable::new(1 << 43).unwrap_err(),
            TableTooLarge { megabytes: 1 << 43 }
        );
    }

    #[test]
    fn eight_threads_never_read_a_wrong_entry() {
        let tt = tiny();
        let rounds = if cfg!(miri) { 500 } else { 50_000 };
        std::thread::scope(|scope| {
            for thread in 0..8_u64 {
                let tt = &tt;
                scope.spawn(move || {
                    for i in 0..rounds {
                        // A key for each cluster, which carries its own score.
                        let n = (i * 7 + thread) % 64;
                        let key = n << 58 | n << 20;
                        let mine = Entry {
                            score: Score::new(n as i32),
                            ..entry((i % 20) as i32, Bound::Lower)
                        };
                        tt.store(key, mine);
                        if let Some(found) = tt.probe(key) {
                            assert_eq!(found.score.raw(), n as i32);
                        }
                    }
                });
            }
        });
    }
}
