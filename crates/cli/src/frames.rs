//! Records of bytes in a file: the length (4 bytes, little-endian), the bytes, and their FNV-1a hash
//! (8 bytes). A file that ends within a record was torn; a record with another hash is damaged.

use std::{
    hash::Hasher as _,
    io::{self, ErrorKind, Read},
};

use fnv::FnvHasher;

/// The largest record that is believed.
const LARGEST: u32 = 1 << 26;
/// Bytes around a record.
const AROUND: u64 = 4 + 8;

/// A record as it stands in a file.
///
/// ```
/// use sextant_cli::frames::{self, Frames};
///
/// let mut file = [frames::frame(b"one"), frames::frame(b"two")].concat();
/// file.extend([3, 0]); // torn
/// let mut frames = Frames::new(&file[..]);
/// assert_eq!(frames.next()?.unwrap(), b"one");
/// assert_eq!(frames.next()?.unwrap(), b"two");
/// assert_eq!(frames.next()?, None);
/// assert_eq!(frames.whole(), file.len() as u64 - 2);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn frame(bytes: &[u8]) -> Vec<u8> {
    let length = u32::try_from(bytes.len())
        .ok()
        .filter(|&length| length <= LARGEST);
    let length = length.expect("records are far smaller");
    let hash = hash(bytes).to_le_bytes();
    [&length.to_le_bytes(), bytes, &hash].concat()
}

/// Reads records one by one.
pub struct Frames<R> {
    source: R,
    whole: u64,
}

impl<R: Read> Frames<R> {
    /// Reads from here on.
    pub fn new(source: R) -> Frames<R> {
        Frames { source, whole: 0 }
    }

    /// Bytes of the whole records so far.
    pub fn whole(&self) -> u64 {
        self.whole
    }

    /// The next record; `None` at the end, or where the file is torn.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidData`] if a record is damaged; else what the system says.
    #[allow(clippy::should_implement_trait)] // It fails, and ends for good.
    pub fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        let Some(length) = self.exactly(4)? else {
            return Ok(None);
        };
        let length = length
            .iter()
            .rfold(0, |sum, &byte| sum << 8 | u32::from(byte));
        if length > LARGEST {
            return Err(ErrorKind::InvalidData.into());
        }
        let (Some(bytes), Some(found)) = (self.exactly(length.into())?, self.exactly(8)?) else {
            return Ok(None);
        };
        if hash(&bytes).to_le_bytes() != found[..] {
            return Err(ErrorKind::InvalidData.into());
        }
        self.whole += AROUND + u64::from(length);
        Ok(Some(bytes))
    }

    /// So many bytes; `None` if there are fewer. No more memory than there are bytes.
    fn exactly(&mut self, length: u64) -> io::Result<Option<Vec<u8>>> {
        let mut bytes = Vec::new();
        self.source.by_ref().take(length).read_to_end(&mut bytes)?;
        Ok((bytes.len() as u64 == length).then_some(bytes))
    }
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cut_is_torn_and_every_changed_byte_is_no_record() {
        let file = [frame(b"one"), frame(b""), frame(b"three")].concat();
        let read = |file: &[u8]| {
            let mut frames = Frames::new(file);
            let mut records = Vec::new();
            while let Some(record) = frames.next()? {
                records.push(record);
            }
            Ok::<_, io::Error>((records, frames.whole()))
        };
        let (all, whole) = read(&file).unwrap();
        assert_eq!(all, [&b"one"[..], b"", b"three"]);
        assert_eq!(whole, file.len() as u64);
        for length in 0..file.len() {
            let (records, whole) = read(&file[..length]).unwrap();
            assert!(all.starts_with(&records) && whole <= length as u64);
            assert!(records.len() < all.len());
        }
        for at in 0..file.len() {
            let mut bad = file.clone();
            bad[at] ^= 0x10;
            // A changed length may look like a torn file.
            assert!(read(&bad).map_or(true, |(records, _)| records.len() < all.len()));
        }
    }
}
