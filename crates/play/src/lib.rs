//! Games between two players in one process, and what their results say.
//!
//! A match is made of game pairs: both players play each opening with both colors, so that an
//! unbalanced opening favors nobody and the statistics can use the correlation of the two games
//! ([`Pentanomial`]). [`play_match`] plays the pairs on several threads and hands them on in their
//! order, whoever is ready first: with limits that do not depend on time, the result (the pair at
//! which a sequential test stops included) depends on the seed alone.
//!
//! Nothing here reads or writes files, prints, or looks at a clock other than the search's own.

mod adjudication;
mod ending;
mod game;
mod matches;
mod openings;
pub mod ordered;
mod pentanomial;
mod pgn;
mod solve;
mod sprt;
mod tally;
mod training_starts;

pub use adjudication::{DrawRule, Rules, WinRule, table_result};
pub use ending::{Ending, GameResult, by_the_rules};
pub use game::{EnginePlayer, PlayError, Player, Record, Turn, play_game};
pub use matches::{MatchError, Opponents, Plan, play_match};
pub use openings::{BookError, Openings};
pub use pentanomial::Pentanomial;
pub use pgn::{PgnTags, to_pgn};
pub use solve::{MateFound, Since, Solved, SuiteError, parse_suite, solve};
pub use sprt::{Sprt, SprtError, SprtModel, SprtResult};
pub use tally::{Effort, Pair, Tally};
pub use training_starts::{TrainingStarts, TrainingStartsError, play_random};
