//! The bytes of a table: its header read forward, the rest kept whole or read page by page.

use std::sync::{Arc, OnceLock, atomic::AtomicU32};

use quick_cache::{Weighter, sync::Cache};

use crate::{
    error::{TableError, TableId},
    source::TableSource,
};

/// Bytes of a page; a page of blocks is at least one block long.
pub(super) const PAGE_BYTES: usize = 4096;
/// Bytes of a block that share a mark.
pub(super) const MARK_BYTES: usize = 8;
/// Bytes behind a page that it holds too: what a decoder's window reads ahead, and what a number
/// that starts on it may need.
const READ_AHEAD: usize = 16;

/// Some of a file's bytes.
pub(crate) struct Page {
    pub(super) bytes: Box<[u8]>,
    /// See [`super::stream`]; none for pages of an index.
    pub(super) marks: Box<[AtomicU32]>,
}

/// Pages by table and offset in its file. A hit copies a pointer; nothing is locked while a page is
/// read or decoded.
pub(crate) type PageCache = Cache<(TableId, u64), Arc<Page>, Weight>;

#[derive(Clone)]
pub(crate) struct Weight;

impl Weighter<(TableId, u64), Arc<Page>> for Weight {
    fn weight(&self, _: &(TableId, u64), page: &Arc<Page>) -> u64 {
        (page.bytes.len() + 4 * page.marks.len()) as u64
    }
}

/// A cache for so many bytes.
pub(crate) fn page_cache(bytes: u64) -> PageCache {
    Cache::with_weighter(bytes as usize / (2 * PAGE_BYTES), bytes, Weight)
}

/// Where a table's pages are kept.
#[derive(Clone)]
pub(crate) struct Shelf {
    pub(crate) cache: Arc<PageCache>,
    pub(crate) table: TableId,
}

pub(super) enum Kept {
    Whole(Box<[u8]>),
    Pages(Shelf),
}

/// A table's source and what is kept of it.
pub(super) struct Body {
    pub(super) source: Arc<dyn TableSource>,
    pub(super) bytes: u64,
    pub(super) kept: Kept,
    /// What was found to be wrong with the content, once something was.
    pub(super) fault: OnceLock<TableError>,
}

impl Body {
    /// Notes what is wrong; the table is out of use from now on.
    #[cold]
    pub(super) fn fail(&self, error: TableError) {
        // The first finding is as good as a later one.
        let _ = self.fault.set(error);
    }

    /// The page of at most `length` bytes from `at` on.
    pub(super) fn page(
        &self,
        shelf: &Shelf,
        at: u64,
        length: usize,
        marked: bool,
    ) -> Option<Arc<Page>> {
        let load = || self.load(at, length, marked).map(Arc::new);
        match shelf.cache.get_or_insert_with(&(shelf.table, at), load) {
            Ok(page) => Some(page),
            Err(error) => {
                self.fail(error);
                None
            }
        }
    }

    fn load(&self, at: u64, length: usize, marked: bool) -> Result<Page, TableError> {
        let left = self.bytes.saturating_sub(at);
        let mut bytes = vec![0; left.min((length + READ_AHEAD) as u64) as usize];
        self.source.read_exact_at(&mut bytes, at)?;
        let marks = if marked { length / MARK_BYTES } else { 0 };
        Ok(Page {
            bytes: bytes.into(),
            marks: unmade(marks),
        })
    }

    /// The next bytes of an index, from `at` on.
    #[inline]
    pub(super) fn read<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        match &self.kept {
            Kept::Whole(bytes) => bytes.get(at..)?.first_chunk().copied(),
            Kept::Pages(shelf) => {
                let start = at / PAGE_BYTES * PAGE_BYTES;
                let page = self.page(shelf, start as u64, PAGE_BYTES, false)?;
                page.bytes.get(at - start..)?.first_chunk().copied()
            }
        }
    }
}

/// Marks that are not made yet.
pub(super) fn unmade(count: usize) -> Box<[AtomicU32]> {
    vec![0; count].into_iter().map(AtomicU32::new).collect()
}

/// Reads forward through a header; every read is checked.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Reader { bytes, at: 0 }
    }

    /// Offset of the next byte.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// An error about what was just read.
    pub(super) fn wrong(&self, what: &'static str) -> TableError {
        TableError::Header { at: self.at, what }
    }

    /// The next `count` bytes.
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], TableError> {
        let end = self
            .at
            .checked_add(count)
            .filter(|&end| end <= self.bytes.len());
        let end = end.ok_or_else(|| self.wrong("the file ends inside the header"))?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    pub(super) fn u8(&mut self) -> Result<u8, TableError> {
        Ok(self.take(1)?[0])
    }

    pub(super) fn u16(&mut self) -> Result<u16, TableError> {
        let bytes = self.take(2)?;
        Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    pub(super) fn u32(&mut self) -> Result<u32, TableError> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// Skips to the next multiple of `unit` bytes.
    pub(super) fn align(&mut self, unit: usize) -> Result<(), TableError> {
        self.take(self.at.next_multiple_of(unit) - self.at)
            .map(|_| ())
    }
}
