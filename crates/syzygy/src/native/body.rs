//! The bytes of a table: its header read forward, the rest kept whole or read page by page.

use std::{
    iter,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
};

use quick_cache::{Weighter, sync::Cache};

use crate::{
    error::{TableError, TableId},
    source::{Options, TableSource},
};

/// Bytes of a page; a page of blocks is at least one block long.
pub(super) const PAGE_BYTES: usize = 4096;
/// Bytes of a block that share a mark.
pub(super) const MARK_BYTES: usize = 8;
/// Bytes behind a page that it holds too: what a decoder's window reads ahead, and what a number
/// that starts on it may need.
const READ_AHEAD: usize = 16;

/// Some of a file: bytes of an index, or blocks.
pub(super) struct Page {
    bytes: Box<[u8]>,
    pub(super) blocks: Blocks,
}

/// Blocks as words of 32 bits, each block behind its marks (see [`super::stream`]), so that both
/// come from memory together.
#[derive(Default)]
pub(super) struct Blocks {
    words: Box<[AtomicU32]>,
    /// Of each block.
    marks: usize,
    block_words: usize,
}

impl Blocks {
    /// The blocks of `1 << block_log2` bytes in `bytes`, their marks not yet made.
    pub(super) fn new(bytes: &[u8], block_log2: u32) -> Blocks {
        let block_bytes = 1 << block_log2;
        let marks = usize::div_ceil(block_bytes, MARK_BYTES);
        let cells = bytes.chunks_exact(block_bytes).flat_map(|block| {
            let (words, _) = block.as_chunks();
            let words = words.iter().copied().map(u32::from_be_bytes);
            iter::repeat_n(0, marks).chain(words)
        });
        Blocks {
            words: cells
                .chain([0; READ_AHEAD / 4])
                .map(AtomicU32::new)
                .collect(),
            marks,
            block_words: block_bytes / 4,
        }
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The marks of a block, and the words from its first one on.
    #[inline]
    pub(super) fn get(&self, block: usize) -> Option<(&[AtomicU32], &[AtomicU32])> {
        let cell = self.words.get(block * (self.marks + self.block_words)..)?;
        cell.split_at_checked(self.marks)
    }
}

/// Pages by table and offset in its file. A hit copies a pointer; nothing is locked while a page is
/// read or decoded.
type PageCache = Cache<(TableId, u64), Arc<Page>, Weight>;

#[derive(Clone)]
struct Weight;

impl Weighter<(TableId, u64), Arc<Page>> for Weight {
    fn weight(&self, _: &(TableId, u64), page: &Arc<Page>) -> u64 {
        (page.bytes.len() + 4 * page.blocks.words.len()) as u64
    }
}

/// What the tables of a store share.
pub(crate) struct Memory {
    pages: PageCache,
    /// Bytes that may still be kept for good.
    left: AtomicU64,
}

impl Memory {
    pub(crate) fn new(options: &Options) -> Memory {
        let (bytes, count) = (options.page_bytes, options.page_bytes as usize / PAGE_BYTES);
        Memory {
            pages: Cache::with_weighter(count, bytes, Weight),
            left: AtomicU64::new(options.whole_bytes),
        }
    }

    /// Takes so many bytes, if there are as many left.
    pub(super) fn take(&self, bytes: u64) -> bool {
        let rest = |left: u64| left.checked_sub(bytes);
        let taken = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest);
        taken.is_ok()
    }
}

/// A table's source and what is kept of it.
pub(super) struct Body {
    pub(super) id: TableId,
    pub(super) source: Arc<dyn TableSource>,
    pub(super) bytes: u64,
    /// The bytes before the blocks, if they are kept.
    pub(super) index: Box<[u8]>,
    pub(super) memory: Arc<Memory>,
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

    /// The page of at most `length` bytes from `at` on; of an index, or of blocks.
    pub(super) fn page(
        &self,
        at: u64,
        length: usize,
        block_log2: Option<u32>,
    ) -> Option<Arc<Page>> {
        let load = || self.load(at, length, block_log2).map(Arc::new);
        match self.memory.pages.get_or_insert_with(&(self.id, at), load) {
            Ok(page) => Some(page),
            Err(error) => {
                self.fail(error);
                None
            }
        }
    }

    fn load(&self, at: u64, length: usize, block_log2: Option<u32>) -> Result<Page, TableError> {
        let left = self.bytes.saturating_sub(at);
        let mut bytes = vec![0; left.min((length + READ_AHEAD) as u64) as usize];
        self.source.read_exact_at(&mut bytes, at)?;
        Ok(match block_log2 {
            Some(block_log2) => Page {
                blocks: Blocks::new(&bytes[..length.min(bytes.len())], block_log2),
                bytes: Box::default(),
            },
            None => Page {
                blocks: Blocks::default(),
                bytes: bytes.into(),
            },
        })
    }

    /// The next bytes of an index, from `at` on.
    #[inline]
    pub(super) fn read<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        if let Some(bytes) = self.index.get(at..at + N) {
            return bytes.first_chunk().copied();
        }
        let start = at / PAGE_BYTES * PAGE_BYTES;
        let page = self.page(start as u64, PAGE_BYTES, None)?;
        page.bytes.get(at - start..)?.first_chunk().copied()
    }
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
        let rest = &self.bytes[self.at..];
        let taken = rest.get(..count);
        let taken = taken.ok_or_else(|| self.wrong("the file ends inside the header"))?;
        self.at += count;
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
