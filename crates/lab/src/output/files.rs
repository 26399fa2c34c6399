//! The report's folder: `index.html`, every table as CSV and JSON, and what `--resume` needs.

use std::fs;
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

/// A folder that takes a report.
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// Makes the folder and makes sure that it can be written, before hours are spent.
    ///
    /// # Errors
    /// When it cannot be made or written.
    pub fn create(root: &Path) -> Result<Folder, LabError> {
        for sub in ["tables", "finished"] {
            let path = root.join(sub);
            fs::create_dir_all(&path).map_err(LabError::unwritable(&path))?;
        }
        let folder = Folder {
            root: root.to_owned(),
        };
        folder.write("finished/.probe", "")?;
        let probe = root.join("finished/.probe");
        fs::remove_file(&probe).map_err(LabError::unwritable(&probe))?;
        Ok(folder)
    }

    /// Keeps a finished experiment: its tables for people and programs, and itself for resuming.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn keep(&self, name: &str, settings: &Settings, report: &Report) -> Result<(), LabError> {
        for table in &report.tables {
            let stem = format!("tables/{name}-{}", table.name);
            self.write(&format!("{stem}.csv"), &csv_text(table))?;
            self.write(&format!("{stem}.json"), &pretty(&json_value(name, table)))?;
        }
        let finished = Finished {
            settings: settings.clone(),
            report: report.clone(),
        };
        let state = serde_json::to_value(&finished).unwrap_or_default();
        self.write(&format!("finished/{name}.json"), &pretty(&state))
    }

    /// The report of an experiment that was finished under the same settings. A missing, damaged
    /// or differently made file is no report: the experiment runs again.
    #[must_use]
    pub fn finished(&self, name: &str, settings: &Settings) -> Option<Report> {
        let text = fs::read_to_string(self.root.join(format!("finished/{name}.json"))).ok()?;
        let finished: Finished = serde_json::from_str(&text).ok()?;
        (finished.settings == *settings).then_some(finished.report)
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
        let folder = Folder::create(dir.path()).unwrap();
        folder.keep("one", &settings(1), &sample()).unwrap();
        assert_eq!(folder.finished("one", &settings(1)), Some(sample()));
        assert_eq!(folder.finished("one", &settings(2)), None);
        assert_eq!(folder.finished("two", &settings(1)), None);
        fs::write(dir.path().join("finished/one.json"), "{ \"settings").unwrap();
        assert_eq!(folder.finished("one", &settings(1)), None);
    }

    #[test]
    fn tables_are_written_for_programs() {
        let dir = tempfile::tempdir().unwrap();
        Folder::create(dir.path())
            .unwrap()
            .keep("one", &settings(1), &sample())
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
        let error = Folder::create(&file).unwrap_err().to_string();
        assert!(
            error.starts_with("cannot write ") && error.contains("file"),
            "{error}"
        );
    }
}
