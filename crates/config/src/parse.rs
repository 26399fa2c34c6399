//! TOML text to checked values, each problem with its place.

use std::{ops::Range, path::Path};

use toml_edit::{Document, Item, TableLike, Value as Toml};

use crate::{
    Config, SECTIONS, SPECS, Spec,
    error::{ConfigError, Fault, Problem},
    nearest, paths,
    value::{Kind, Number, PHASES, Value, check_text, quoted_list},
};

/// Longest piece of a file that an error message repeats.
const QUOTED_CHARS: usize = 60;

/// One file while it is read: its text, its name and what is wrong with it.
pub(crate) struct Text<'a> {
    pub(crate) text: &'a str,
    pub(crate) origin: &'a str,
    pub(crate) problems: Vec<(Range<usize>, Fault)>,
}

/// A parsed file: the base that it names, with the place, and its own values.
#[derive(Default)]
pub(crate) struct Parsed {
    pub(crate) extends: Option<(Range<usize>, String)>,
    pub(crate) values: Vec<(&'static Spec, Value)>,
}

impl Parsed {
    /// Lays the values over a configuration; relative paths start at `folder`.
    pub(crate) fn apply(self, config: &mut Config, folder: &Path) {
        for (spec, value) in self.values {
            let value = match value {
                Value::Text(text) => Value::Text(paths::from_folder(&spec.kind, &text, folder)),
                other => other,
            };
            (spec.store)(config, value);
        }
    }
}

impl<'a> Text<'a> {
    pub(crate) fn new(text: &'a str, origin: &'a str) -> Self {
        // Editors on Windows may begin a file with a byte-order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self {
            text,
            origin,
            problems: Vec::new(),
        }
    }

    /// Reads the whole text; what is wrong is left in `problems`.
    pub(crate) fn parse(&mut self) -> Parsed {
        let mut parsed = Parsed::default();
        match Document::parse(self.text) {
            Ok(document) => self.read_root(document.as_table(), &mut parsed),
            Err(error) => {
                let span = error.span().unwrap_or_default();
                let message = error.message().replace('\n', ", ");
                self.problems.push((span, Fault::Syntax(message)));
            }
        }
        parsed
    }

    /// The problems as errors, in the order of the text.
    pub(crate) fn errors(mut self) -> Vec<ConfigError> {
        let mut problems = std::mem::take(&mut self.problems);
        problems.sort_by_key(|(span, _)| span.start);
        problems
            .into_iter()
            .map(|(span, fault)| {
                let (line, column) = place(self.text, span.start);
                ConfigError::InFile {
                    origin: self.origin.to_owned(),
                    line,
                    column,
                    fault: Box::new(fault),
                }
            })
            .collect()
    }

