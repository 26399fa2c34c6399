//! A journal of named results beside its recipe: what a run has finished, so that it can go on.

use std::{collections::BTreeMap, io::Read, path::Path};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sextant_cli::{failure::Failure, files::FileError, journal::Journal};

use super::recipe::Recipe;

const COMMENT: &str = "# What the results in this file's neighbor are a function of.\n";

#[derive(Serialize, Deserialize)]
struct Record<T> {
    name: String,
    value: T,
}

/// The results by name, each on a line of a file that nobody else writes as long as this lives.
pub(crate) struct Records<T> {
    journal: Journal,
    values: BTreeMap<String, T>,
}

impl<T: Serialize + DeserializeOwned> Records<T> {
    /// Opens the file, which may be new; a torn line at its end is cut off.
    ///
    /// # Errors
    /// When it cannot be read or written, another run has it, or it holds results of other
    /// settings.
    pub(crate) fn open(path: &Path, recipe: &Recipe) -> Result<Records<T>, Failure> {
        let mut journal = Journal::open(path).map_err(Failure::work)?;
        let settled = journal.settle_recipe(recipe, COMMENT);
        settled.map_err(|error| Failure::work(error).advise("--out names the folder"))?;
        let mut text = Vec::new();
        let read = journal.reader()?.read_to_end(&mut text);
        read.map_err(FileError::of("read", path))?;
        let (mut values, mut whole) = (BTreeMap::new(), 0);
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            match serde_json::from_slice(line) {
                Ok(Record { name, value }) if line.ends_with(b"\n") => values.insert(name, value),
                _ => break,
            };
            whole += line.len() as u64;
        }
        journal.cut_behind(whole)?;
        Ok(Records { journal, values })
    }

    /// The last result of this name.
    pub(crate) fn get(&self, name: &str) -> Option<&T> {
        self.values.get(name)
    }

    /// Keeps a result, on the disk too.
    pub(crate) fn keep(&mut self, name: &str, value: T) -> Result<(), Failure> {
        let name = name.to_owned();
        let record = Record { name, value };
        let line = serde_json::to_string(&record).map_err(Failure::work)?;
        self.journal.append(format!("{line}\n").as_bytes())?;
        self.journal.sync()?;
        self.values.insert(record.name, record.value);
        Ok(())
    }
}
