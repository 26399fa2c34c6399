//! Tunables by name: read, write, check, compare, hash, and the known name nearest to a wrong one.

use std::{hash::Hasher as _, path::Path};

use fnv::FnvHasher;

use crate::{
    Config, SECTIONS, SPECS, Spec,
    error::{Fault, clip},
    removed::removed_name,
    value::{Kind, Value},
};

impl Spec {
    /// Section and name, as in `extensions.recapture`.
    pub fn key(&self) -> String {
        format!("{}.{}", self.section, self.name)
    }

    /// The tunable that a key of the form `section.name` names.
    pub fn find(key: &str) -> Option<&'static Spec> {
        let (section, name) = key.split_once('.')?;
        SPECS
            .iter()
            .find(|spec| spec.section == section && spec.name == name)
    }

    /// The same, or why there is none.
    ///
    /// # Errors
    /// An unknown key is refused, with the nearest known one.
    pub fn named(key: &str) -> Result<&'static Spec, Fault> {
        Spec::find(key).ok_or_else(|| {
            let (section, name) = key.split_once('.').unwrap_or(("", key));
            unknown_key(section, name)
        })
    }

    /// The meaning, as one line of prose.
    pub fn doc(&self) -> &'static str {
        self.doc.trim()
    }

    /// The value that a configuration has for it, in stored units.
    pub fn get(&self, config: &Config) -> Value {
        (self.load)(config)
    }

    /// Sets the value in a configuration.
    ///
    /// # Errors
    /// A value of another kind or out of range is refused, and the configuration stays as it was.
    pub fn set(&self, config: &mut Config, value: Value) -> Result<(), Fault> {
        self.kind.check(&self.key(), &value)?;
        (self.store)(config, value);
        Ok(())
    }

    /// The value in a configuration as the file shows it.
    pub fn text(&self, config: &Config) -> String {
        self.kind.text(&self.get(config))
    }

    /// What the hash sees of the value: a path counts by its file name, a list of folders not at
    /// all, because where things lie does not change what a search finds; nor does checking them.
    fn hashed_text(&self, config: &Config) -> Option<String> {
        match (self.hashed, &self.kind, self.get(config)) {
            (false, ..) | (_, Kind::Folders, _) => None,
            _ if self.key() == "syzygy.verify" => None,
            (_, Kind::File, Value::Text(path)) => {
                let name = Path::new(&path).file_name().unwrap_or_default();
                Some(name.to_string_lossy().into_owned())
            }
            (_, kind, value) => Some(kind.text(&value)),
        }
    }
}

/// A key whose value differs between two configurations.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The tunable that differs.
    pub spec: &'static Spec,
    /// Its value in the first configuration.
    pub from: Value,
    /// Its value in the second configuration.
    pub to: Value,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [from, to] = [&self.from, &self.to].map(|value| self.spec.kind.text(value));
        write!(f, "{}: {from} -> {to}", self.spec.key())
    }
}

/// The keys in which two configurations differ, in the order of the file.
pub fn diff(a: &Config, b: &Config) -> Vec<Difference> {
    SPECS
        .iter()
        .map(|spec| Difference {
            spec,
            from: spec.get(a),
            to: spec.get(b),
        })
        .filter(|difference| difference.from != difference.to)
        .collect()
}

impl Config {
    /// A number for what a search with this configuration finds: FNV-1a of the canonical text of
    /// every key of the search and the evaluation. Hash size, threads, clock and the places of
    /// files do not enter.
    pub fn hash(&self) -> u64 {
        let mut hasher = FnvHasher::default();
        for spec in SPECS {
            let Some(value) = spec.hashed_text(self) else {
                continue;
            };
            hasher.write(format!("{}={value}\n", spec.key()).as_bytes());
        }
        hasher.finish()
    }
}

/// No key has this name; `section` is empty for one above the first section.
pub(crate) fn unknown_key(section: &str, name: &str) -> Fault {
    let dot = if section.is_empty() { "" } else { "." };
    removed_name("key", &format!("{section}{dot}{name}")).unwrap_or_else(|| Fault::Unknown {
        what: format!("key {section}{dot}{}", clip(name)),
        nearest: nearest_key(section, name),
    })
}

/// The candidate with the fewest edits from `found`, if they are few for its length.
pub fn nearest<S: AsRef<str>>(
    found: &str,
    candidates: impl IntoIterator<Item = S>,
) -> Option<String> {
    // Nothing long resembles a key; this also bounds the quadratic comparison.
    if found.chars().count() > 64 {
        return None;
    }
    let found = found.to_lowercase();
    let limit = (found.chars().count() / 3).max(2);
    let edits = |name: &str| strsim::damerau_levenshtein(&found, &name.to_lowercase());
    candidates
        .into_iter()
        .map(|name| (edits(name.as_ref()), name))
        .filter(|(edits, name)| *edits <= limit && *edits < name.as_ref().chars().count())
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, name)| name.as_ref().to_owned())
}

/// The section most like `found`.
pub(crate) fn nearest_section(found: &str) -> Option<String> {
    nearest(found, SECTIONS.iter().map(|(name, _)| *name))
}

/// The key most like `found`: the same name in another section, or a like name in the same section,
/// or a like name anywhere.
pub(crate) fn nearest_key(section: &str, found: &str) -> Option<String> {
    let full = |name: &str| Some(SPECS.iter().find(|spec| spec.name == name)?.key());
    let top_level = || match section {
        "" => nearest(found, ["version", "extends"]),
        _ => None,
    };
    let within = || {
        let specs = SPECS.iter().filter(|spec| spec.section == section);
        let name = nearest(found, specs.map(|spec| spec.name))?;
        Some(format!("{section}.{name}"))
    };
    let anywhere = || full(&nearest(found, SPECS.iter().map(|spec| spec.name))?);
    full(found)
        .or_else(top_level)
        .or_else(within)
        .or_else(anywhere)
}
