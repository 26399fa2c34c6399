//! Hands compiler, target and commit to the `compiler` command and the version. No network.

use std::{env, fs, path::Path, process::Command};

fn main() {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let rustc = output(&rustc, &["--version"]);
    hand_on("SEXTANT_RUSTC", rustc.as_deref().unwrap_or("unknown"));
    for (name, variable) in [
        ("SEXTANT_TARGET", "TARGET"),
        ("SEXTANT_FEATURES", "CARGO_CFG_TARGET_FEATURE"),
    ] {
        let value = env::var(variable).unwrap_or_else(|_| "unknown".to_owned());
        hand_on(name, &value);
    }
    hand_on("SEXTANT_PROFILE", &profile().unwrap_or_default());
    let commit = packaged().or_else(checked_out).unwrap_or_default();
    hand_on("SEXTANT_COMMIT", &commit);
    let of = |commit: &str| {
        if commit.is_empty() {
            String::new()
        } else {
            format!("{commit}, ")
        }
    };
    let target = env::var("TARGET").unwrap_or_default();
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    hand_on(
        "SEXTANT_VERSION",
        &format!("{version} ({}{target})", of(&commit)),
    );
    // The fuzz targets are built by the same script; a file that is not there would be built anew each time.
    let own = Path::new("build.rs");
    let script = if own.exists() {
        "build.rs"
    } else {
        "../uci/build.rs"
    };
    println!("cargo:rerun-if-changed={script}");
}

fn hand_on(name: &str, value: &str) {
    println!("cargo:rustc-env={name}={value}");
}

/// The profile by its own name, which is that of its folder; cargo says `release` for all that are
/// made of it.
fn profile() -> Option<String> {
    let out = env::var("OUT_DIR").ok()?;
    let folder = Path::new(&out).ancestors().nth(3)?.file_name()?;
    Some(folder.to_string_lossy().into_owned())
}

/// Digits of a commit that are shown.
const DIGITS: usize = 9;

/// The commit that a package was made of: cargo writes it down.
fn packaged() -> Option<String> {
    let info = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, rest) = info.split_once("\"sha1\"")?;
    let hash = rest.split('"').nth(1)?;
    Some(hash.get(..DIGITS)?.to_owned())
}

/// The commit of the checkout; none in an archive without one, where git may be that of a folder
/// above.
fn checked_out() -> Option<String> {
    if !Path::new("../../.git").exists() {
        return None;
    }
    // Each commit is noted there.
    let log = output("git", &["rev-parse", "--git-path", "logs/HEAD"])?;
    println!("cargo:rerun-if-changed={log}");
    let digits = format!("--short={DIGITS}");
    output("git", &["rev-parse", &digits, "HEAD"])
}

/// The one line that a program prints.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}
