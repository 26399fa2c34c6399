//! Memory from the operating system.

use std::{fmt, io, marker::PhantomData, ops::Deref, slice};

use memmap2::{MmapMut, MmapRaw};

use super::Zeroed;

/// A slice of zeros, straight from the operating system: it is backed by memory only as it is
/// written to, by large pages where those are granted. A probe of a large table goes to a random
/// place, and with ordinary pages the processor has to look up where that is as often as it has to
/// fetch it; large ones are worth several per cent of the node rate (docs/log/measurements.md).
pub(crate) struct ZeroPages<T> {
    /// Not [`MmapMut`]: a shared borrow of that lends memory that nobody may write to.
    map: MmapRaw,
    length: usize,
    elements: PhantomData<T>,
}

impl<T: Zeroed> ZeroPages<T> {
    /// # Errors
    /// If the system has not that much memory to promise.
    pub(crate) fn new(length: usize) -> io::Result<ZeroPages<T>> {
        const { assert!(align_of::<T>() <= 4096, "no more than a page is aligned") };
        let bytes = length.checked_mul(size_of::<T>());
        let bytes = bytes.ok_or(io::ErrorKind::OutOfMemory)?;
        let map = MmapRaw::from(MmapMut::map_anon(bytes)?);
        // Where it is not granted, nothing but the speed changes. Miri does not know it.
        #[cfg(all(target_os = "linux", not(miri)))]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(ZeroPages {
            map,
            length,
            elements: PhantomData,
        })
    }
}

impl<T: Zeroed> Deref for ZeroPages<T> {
    type Target = [T];

    #[inline]
    #[allow(unsafe_code)]
    fn deref(&self) -> &[T] {
        // SAFETY: the map is page aligned, has this many elements, lives as long as the borrow, and
        // was all zeros, which are values of `T`; only through them was it written to.
        unsafe { slice::from_raw_parts(self.map.as_mut_ptr().cast(), self.length) }
    }
}

impl<T> fmt::Debug for ZeroPages<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ZeroPages({} bytes)", self.map.len())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    // SAFETY: all bits 0 are the number 0.
    #[allow(unsafe_code)]
    unsafe impl Zeroed for AtomicU64 {}

    #[test]
    fn pages_are_zeros_that_can_be_written_to() {
        let long = if cfg!(miri) { 1 << 12 } else { 1 << 19 };
        for length in [1, 511, 512, 513, long] {
            let pages = ZeroPages::<AtomicU64>::new(length).unwrap();
            assert_eq!(pages.len(), length);
            assert!(pages.iter().all(|it| it.load(Ordering::Relaxed) == 0));
            pages[length - 1].store(7, Ordering::Relaxed);
            assert_eq!(pages[length - 1].load(Ordering::Relaxed), 7);
        }
        assert!(ZeroPages::<AtomicU64>::new(usize::MAX / 8).is_err());
        assert!(ZeroPages::<AtomicU64>::new(usize::MAX).is_err());
    }
}
