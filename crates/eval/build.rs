//! Chooses the network to embed: the file that `EVALFILE` names, else `nets/default.nnue`
//! where there is one and the build is not for WebAssembly, else none. Without a network
//! `[eval] kind = "nnue"` needs a file.

use std::{env, error::Error, fs, path::PathBuf};

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
            let file = fs::canonicalize(&file)
                .map_err(|error| format!("EVALFILE {}: {error}", file.display()))?;
            format!("Some(include_bytes!({:?}))", file.display().to_string())
        }
        None => "None".to_owned(),
    };
    let out = PathBuf::from(env::var("OUT_DIR")?).join("embedded.rs");
    fs::write(out, format!("const EMBEDDED: Option<&[u8]> = {bytes};\n"))?;
    Ok(())
}
