//! Configurations as TOML text.

use std::path::Path;

use toml_edit::{DocumentMut, Item, Table, TableLike, Value as Toml};

use crate::{
    Config, SECTIONS, SPECS, Spec, diff,
    error::{ConfigError, Fault},
    value::{Kind, Value, folder_of},
};

/// Widest comment line of a generated file.
const COMMENT_WIDTH: usize = 98;

const DEFAULT_HEADER: &str = "\
# Every tunable of Sextant with its default, range and unit.
#
# Generated from the declarations in crates/config/src/tunables.rs; a test holds the two together.
# A file of your own may be partial, and may begin with `extends = \"PRESET or FILE\"`.
";

/// The text of `presets/default.toml`.
pub fn default_toml() -> String {
    format!("{DEFAULT_HEADER}\n{}", Config::default().to_toml())
}

impl Config {
    /// The whole configuration as a file, each key below its meaning, range and unit.
    pub fn to_toml(&self) -> String {
        let mut text = String::from("version = 1\n");
        for (section, meaning) in SECTIONS {
            text.push('\n');
            push_comment(&mut text, meaning);
            text.push_str(&format!("[{section}]\n"));
            for spec in SPECS.iter().filter(|spec| spec.section == *section) {
                text.push('\n');
                push_comment(&mut text, spec.doc());
                push_comment(&mut text, &spec.kind.allowed());
                text.push_str(&format!("{} = {}\n", spec.name, spec.text(self)));
            }
        }
        text
    }

    /// Rewrites an existing file so that it loads as this configuration. Only the values that
    /// differ are touched; comments, order and the base that it extends stay. `origin` is the
    /// file's name, as for [`Config::from_toml_str`].
    ///
    /// # Errors
    /// The existing text must itself be a valid configuration.
    pub fn write_into(&self, existing: &str, origin: &str) -> Result<String, ConfigError> {
        let before = Config::from_toml_str(existing, origin)?;
        let mut document: DocumentMut = existing
            .trim_start_matches('\u{feff}')
            .parse()
            .map_err(|error| Fault::Syntax(toml_edit::TomlError::message(&error).to_owned()))?;
        let folder = folder_of(Path::new(origin));
        for difference in diff(&before, self) {
            let name = difference.spec.section;
            if !document.contains_key(name) {
                let section = below_the_text(&document);
                document.insert(name, section);
            }
            let section = &mut document[name];
            if let Some(section) = section.as_table_like_mut() {
                write_value(section, difference.spec, difference.to, folder);
            }
        }
        let written = document.to_string();
        // The TOML writer ends lines its own way; the file keeps its way.
        if existing.contains("\r\n") {
            return Ok(written.replace("\r\n", "\n").replace('\n', "\r\n"));
        }
        Ok(written)
    }
}

/// A new section for the end of a file. The last lines of the file may be comments that belong to
/// what stands above them; TOML would put the section before these.
fn below_the_text(document: &DocumentMut) -> Item {
    let mut section = Table::new();
    if let Some(text) = document.trailing().as_str().filter(|text| !text.is_empty()) {
        section.decor_mut().set_prefix(format!("{text}\n"));
    }
    Item::Table(section)
}

/// Sets one key, keeping the comments around an old value.
fn write_value(section: &mut dyn TableLike, spec: &Spec, value: Value, folder: &Path) {
    let mut new = toml_value(&spec.kind, &value, folder);
    match section.get_mut(spec.name).and_then(Item::as_value_mut) {
        Some(old) => {
            *new.decor_mut() = old.decor().clone();
            *old = new;
        }
        None => {
            section.insert(spec.name, Item::Value(new));
        }
    }
}

fn toml_value(kind: &Kind, value: &Value, folder: &Path) -> Toml {
    let text = match value {
        Value::Text(text) => return Toml::from(kind.relative_paths(text, folder)),
        value => kind.text(value),
    };
    // TOML reads what the kind writes.
    text.parse().unwrap_or_else(|_| Toml::from(text))
}

/// Adds text as comment lines, broken between words.
fn push_comment(text: &mut String, comment: &str) {
    let mut width = COMMENT_WIDTH;
    for word in comment.split_whitespace() {
        width += 1 + word.len();
        if width > COMMENT_WIDTH {
            let newline = if text.ends_with('\n') { "#" } else { "\n#" };
            text.push_str(newline);
            width = 2 + word.len();
        }
        text.push(' ');
        text.push_str(word);
    }
    text.push('\n');
}
