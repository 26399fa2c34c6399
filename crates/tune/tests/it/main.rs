//! The real binary from outside. One test program: each links the whole engine.

mod data;
mod datagen;
mod fit;
mod openbench;
mod spsa;
mod train;
mod util;
