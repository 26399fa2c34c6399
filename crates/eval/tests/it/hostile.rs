//! Network files that somebody made wrong on purpose, with a hash that fits: each is refused, or is
//! a network that the engine can run.

use std::{hash::Hasher as _, ops::Range, sync::Arc};

use fnv::FnvHasher;
use sextant_board::{Position, Score, parse_fen};
use sextant_eval::{
    EvalModel, EvalState,
    nnue::{Architecture, Layers, Network},
};

use crate::{common::moves_of, random_network::random_network};

const HEADER: usize = 64;
const PAYLOAD: Range<usize> = 52..56;
const HASH: Range<usize> = 56..HEADER;

/// Every field of the header but the hash; of the king buckets the first, the last and all.
const FIELDS: [(&str, Range<usize>); 10] = [
    ("magic", 0..8),
    ("format", 8..12),
    ("neurons", 12..14),
    ("output buckets", 14..15),
    ("layers", 15..16),
    ("first king bucket", 16..17),
    ("last king bucket", 47..48),
    ("king buckets", 16..48),
    ("scale", 48..52),
    ("payload", PAYLOAD),
];

/// What a field is set to: the lowest byte, those between, the highest. 0, 1, the largest without
/// and with a sign, the most negative, and odd ones.
const VALUES: [[u8; 3]; 10] = [
    [0, 0, 0],
    [1, 0, 0],
    [0xff, 0xff, 0xff],
    [0xff, 0xff, 0x7f],
    [0, 0, 0x80],
    [2, 0, 0],
    [3, 0, 0],
    [4, 0, 0],
    [0x60, 0, 0],
    [0x5b, 0xa7, 0x13],
];

/// How many bytes a file is longer than it should be, and whether its header tells so.
const LONGER: [(isize, bool); 9] = [
    (0, false),
    (-1, false),
    (-1, true),
    (1, false),
    (1, true),
    (-5_000, false),
    (-5_000, true),
    (5_000, false),
    (5_000, true),
];

/// Each format with as few weights as king buckets of their own allow.
fn files() -> [Vec<u8>; 3] {
    let kings = std::array::from_fn(|square| u8::from(square >= 16));
    LAYERS.map(|layers| {
        let architecture = Architecture::new(64, kings, 2).unwrap();
        random_network(architecture.with_layers(layers).unwrap(), 5).to_bytes()
    })
}

const LAYERS: [Layers; 3] = [
    Layers::One,
    Layers::Three { relations: false },
    Layers::Three { relations: true },
];

fn set(field: &mut [u8], [low, between, high]: [u8; 3]) {
    field.fill(between);
    *field.last_mut().unwrap() = high;
    field[0] = low;
}

/// The file, longer or shorter by some bytes, with a hash that fits.
fn sealed(mut file: Vec<u8>, longer: isize, told: bool) -> Vec<u8> {
    file.resize(file.len().saturating_add_signed(longer).max(HEADER), 0x11);
    if told {
        let length = (file.len() - HEADER) as u32;
        file[PAYLOAD].copy_from_slice(&length.to_le_bytes());
    }
    let mut hasher = FnvHasher::default();
    hasher.write(&file[..HASH.start]);
    hasher.write(&file[HEADER..]);
    file[HASH].copy_from_slice(&hasher.finish().to_le_bytes());
    file
}

/// Is the file a network? Then it is the whole of it, and what a search sees of it is what its
/// weights give, within the bounds of an evaluation.
fn is_accepted(file: &[u8], what: &str) -> bool {
    let network = match Network::from_bytes(file) {
        Ok(network) => Arc::new(network),
        Err(error) => {
            let text = error.to_string();
            assert!(!text.contains("checksum"), "{what}: {text}");
            return false;
        }
    };
    assert!(network.to_bytes() == file, "{what}: a part is not read");
    let check = |state: &mut EvalState, pos: &Position| {
        let score = state.evaluate(pos);
        assert_eq!(score, Score::eval(network.value(pos.board())), "{what}");
        assert!(!score.is_decisive(), "{what}: {score:?}");
    };
    let mut state = EvalState::new(EvalModel::Network(Arc::clone(&network)));
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
        "8/8/4kp2/8/3K4/8/5P2/7R w - - 0 1",
    ] {
        let pos = parse_fen(fen).unwrap();
        state.reset(&pos);
        check(&mut state, &pos);
        for mv in moves_of(&pos).into_iter().step_by(7) {
            let (next, delta) = pos.make(mv);
            state.push(&delta);
            if next.clock() == 0 {
                check(&mut state, &next);
            }
            state.pop();
        }
    }
    true
}

/// Which of the fields could be changed; a value may be the one that was there.
fn accepted_fields(file: &[u8]) -> Vec<&'static str> {
    let mut accepted = Vec::new();
    for (name, field) in FIELDS {
        for value in VALUES {
            let mut changed = file.to_vec();
            set(&mut changed[field.clone()], value);
            for (longer, told) in LONGER {
                let what = format!("{name} {value:x?}, {longer} bytes longer, told: {told}");
                if is_accepted(&sealed(changed.clone(), longer, told), &what) {
                    assert_eq!(longer, 0, "{what}");
                    accepted.push(name);
                }
            }
        }
    }
    accepted.dedup();
    accepted
}

#[test]
fn a_changed_header_is_refused_or_one_of_a_network() {
    let of_any_format = [
        "format",
        "output buckets",
        "first king bucket",
        "last king bucket",
        "king buckets",
        "scale",
    ];
    for file in files() {
        let mut accepted = accepted_fields(&file);
        // Byte 15 is 0 in format 1.
        accepted.retain(|&name| name != "layers");
        assert_eq!(accepted, of_any_format);
    }
}

#[test]
fn parameters_of_any_bytes_are_refused_or_those_of_a_network() {
    let accepted = files().map(|file| {
        [0, 1, 3, 0x7f, 0x80, 0xff].map(|byte| {
            let mut changed = file.clone();
            changed[HEADER..].fill(byte);
            is_accepted(&sealed(changed, 0, false), &format!("all bytes {byte}"))
        })
    });
    let of_one_layer = [true, false, false, false, false, true];
    // Only their feature weights are bounded one by one.
    let of_three = [true, true, true, false, false, true];
    assert_eq!(accepted, [of_one_layer, of_three, of_three]);
}

#[test]
fn a_file_of_another_length_is_refused() {
    for file in files() {
        for length in (0..HEADER + 2).chain([file.len() / 2, 2 * file.len()]) {
            let mut cut = file.clone();
            cut.resize(length, 0);
            if length >= HEADER {
                cut = sealed(cut, 0, true);
            }
            assert!(!is_accepted(&cut, &format!("{length} bytes")));
        }
    }
}