    fn read_root(&mut self, root: &dyn TableLike, parsed: &mut Parsed) {
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
                ("extends", _) => self.read_extends(item, span, parsed),
                (_, Some(table)) if is_section => self.read_section(name, table, parsed),
                (_, None) if is_section => {
                    self.wrong_type(span, name, format!("a section [{name}]"));
                }
                _ => self.problems.push((name_span, unknown_at_root(name, item))),
            }
        }
    }

    fn read_extends(&mut self, item: &Item, span: Range<usize>, parsed: &mut Parsed) {
        match item
            .as_str()
            .map(|base| (base, check_text("extends", base)))
        {
            Some((base, Ok(()))) => parsed.extends = Some((span, base.to_owned())),
            Some((_, Err(fault))) => self.problems.push((span, fault)),
            None => {
                let allowed = "a preset or a file name in quotes";
                self.wrong_type(span, "extends", allowed.to_owned());
            }
        }
    }

    fn read_section(&mut self, section: &str, table: &dyn TableLike, parsed: &mut Parsed) {
        for (name, item) in table.iter() {
            let name_span = key_span(table, name);
            let known = SPECS
                .iter()
                .find(|spec| spec.section == section && spec.name == name);
            let Some(spec) = known else {
                let what = format!("key {section}.{}", clip(name));
                let nearest = nearest::key(section, name);
                self.problems
                    .push((name_span, Fault::Unknown { what, nearest }));
                continue;
            };
            let span = item.span().unwrap_or(name_span);
            match self.read_value(spec, item, &span) {
                Ok(value) => parsed.values.push((spec, value)),
                Err(problem) => self.problems.push(problem),
            }
        }
    }

    /// The value of one key, checked.
    fn read_value(
        &self,
        spec: &Spec,
        item: &Item,
        span: &Range<usize>,
    ) -> Result<Value, (Range<usize>, Fault)> {
        let key = spec.key();
        let found = self.quote(span);
        let here = |fault| (span.clone(), fault);
        let wrong_type = || Fault::value(&key, &found, Problem::WrongType(spec.kind.allowed()));
        match (&spec.kind, item.as_value()) {
            (Kind::Number(number), Some(value)) => {
                self.read_number(&key, number, value).map(Value::Number)
            }
            (Kind::Phases(number), Some(Toml::Array(array))) => {
                let numbers: Result<Vec<_>, _> = array
                    .iter()
                    .map(|value| self.read_number(&key, number, value))
                    .collect();
                let all: Result<[i32; PHASES], _> = numbers?.try_into();
                all.map(Value::Phases).map_err(|_| here(wrong_type()))
            }
            (Kind::Bool, Some(Toml::Boolean(on))) => Ok(Value::Bool(*on.value())),
            (Kind::Choice(words), Some(Toml::String(text))) => read_word(&key, words, text.value())
                .map(Value::Choice)
                .map_err(here),
            (Kind::File | Kind::Folders, Some(Toml::String(text))) => {
                check_text(&key, text.value()).map_err(here)?;
                Ok(Value::Text(text.value().clone()))
            }
            _ => Err(here(wrong_type())),
        }
    }

    fn read_number(
        &self,
        key: &str,
        number: &Number,
        value: &Toml,
    ) -> Result<i32, (Range<usize>, Fault)> {
        let span = value.span().unwrap_or_default();
        let found = self.quote(&span);
        let shown = match value {
            // Rounding of huge integers does not matter: they are out of range either way.
            Toml::Integer(integer) => *integer.value() as f64,
            Toml::Float(float) if number.is_fixed_point() => *float.value(),
            _ => {
                let problem = Problem::WrongType(number.allowed());
                return Err((span, Fault::value(key, &found, problem)));
            }
        };
        number
            .stored(key, &found, shown)
            .map_err(|fault| (span, fault))
    }

    fn wrong_type(&mut self, span: Range<usize>, key: &str, allowed: String) {
        let fault = Fault::value(key, &self.quote(&span), Problem::WrongType(allowed));
        self.problems.push((span, fault));
    }

    /// The text at a place, on one line and not too long.
    fn quote(&self, span: &Range<usize>) -> String {
        let text = self.text.get(span.clone()).unwrap_or_default();
        clip(&text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

/// A name above the first section, or of a section, that does not exist.
fn unknown_at_root(name: &str, item: &Item) -> Fault {
    let found = clip(name);
    let (what, nearest) = if item.is_table_like() || item.is_array_of_tables() {
        (format!("section [{found}]"), nearest::section(name))
    } else {
        (format!("key {found}"), nearest::key("", name))
    };
    Fault::Unknown { what, nearest }
}

/// One of the words of a choice, whatever its case.
pub(crate) fn read_word(
    key: &str,
    words: &'static [&'static str],
    text: &str,
) -> Result<&'static str, Fault> {
    words
        .iter()
        .find(|word| word.eq_ignore_ascii_case(text))
        .copied()
        .ok_or_else(|| {
            let problem = Problem::UnknownWord {
                allowed: quoted_list(words),
                nearest: nearest::nearest(text, words.iter().copied()).map(str::to_owned),
            };
            Fault::value(key, &format!("{:?}", clip(text)), problem)
        })
}

/// At most [`QUOTED_CHARS`] characters, none of them a control character.
pub(crate) fn clip(text: &str) -> String {
    let clean = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut clipped: String = clean.take(QUOTED_CHARS).collect();
    if text.chars().nth(QUOTED_CHARS).is_some() {
        clipped.push_str("...");
    }
    clipped
}

/// Where a key is written.
fn key_span(table: &dyn TableLike, name: &str) -> Range<usize> {
    table
        .key(name)
        .and_then(|key| key.span())
        .unwrap_or_default()
}

/// Line and column, from 1, of a byte of the text; columns count characters.
pub(crate) fn place(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.matches('\n').count() + 1;
    (line, before[line_start..].chars().count() + 1)
}
