//! Opening tablebases as the config asks, and saying what was found.

use std::sync::Arc;

use sextant_config::{Config, SyzygyBackend};
use sextant_search::Engine;
use sextant_syzygy::{Backend, SyzygyError, Tablebase};

use crate::{error::OptionError, networks};

/// Do the two ask for the same tables?
pub(crate) fn are_same(a: &Config, b: &Config) -> bool {
    a.syzygy.path == b.syzygy.path && a.syzygy.backend == b.syzygy.backend
}

/// The tables of the config; `None` if it names no folder.
///
/// # Errors
/// [`SyzygyError`] if no folder can be read.
pub(crate) fn open(config: &Config) -> Result<Option<Arc<Tablebase>>, SyzygyError> {
    if config.syzygy.path.is_empty() {
        return Ok(None);
    }
    let backend = match config.syzygy.backend {
        SyzygyBackend::Native => Backend::Native,
        SyzygyBackend::Pyrrhic => Backend::Pyrrhic,
    };
    Tablebase::open(&config.syzygy.path, backend).map(|tables| Some(Arc::new(tables)))
}

/// An engine of the config, with its tables and its network.
///
/// # Errors
/// [`OptionError`] if the engine, the tables or the network cannot be had.
pub(crate) fn engine(config: Config) -> Result<Engine, OptionError> {
    let tables = open(&config)?;
    let network = networks::open(&config)?;
    let mut engine = Engine::with_network(config, network)?;
    engine.set_tablebase(tables);
    Ok(engine)
}

/// What was found, one thing a line.
pub(crate) fn describe(tables: Option<&Tablebase>) -> Vec<String> {
    let Some(tables) = tables else {
        return vec!["SyzygyPath: no tables".to_owned()];
    };
    let inventory = tables.inventory();
    let (wdl, dtz) = (inventory.wdl_count(), inventory.dtz_count());
    let mut lines = vec![match tables.max_men() {
        0 => format!("SyzygyPath: {wdl} WDL and {dtz} DTZ tables; without WDL nothing is probed"),
        men => format!("SyzygyPath: {wdl} WDL and {dtz} DTZ tables, up to {men} men"),
    }];
    let unreadable = inventory.unreadable_folders();
    lines.extend(unreadable.iter().map(|(folder, reason)| {
        format!(
            "SyzygyPath: folder {} was skipped: {reason}",
            folder.display()
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
