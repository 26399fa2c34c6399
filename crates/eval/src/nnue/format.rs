//! The file of a network: a header of 64 bytes, then the parameters, all little-endian.
//!
//! | bytes | content |
//! | --- | --- |
//! | 0..8 | the word `Sextant` and a line feed |
//! | 8..12 | format: 1, or 3 with layers behind the accumulators, or 4 with relations too |
//! | 12..14 | neurons of each side |
//! | 14 | output buckets |
//! | 15 | 0; with more layers an eighth of the neurons of the second layer, and 16 times that of the third |
//! | 16..48 | king bucket by own king square, rank by rank, files a to d |
//! | 48..52 | scale: centipawns for an output of one |
//! | 52..56 | bytes after the header |
//! | 56..64 | FNV-1a hash (64 bits) of bytes 0..56 and of all after the header |
//!
//! The parameters are 16-bit feature weights (a row for each feature), feature biases and output
//! weights (for each output bucket the side to move's, then the other's), and 32-bit output biases.
//! Formats 3 and 4 have, in place of these outputs, for each output bucket the layers ([`Stack`]);
//! format 4 then has 16-bit weights of relations (a row for each).

use std::{
    fmt,
    hash::Hasher as _,
    sync::{Arc, OnceLock},
};

use bytemuck::{Pod, Zeroable, bytes_of, cast_slice, pod_collect_to_vec};
use fnv::FnvHasher;

use super::{
    architecture::{Architecture, Layers},
    error::NetError,
    network::{Network, Parameters},
    numbers::{LAYER_1, LAYER_2},
    stack::{self, Stack},
};

// `const EMBEDDED: Option<&[u8]>`, written by the build script.
include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// The format of each kind of network, and byte 15 of its header.
pub(super) const FORMATS: [(Layers, u32, u8); 3] = [
    (Layers::One, 1, 0),
    (Layers::Three { relations: false }, 3, SIZES),
    (Layers::Three { relations: true }, 4, SIZES),
];

/// The sizes of both layers behind the accumulators.
const SIZES: u8 = (LAYER_1 / 8 + 16 * (LAYER_2 / 8)) as u8;

const MAGIC: [u8; 8] = *b"Sextant\n";
const HEADER_BYTES: usize = size_of::<Header>();
const HASH_AT: usize = std::mem::offset_of!(Header, hash);

// Bytes are numbers as they stand.
const _: () = assert!(cfg!(target_endian = "little") && HEADER_BYTES == 64);

/// The header, field by field.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Header {
    magic: [u8; 8],
    version: u32,
    hidden: u16,
    output_buckets: u8,
    layers: u8,
    king_buckets: [u8; 32],
    scale: i32,
    payload: u32,
    hash: u64,
}

impl Header {
    /// FNV-1a over the header without its hash, and the payload.
    fn hash(&self, payload: &[u8]) -> u64 {
        let mut hasher = FnvHasher::default();
        hasher.write(&bytes_of(self)[..HASH_AT]);
        hasher.write(payload);
        hasher.finish()
    }
}

impl Network {
    /// The network that is built in, shared by all who ask.
    ///
    /// # Errors
    /// [`NetError::NoneEmbedded`] in a build without one.
    pub fn embedded() -> Result<Arc<Network>, NetError> {
        static NETWORK: OnceLock<Result<Arc<Network>, NetError>> = OnceLock::new();
        let read = || {
            let bytes = EMBEDDED.ok_or(NetError::NoneEmbedded)?;
            Network::from_bytes(bytes).map(Arc::new)
        };
        NETWORK.get_or_init(read).clone()
    }

