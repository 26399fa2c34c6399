//! Chooses the network to embed: the file that `EVALFILE` names, else `nets/default.nnue`
//! where there is one and the build is not for WebAssembly, else none. Without a network
//! `[eval] kind = "nnue"` needs a file.

use std::{env, error::Error, fs, hash::Hasher as _, path::PathBuf};

use fnv::FnvHasher;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let own = here.join("nets/default.nnue");
    let named = env::var_os("EVALFILE").filter(|name| !name.is_empty());
    let file = match named {
        // As `make` and OpenBench give it: from the workspace's root, or absolute.
        Some(name) => Some(here.join("../..").join(name)),
        // A page fetches it, and shows meanwhile how far it is.
        None if env::var("CARGO_CFG_TARGET_FAMILY")? == "wasm" => None,
        None => Some(own).filter(|file| file.exists()),
    };
    println!("cargo::rerun-if-changed=nets");
    let bytes = match file {
        Some(file) => {
            println!("cargo::rerun-if-changed={}", file.display());
            let wrong = |fault: String| format!("EVALFILE {}: {fault}", file.display());
            let bytes = fs::read(&file).map_err(|error| wrong(error.to_string()))?;
            check(&bytes).map_err(|fault| wrong(fault.to_owned()))?;
            let file = fs::canonicalize(&file)?;
            format!("Some(include_bytes!({:?}))", file.display().to_string())
        }
        None => "None".to_owned(),
    };
    let out = PathBuf::from(env::var("OUT_DIR")?).join("embedded.rs");
    fs::write(out, format!("const EMBEDDED: Option<&[u8]> = {bytes};\n"))?;
    Ok(())
}

/// Is it a whole network file? What else can be wrong with one is told by the program
/// (`src/nnue/format.rs`).
fn check(bytes: &[u8]) -> Result<(), &'static str> {
    if !bytes.starts_with(b"Sextant\n") {
        return Err("not a Sextant network; name one written by `sextant-tune train`");
    }
    let (header, payload) = bytes.split_at_checked(64).ok_or("the file is cut short")?;
    let (hashed, hash) = header.split_at(56);
    let mut hasher = FnvHasher::default();
    hasher.write(hashed);
    hasher.write(payload);
    if hasher.finish().to_le_bytes() != hash {
        return Err("the network is damaged or cut short (its checksum is wrong); copy it again");
    }
    Ok(())
}
