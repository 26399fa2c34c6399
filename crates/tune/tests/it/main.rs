//! The real binary from outside. One test program: each links the whole engine.

mod data;
mod datagen;
mod fit;
mod matches;
mod openbench;
mod spsa;
mod suite;
mod train;
mod util;
