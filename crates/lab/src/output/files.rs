//! The report's folder: `index.html`, every table as CSV and JSON, and what `--resume` needs.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{bare, html};
use crate::error::LabError;
use crate::report::{Cell, Report, Table};

/// How a run was made: a finished experiment is only kept by `--resume` if all of this is equal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The laboratory's version.
    pub version: String,
    /// Small run.
    pub quick: bool,
    /// Seed of everything random.
    pub seed: u64,
    /// Hash of the file of positions, if not the built-in ones: its name says little.
    pub suite: Option<u64>,
    /// Fingerprint of the engine's configuration.
    pub config: u64,
    /// Nodes of a few short searches: two engines that agree here search alike.
    pub engine: u64,
    /// Folders with endgame tables, if some were named.
    pub tables: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Finished {
    settings: Settings,
    report: Report,
}

/// A folder that takes a report, and no other run's as long as this lives.
#[derive(Debug)]
pub struct Folder {
    root: PathBuf,
    settings: Settings,
    _claim: File,
}

impl Folder {
    /// Makes the folder and makes sure that a run with these settings can be written there and
    /// spoils nothing, before hours are spent.
    ///
    /// # Errors
    /// When it cannot be made or written, another run is writing there, or it holds a page that is
    /// not ours or results of other settings.
    pub fn create(root: &Path, settings: Settings) -> Result<Folder, LabError> {
        let page = fs::read(root.join("index.html")).unwrap_or_default();
        if !page.is_empty() && !String::from_utf8_lossy(&page).contains(html::TITLE) {
            return Err(occupied(root, "holds an index.html that is no report"));
        }
        for sub in ["tables", "finished"] {
            let path = root.join(sub);
            fs::create_dir_all(&path).map_err(LabError::unwritable(&path))?;
        }
        let claim = claim(root)?;
        others(root, &settings)?;
        Ok(Folder {
            root: root.to_owned(),
            settings,
            _claim: claim,
        })
    }

    /// Keeps a finished experiment: its tables for people and programs, and itself for resuming.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn keep(&self, name: &str, report: &Report) -> Result<(), LabError> {
        for table in &report.tables {
            let stem = format!("tables/{name}-{}", table.name);
            self.write(&format!("{stem}.csv"), &csv_text(table))?;
            self.write(&format!("{stem}.json"), &pretty(&json_value(name, table)))?;
        }
        let finished = Finished {
            settings: self.settings.clone(),
            report: report.clone(),
        };
        let state = serde_json::to_value(&finished).unwrap_or_default();
        self.write(&format!("finished/{name}.json"), &pretty(&state))
    }

    /// The report of an experiment that was finished under the same settings. A missing or damaged
    /// file is no report: the experiment runs again.
    #[must_use]
    pub fn finished(&self, name: &str) -> Option<Report> {
        let text = fs::read_to_string(self.root.join(format!("finished/{name}.json"))).ok()?;
        let finished: Finished = serde_json::from_str(&text).ok()?;
        (finished.settings == self.settings).then_some(finished.report)
    }

    /// Writes the page.
    ///
    /// # Errors
    /// When a figure cannot be drawn or the file cannot be written.
    pub fn write_page(
        &self,
        sections: &[html::Section<'_>],
        run: &str,
    ) -> Result<PathBuf, LabError> {
        self.write("index.html", &html::page(sections, run)?)?;
        Ok(self.root.join("index.html"))
    }

    /// Writes beside and renames, so that an interrupted run leaves the old file or the new one.
    fn write(&self, name: &str, text: &str) -> Result<(), LabError> {
        let path = self.root.join(name);
        let beside = path.with_extension("partial");
        fs::write(&beside, text).map_err(LabError::unwritable(&beside))?;
        fs::rename(&beside, &path).map_err(LabError::unwritable(&path))
    }
}

fn occupied(root: &Path, what: impl Into<String>) -> LabError {
    LabError::Occupied {
        folder: root.to_owned(),
        what: what.into(),
    }
}

/// Claims the folder by a lock, which ends with the process whatever becomes of it.
fn claim(root: &Path) -> Result<File, LabError> {
    let path = root.join("finished/.lock");
    let file = File::create(&path).map_err(LabError::unwritable(&path))?;
    match file.try_lock() {
        // Some network disks have no locks.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            Err(occupied(root, "is being written by another sextant-lab"))
        }
    }
}

/// Refuses a folder with a result of other settings: page and tables would mix both.
fn others(root: &Path, settings: &Settings) -> Result<(), LabError> {
    let path = root.join("finished");
    let entries = fs::read_dir(&path).map_err(LabError::unwritable(&path))?;
    let mut results: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    results.retain(|result| result.extension().is_some_and(|end| end == "json"));
    results.sort();
    let now = serde_json::to_value(settings).unwrap_or_default();
    for result in results {
        let text = fs::read(&result).unwrap_or_default();
        // What cannot be read any more is nothing to keep.
        let Ok(then) = serde_json::from_slice::<Value>(&text) else {
            continue;
        };
        let differences = differences(&now, &then["settings"]);
        if !differences.is_empty() {
            let name = result.file_stem().unwrap_or_default().to_string_lossy();
            return Err(occupied(
                root,
                format!(
                    "holds {name} with other settings ({})",
                    differences.join(", ")
                ),
            ));
        }
    }
    Ok(())
}

