//! Networks as the config asks for them, and saying which is in force.

use std::{
    fs,
    io::{self, Read as _},
    sync::Arc,
};

use sextant_config::Config;
use sextant_eval::nnue::Network;
use sextant_search::{Engine, NetworkError, network};

/// Larger than any network that could be run.
const MAX_BYTES: u64 = 64 << 20;

/// Do the two ask for the same evaluation?
pub(crate) fn are_same(a: &Config, b: &Config) -> bool {
    a.eval.kind == b.eval.kind && a.eval.file == b.eval.file
}

/// The network of the config; `None` where it asks for the hand-made evaluation.
///
/// # Errors
/// [`NetworkError`] if there is no such network.
pub(crate) fn open(config: &Config) -> Result<Option<Arc<Network>>, NetworkError> {
    network(config, read)
}

/// A regular file of moderate size: pipes and devices could block the program for ever.
fn read(path: &str) -> io::Result<Vec<u8>> {
    let refuse = |why| Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    if !fs::metadata(path)?.is_file() {
        return refuse("not a regular file");
    }
    let mut bytes = Vec::new();
    fs::File::open(path)?
        .take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return refuse("larger than 64 MiB, so no network");
    }
    Ok(bytes)
}

/// What positions are valued with.
pub(crate) fn describe(engine: &Engine) -> String {
    match engine.network() {
        None => "evaluation: classical".to_owned(),
        Some(network) => format!(
            "evaluation: network {:016x}, {}",
            network.hash(),
            network.architecture()
        ),
    }
}
