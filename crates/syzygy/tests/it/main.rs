//! Integration tests: right answers, bad files, files that change, ranking, main lines.

mod answers;
mod bad_files;
mod changing_files;
mod common;
mod policy;
