//! Games between two players in one process, and what their results say.
//!
//! A match is made of game pairs: both players play each opening with both colours, so that an
//! unbalanced opening favours nobody and the statistics can use the correlation of the two games
//! ([`Pentanomial`]). [`play_match`] plays the pairs on several threads and hands them on in their
//! order, whoever is ready first: with limits that do not depend on time, the result (the pair at
//! which a sequential test stops included) depends on the seed alone.
//!
//! Nothing here reads or writes files, prints, or looks at a clock other than the search's own.

mod ending;
mod engine_player;
mod judge;
mod openings;
mod pentanomial;
mod pgn;
mod player;
mod random;
mod record;
mod runner;
mod sample;
mod sprt;
mod starts;
mod tally;

pub use ending::{Ending, GameResult};
pub use engine_player::EnginePlayer;
pub use judge::{DrawRule, Judge, Rules, WinRule};
pub use openings::{BookError, Openings};
pub use pentanomial::Pentanomial;
pub use pgn::{PgnTags, to_pgn};
pub use player::{Choice, Player};
pub use random::Random;
pub use record::{PlayError, Record, Turn, play_alone, play_game};
pub use runner::{MatchError, Pair, Plan, Side, Team, play_match, resume_match};
pub use sample::quiet_positions;
pub use sprt::{Sprt, SprtError, SprtModel, Verdict};
pub use starts::{Starts, StartsError};
pub use tally::{Effort, Tally};
