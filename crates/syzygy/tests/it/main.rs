//! Integration tests: against truth files and two other decoders, bad files, ranking, main lines.

mod backends;
mod bad_files;
mod changing_files;
mod common;
mod fuzz;
mod oracle;
mod policy;
mod synthetic;
mod truth;
