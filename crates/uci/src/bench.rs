//! The benchmark: signature and speed.

use sextant_config::Config;
use sextant_search::bench;

use crate::{error::OptionError, networks, output::Output};

/// Searches the benchmark positions with one thread and prints what it took. The last line is the
/// one that testing tools read.
///
/// # Errors
/// [`OptionError`] if table or network cannot be had.
pub(crate) fn run(config: &Config, depth: Option<u32>, output: &Output) -> Result<(), OptionError> {
    let network = networks::open(config)?;
    let named = network
        .as_ref()
        .map(|network| format!(", network {:016x}", network.hash()));
    let named = named.unwrap_or_default();
    let result = bench::run(depth, config, network, &mut |number, of, nodes| {
        output.line(format_args!("position {number}/{of}: {nodes} nodes"));
    })?;
    output.line(format_args!(
        "config {:016x}{named}, {} ms\n{} nodes {} nps",
        config.hash(),
        result.time.as_millis(),
        result.nodes,
        result.nps()
    ));
    Ok(())
}
