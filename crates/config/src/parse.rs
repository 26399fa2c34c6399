//! TOML text to checked values, each problem with its place.

use std::{ops::Range, path::Path};

use toml_edit::{Document, Item, TableLike, Value as Toml};

use crate::{
    Config, SECTIONS, Spec,
    access::{nearest, nearest_section, unknown_key},
    error::{ConfigError, Fault, clip, hint},
    removed::removed_word,
    value::{Kind, Number, PHASES, Value, check_text, quoted_list},
};

/// What is wrong, and with which bytes of the text.
type Located = (Range<usize>, Fault);

/// One file: its text and name, the base that it names, its own values, and what is wrong with it.
pub(crate) struct Parsed<'a> {
    text: &'a str,
    origin: &'a str,
    pub(crate) extends: Option<(Range<usize>, String)>,
    values: Vec<(&'static Spec, Value)>,
    pub(crate) problems: Vec<Located>,
}

impl<'a> Parsed<'a> {
    /// Reads the whole text; what is wrong is left in `problems`.
    pub(crate) fn new(text: &'a str, origin: &'a str) -> Self {
        // Editors on Windows may begin a file with a byte-order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut parsed = Self {
            text,
            origin,
            extends: None,
            values: Vec::new(),
            problems: Vec::new(),
        };
        match Document::parse(text) {
            Ok(document) => parsed.read_root(document.as_table()),
            Err(error) => {
                let message = error.message().replace('\n', ", ");
                let fault = Fault::Syntax(message);
                let span = error.span().unwrap_or_default();
                parsed.problems.push((span, fault));
            }
        }
        parsed
    }

    /// Lays the values over a configuration; relative paths start at `folder`.
    pub(crate) fn apply(self, config: &mut Config, folder: &Path) {
        for (spec, value) in self.values {
            let value = match value {
                Value::Text(text) => Value::Text(spec.kind.resolve_paths(&text, folder)),
                other => other,
            };
            (spec.store)(config, value);
        }
    }

    /// The problems as errors, in the order of the text.
    pub(crate) fn errors(&mut self) -> Vec<ConfigError> {
        self.problems.sort_by_key(|(span, _)| span.start);
        let located = |(span, fault): Located| {
            ConfigError::in_file(self.origin, self.text, span.start, fault)
        };
        self.problems.drain(..).map(located).collect()
    }

    fn read_root(&mut self, root: &dyn TableLike) {
        for (name, item) in root.iter() {
            let name_span = key_span(root, name);
            let span = item.span().unwrap_or_else(|| name_span.clone());
            let is_section = SECTIONS.iter().any(|(section, _)| *section == name);
            match (name, item.as_table_like()) {
                ("version", _) if item.as_integer() == Some(1) => {}
                ("version", _) => {
                    let found = self.quote(&span);
                    self.problems.push((span, Fault::Version(found)));
                }
                ("extends", _) => self.read_extends(item, span),
                (_, Some(table)) if is_section => self.read_section(name, table),
                (_, None) if is_section => {
                    self.problems
                        .push(self.wrong_type(name, span, format!("a section [{name}]")));
                }
                _ => self.problems.push((name_span, unknown_at_root(name, item))),
            }
        }
    }

    fn read_extends(&mut self, item: &Item, span: Range<usize>) {
        let Some(base) = item.as_str() else {
            let allowed = "a preset or a file name in quotes".to_owned();
            self.problems
                .push(self.wrong_type("extends", span, allowed));
            return;
        };
        match check_text("extends", base) {
            Ok(()) => self.extends = Some((span, base.to_owned())),
            Err(fault) => self.problems.push((span, fault)),
        }
    }

    fn read_section(&mut self, section: &str, table: &dyn TableLike) {
        for (name, item) in table.iter() {
            let name_span = key_span(table, name);
            let Some(spec) = Spec::find(&format!("{section}.{name}")) else {
                self.problems.push((name_span, unknown_key(section, name)));
                continue;
            };
            let span = item.span().unwrap_or(name_span);
            match self.read_value(spec, item, span) {
                Ok(value) => self.values.push((spec, value)),
                Err(problem) => self.problems.push(problem),
            }
        }
    }

    /// The value of one key, checked.
    fn read_value(&self, spec: &Spec, item: &Item, span: Range<usize>) -> Result<Value, Located> {
        let key = spec.key();
        match (&spec.kind, item.as_value()) {
            (Kind::Number(number), Some(value)) => {
                self.read_number(&key, number, value).map(Value::Number)
            }
            (Kind::Phases(number), Some(Toml::Array(array))) if array.len() == PHASES => {
                let mut all = [0; PHASES];
                for (stored, value) in all.iter_mut().zip(array) {
                    *stored = self.read_number(&key, number, value)?;
                }
                Ok(Value::Phases(all))
            }
            (Kind::Bool, Some(Toml::Boolean(on))) => Ok(Value::Bool(*on.value())),
            (Kind::Choice(words), Some(Toml::String(text))) => read_word(&key, words, text.value())
                .map(Value::Choice)
                .map_err(|fault| (span, fault)),
            (Kind::File | Kind::Folders, Some(Toml::String(text))) => {
                check_text(&key, text.value()).map_err(|fault| (span, fault))?;
                Ok(Value::Text(text.value().clone()))
            }
            _ => Err(self.wrong_type(&key, span, spec.kind.allowed())),
        }
    }

    fn read_number(&self, key: &str, number: &Number, value: &Toml) -> Result<i32, Located> {
        let span = value.span().unwrap_or_default();
        let shown = match value {
            // Rounding of huge integers does not matter: they are out of range either way.
            Toml::Integer(integer) => *integer.value() as f64,
            Toml::Float(float) if number.is_fixed_point() => *float.value(),
            _ => return Err(self.wrong_type(key, span, number.allowed())),
        };
        let refuse = |problem| Fault::value(key, self.quote(&span), problem);
        let stored = number.stored(shown).map_err(refuse);
        stored.map_err(|fault| (span, fault))
    }

    fn wrong_type(&self, key: &str, span: Range<usize>, allowed: String) -> Located {
        let fault = Fault::wrong_type(key, self.quote(&span), &allowed);
        (span, fault)
    }

    /// The text at a place, on one line and not too long.
    fn quote(&self, span: &Range<usize>) -> String {
        let text = self.text.get(span.clone()).unwrap_or_default();
        clip(&text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

/// A name above the first section, or of a section, that does not exist.
fn unknown_at_root(name: &str, item: &Item) -> Fault {
    if !item.is_table_like() && !item.is_array_of_tables() {
        return unknown_key("", name);
    }
    Fault::Unknown {
        what: format!("section [{}]", clip(name)),
        nearest: nearest_section(name),
    }
}

/// One of the words of a choice, whatever its case.
pub(crate) fn read_word(
    key: &str,
    words: &'static [&'static str],
    text: &str,
) -> Result<&'static str, Fault> {
    let mut known = words.iter().copied();
    let known = known.find(|word| word.eq_ignore_ascii_case(text));
    known.ok_or_else(|| {
        let (allowed, nearest) = (quoted_list(words), hint(&nearest(text, words)));
        let problem = match removed_word(key, text) {
            Some(instead) => format!(", which is gone: {instead}"),
            None => format!("; allowed: {allowed}{nearest}"),
        };
        Fault::value(key, format!("{:?}", clip(text)), problem)
    })
}

/// Where a key is written.
fn key_span(table: &dyn TableLike, name: &str) -> Range<usize> {
    let key = table.key(name);
    key.and_then(|key| key.span()).unwrap_or_default()
}
