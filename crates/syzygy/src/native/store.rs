//! All tables of an inventory, found by material, opened at first use.

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use super::{
    body::{PageCache, Shelf, page_cache},
    table::Table,
};
use crate::{
    error::{TableError, TableId, TableKind},
    material::Material,
    options::Options,
    source::TableSource,
};

/// A table that will be opened when somebody asks for it.
struct Slot {
    id: TableId,
    source: Arc<dyn TableSource>,
    table: OnceLock<Result<Table, TableError>>,
    /// Its failure was told.
    told: AtomicBool,
}

impl Slot {
    /// What is wrong with the table, as far as it is known.
    fn failure(&self) -> Option<&TableError> {
        match self.table.get()? {
            Ok(table) => table.fault(),
            Err(error) => Some(error),
        }
    }
}

/// The tables of one material.
#[derive(Default)]
struct Tables {
    wdl: Option<Slot>,
    dtz: Option<Slot>,
}

/// Larger tables are read page by page.
const WHOLE_TABLE_BYTES: u64 = 16 << 20;

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
    verify: bool,
    /// Bytes of tables that may still be kept whole.
    whole_left: AtomicU64,
    pages: Arc<PageCache>,
}

impl Store {
    /// A store of these tables, in the order of their names.
    pub(crate) fn new(
        sources: impl IntoIterator<Item = (TableId, Arc<dyn TableSource>)>,
        options: &Options,
    ) -> Store {
        let mut tables: Vec<(Material, Tables)> = Vec::new();
        for (id, source) in sources {
            if tables
                .last()
                .is_none_or(|(material, _)| *material != id.material)
            {
                tables.push((id.material, Tables::default()));
            }
            if let Some((_, tables)) = tables.last_mut() {
                let slot = Slot {
                    id,
                    source,
                    table: OnceLock::new(),
                    told: AtomicBool::new(false),
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
            verify: options.verify,
            whole_left: AtomicU64::new(options.whole_bytes),
            pages: Arc::new(page_cache(options.page_bytes)),
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
        match self.open(slot) {
            Ok(table) if table.fault().is_none() => Ok((table, swap)),
            _ => Err(Unavailable::Corrupt),
        }
    }

    #[inline]
    fn open<'a>(&self, slot: &'a Slot) -> Result<&'a Table, &'a TableError> {
        let table = slot.table.get_or_init(|| self.read(slot));
        table.as_ref()
    }

    #[cold]
    fn read(&self, slot: &Slot) -> Result<Table, TableError> {
        let bytes = slot.source.size()?;
        let take = |left: u64| left.checked_sub(bytes);
        let whole = bytes <= WHOLE_TABLE_BYTES
            && self
                .whole_left
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
                .is_ok();
        let shelf = (!whole).then(|| Shelf {
            cache: self.pages.clone(),
            table: slot.id,
        });
        let table = Table::open(slot.source.clone(), slot.id, shelf, self.verify);
        if whole && table.is_err() {
            self.whole_left.fetch_add(bytes, Ordering::Relaxed);
        }
        table
    }

    /// Opens a table and says what is wrong with it, as far as is known; `None` if it is not
    /// installed.
    pub(crate) fn inspect(&self, id: TableId) -> Option<Result<&Table, &TableError>> {
        let (tables, _) = self.find(id.material)?;
        let slot = match id.kind {
            TableKind::Wdl => &tables.wdl,
            TableKind::Dtz => &tables.dtz,
        };
        Some(match self.open(slot.as_ref()?) {
            Ok(table) => table.fault().map_or(Ok(table), Err),
            error => error,
        })
    }

    /// The tables that failed since the last call.
    pub(crate) fn take_failures(&self) -> impl Iterator<Item = (TableId, &TableError)> {
        let slots = self
            .tables
            .iter()
            .flat_map(|tables| [&tables.wdl, &tables.dtz]);
        slots.flatten().filter_map(|slot| {
            let error = slot.failure()?;
            let told = slot.told.swap(true, Ordering::Relaxed);
            (!told).then_some((slot.id, error))
        })
    }
}
