//! Integration tests: incremental against recomputed values, symmetries, network files, endings.

mod common;
mod endings;
mod network;
mod network_file;
mod properties;
