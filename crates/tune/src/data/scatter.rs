//! External sort by 64-bit keys, for more than fits into memory; stable among equal keys. With
//! hashes as keys it shuffles and brings equals together.

use std::{
    fs::File,
    io::{self, BufWriter, Read, Seek, Write},
    path::Path,
};

use sextant_cli::{failure::Failure, progress::Progress};

use super::games::check_interrupt;

/// What one bucket may hold, about; twice that is in memory at a time.
const BUCKET_BYTES: u64 = 128 << 20;
/// More would be too many open files.
const MOST_BUCKETS: u64 = 512;
/// Bytes before the payload: key and length.
const HEAD: usize = 12;

/// Buckets by the upper bits of the key, in unnamed temporary files: the system deletes them
/// whatever happens.
pub(super) struct Scatter {
    buckets: Vec<BufWriter<File>>,
    bytes: u64,
}

fn failed(error: io::Error) -> Failure {
    Failure::work(format!(
        "cannot use temporary files beside the output: {error}"
    ))
}

impl Scatter {
    /// Buckets for about `bytes` of payload, in the folder of the file `beside`.
    pub(super) fn new(bytes: u64, beside: &Path) -> Result<Scatter, Failure> {
        let folder = match beside.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let count = bytes.div_ceil(BUCKET_BYTES).clamp(1, MOST_BUCKETS);
        let buckets = (0..count).map(|_| tempfile::tempfile_in(folder).map(BufWriter::new));
        Ok(Scatter {
            buckets: buckets.collect::<io::Result<_>>().map_err(failed)?,
            bytes: 0,
        })
    }

    pub(super) fn add(&mut self, key: u64, payload: &[u8]) -> Result<(), Failure> {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        let bucket = &mut self.buckets[index as usize];
        self.bytes += (HEAD + payload.len()) as u64;
        let (key, length) = (key.to_le_bytes(), (payload.len() as u32).to_le_bytes());
        let mut parts = [&key[..], &length, payload].into_iter();
        let written = parts.try_for_each(|part| bucket.write_all(part));
        written.map_err(failed)
    }

    /// Shows everything in the order of the keys.
    pub(super) fn gather(
        self,
        mut show: impl FnMut(u64, &[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let progress = Progress::new("writing", Some(self.bytes)).in_bytes();
        for bucket in self.buckets {
            check_interrupt()?;
            let bytes = contents(bucket).map_err(failed)?;
            let mut entries = entries(&bytes);
            entries.sort_by_key(|&(key, _)| key);
            for (key, payload) in entries {
                show(key, payload)?;
            }
            progress.advance(bytes.len() as u64);
        }
        Ok(())
    }
}

fn contents(bucket: BufWriter<File>) -> io::Result<Vec<u8>> {
    let mut file = bucket.into_inner()?;
    file.rewind()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The keys and payloads of a bucket, in the order of arrival.
fn entries(mut bytes: &[u8]) -> Vec<(u64, &[u8])> {
    let mut entries = Vec::new();
    while let Some((head, rest)) = bytes.split_first_chunk::<HEAD>() {
        let [key @ .., l0, l1, l2, l3] = *head;
        let length = u32::from_le_bytes([l0, l1, l2, l3]) as usize;
        let (payload, rest) = rest.split_at(length.min(rest.len()));
        entries.push((u64::from_le_bytes(key), payload));
        bytes = rest;
    }
    entries
}

#[cfg(test)]
mod tests {
    use sextant_board::Random;

    use super::*;

    #[test]
    fn everything_comes_back_sorted_and_equals_keep_their_order() {
        let folder = tempfile::tempdir().unwrap();
        for size in [0, BUCKET_BYTES * 7] {
            let mut scatter = Scatter::new(size, &folder.path().join("out")).unwrap();
            let mut random = Random::new(1);
            let mut expected = Vec::new();
            for number in 0..5000_u32 {
                let key = random.next_u64() >> 40 << 40 | u64::from(number % 3);
                let key = if number % 7 == 0 { 5 } else { key };
                let payload = vec![number as u8; number as usize % 50];
                scatter.add(key, &payload).unwrap();
                expected.push((key, payload));
            }
            expected.sort_by_key(|&(key, _)| key);
            let mut seen = Vec::new();
            let shown = scatter.gather(|key, payload| {
                seen.push((key, payload.to_vec()));
                Ok(())
            });
            assert!(shown.is_ok() && seen == expected);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
