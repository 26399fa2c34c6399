//! The decoder, written from `docs/reference/syzygy-format.md`; section numbers in the comments are
//! that page's.
//!
//! No read of file content can leave the file: every offset is checked, and whatever does not add
//! up is an error.

mod body;
mod index;
mod squares;
mod store;
mod stream;
mod table;

pub(crate) use store::Store;
pub(crate) use table::DtzAnswer;
