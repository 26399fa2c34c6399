//! All tables of an inventory, found by material, opened at first use.

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, Ordering},
};

use fnv::FnvHashMap;

use super::{body::Memory, table::Table};
use crate::{
    error::{ProbeError, TableError, TableId, TableKind},
    material::Material,
    source::{Options, TableSource},
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

pub(crate) struct Store {
    slots: Vec<Slot>,
    /// For both orientations of a material: where its WDL and its DTZ table are in `slots`, and
    /// whether White is the second side of the table's name.
    by_material: FnvHashMap<Material, ([Option<usize>; 2], bool)>,
    verify: bool,
    memory: Arc<Memory>,
}

impl Store {
    pub(crate) fn new(
        sources: impl IntoIterator<Item = (TableId, Arc<dyn TableSource>)>,
        options: &Options,
    ) -> Store {
        let mut store = Store {
            slots: Vec::new(),
            by_material: FnvHashMap::default(),
            verify: options.verify,
            memory: Arc::new(Memory::new(options)),
        };
        for (id, source) in sources {
            for (material, swap) in [(id.material.swapped(), true), (id.material, false)] {
                let entry = store.by_material.entry(material).or_default();
                entry.0[id.kind as usize] = Some(store.slots.len());
                entry.1 = swap;
            }
            store.slots.push(Slot {
                id,
                source,
                table: OnceLock::new(),
                told: AtomicBool::new(false),
            });
        }
        store
    }

    #[inline]
    fn find(&self, material: Material, kind: TableKind) -> Option<(&Slot, bool)> {
        let (tables, swap) = self.by_material.get(&material)?;
        Some((self.slots.get(tables[kind as usize]?)?, *swap))
    }

    /// The table for this material, and whether its White is the name's second side.
    #[inline]
    pub(crate) fn get(
        &self,
        material: Material,
        kind: TableKind,
    ) -> Result<(&Table, bool), ProbeError> {
        let found = self.find(material, kind);
        let (slot, swap) = found.ok_or_else(|| ProbeError::Missing(TableId::of(material, kind)))?;
        match self.open(slot) {
            Ok(table) if table.fault().is_none() => Ok((table, swap)),
            _ => Err(ProbeError::Corrupt(slot.id)),
        }
    }

    #[inline]
    fn open<'a>(&self, slot: &'a Slot) -> Result<&'a Table, &'a TableError> {
        let open = || {
            Table::open(
                slot.source.clone(),
                slot.id,
                self.memory.clone(),
                self.verify,
            )
        };
        slot.table.get_or_init(open).as_ref()
    }

    /// Opens a table and says what is wrong with it, as far as is known; `None` if it is not
    /// installed.
    pub(crate) fn inspect(&self, id: TableId) -> Option<Result<&Table, &TableError>> {
        let (slot, _) = self.find(id.material, id.kind)?;
        Some(match self.open(slot) {
            Ok(table) => table.fault().map_or(Ok(table), Err),
            error => error,
        })
    }

    /// The tables that failed since the last call.
    pub(crate) fn take_failures(&self) -> impl Iterator<Item = (TableId, &TableError)> {
        self.slots.iter().filter_map(|slot| {
            let error = slot.failure()?;
            let told = slot.told.swap(true, Ordering::Relaxed);
            (!told).then_some((slot.id, error))
        })
    }
}
