//! Every tunable of the engine, declared once.
//!
//! [`tunables`] holds one line per tunable: its meaning, kind, range, unit, default and SPSA step.
//! From that line come the field of [`Config`], the key in the TOML file, the UCI option, the SPSA
//! line, the entry of the reference page and the texts of the errors.
//!
//! Everything is stored as an integer: costs in sixteenths of an SX, ratios in 1/64, so that no
//! floating point reaches the search. The TOML file shows them as decimals.
//!
//! ```
//! use sextant_config::Config;
//!
//! let mut config = Config::from_toml_str("[extensions]\nrecapture = 5.25\n", "my.toml")?;
//! assert_eq!(config.extensions.recapture, 84);
//! config.set_uci("extensions_recapture", "80")?;
//! assert!(config.to_toml().contains("recapture = 5.0\n"));
//!
//! let error = Config::from_toml_str("[extensions]\nrecaptur = 5.0\n", "my.toml").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "my.toml:2:1: unknown key extensions.recaptur; did you mean \"extensions.recapture\"?"
//! );
//! # Ok::<(), sextant_config::ConfigError>(())
//! ```

#![warn(missing_docs)]

mod access;
mod choices;
#[macro_use]
mod declare;
mod error;
mod load;
mod parse;
mod removed;
pub mod report;
pub mod tunables;
mod uci;
mod value;
mod write;

pub use access::{Difference, diff, nearest};
pub use choices::{CouplingRule, EvalKind, GapSource, Lead, QuietFirst, SyzygyBackend};
pub use declare::Spec;
pub use error::{ConfigError, Fault, clip};
pub use load::{PRESETS, Preset, table_folders};
pub use tunables::*;
pub use uci::{Parameter, parameters};
pub use value::{Kind, Number, PHASES, Value};
pub use write::default_toml;
