//! Integration tests: incremental against recomputed values, symmetries, network files, endings.

mod classical;
mod common;
mod network;
mod network_file;
mod random_network;
