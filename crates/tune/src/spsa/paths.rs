//! The files that a run names. The state keeps them relative to its own folder where they lie in it,
//! so that a run goes on from anywhere and its folder can be moved; elsewhere they are whole paths.

use std::{
    io,
    path::{Path, PathBuf},
};

use sextant_config::Preset;

/// A path, relative to the current folder, as the state at `state` keeps it.
///
/// # Errors
/// What the system says if there is no current folder.
pub(super) fn kept(path: &Path, state: &Path) -> io::Result<PathBuf> {
    let (path, state) = (std::path::absolute(path)?, std::path::absolute(state)?);
    let within = state
        .parent()
        .and_then(|folder| path.strip_prefix(folder).ok());
    Ok(within.map_or_else(|| path.clone(), Path::to_owned))
}

/// Where a kept path leads.
pub(super) fn found(kept: &Path, state: &Path) -> PathBuf {
    state.parent().unwrap_or(Path::new("")).join(kept)
}

/// [`kept`] for a config: a preset keeps its name.
///
/// # Errors
/// As [`kept`].
pub(super) fn kept_config(name: &str, state: &Path) -> io::Result<String> {
    if Preset::find(name).is_some() {
        return Ok(name.to_owned());
    }
    Ok(kept(Path::new(name), state)?.to_string_lossy().into_owned())
}

/// [`found`] for a config.
pub(super) fn found_config(kept: &str, state: &Path) -> String {
    if Preset::find(kept).is_some() {
        return kept.to_owned();
    }
    let path = found(Path::new(kept), state);
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_with_the_state_moves_with_it() {
        let state = Path::new("/runs/a/run.toml");
        for (path, expected) in [
            ("/runs/a/out.toml", "out.toml"),
            ("/runs/a/books/b.epd", "books/b.epd"),
            ("/runs/b.epd", "/runs/b.epd"),
        ] {
            let kept = kept(Path::new(path), state).unwrap();
            assert_eq!(kept, Path::new(expected));
            assert_eq!(found(&kept, state), Path::new(path));
        }
        assert_eq!(kept_config("default", state).unwrap(), "default");
        assert_eq!(found_config("default", state), "default");
        let moved = Path::new("../b/run.toml");
        assert_eq!(found_config("my.toml", moved), "../b/my.toml");
    }
}
