//! Sextant's search core: budgets per side, alpha-beta, quiescence, ordering, table, time, threads.
//!
//! The core has no input, output, files or environment: an [`Engine`] takes a [`Game`], a config and
//! [`Limits`], and tells what happens through a callback. The UCI loop, the tools and the tests all
//! drive this one interface; [`Observer`] lets them look inside.

mod aspiration;
pub mod bench;
pub mod budget;
mod deepening;
mod engine;
mod evaluation;
mod flow;
mod game;
mod history;
mod level;
mod limits;
mod lmr;
mod mate_line;
mod mate_search;
mod memory;
mod movepick;
mod node;
mod observed;
mod observer;
mod optimism;
mod params;
mod quiescence;
mod report;
mod root_moves;
mod setup;
mod shared;
mod stack;
mod stats;
mod tablebases;
mod threads;
mod time;
mod tt;
mod wdl;
mod window;
mod worker;

pub use deepening::MAX_DEPTH;
pub use engine::{Engine, EngineError};
pub use evaluation::{NetworkError, network};
pub use game::Game;
pub use limits::{ClockLimit, Limits, nodes_as_time};
pub use lmr::{ReductionFacts, Reductions};
pub use node::Node;
pub use observed::Observed;
pub use observer::{
    Leave, MoveSearched, MoveSnapshot, NodeSnapshot, Observer, SearchEvent, Unobserved,
};
pub use quiescence::Quiescence;
pub use report::{Event, Info, Outcome, Progress, Totals, per_second};
pub use setup::{EngineSetup, open_tables};
pub use shared::Signals;
pub use stats::{CUTOFF_NUMBERS, Charged, Iteration, Stats};
pub use threads::STACK_BYTES;
pub use wdl::{Polynomial, WdlModel, material, wdl};
pub use window::{Bound, Window};
