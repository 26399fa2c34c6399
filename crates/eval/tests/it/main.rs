//! Integration tests: incremental against recomputed values, symmetries, network files, hostile
//! ones, endings.

mod classical;
mod common;
mod hostile;
mod network;
mod network_file;
mod random_network;
