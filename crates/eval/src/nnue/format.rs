//! The file of a network: a header of 64 bytes, then the parameters, all little-endian.
//!
//! | bytes | content |
//! | --- | --- |
//! | 0..8 | the word `Sextant` and a line feed |
//! | 8..12 | format, 1 |
//! | 12..14 | neurons of each side |
//! | 14 | output buckets |
//! | 15 | 0 |
//! | 16..48 | king bucket by own king square, rank by rank, files a to d |
//! | 48..52 | scale: centipawns for an output of one |
//! | 52..56 | bytes after the header |
//! | 56..64 | FNV-1a hash (64 bits) of bytes 0..56 and of all after the header |
//!
//! The parameters are 16-bit feature weights (a row for each feature), feature biases and output
//! weights (for each output bucket the side to move's, then the other's), and 32-bit output biases.

use std::{fmt, hash::Hasher as _};

use fnv::FnvHasher;

use super::{
    architecture::{Architecture, Sizes},
    block::numbers,
    error::NetError,
    network::{Network, Parameters},
};

/// The format that is read and written.
const VERSION: u32 = 1;

const MAGIC: [u8; 8] = *b"Sextant\n";
const HEADER_BYTES: usize = 64;
const HASH_AT: usize = 56;

impl Network {
    /// Reads a network file.
    ///
    /// # Errors
    /// [`NetError`] for anything else than a whole network that the engine can run.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetError> {
        let header = read_header(bytes)?;
        let architecture = header.architecture()?;
        let payload = &bytes[HEADER_BYTES..];
        let sizes = architecture.sizes();
        let wanted = sizes.bytes();
        for length in [header.payload, payload.len()] {
            if length != wanted {
                return Err(NetError::Length {
                    found: HEADER_BYTES + length,
                    wanted: HEADER_BYTES + wanted,
                });
            }
        }
        let found = hash(&bytes[..HASH_AT], payload);
        if found != header.hash {
            return Err(NetError::Hash {
                found,
                wanted: header.hash,
            });
        }
        Network::new(
            architecture,
            &read_parameters(payload, &sizes, header.scale),
        )
    }

    /// The network as a file, which [`Network::from_bytes`] reads.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let payload = self.payload();
        let mut bytes = self.header(payload.len());
        bytes.extend(hash(&bytes, &payload).to_le_bytes());
        bytes.extend(payload);
        bytes
    }

    /// The hash in the header, which names the network.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let payload = self.payload();
        hash(&self.header(payload.len()), &payload)
    }

    /// What comes before the hash.
    fn header(&self, payload: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER_BYTES + payload);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(self.architecture.hidden().to_le_bytes());
        bytes.extend([self.architecture.output_buckets(), 0]);
        bytes.extend(self.architecture.king_buckets());
        bytes.extend(self.scale.to_le_bytes());
        // At most 768 * 32 rows of 2 KiB.
        bytes.extend((payload as u32).to_le_bytes());
        bytes
    }

    fn payload(&self) -> Vec<u8> {
        let weights = [
            &self.feature_weights,
            &self.feature_biases,
            &self.output_weights,
        ];
        let weights = weights.into_iter().flat_map(|blocks| numbers(blocks));
        let biases = self.output_biases.iter();
        weights
            .flat_map(i16::to_le_bytes)
            .chain(biases.flat_map(|bias| bias.to_le_bytes()))
            .collect()
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network")
            .field("architecture", &self.architecture)
            .field("hash", &format_args!("{:016x}", self.hash()))
            .finish_non_exhaustive()
    }
}

/// What a header says.
struct Header {
    hidden: u16,
    output_buckets: u8,
    king_buckets: [u8; 32],
    scale: i32,
    payload: usize,
    hash: u64,
}

impl Header {
    fn architecture(&self) -> Result<Architecture, NetError> {
        Architecture::new(self.hidden, self.king_buckets, self.output_buckets)
    }
}

fn read_header(bytes: &[u8]) -> Result<Header, NetError> {
    if !bytes.starts_with(&MAGIC) {
        return Err(NetError::Foreign);
    }
    let Some(header) = bytes.first_chunk::<HEADER_BYTES>() else {
        return Err(NetError::Length {
            found: bytes.len(),
            wanted: HEADER_BYTES,
        });
    };
    let version = u32::from_le_bytes(part(header, 8));
    if version != VERSION {
        return Err(NetError::Version {
            found: version,
            wanted: VERSION,
        });
    }
    let [output_buckets] = part(header, 14);
    Ok(Header {
        hidden: u16::from_le_bytes(part(header, 12)),
        output_buckets,
        king_buckets: part(header, 16),
        scale: i32::from_le_bytes(part(header, 48)),
        payload: u32::from_le_bytes(part(header, 52)) as usize,
        hash: u64::from_le_bytes(part(header, HASH_AT)),
    })
}

/// The bytes from `at` on.
fn part<const N: usize>(header: &[u8; HEADER_BYTES], at: usize) -> [u8; N] {
    std::array::from_fn(|i| header[at + i])
}

/// The parameters of a file whose payload has the length that `sizes` ask for.
fn read_parameters(payload: &[u8], sizes: &Sizes, scale: i32) -> Parameters {
    let mut rest = payload;
    let mut take = |count: usize| {
        let (numbers, after) = rest.split_at(2 * count);
        rest = after;
        let (numbers, _) = numbers.as_chunks();
        numbers
            .iter()
            .map(|&bytes| i16::from_le_bytes(bytes))
            .collect()
    };
    let feature_weights = take(sizes.feature_weights);
    let feature_biases = take(sizes.feature_biases);
    let output_weights = take(sizes.output_weights);
    let (biases, _) = rest.as_chunks();
    Parameters {
        feature_weights,
        feature_biases,
        output_weights,
        output_biases: biases
            .iter()
            .map(|&bytes| i32::from_le_bytes(bytes))
            .collect(),
        scale,
    }
}

/// FNV-1a over both parts.
fn hash(header: &[u8], payload: &[u8]) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(header);
    hasher.write(payload);
    hasher.finish()
}
