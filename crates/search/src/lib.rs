//! Sextant's search core: budgets per side, alpha-beta, quiescence, ordering, table, time, threads.
//!
//! The core has no input, output, files or environment: an [`Engine`] takes a [`Game`], a config and
//! [`Limits`], and tells what happens through a callback. The UCI loop, the tools and the tests all
//! drive this one interface; [`Observer`] lets them look inside.

pub mod bench;
pub mod budget;
mod clock;
mod crew;
mod deepen;
mod derived;
mod engine;
mod evaluation;
mod game;
mod history;
mod level;
mod limits;
mod node;
mod observer;
mod order;
pub mod play;
mod pool;
mod prefetch;
mod pv;
mod report;
mod root;
mod root_bonus;
mod shared;
mod stack;
mod stats;
mod tables;
mod tt;
mod wdl;
mod window;
mod worker;

pub use deepen::MAX_DEPTH;
pub use engine::{Engine, EngineError};
pub use evaluation::{NetworkError, network};
pub use game::Game;
pub use limits::{ClockLimit, Limits};
pub use observer::{Enter, Exchange, Frozen, FrozenMove, Leave, Mark, Observer, Tried, Unobserved};
pub use pool::STACK_BYTES;
pub use report::{Bound, Event, Info, Outcome};
pub use shared::Signals;
pub use stats::{CUTOFF_NUMBERS, Charged, Iteration, Stats};
pub use wdl::{WdlModel, material, wdl};
pub use window::Window;
