//! An engine beside ours, in the words of fastchess.

use std::{path::Path, str::FromStr};

use sextant_cli::amount;

/// An engine as `--engine` names it, in fastchess's own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::matches) struct ForeignEngine {
    pub(super) name: String,
    pub(super) words: Vec<String>,
}

impl FromStr for ForeignEngine {
    type Err = String;

    fn from_str(text: &str) -> Result<ForeignEngine, String> {
        let mut words = Vec::new();
        for word in split(text)? {
            let (key, value) = word.split_once('=').ok_or_else(|| {
                format!("{word:?} is not KEY=VALUE; put a value with blanks in double quotes")
            })?;
            words.push(match key {
                "nodes" => format!("nodes={}", amount::count(value)?),
                _ => word,
            });
        }
        let value = |key: &str| {
            let mut values = words.iter().filter_map(|word| word.split_once('='));
            values.find(|(found, _)| *found == key).map(|found| found.1)
        };
        let file = value("cmd").filter(|file| !file.is_empty());
        let file = file.ok_or("cmd=FILE is missing, as in 'cmd=stockfish option.Hash=16'")?;
        let stem = Path::new(file).file_stem();
        let stem = stem.map(|stem| stem.to_string_lossy().into_owned());
        let name = value("name").map(str::to_owned).or(stem);
        Ok(ForeignEngine {
            name: name.unwrap_or_else(|| file.to_owned()),
            words,
        })
    }
}

impl ForeignEngine {
    /// Does it have a limit or a clock of its own?
    pub(super) fn is_limited(&self) -> bool {
        let limits = ["nodes", "depth", "plies", "st", "tc"];
        let mut keys = self.words.iter().filter_map(|word| word.split_once('='));
        keys.any(|(key, _)| limits.contains(&key))
    }
}

/// Words at blanks; between double quotes a blank is none.
fn split(text: &str) -> Result<Vec<String>, String> {
    let (mut words, mut is_quoted, mut word) = (Vec::new(), false, String::new());
    for c in text.chars() {
        match c {
            '"' => is_quoted = !is_quoted,
            c if c.is_whitespace() && !is_quoted => words.push(std::mem::take(&mut word)),
            c => word.push(c),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    (!is_quoted)
        .then_some(words)
        .ok_or_else(|| format!("a double quote has no end in {text:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_named_in_the_words_of_fastchess() {
        let read = |text: &str| text.parse::<ForeignEngine>();
        let engine = read("cmd=/usr/games/stockfish  args=\"a b\" nodes=20k").unwrap();
        assert_eq!(engine.name, "stockfish");
        let words = ["cmd=/usr/games/stockfish", "args=a b", "nodes=20000"];
        assert_eq!(engine.words, words);
        assert!(engine.is_limited() && !read("cmd=x option.nodes=3").unwrap().is_limited());
        assert_eq!(read("cmd=x name=y").unwrap().name, "y");
        for (text, message) in [
            ("option.Hash=16", "cmd=FILE is missing"),
            ("cmd=x stockfish", "\"stockfish\" is not KEY=VALUE"),
            ("cmd=x nodes=many", "many"),
            ("cmd=\"x", "no end"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