/// Settings in which `then` differs from `now`, with both values.
fn differences(now: &Value, then: &Value) -> Vec<String> {
    let keys = now.as_object().into_iter().flatten();
    keys.filter(|&(key, value)| then.get(key) != Some(value))
        .map(|(key, value)| match then.get(key) {
            Some(before) => format!("{key} was {before} and is now {value}"),
            None => format!("{key} was not recorded"),
        })
        .collect()
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

fn csv_text(table: &Table) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing to memory fails only for rows of unequal length, which `Table::row` rules out.
    let _ = writer.write_record(&table.columns);
    for row in &table.rows {
        let _ = writer.write_record(row.iter().map(bare));
    }
    writer
        .into_inner()
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .unwrap_or_default()
}

fn json_value(experiment: &str, table: &Table) -> Value {
    let value_of = |cell: &Cell| match cell {
        Cell::Text(text) => Value::from(text.as_str()),
        Cell::Count(count) => Value::from(*count),
        Cell::Real(value, _) => Value::from(*value),
        Cell::Empty => Value::Null,
    };
    let rows = table.rows.iter().map(|row| {
        let pairs = table.columns.iter().cloned().zip(row.iter().map(value_of));
        Value::Object(pairs.collect::<Map<_, _>>())
    });
    let mut object = Map::new();
    object.insert("experiment".to_owned(), experiment.into());
    object.insert("table".to_owned(), table.name.as_str().into());
    object.insert("title".to_owned(), table.title.as_str().into());
    object.insert("rows".to_owned(), Value::Array(rows.collect()));
    Value::Object(object)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Finding, Verdict};

    fn settings(seed: u64) -> Settings {
        Settings {
            version: "1".to_owned(),
            quick: true,
            seed,
            suite: None,
            config: 7,
            engine: 9,
            tables: None,
        }
    }

    fn sample() -> Report {
        let mut table = Table::new("sums", "Sums", &["what", "n", "x", "none"]);
        table.row([
            "a, b".into(),
            12_345_u64.into(),
            Cell::real(0.5, 2),
            Cell::Empty,
        ]);
        let verdict = Verdict::of("Yes.".to_owned(), vec![Finding::tested(true, "it is")]);
        Report {
            tables: vec![table],
            figures: Vec::new(),
            verdict,
        }
    }

    #[test]
    fn a_finished_experiment_is_kept_for_the_same_settings_only() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::create(dir.path(), settings(1)).unwrap();
        folder.keep("one", &sample()).unwrap();
        drop(folder);
        let other = refusal(dir.path(), 2);
        assert!(
            other.contains("holds one with other settings (seed was 1 and is now 2)")
                && other.contains("--out"),
            "{other}"
        );
        let folder = Folder::create(dir.path(), settings(1)).unwrap();
        assert_eq!(folder.finished("one"), Some(sample()));
        assert_eq!(folder.finished("two"), None);
        fs::write(dir.path().join("finished/one.json"), "{ \"settings").unwrap();
        assert_eq!(folder.finished("one"), None);
        drop(folder);
        assert!(Folder::create(dir.path(), settings(2)).is_ok());
    }

    fn refusal(root: &Path, seed: u64) -> String {
        Folder::create(root, settings(seed))
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn results_of_an_older_laboratory_are_not_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("finished")).unwrap();
        let old = "{\"settings\": {\"version\": \"1\", \"seed\": 1}, \"report\": 0}";
        fs::write(dir.path().join("finished/one.json"), old).unwrap();
        let message = refusal(dir.path(), 1);
        assert!(message.contains("engine was not recorded"), "{message}");
    }

    #[test]
    fn a_page_that_is_not_ours_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("index.html"), "<title>My garden</title>").unwrap();
        let message = refusal(dir.path(), 1);
        assert!(
            message.contains("index.html that is no report"),
            "{message}"
        );
        assert!(!dir.path().join("finished").exists());
    }

    #[test]
    fn a_folder_takes_one_run_at_a_time() {
        let dir = tempfile::tempdir().unwrap();
        let first = Folder::create(dir.path(), settings(1)).unwrap();
        let message = refusal(dir.path(), 1);
        assert!(message.contains("by another sextant-lab"), "{message}");
        first.write_page(&[], "a run").unwrap();
        drop(first);
        assert!(Folder::create(dir.path(), settings(1)).is_ok());
    }

    #[test]
    fn tables_are_written_for_programs() {
        let dir = tempfile::tempdir().unwrap();
        Folder::create(dir.path(), settings(1))
            .unwrap()
            .keep("one", &sample())
            .unwrap();
        let read = |name: &str| fs::read_to_string(dir.path().join("tables").join(name)).unwrap();
        assert_eq!(
            read("one-sums.csv"),
            "what,n,x,none\n\"a, b\",12345,0.50,\n"
        );
        let json: Value = serde_json::from_str(&read("one-sums.json")).unwrap();
        assert_eq!(json["rows"][0]["n"], 12345);
        assert_eq!(json["rows"][0]["none"], Value::Null);
    }

    #[test]
    fn a_folder_that_cannot_be_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, "").unwrap();
        let error = Folder::create(&file, settings(1)).unwrap_err().to_string();
        assert!(
            error.starts_with("cannot write ") && error.contains("file"),
            "{error}"
        );
    }
}
