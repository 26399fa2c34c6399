//! Every tunable of the engine, declared once.
//!
//! [`tunables`] holds one line per tunable: its meaning, kind, range, unit, default and SPSA step. From that
//! line come the field of [`Config`], the key in the TOML file, the UCI option, the SPSA line, the
//! entry of the reference page and the texts of the errors.
//!
//! Everything is stored as an integer: costs in sixteenths of an SX, ratios in 1/64, so that no
//! floating point reaches the search. The TOML file shows them as decimals.

mod choices;
#[macro_use]
mod declare;
pub mod tunables;
mod value;

pub use choices::{CouplingRule, EvalKind, GapSource, QuietFirst, SyzygyBackend};
pub use declare::Spec;
pub use tunables::*;
pub use value::{Kind, Number, PHASES, Value};
