//! Gives the engine the stack that a search needs.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        // `sextant_search::STACK_BYTES`.
        println!("cargo::rustc-link-arg-cdylib=-zstack-size={}", 16 << 20);
    }
}
