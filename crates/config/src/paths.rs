//! Paths inside values: relative ones start at the folder of the file that names them.

use std::path::{MAIN_SEPARATOR, Path};

use crate::value::Kind;

/// Whether a character separates the folders of a list. On Windows `:` belongs to the drive.
fn is_separator(c: char) -> bool {
    c == ';' || (c == ':' && MAIN_SEPARATOR == '/')
}

/// Applies `change` to each path of a value, keeping separators as they are.
fn map(kind: &Kind, text: &str, change: impl Fn(&str) -> String) -> String {
    let one = |path: &str| {
        if path.is_empty() {
            String::new()
        } else {
            change(path)
        }
    };
    match kind {
        Kind::File => one(text),
        Kind::Folders => text
            .split_inclusive(is_separator)
            .map(|piece| match piece.strip_suffix(is_separator) {
                Some(path) => one(path) + &piece[path.len()..],
                None => one(piece),
            })
            .collect(),
        _ => text.to_owned(),
    }
}

/// Rewrites paths relative to `folder` into paths relative to the working folder.
pub(crate) fn from_folder(kind: &Kind, text: &str, folder: &Path) -> String {
    map(kind, text, |path| {
        folder.join(path).to_string_lossy().into_owned()
    })
}

/// The reverse of [`from_folder`]: paths inside `folder` become relative to it, others absolute.
pub(crate) fn to_folder(kind: &Kind, text: &str, folder: &Path) -> String {
    if folder.as_os_str().is_empty() {
        return text.to_owned();
    }
    map(kind, text, |path| {
        let path = Path::new(path);
        let outside = || std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let path = path
            .strip_prefix(folder)
            .map_or_else(|_| outside(), Path::to_owned);
        path.to_string_lossy().into_owned()
    })
}

/// The last component of a path: what stays the same when a file moves.
pub(crate) fn file_name(text: &str) -> String {
    Path::new(text)
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}
