//! Sextant.
fn main() {}
