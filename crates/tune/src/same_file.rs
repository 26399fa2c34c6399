//! Do two paths lead to one file?

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Do both lead to the same place, whether there is a file or not?
pub(crate) fn is_same(a: &Path, b: &Path) -> bool {
    real(a) == real(b)
}

fn real(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let of_folder = || {
        let folder = fs::canonicalize(whole.parent()?).ok()?;
        Some(folder.join(whole.file_name()?))
    };
    let real = fs::canonicalize(&whole).ok().or_else(of_folder);
    real.unwrap_or(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_place_has_many_names() {
        let folder = tempfile::tempdir().unwrap();
        let (here, dotted) = (folder.path().join("x"), folder.path().join(".").join("x"));
        assert!(is_same(&here, &dotted));
        fs::write(&here, "").unwrap();
        assert!(is_same(&here, &dotted));
        assert!(!is_same(&here, &folder.path().join("y")));
    }
}
