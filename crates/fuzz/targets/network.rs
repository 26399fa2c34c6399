//! Network files with a true hash, so that what lies behind it is reached: each is refused, or
//! evaluates positions by the plain sum and by the accumulators without an overflow.
#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use sextant_board::{MoveSets, Position};
use sextant_eval::{EvalModel, EvalState, nnue::Network};

const HEADER: usize = 64;
const HASH_AT: usize = 56;
/// Larger files only take longer.
const MAX_PAYLOAD: usize = 1 << 20;

/// The input's header, the rest of it repeated to the length that the header tells, and a hash
/// that fits.
fn file(bytes: &[u8]) -> Option<Vec<u8>> {
    let (header, payload) = bytes.split_at_checked(HEADER)?;
    let length = u32::from_le_bytes(header[52..56].try_into().ok()?) as usize;
    if length > MAX_PAYLOAD || payload.is_empty() {
        return None;
    }
    let mut file = header.to_vec();
    file.extend(payload.iter().cycle().take(length));
    let hashed = file[..HASH_AT].iter().chain(&file[HEADER..]);
    let hash = hashed.fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    file[HASH_AT..HEADER].copy_from_slice(&hash.to_le_bytes());
    Some(file)
}

fuzz_target!(|bytes: &[u8]| {
    let _ = Network::from_bytes(bytes);
    let Some(file) = file(bytes) else { return };
    let Ok(network) = Network::from_bytes(&file) else {
        return;
    };
    assert_eq!(network.to_bytes(), file);
    let network = Arc::new(network);
    let mut state = EvalState::new(EvalModel::Network(Arc::clone(&network)));
    let mut position = Position::startpos();
    state.reset(&position);
    for ply in 0..6 {
        let moves: Vec<_> = MoveSets::generate(&position).iter().collect();
        let _ = state.evaluate(&position);
        let _ = network.value(position.board());
        let Some(&mv) = moves.get(usize::from(bytes[ply]) % moves.len().max(1)) else {
            return;
        };
        let (next, delta) = position.make(mv);
        state.push(&delta);
        position = next;
    }
});
