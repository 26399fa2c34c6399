//! Opening tablebases as the config asks, and saying what was found.

use sextant_config::Config;
pub(crate) use sextant_search::open_tables as open;
use sextant_search::{Engine, EngineSetup};
use sextant_syzygy::Tablebase;

use crate::{error::OptionError, networks};

/// Do the two ask for the same tables?
pub(crate) fn are_same(a: &Config, b: &Config) -> bool {
    a.syzygy.path == b.syzygy.path && a.syzygy.backend == b.syzygy.backend
}

/// An engine of the config, with its tables and its network.
///
/// # Errors
/// [`OptionError`] if the engine, the tables or the network cannot be had.
pub(crate) fn engine(config: Config) -> Result<Engine, OptionError> {
    let setup = EngineSetup::new(config, networks::read)?.with_tables()?;
    Ok(setup.engine()?)
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
