//! Integration tests: random games against slow definitions and against `shakmaty`, perft suites,
//! texts.

mod common;
mod differential;
mod glance;
mod moves;
mod position;
mod see;
mod texts;
