//! The binary `sextant-lab`.
fn main() {}
