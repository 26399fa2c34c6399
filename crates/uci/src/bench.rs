//! The benchmark: signature and speed.

use sextant_config::Config;
use sextant_search::{EngineError, bench};

use crate::output::Output;

/// Searches the benchmark positions with one thread and prints what it took. The last line is the
/// one that testing tools read.
///
/// # Errors
/// [`EngineError`] if there is no memory for the table.
pub(crate) fn run(config: &Config, depth: Option<u32>, output: &Output) -> Result<(), EngineError> {
    let result = bench::run(depth, config, &mut |number, of, nodes| {
        output.line(format_args!("position {number}/{of}: {nodes} nodes"));
    })?;
    output.line(format_args!(
        "config {:016x}, {} ms\n{} nodes {} nps",
        config.hash(),
        result.time.as_millis(),
        result.nodes,
        result.nps()
    ));
    Ok(())
}
