//! The known name that a mistyped one most resembles.

use crate::{SECTIONS, SPECS};

/// The candidate with the fewest edits from `found`, if they are few for its length.
pub(crate) fn nearest<'a>(
    found: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    // Nothing long resembles a key; this also bounds the quadratic comparison.
    if found.chars().count() > 64 {
        return None;
    }
    let found = found.to_lowercase();
    let limit = (found.chars().count() / 3).max(2);
    candidates
        .into_iter()
        .map(|name| {
            (
                strsim::damerau_levenshtein(&found, &name.to_lowercase()),
                name,
            )
        })
        .filter(|(edits, name)| *edits <= limit && *edits < name.chars().count())
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, name)| name)
}

/// The section most like `found`.
pub(crate) fn section(found: &str) -> Option<String> {
    nearest(found, SECTIONS.iter().map(|(name, _)| *name)).map(str::to_owned)
}

/// The key most like `found`: the same name in another section, or a like name in the same section,
/// or a like name anywhere. `section` is empty for a key above the first section.
pub(crate) fn key(section: &str, found: &str) -> Option<String> {
    let full = |name: &str| {
        SPECS
            .iter()
            .find(|spec| spec.name == name)
            .map(|spec| spec.key())
    };
    if let Some(elsewhere) = full(found) {
        return Some(elsewhere);
    }
    let top_level = ["version", "extends"]
        .into_iter()
        .filter(|_| section.is_empty());
    if let Some(name) = nearest(found, top_level) {
        return Some(name.to_owned());
    }
    let within = SPECS
        .iter()
        .filter(|spec| spec.section == section)
        .map(|spec| spec.name);
    if let Some(name) = nearest(found, within) {
        return Some(format!("{section}.{name}"));
    }
    nearest(found, SPECS.iter().map(|spec| spec.name)).and_then(full)
}
