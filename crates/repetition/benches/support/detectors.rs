//! The contenders. All answer by the same rule and cut the line at the same places.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use sextant_repetition::History;

pub(crate) trait Detector {
    fn set_game(&mut self, game: &[(u64, u16)]);
    fn enter(&mut self, key: u64, clock: u16);
    fn is_repetition(&mut self) -> bool;
    fn leave(&mut self);
}

/// A detector that can be asked about positions before they are entered.
pub(crate) trait AsksAhead: Detector {
    fn upcoming(&mut self, children: impl Iterator<Item = u64>) -> bool;
}

/// Detects nothing: the price of the replay itself.
pub(crate) struct Bare;

impl Detector for Bare {
    fn set_game(&mut self, _: &[(u64, u16)]) {}

    #[inline]
    fn enter(&mut self, key: u64, clock: u16) {
        divan::black_box((key, clock));
    }

    #[inline]
    fn is_repetition(&mut self) -> bool {
        false
    }

    #[inline]
    fn leave(&mut self) {}
}

/// A detector whose memory the rest of a node crowds out: before every node, 192 of the 1,024
/// lines of 64 KiB of other data are read, in turn.
pub(crate) struct Crowded<D> {
    detector: D,
    other: Vec<[u64; 8]>,
    next: usize,
}

impl<D> Crowded<D> {
    pub(crate) fn new(detector: D) -> Crowded<D> {
        Crowded {
            detector,
            other: vec![[0; 8]; 1024],
            next: 0,
        }
    }
}

impl<D: Detector> Detector for Crowded<D> {
    fn set_game(&mut self, game: &[(u64, u16)]) {
        self.detector.set_game(game);
    }

    #[inline]
    fn enter(&mut self, key: u64, clock: u16) {
        for line in 0..192 {
            divan::black_box(self.other[(self.next + line) % 1024][0]);
        }
        self.next += 192;
        self.detector.enter(key, clock);
    }

    #[inline]
    fn is_repetition(&mut self) -> bool {
        self.detector.is_repetition()
    }

    #[inline]
    fn leave(&mut self) {
        self.detector.leave();
    }
}

/// The crate.
pub(crate) struct Filtered(History);

impl Filtered {
    pub(crate) fn new(bits: u32) -> Filtered {
        Filtered(History::new(bits).expect("an allowed size"))
    }
}

impl Detector for Filtered {
    fn set_game(&mut self, game: &[(u64, u16)]) {
        self.0.set_game(game.iter().copied());
    }

    #[inline]
    fn enter(&mut self, key: u64, clock: u16) {
        self.0.enter(key, clock);
    }

    #[inline]
    fn is_repetition(&mut self) -> bool {
        self.0.is_repetition()
    }

    #[inline]
    fn leave(&mut self) {
        self.0.leave();
    }
}

impl AsksAhead for Filtered {
    #[inline]
    fn upcoming(&mut self, children: impl Iterator<Item = u64>) -> bool {
        self.0.upcoming(children)
    }
}

/// What most engines do: walk back through the keys, two plies at a time.
#[derive(Default)]
pub(crate) struct PlainScan {
    keys: Vec<u64>,
    reaches: Vec<u16>,
    game_len: usize,
}

impl PlainScan {
    #[inline]
    fn repeats(&self) -> bool {
        let last = self.keys.len() - 1;
        self.repeats_at(last, self.keys[last], usize::from(self.reaches[last]))
    }

    #[inline]
    fn repeats_at(&self, last: usize, key: u64, reach: usize) -> bool {
        let mut back = 4;
        let mut seen = false;
        while back <= reach {
            if self.keys[last - back] == key {
                if seen || last - back >= self.game_len {
                    return true;
                }
                seen = true;
            }
            back += 2;
        }
        false
    }
}

impl Detector for PlainScan {
    fn set_game(&mut self, game: &[(u64, u16)]) {
        self.keys.clear();
        self.reaches.clear();
        for &(key, clock) in game {
            self.enter(key, clock);
        }
        self.game_len = game.len();
        self.keys.reserve(256);
        self.reaches.reserve(256);
    }

    #[inline]
    fn enter(&mut self, key: u64, clock: u16) {
        let reach = self.reaches.last().map_or(0, |last| clock.min(last + 1));
        self.keys.push(key);
        self.reaches.push(reach);
    }

    #[inline]
    fn is_repetition(&mut self) -> bool {
        self.repeats()
    }

    #[inline]
    fn leave(&mut self) {
        self.keys.pop();
        self.reaches.pop();
    }
}

impl AsksAhead for PlainScan {
    #[inline]
    fn upcoming(&mut self, mut children: impl Iterator<Item = u64>) -> bool {
        let child = self.keys.len();
        let reach = usize::from(self.reaches[child - 1]) + 1;
        reach >= 4 && children.any(|key| self.repeats_at(child, key, reach))
    }
}

/// The keys of the line in a hash table of the standard library; keys are random, so they serve
/// as their own hash. An old key may lie behind an irreversible move: the scan has the last word.
#[derive(Default)]
pub(crate) struct HashSet {
    scan: PlainScan,
    on_line: HashMap<u64, u32, BuildHasherDefault<PassThrough>>,
}

#[derive(Default)]
pub(crate) struct PassThrough(u64);

impl Hasher for PassThrough {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are u64");
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

impl Detector for HashSet {
    fn set_game(&mut self, game: &[(u64, u16)]) {
        self.scan.set_game(game);
        self.on_line.clear();
        self.on_line.reserve(512);
        for &(key, _) in game {
            *self.on_line.entry(key).or_default() += 1;
        }
    }

    #[inline]
    fn enter(&mut self, key: u64, clock: u16) {
        self.scan.enter(key, clock);
        *self.on_line.entry(key).or_default() += 1;
    }

    #[inline]
    fn is_repetition(&mut self) -> bool {
        let key = self.scan.keys[self.scan.keys.len() - 1];
        self.scan.reaches[self.scan.reaches.len() - 1] >= 4
            && self.on_line.get(&key).is_some_and(|&count| count >= 2)
            && self.scan.repeats()
    }

    #[inline]
    fn leave(&mut self) {
        let key = self.scan.keys[self.scan.keys.len() - 1];
        if let Some(count) = self.on_line.get_mut(&key) {
            *count -= 1;
            if *count == 0 {
                self.on_line.remove(&key);
            }
        }
        self.scan.leave();
    }
}