    /// Reads a network file.
    ///
    /// # Errors
    /// [`NetError`] for anything else than a whole network that the engine can run.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(NetError::Foreign);
        }
        let length = |found, wanted| Err(NetError::Length { found, wanted });
        let Some((header, payload)) = bytes.split_first_chunk() else {
            return length(bytes.len(), HEADER_BYTES);
        };
        let header: Header = bytemuck::cast::<[u8; HEADER_BYTES], _>(*header);
        let format = FORMATS.iter().find(|format| format.1 == header.version);
        let &(layers, version, wanted) = format.ok_or(NetError::Version(header.version))?;
        if header.layers != wanted {
            return Err(NetError::Layers {
                version,
                found: header.layers,
                wanted,
            });
        }
        let architecture =
            Architecture::new(header.hidden, header.king_buckets, header.output_buckets)?;
        let architecture = architecture.with_layers(layers)?;
        let wanted = architecture.file_bytes();
        for found in [header.payload as usize, payload.len()] {
            if found != wanted {
                // A header can tell any length, and an address has 32 bits on some targets.
                return length(HEADER_BYTES.saturating_add(found), HEADER_BYTES + wanted);
            }
        }
        let (found, wanted) = (header.hash(payload), header.hash);
        if found != wanted {
            return Err(NetError::Hash { found, wanted });
        }
        let parameters = parameters(payload, &architecture, header.scale);
        Network::new(architecture, &parameters)
    }

    /// The network as a file, which [`Network::from_bytes`] reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let payload = self.payload();
        [bytes_of(&self.header(&payload)), &payload].concat()
    }

    /// The hash in the header, which names the network.
    pub fn hash(&self) -> u64 {
        self.header(&self.payload()).hash
    }

    fn header(&self, payload: &[u8]) -> Header {
        let layers = self.architecture.layers();
        let format = FORMATS.into_iter().find(|format| format.0 == layers);
        let (_, version, layers) = format.expect("there is one for each kind");
        let mut header = Header {
            magic: MAGIC,
            version,
            hidden: self.architecture.hidden(),
            output_buckets: self.architecture.output_buckets(),
            layers,
            king_buckets: *self.architecture.king_buckets(),
            scale: self.scale,
            // At most 768 * 32 rows of 2 KiB.
            payload: payload.len() as u32,
            hash: 0,
        };
        header.hash = header.hash(payload);
        header
    }

    fn payload(&self) -> Vec<u8> {
        let feature_weights: &[u8] = cast_slice(&self.feature_weights);
        let feature_biases = cast_slice(&self.feature_biases);
        let output_weights = cast_slice(&self.output_weights);
        let output_biases = cast_slice(&self.output_biases);
        let mut payload = [
            feature_weights,
            feature_biases,
            output_weights,
            output_biases,
        ]
        .concat();
        let stacks = self.stacks.iter();
        payload.extend(stacks.flat_map(|layers| layers.stack.to_bytes()));
        payload.extend(cast_slice::<_, u8>(self.known_relations()));
        payload
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

/// The parameters of a file whose payload has the length that the architecture asks for.
fn parameters(payload: &[u8], architecture: &Architecture, scale: i32) -> Parameters {
    let [
        feature_weights,
        feature_biases,
        output_weights,
        output_biases,
        _,
        relations,
    ] = architecture.sizes();
    let (feature_weights, rest) = payload.split_at(2 * feature_weights);
    let (feature_biases, rest) = rest.split_at(2 * feature_biases);
    let (output_weights, rest) = rest.split_at(2 * output_weights);
    let (output_biases, rest) = rest.split_at(4 * output_biases);
    let (stacks, relation_weights) = rest.split_at(rest.len() - 2 * relations);
    let stacks = stacks.chunks(stack::file_bytes(architecture.hidden().into()));
    Parameters {
        feature_weights: pod_collect_to_vec(feature_weights),
        feature_biases: pod_collect_to_vec(feature_biases),
        output_weights: pod_collect_to_vec(output_weights),
        output_biases: pod_collect_to_vec(output_biases),
        stacks: stacks.map(Stack::from_bytes).collect(),
        relation_weights: pod_collect_to_vec(relation_weights),
        scale,
    }
}
