//! Parts of long experiments, kept in the folder of a run: `--resume` goes on behind the last one.

use std::{cell::RefCell, path::Path};

use serde::Serialize;
use serde_json::Value;
use sextant_cli::failure::Failure;

use super::{recipe::Recipe, records::Records};

pub(crate) struct Parts {
    records: RefCell<Records<Value>>,
    /// What is there counts: the run goes on.
    resumes: bool,
}

impl Parts {
    /// The parts in the folder `root`, which must be there.
    ///
    /// # Errors
    /// As [`Records::open`].
    pub(crate) fn open(root: &Path, recipe: &Recipe, resumes: bool) -> Result<Parts, Failure> {
        let records = Records::open(&root.join("parts.jsonl"), recipe)?;
        Ok(Parts {
            records: RefCell::new(records),
            resumes,
        })
    }

    /// What an earlier run found, if this one resumes it.
    pub(crate) fn get(&self, name: &str) -> Option<Value> {
        let records = self.records.borrow();
        records.get(name).filter(|_| self.resumes).cloned()
    }

    pub(crate) fn keep(&self, name: &str, found: &impl Serialize) -> Result<(), Failure> {
        let value = serde_json::to_value(found).map_err(Failure::work)?;
        self.records.borrow_mut().keep(name, value)
    }
}
