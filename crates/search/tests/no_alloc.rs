//! Below the root nothing is allocated: not in the first iteration, not in the last.
#![allow(unsafe_code)]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    sync::atomic::{AtomicU64, Ordering},
};

use sextant_board::Ply;
use sextant_config::Config;
use sextant_search::{Engine, Game, Leave, Limits, Node, Observer, bench};

thread_local! {
    /// Per thread, so that other tests and the harness do not count.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// Of all threads.
static TOTAL: AtomicU64 = AtomicU64::new(0);

struct Counting;

fn count() {
    // A thread that ends may allocate after its locals are gone.
    let _ = ALLOCATIONS.try_with(|allocations| allocations.set(allocations.get() + 1));
    TOTAL.fetch_add(1, Ordering::Relaxed);
}

// SAFETY: every call is passed on unchanged to the system allocator, which keeps the contract;
// counting touches only an atomic and a plain thread-local cell, and does not allocate.
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

fn engine(config: &Config) -> Engine {
    let mut config = config.clone();
    config.engine.hash = 1;
    config.engine.threads = 1;
    Engine::new(config).expect("an engine with a table of 1 MB")
}

/// A bench position.
fn game(index: usize) -> Game {
    Game::new(bench::positions().remove(index))
}

/// One test, because the second part counts what the whole process allocates.
#[test]
fn nodes_allocate_nothing() {
    between_entering_and_leaving_the_root_nothing_is_allocated();
    what_is_allocated_does_not_grow_with_the_nodes();
}

fn between_entering_and_leaving_the_root_nothing_is_allocated() {
    let mut config = Config::default();
    for step in [8, 16, 7] {
        config.search.iteration_step = step;
        let mut engine = engine(&config);
        for index in 0..bench::positions().len() {
            engine.signals().arm(false);
            let limits = Limits {
                depth: Some(7),
                ..Limits::default()
            };
            let observed = engine.observed(Watch::default());
            let (_, watch) = observed.go(&game(index), &limits, 2, &mut |_| ());
            assert!(watch.searches >= 3);
            assert_eq!(watch.allocations, 0, "position {index}, step {step}");
        }
    }
}

/// All of a search, threads and reports included: what is allocated follows the lines that are
/// reported, not the nodes.
fn what_is_allocated_does_not_grow_with_the_nodes() {
    let mut engine = engine(&Config::default());
    let mut lines = 0;
    let mut search = |nodes| {
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        lines = 0;
        engine.go_armed(&game(1), &limits, 1, &mut |_| lines += 1);
    };
    search(1_000);
    let before = TOTAL.load(Ordering::Relaxed);
    search(400_000);
    let allocations = TOTAL.load(Ordering::Relaxed) - before;
    assert!(allocations < 400 + 100 * lines, "{allocations} for {lines}");
}
