//! All tables of an inventory, found by material, opened at first use.

use std::{path::PathBuf, sync::OnceLock};

use super::table::Table;
use crate::{
    error::{TableError, TableId, TableKind},
    inventory::Inventory,
    material::Material,
};

/// A table that will be opened when somebody asks for it.
struct Slot {
    id: TableId,
    path: PathBuf,
    table: OnceLock<Result<Table, TableError>>,
}

impl Slot {
    fn open(&self) -> Result<&Table, &TableError> {
        self.table
            .get_or_init(|| Table::open(&self.path, self.id))
            .as_ref()
    }
}

/// The tables of one material.
#[derive(Default)]
struct Tables {
    wdl: Option<Slot>,
    dtz: Option<Slot>,
}

/// Where a material's tables are in [`Store::tables`].
#[derive(Clone, Copy)]
struct Entry {
    key: u32,
    table: u32,
    /// White is the second side of the table's name.
    swap: bool,
}

/// Why a table does not answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unavailable {
    Missing,
    Corrupt,
}

pub(crate) struct Store {
    tables: Vec<Tables>,
    /// Open addressing; the length is a power of two and at most half of the entries are taken.
    entries: Vec<Option<Entry>>,
}

impl Store {
    pub(crate) fn new(inventory: &Inventory) -> Store {
        let mut tables: Vec<(Material, Tables)> = Vec::new();
        for (id, file) in inventory.tables() {
            if tables
                .last()
                .is_none_or(|(material, _)| *material != id.material)
            {
                tables.push((id.material, Tables::default()));
            }
            if let Some((_, tables)) = tables.last_mut() {
                let slot = Slot {
                    id,
                    path: file.path.clone(),
                    table: OnceLock::new(),
                };
                match id.kind {
                    TableKind::Wdl => tables.wdl = Some(slot),
                    TableKind::Dtz => tables.dtz = Some(slot),
                }
            }
        }
        // Two orientations a material, at most half full.
        let mut store = Store {
            entries: vec![None; (4 * tables.len()).next_power_of_two().max(2)],
            tables: Vec::new(),
        };
        for (material, tables) in tables {
            let table = store.tables.len() as u32;
            store.insert(Entry {
                key: material.key(),
                table,
                swap: false,
            });
            if !material.is_symmetric() {
                store.insert(Entry {
                    key: material.swapped().key(),
                    table,
                    swap: true,
                });
            }
            store.tables.push(tables);
        }
        store
    }

    fn home(&self, key: u32) -> usize {
        // Multiplicative hashing by the golden ratio: the high bits are the mixed ones.
        let mixed = u64::from(key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32) as usize & (self.entries.len() - 1)
    }

    fn insert(&mut self, entry: Entry) {
        let mut at = self.home(entry.key);
        while self.entries[at].is_some() {
            at = (at + 1) & (self.entries.len() - 1);
        }
        self.entries[at] = Some(entry);
    }

    #[inline]
    fn find(&self, material: Material) -> Option<(&Tables, bool)> {
        let mut at = self.home(material.key());
        loop {
            let entry = self.entries[at]?;
            if entry.key == material.key() {
                return Some((&self.tables[entry.table as usize], entry.swap));
            }
            at = (at + 1) & (self.entries.len() - 1);
        }
    }

    /// The table for this material, and whether its White is the name's second side.
    #[inline]
    pub(crate) fn get(
        &self,
        material: Material,
        kind: TableKind,
    ) -> Result<(&Table, bool), Unavailable> {
        let (tables, swap) = self.find(material).ok_or(Unavailable::Missing)?;
        let slot = match kind {
            TableKind::Wdl => &tables.wdl,
            TableKind::Dtz => &tables.dtz,
        };
        let slot = slot.as_ref().ok_or(Unavailable::Missing)?;
        slot.open()
            .map(|table| (table, swap))
            .map_err(|_| Unavailable::Corrupt)
    }

    /// Opens a table and says what is wrong with its header; `None` if it is not installed.
    pub(crate) fn inspect(&self, id: TableId) -> Option<Result<&Table, &TableError>> {
        let (tables, _) = self.find(id.material)?;
        let slot = match id.kind {
            TableKind::Wdl => &tables.wdl,
            TableKind::Dtz => &tables.dtz,
        };
        slot.as_ref().map(Slot::open)
    }
}
