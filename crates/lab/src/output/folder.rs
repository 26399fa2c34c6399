//! The report's folder: `index.html`, every table as CSV and JSON, and the journal of finished
//! experiments, by which `--resume` goes on and a page keeps what earlier runs found.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Map, Value, json};
use sextant_cli::{
    failure::Failure,
    files::{self, FileError},
};

use super::{bare, html, recipe::Recipe, records::Records};
use crate::{
    experiment::Experiment,
    report::{Cell, Report, Table},
};

/// A folder that takes a report, and no other run's as long as this lives.
pub(crate) struct Folder {
    root: PathBuf,
    finished: Records<Report>,
}

impl Folder {
    /// Makes the folder and makes sure that a run with these settings can be written there and
    /// spoils nothing, before hours are spent.
    ///
    /// # Errors
    /// When it cannot be made or written, another run is writing there, or it holds a page that is
    /// not ours or results of other settings.
    pub(crate) fn open(root: &Path, recipe: &Recipe) -> Result<Folder, Failure> {
        let path = root.join("finished.jsonl");
        if root.join("index.html").exists() && !path.exists() {
            return Err(Failure::work(format!(
                "{} holds an index.html that is no report of this laboratory; choose another \
                 folder with --out, or delete it if nobody needs it",
                root.display()
            )));
        }
        let tables = root.join("tables");
        let made = fs::create_dir_all(&tables).map_err(FileError::of("write", &tables));
        made.map_err(Failure::work)?;
        Ok(Folder {
            finished: Records::open(&path, recipe)?,
            root: root.to_owned(),
        })
    }

    /// The report of an experiment that an earlier run finished.
    pub(crate) fn finished(&self, name: &str) -> Option<&Report> {
        self.finished.get(name)
    }

    /// Keeps a finished experiment: its tables for people and programs, and itself for later runs.
    pub(crate) fn keep(&mut self, name: &str, report: Report) -> Result<(), Failure> {
        for table in &report.tables {
            let stem = format!("tables/{name}-{}", table.name);
            self.write(format!("{stem}.csv"), &csv(table))?;
            self.write(format!("{stem}.json"), &json(name, table))?;
        }
        self.finished.keep(name, report)
    }

    /// Writes the page of everything among `all` that is finished; `run` says how the run was made.
    pub(crate) fn write_page(
        &self,
        all: &[&'static Experiment],
        run: &str,
    ) -> Result<PathBuf, Failure> {
        let section = |&one: &&'static Experiment| Some((one, self.finished(one.name)?));
        let sections: Vec<_> = all.iter().filter_map(section).collect();
        self.write("index.html".to_owned(), &html::page(&sections, run)?)
    }

    fn write(&self, name: String, text: &str) -> Result<PathBuf, Failure> {
        let path = self.root.join(name);
        files::write(&path, text).map_err(Failure::work)?;
        Ok(path)
    }
}

fn csv(table: &Table) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing to memory fails only for rows of unequal length, which `Columns` rules out.
    let _ = writer.write_record(&table.columns);
    for row in &table.rows {
        let _ = writer.write_record(row.iter().map(bare));
    }
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn json(experiment: &str, table: &Table) -> String {
    let value_of = |cell: &Cell| match cell {
        Cell::Text(text) => json!(text),
        Cell::Count(count) => json!(count),
        Cell::Real(value, _) => json!(value),
        Cell::Empty => Value::Null,
    };
    let rows = table.rows.iter().map(|row| {
        let pairs = table.columns.iter().cloned().zip(row.iter().map(value_of));
        pairs.collect::<Map<_, _>>()
    });
    let value = json!({
        "experiment": experiment,
        "table": table.name,
        "title": table.title,
        "rows": rows.collect::<Vec<_>>(),
    });
    format!("{value:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{real, table};

    fn open(root: &Path, seed: &str) -> Result<Folder, Failure> {
        let seed = seed.to_owned();
        let others = Recipe::default();
        Folder::open(root, &Recipe { seed, ..others })
    }

    #[test]
    fn a_finished_experiment_is_kept_for_the_same_settings_only() {
        let dir = tempfile::tempdir().unwrap();
        let open = |seed| open(dir.path(), seed);
        let rows = [("a, b", 12_345_u64, 0.5)];
        let table = table!("sums", "Sums", rows, |row| {
            "what" => row.0,
            "n" => row.1,
            "x" => real(row.2, 2),
            "none" => Cell::Empty,
        });
        let sample = Report {
            tables: vec![table],
            ..Report::default()
        };
        let mut folder = open("1").unwrap();
        folder.keep("one", sample.clone()).unwrap();
        let read = |name: &str| fs::read_to_string(dir.path().join("tables").join(name)).unwrap();
        let expected = "what,n,x,none\n\"a, b\",12345,0.50,\n";
        assert_eq!(read("one-sums.csv"), expected);
        let json: Value = serde_json::from_str(&read("one-sums.json")).unwrap();
        assert_eq!(json["rows"][0]["n"], 12345);
        assert_eq!(json["rows"][0]["none"], Value::Null);
        drop(folder);
        let refused = open("2").err().unwrap().to_string();
        assert!(refused.contains("--out"), "{refused}");
        let journal = dir.path().join("finished.jsonl");
        let torn = fs::read_to_string(&journal).unwrap() + "{\"name\": \"two\", ";
        fs::write(&journal, torn).unwrap();
        let mut folder = open("1").unwrap();
        assert_eq!(folder.finished("one"), Some(&sample));
        assert_eq!(folder.finished("two"), None);
        folder.keep("two", sample).unwrap();
        drop(folder);
        assert!(open("1").unwrap().finished("two").is_some());
    }

    #[test]
    fn a_page_that_is_not_ours_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("index.html"), "<title>My garden</title>").unwrap();
        let refused = open(dir.path(), "1").err().unwrap().to_string();
        let expected = "index.html that is no report";
        assert!(refused.contains(expected), "{refused}");
        assert!(!dir.path().join("tables").exists());
    }
}
