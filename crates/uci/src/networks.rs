//! Networks as the config asks for them, and saying which is in force.

use std::{io, sync::Arc};

use sextant_cli::files::{self, MIB};
use sextant_config::Config;
use sextant_eval::nnue::Network;
use sextant_search::{Engine, NetworkError, network};

use crate::error::Failure;

/// Larger than any network that could be run.
const MAX_BYTES: u64 = 64 * MIB;

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

/// Reads a file with a network.
pub(crate) fn read(path: &str) -> io::Result<Vec<u8>> {
    files::read(path.as_ref(), MAX_BYTES).map_err(|error| error.source)
}

/// Writes the network in use, to a file of its own name if no other is given, and says where.
///
/// # Errors
/// There is no network, or the file cannot be written.
pub(crate) fn export(engine: &Engine, path: Option<&str>) -> Result<String, Failure> {
    let network = engine
        .network()
        .ok_or("export_net: the classical evaluation has no network")?;
    let own_name = format!("sextant-{:016x}.nnue", network.hash());
    let path = path.unwrap_or(&own_name);
    files::write(path.as_ref(), network.to_bytes())?;
    Ok(format!("network {:016x} written to {path}", network.hash()))
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
