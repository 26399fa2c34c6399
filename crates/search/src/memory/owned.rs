//! Memory where there is no operating system to ask.

use std::{io, ops::Deref};

use super::Zeroed;

/// A slice of zeros.
#[derive(Debug)]
pub(crate) struct ZeroPages<T>(Box<[T]>);

impl<T: Zeroed> ZeroPages<T> {
    /// # Errors
    /// If there is not that much memory.
    pub(crate) fn new(length: usize) -> io::Result<ZeroPages<T>> {
        let mut zeros = Vec::new();
        let reserved = zeros.try_reserve_exact(length);
        reserved.map_err(|_| io::ErrorKind::OutOfMemory)?;
        zeros.resize_with(length, T::default);
        Ok(ZeroPages(zeros.into()))
    }
}

impl<T: Zeroed> Deref for ZeroPages<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.0
    }
}
