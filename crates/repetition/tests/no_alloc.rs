//! Entering, asking and leaving take no memory once the game is set.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use sextant_repetition::{History, SEARCH_PLIES};

thread_local! {
    /// Per thread, so that the test harness's own threads do not count.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

fn count() {
    ALLOCATIONS.with(|allocations| allocations.set(allocations.get() + 1));
}

// SAFETY: every call is passed on unchanged to the system allocator, which keeps the contract;
// counting touches only a plain thread-local cell and does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's promises are the ones that the system allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above; the memory came from the system allocator.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as above.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How many allocations a search of the full depth makes.
fn in_a_full_line(history: &mut History, clock: u16) -> u64 {
    let before = ALLOCATIONS.with(Cell::get);
    let mut repetitions = 0;
    for ply in 1..=SEARCH_PLIES as u16 {
        history.enter(u64::from(ply % 16), clock + ply);
        repetitions += u32::from(history.is_repetition());
        repetitions += u32::from(history.upcoming((0..16).filter(|key| key % 2 == 1)));
    }
    assert!(repetitions > 0);
    for _ in 0..SEARCH_PLIES {
        history.leave();
    }
    ALLOCATIONS.with(Cell::get) - before
}

#[test]
fn a_full_line_takes_no_memory() {
    let mut history = History::new(14).expect("an allowed size");
    assert_eq!(in_a_full_line(&mut history, 0), 0, "without a game");
    for plies in [1, 100, 500, 6_000] {
        let before = ALLOCATIONS.with(Cell::get);
        history.set_game((0..plies).map(|ply| (u64::from(ply), ply)));
        let setting_up = ALLOCATIONS.with(Cell::get) - before;
        assert!(plies < 500 || setting_up > 0, "the allocator does count");
        assert_eq!(
            in_a_full_line(&mut history, plies - 1),
            0,
            "after a game of {plies} plies"
        );
    }
}
