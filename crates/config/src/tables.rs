//! Where the tablebases lie, if several say it.

use std::env;

use crate::{error::ConfigError, tunables::Config};

/// The list of folders for a tool that probes: the first that is set of the folders of its command
/// line, `SYZYGY_PATH`, `TB_PATH`, and `[syzygy] path` of the configuration, which is a file or a
/// preset (`default` if none is given). `None` if nobody names a folder.
///
/// # Errors
/// [`ConfigError`] if the configuration is asked and does not load.
pub fn table_folders(
    named: &[String],
    config: Option<&str>,
) -> Result<Option<String>, ConfigError> {
    let separator = if cfg!(windows) { ";" } else { ":" };
    let set = |list: String| (!list.trim().is_empty() && list != "<empty>").then_some(list);
    let variable = |name| env::var(name).ok().and_then(set);
    let outside = set(named.join(separator))
        .or_else(|| variable("SYZYGY_PATH"))
        .or_else(|| variable("TB_PATH"));
    if outside.is_some() {
        return Ok(outside);
    }
    let config = Config::load(config.unwrap_or("default"))?;
    Ok(set(config.syzygy.path.to_string()))
}
