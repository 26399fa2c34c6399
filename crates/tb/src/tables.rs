//! Where the tables are.

use sextant_cli::{failure::Failure, output};
use sextant_config::{Config, table_folders};
use sextant_syzygy::{Options, Tablebase};

use crate::{cli::TablesArgs, exit};

/// Opens the tables; none at all where no folder is named, for even so mates and dead positions can
/// be judged.
pub(crate) fn open(args: &TablesArgs) -> Result<Tablebase, Failure> {
    let folders = table_folders(&args.paths, args.config.as_deref()).map_err(Failure::usage)?;
    let Some(folders) = folders else {
        output::note(
            "sextant-tb: no folder of tables is named: give --path FOLDER, or set SYZYGY_PATH",
        );
        return Ok(Tablebase::empty());
    };
    let config = Config::load(args.config.as_deref().unwrap_or("default".as_ref()));
    let options = Options {
        verify: config.map_err(Failure::usage)?.syzygy.verify,
        wdl_only: args.wdl_only,
        ..Options::default()
    };
    let tables = Tablebase::open_with(&folders, &options)
        .map_err(|error| Failure::with_code(exit::NOT_COVERED, error))?;
    for complaint in tables.inventory().complaints() {
        output::note(format_args!("sextant-tb: {complaint}"));
    }
    Ok(tables)
}
