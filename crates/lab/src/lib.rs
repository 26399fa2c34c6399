//! The laboratory of Sextant: what the sources claim, run again.
//!
//! [`game`] and [`textbook`] are teaching material: small games and the classic searches over
//! them, each written once. [`experiments`] holds one module for each claim; everything else
//! turns their [`report::Report`]s into text, HTML, CSV and JSON.

pub mod engine;
pub mod error;
pub mod experiment;
pub mod experiments;
pub mod game;
pub mod hal;
pub mod output;
pub mod positions;
pub mod report;
pub mod runner;
pub mod stats;
pub mod tables;
pub mod textbook;
