//! Large memory pages for the table: a probe goes to a random place, and with ordinary pages the
//! processor has to look up where that is as often as it has to fetch it.

use std::mem::MaybeUninit;

/// Asks the operating system to back `memory` by large pages, before it is first touched. A wish:
/// where it is not granted (or not known), nothing changes but the speed.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
pub(super) fn prefer_large<T>(memory: &mut [MaybeUninit<T>]) {
    const PAGE: usize = 4096;
    let range = memory.as_mut_ptr_range();
    let start = (range.start as usize).next_multiple_of(PAGE);
    let end = range.end as usize / PAGE * PAGE;
    if start < end {
        // SAFETY: the pages lie wholly inside `memory`, which is borrowed exclusively, and this
        // advice changes neither their contents nor their mapping. Measured: it is worth several
        // per cent of the node rate (docs/measurements.md).
        unsafe { libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_HUGEPAGE) };
    }
}

/// Nothing to ask for.
#[cfg(not(target_os = "linux"))]
pub(super) fn prefer_large<T>(_memory: &mut [MaybeUninit<T>]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_of_any_size_and_place_stays_usable() {
        for size in [0, 1, 4095, 4096, 4097, 1 << 22] {
            for skip in [0, 1, 63] {
                let mut bytes: Vec<u8> = Vec::with_capacity(size + skip);
                prefer_large(&mut bytes.spare_capacity_mut()[skip..]);
                bytes.resize(size + skip, 7);
                assert!(bytes.iter().all(|&byte| byte == 7));
            }
        }
    }
}
