//! The endgame tables of a run.

use std::path::Path;
use std::sync::Arc;

use sextant_syzygy::{Backend, Tablebase};

use crate::error::LabError;
use crate::experiment::Context;

/// The few small tables that the source tree carries for its tests.
const OF_THE_SOURCE_TREE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../syzygy/testdata");

/// The tables that the run was given, else those of the config, else those of the source tree;
/// `None` if there are none at all.
///
/// # Errors
/// When folders were named and none of them can be read, or they hold no table.
pub fn open(context: &Context<'_>) -> Result<Option<Arc<Tablebase>>, LabError> {
    let named = context
        .tables
        .as_deref()
        .unwrap_or(&context.config.syzygy.path);
    let paths = if !named.is_empty() {
        named
    } else if Path::new(OF_THE_SOURCE_TREE).is_dir() {
        OF_THE_SOURCE_TREE
    } else {
        return Ok(None);
    };
    let missing = |cause: String| LabError::MissingTables {
        paths: paths.to_owned(),
        cause,
    };
    let tables =
        Tablebase::open(paths, Backend::Native).map_err(|error| missing(error.to_string()))?;
    if tables.max_men() == 0 {
        return Err(missing("there is no WDL table in it".to_owned()));
    }
    Ok(Some(Arc::new(tables)))
}
