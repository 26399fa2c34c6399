//! Below the root nothing is allocated: not in the first iteration, not in the last.
#![allow(unsafe_code)]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

use sextant_board::Ply;
use sextant_config::Config;
use sextant_search::{Engine, Game, Leave, Limits, Node, Observer, bench};

thread_local! {
    /// Per thread, so that other tests and the harness do not count.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

fn count() {
    // A thread that ends may allocate after its locals are gone.
    let _ = ALLOCATIONS.try_with(|allocations| allocations.set(allocations.get() + 1));
}

// SAFETY: every call is passed on unchanged to the system allocator, which keeps the contract;
// counting touches only a plain thread-local cell, and does not allocate.
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

/// Counts allocations between entering and leaving the root.
#[derive(Default)]
struct Watch {
    at_root: u64,
    searches: u64,
    allocations: u64,
}

impl Observer for Watch {
    fn enter(&mut self, node: &Node<'_>) {
        if node.ply == Ply::ROOT {
            self.at_root = ALLOCATIONS.with(Cell::get);
        }
    }

    fn leave(&mut self, leave: &Leave) {
        if leave.ply == Ply::ROOT {
            self.searches += 1;
            self.allocations += ALLOCATIONS.with(Cell::get) - self.at_root;
        }
    }
}

#[test]
fn between_entering_and_leaving_the_root_nothing_is_allocated() {
    let mut config = Config::default();
    config.engine.hash = 1;
    for step in [8, 16, 7] {
        config.search.iteration_step = step;
        let mut engine = Engine::new(config.clone()).expect("a table of 1 MB");
        for position in bench::positions() {
            let game = Game::new(position);
            engine.signals().arm(false);
            let limits = Limits {
                depth: Some(7),
                ..Limits::default()
            };
            let observed = engine.observed(Watch::default());
            let (_, watch) = observed.go(&game, &limits, 2, &mut |_| ());
            assert!(watch.searches >= 3);
            let board = game.position().board();
            assert_eq!(watch.allocations, 0, "{board}, step {step}");
        }
    }
}
