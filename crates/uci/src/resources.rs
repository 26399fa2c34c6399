//! The network and the tables that a config asks for, and saying what was found.

use std::sync::Arc;

use sextant_cli::files;
use sextant_config::Config;
use sextant_eval::nnue::Network;
use sextant_search::{Engine, EngineSetup, NetworkError};
use sextant_syzygy::Tablebase;

use crate::error::{Failure, OptionError};

/// An engine of the config, with its tables and its network.
pub(crate) fn engine(config: Config) -> Result<Engine, OptionError> {
    Ok(setup(config)?.engine()?)
}

/// What engines of the config are made of, its network and its tables among it.
pub(crate) fn setup(config: Config) -> Result<EngineSetup, OptionError> {
    Ok(EngineSetup::new(config, files::read_network)?.with_tables()?)
}

/// The network of the config; `None` where it asks for the classical evaluation.
pub(crate) fn network(config: &Config) -> Result<Option<Arc<Network>>, NetworkError> {
    sextant_search::network(config, files::read_network)
}

/// Do the two ask for the same evaluation?
pub(crate) fn same_network(a: &Config, b: &Config) -> bool {
    a.eval.kind == b.eval.kind && a.eval.file == b.eval.file
}

/// Do the two ask for the same tables?
pub(crate) fn same_tables(a: &Config, b: &Config) -> bool {
    a.syzygy.path == b.syzygy.path
        && a.syzygy.backend == b.syzygy.backend
        && a.syzygy.verify == b.syzygy.verify
}

/// Writes the network in use, to a file of its own name if no other is given, and says where.
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
pub(crate) fn describe_network(engine: &Engine) -> String {
    match engine.network() {
        None => "evaluation: classical".to_owned(),
        Some(network) => format!(
            "evaluation: network {:016x}, {}",
            network.hash(),
            network.architecture()
        ),
    }
}

/// What was found, one thing a line.
pub(crate) fn describe_tables(tables: Option<&Tablebase>) -> Vec<String> {
    let Some(tables) = tables else {
        return vec!["SyzygyPath: no tables".to_owned()];
    };
    let inventory = tables.inventory();
    let (wdl, dtz) = (inventory.wdl_count(), inventory.dtz_count());
    let mut lines = vec![match tables.max_men() {
        0 => format!("SyzygyPath: {wdl} WDL and {dtz} DTZ tables; without WDL nothing is probed"),
        men => format!("SyzygyPath: {wdl} WDL and {dtz} DTZ tables, up to {men} men"),
    }];
    lines.extend(
        inventory
            .unreadable_folders()
            .iter()
            .map(|(folder, reason)| {
                let folder = folder.display();
                format!("SyzygyPath: folder {folder} was skipped: {reason}")
            }),
    );
    lines.extend(inventory.above_tables().iter().map(|(folder, below)| {
        let below: Vec<_> = below.iter().map(|it| it.display().to_string()).collect();
        let folder = folder.display();
        format!(
            "SyzygyPath: the tables below {folder} are in {}; name these folders",
            below.join(", ")
        )
    }));
    let refused = inventory.refused();
    if let Some(first) = refused.first() {
        lines.push(format!(
            "SyzygyPath: {} files cannot be used, such as {}: {}",
            refused.len(),
            first.path.display(),
            first.reason
        ));
    }
    lines
}
