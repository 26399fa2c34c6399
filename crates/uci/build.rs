//! Hands the compiler's name to the `compiler` command. No network, no other input.

use std::{env, process::Command};

fn main() {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let version = Command::new(rustc).arg("--version").output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    println!(
        "cargo:rustc-env=SEXTANT_RUSTC={}",
        version.unwrap_or_else(|_| "unknown".to_owned())
    );
    for (name, variable) in [
        ("SEXTANT_TARGET", "TARGET"),
        ("SEXTANT_PROFILE", "PROFILE"),
        ("SEXTANT_FEATURES", "CARGO_CFG_TARGET_FEATURE"),
    ] {
        let value = env::var(variable).unwrap_or_else(|_| "unknown".to_owned());
        println!("cargo:rustc-env={name}={value}");
    }
    println!("cargo:rerun-if-changed=build.rs");
}
