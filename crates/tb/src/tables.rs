//! Where the tables are.

use sextant_cli::{failure::Failure, output};
use sextant_config::Config;
use sextant_syzygy::{Backend, Tablebase};

use crate::cli::TablesArgs;
use crate::exit;

/// The list of folders that the arguments, the environment or the configuration name; `None` if nobody does.
fn folders(args: &TablesArgs) -> Result<Option<String>, Failure> {
    let separator = if cfg!(windows) { ";" } else { ":" };
    let named = |list: String| (!list.trim().is_empty() && list != "<empty>").then_some(list);
    let variable = |name| std::env::var(name).ok().and_then(named);
    if !args.paths.is_empty() {
        return Ok(Some(args.paths.join(separator)));
    }
    if let Some(list) = variable("SYZYGY_PATH").or_else(|| variable("TB_PATH")) {
        return Ok(Some(list));
    }
    let config =
        Config::load(args.config.as_deref().unwrap_or("default")).map_err(Failure::usage)?;
    Ok(named(config.syzygy.path.to_string()))
}

/// Opens the tables; none at all where no folder is named, for even so mates and dead positions can be judged.
pub(crate) fn open(args: &TablesArgs) -> Result<Tablebase, Failure> {
    match folders(args)? {
        Some(list) => {
            let tables = Tablebase::open(&list, Backend::Native)
                .map_err(|error| Failure::with_code(exit::NOT_COVERED, error))?;
            warn(&tables, &list);
            Ok(tables)
        }
        None => Ok(Tablebase::empty()),
    }
}

/// Says which folders of several give nothing.
fn warn(tables: &Tablebase, list: &str) {
    let inventory = tables.inventory();
    for (folder, why) in inventory.unreadable_folders() {
        let folder = folder.display();
        output::note(format_args!(
            "sextant-tb: cannot read the folder {folder}: {why}"
        ));
    }
    if inventory.tables().next().is_none() {
        output::note(format_args!("sextant-tb: there are no tables in {list}"));
    }
}
