//! Writes a small network of three layers and relations with random weights, always the same ones:
//! what all processors must see the same in (`scripts/check-builds`).
//!
//! usage: `cargo run --example random_network -- FILE`

#[path = "../tests/it/random_network.rs"]
mod random_network;

use sextant_eval::nnue::{Architecture, Layers};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).ok_or("name the file to write")?;
    let wings = std::array::from_fn(|square| u8::from(square >= 8));
    let architecture =
        Architecture::new(128, wings, 8)?.with_layers(Layers::Three { relations: true })?;
    let network = random_network::random_network(architecture, 1);
    std::fs::write(path, network.to_bytes())?;
    Ok(())
}
