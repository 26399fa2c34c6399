//! Integration tests: random games against slow definitions and against `shakmaty`, perft suites,
//! texts.

mod common;
mod differential;
mod fen;
mod glance;
mod keys;
mod material;
mod moves;
mod perft;
mod see;
mod texts;
