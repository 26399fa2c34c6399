//! The checksum in the last 16 bytes of a table.
//!
//! It is a hash of hashes: the content is cut into pieces of 16 MiB, each gives the 256 bits of
//! Google's `CityHashCrc256`, and the list of those is hashed with `CityHashCrc128`, both as of
//! CityHash 1.0.3 (MIT, see NOTICE). No page says so; it was found by trying candidates on real
//! files. Files of more than one piece, and so the size of a piece, were never checked.

use std::num::Wrapping;

use crate::{error::TableError, source::TableSource};

/// Tables consist of lines of this many bytes, then the checksum.
pub(crate) const LINE_BYTES: u64 = 64;
/// Length of the checksum at the end of every table.
pub(crate) const CHECKSUM_BYTES: u64 = 16;
/// Bytes of content that are hashed at a time.
const PIECE_BYTES: usize = 16 << 20;
/// Above this many bytes `CityHashCrc128` uses its 256-bit sibling.
const SHORT_BYTES: usize = 900;

/// The hash counts modulo 2^64.
type Word = Wrapping<u64>;

const K0: Word = Wrapping(0xc3a5_c85c_97cb_3127);
const K1: Word = Wrapping(0xb492_b66f_be98_f273);
const K3: Word = Wrapping(0xc949_d7c7_509e_6557);

/// Reads a whole table and compares the checksum behind its content with that of the content.
///
/// # Errors
/// [`TableError::Checksum`] if they differ, and [`TableError::Io`] where a read fails.
pub(crate) fn verify(source: &dyn TableSource) -> Result<(), TableError> {
    let bytes = source.size()?;
    let end = bytes.checked_sub(CHECKSUM_BYTES);
    let end = end.ok_or(TableError::Size { found: bytes })?;
    let mut stored = [0; CHECKSUM_BYTES as usize];
    source.read_exact_at(&mut stored, end)?;
    let (found, computed) = (u128::from_le_bytes(stored), checksum(source, end)?);
    if found == computed {
        Ok(())
    } else {
        Err(TableError::Checksum { found, computed })
    }
}

/// Checksum of the first bytes of a source, as the little-endian number stored behind them.
fn checksum(source: &dyn TableSource, bytes: u64) -> std::io::Result<u128> {
    let mut piece = vec![0; PIECE_BYTES.min(bytes as usize)];
    let mut hashes = Vec::new();
    for at in (0..bytes).step_by(PIECE_BYTES) {
        piece.truncate((bytes - at) as usize);
        source.read_exact_at(&mut piece, at)?;
        hashes.extend(
            hash_256(&piece)
                .map(|word| word.0.to_le_bytes())
                .as_flattened(),
        );
    }
    let [low, high] = match hashes.len() {
        0..=SHORT_BYTES => hash_128(&hashes),
        _ => {
            let [_, _, low, high] = hash_256(&hashes);
            [low, high]
        }
    };
    Ok(u128::from(high.0) << 64 | u128::from(low.0))
}

/// `CRC_TABLES[n][byte]`: the Castagnoli CRC of a byte followed by `n` zero bytes.
static CRC_TABLES: [[u32; 256]; 8] = {
    const POLYNOMIAL: u32 = 0x82f6_3b78;
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = crc >> 1 ^ if crc & 1 == 1 { POLYNOMIAL } else { 0 };
            bit += 1;
        }
        tables[0][byte] = crc;
        byte += 1;
    }
    let mut zeros = 1;
    while zeros < 8 {
        let mut byte = 0;
        while byte < 256 {
            let crc = tables[zeros - 1][byte];
            tables[zeros][byte] = crc >> 8 ^ tables[0][(crc & 255) as usize];
            byte += 1;
        }
        zeros += 1;
    }
    tables
};

/// Feeds eight bytes to a Castagnoli CRC, as the processor instruction of SSE 4.2 does.
fn crc_u64(crc: Word, word: Word) -> Word {
    let mixed = (word.0 ^ (crc.0 & 0xffff_ffff)).to_le_bytes();
    let parts = mixed.iter().zip(CRC_TABLES.iter().rev());
    let parts = parts.map(|(&byte, table)| u64::from(table[usize::from(byte)]));
    Wrapping(parts.fold(0, |crc, part| crc ^ part))
}

fn fold(value: Word) -> Word {
    value ^ value >> 47
}

fn turn(value: Word, by: u32) -> Word {
    Wrapping(value.0.rotate_right(by))
}

fn mix(low: Word, high: Word) -> Word {
    const MULTIPLIER: Word = Wrapping(0x9ddf_ea08_eb38_2d69);
    let a = fold((low ^ high) * MULTIPLIER);
    fold((high ^ a) * MULTIPLIER) * MULTIPLIER
}

/// The 64-bit word at a byte offset; the callers stay inside.
fn word(bytes: &[u8], at: usize) -> Word {
    let bytes = bytes[at..].first_chunk().copied();
    Wrapping(bytes.map_or(0, u64::from_le_bytes))
}

/// The running state of the 256-bit hash: five mixed words, one delayed, five CRCs.
struct State {
    words: [Word; 5],
    delayed: Word,
    crcs: [Word; 5],
}

impl State {
    const STEP: usize = 40;

    /// Takes in [`State::STEP`] bytes.
    fn step(&mut self, bytes: &[u8], multiplier: Word, twist: u32) {
        const TURNS: [u32; 5] = [41, 27, 41, 33, 25];
        let [first, second, third, fourth, fifth] = self.words;
        let sources = [second, third, fourth, fifth, self.delayed];
        self.delayed = first;
        for at in 0..5 {
            let turned = turn(sources[at], TURNS[at] ^ twist) * multiplier;
            self.words[at] = turned + word(bytes, 8 * at);
            self.crcs[at] = crc_u64(self.crcs[at], self.words[at]);
        }
    }

    fn finish(self, [first, second]: [Word; 2]) -> [Word; 4] {
        let [a, b, c, d, e] = self.words;
        let [f, g, h, i, j] = self.crcs;
        let j = j + (i << 32);
        let a = mix(a, j);
        let h = h + (g << 32);
        let b = b + h;
        let c = mix(c, f) + i;
        let d = mix(d, e + first);
        let j = j + e;
        let i = i + mix(h, self.delayed);
        let e = mix(a, d) + j;
        let f = mix(b, c) + a;
        let g = mix(j, i) + c;
        let stretch = |value: Word| fold(value * K0) * K0;
        let one = e + f + g + h;
        let a = stretch(a + g) + b;
        let two = second + a + one;
        let a = stretch(a) + c;
        let three = a + two;
        [one, two, three, stretch(a + e) + three]
    }
}

/// `CityHashCrc256`.
fn hash_256(bytes: &[u8]) -> [Word; 4] {
    const LEAST: usize = 240;
    if bytes.len() >= LEAST {
        return hash_256_long(bytes, Wrapping(0));
    }
    let mut padded = [0; LEAST];
    padded[..bytes.len()].copy_from_slice(bytes);
    hash_256_long(&padded, Wrapping(u64::from(!(bytes.len() as u32))))
}

fn hash_256_long(bytes: &[u8], seed: Word) -> [Word; 4] {
    const ROUND: usize = 6 * State::STEP;
    const ZERO: Word = Wrapping(0);
    let length = Wrapping(bytes.len() as u64);
    let [a, b] = [56, 96].map(|at| word(bytes, at) + K0);
    let c = mix(b, length);
    let d = word(bytes, 120) * K0 + length;
    let e = word(bytes, 184) + seed;
    let mut state = State {
        words: [a, b, c, d, e],
        delayed: c + d,
        crcs: [seed, ZERO, ZERO, ZERO, ZERO],
    };
    let rounds = bytes.chunks_exact(ROUND);
    let rest = rounds.remainder();
    for round in rounds {
        for (at, step) in round.chunks_exact(State::STEP).enumerate() {
            let (multiplier, twist) = if at % 2 == 0 {
                (Wrapping(1), 1)
            } else {
                (K0, 0)
            };
            state.step(step, multiplier, twist);
        }
    }
    let steps = rest.chunks_exact(State::STEP);
    let ragged = !steps.remainder().is_empty();
    for step in steps {
        state.step(step, K0, 0);
    }
    if ragged {
        // The last step looks back so far that it ends with the content.
        state.step(&bytes[bytes.len() - State::STEP..], K0, 0);
    }
    state.finish([c, d])
}

/// `CityHash128` of one or more 32-byte hashes.
fn hash_128(bytes: &[u8]) -> [Word; 2] {
    let Some((head, rest)) = bytes.split_at_checked(16) else {
        return [Wrapping(0); 2];
    };
    let seed = [word(head, 0) ^ K3, word(head, 8)];
    match rest.len() {
        ..128 => hash_128_short(rest, seed),
        _ => hash_128_long(rest, seed),
    }
}

/// For 16, 48, 80 or 112 bytes.
fn hash_128_short(bytes: &[u8], [mut a, mut b]: [Word; 2]) -> [Word; 2] {
    let length = Wrapping(bytes.len() as u64);
    let [before_last, last] = [16, 8].map(|back| word(bytes, bytes.len() - back));
    let absorb = |value: Word| fold(value * K1) * K1;
    let (mut c, mut d);
    if bytes.len() == 16 {
        a = absorb(a);
        c = b * K1 + (mix(before_last, turn(last + length, 16)) ^ last);
        d = fold(a + before_last);
    } else {
        c = mix(last + K1, a);
        d = mix(b + length, c + before_last);
        a += d;
        for pair in bytes.chunks_exact(16) {
            a = (a ^ absorb(word(pair, 0))) * K1;
            b ^= a;
            c = (c ^ absorb(word(pair, 8))) * K1;
            d ^= c;
        }
    }
    let (a, b) = (mix(a, c), mix(d, b));
    [a ^ b, mix(b, a)]
}

/// A pair of words stirred with 32 bytes.
fn stir(bytes: &[u8], a: Word, b: Word) -> [Word; 2] {
    let [w, x, y, z] = [0, 8, 16, 24].map(|at| word(bytes, at));
    let start = a + w;
    let b = turn(b + start + z, 21);
    let a = start + x + y;
    [a + z, b + turn(a, 44) + start]
}

/// For at least 128 bytes.
fn hash_128_long(bytes: &[u8], [mut x, mut y]: [Word; 2]) -> [Word; 2] {
    let mut z = K1 * Wrapping(bytes.len() as u64);
    let v0 = turn(y ^ K1, 49) * K1 + word(bytes, 0);
    let mut v = [v0, turn(v0, 42) * K1 + word(bytes, 8)];
    let mut w = [turn(y + z, 35) * K1 + x, turn(x + word(bytes, 88), 53) * K1];
    let whole = bytes.len() / 128 * 128;
    for part in bytes[..whole].chunks_exact(64) {
        x = (turn(x + y + v[0] + word(part, 8), 37) * K1) ^ w[1];
        y = turn(y + v[1] + word(part, 48), 42) * K1 + v[0] + word(part, 40);
        z = turn(z + w[0], 33) * K1;
        v = stir(part, v[1] * K1, x + w[0]);
        w = stir(&part[32..], z + w[1], y + word(part, 16));
        std::mem::swap(&mut z, &mut x);
    }
    x += turn(v[0] + z, 49) * K0;
    z += turn(w[0], 37) * K0;
    let mut end = bytes.len();
    while end > whole {
        // Whole hashes from the end; the last of them may look back into what was taken in.
        end -= 32;
        let part = &bytes[end..];
        y = turn(x + y, 42) * K0 + v[1];
        w[0] += word(part, 16);
        x = x * K0 + w[0];
        z += w[1] + word(part, 0);
        w[1] += v[0];
        v = stir(part, v[0] + z, v[1]);
    }
    let x = mix(x, v[0]);
    let y = mix(y + z, w[0]);
    [mix(x + v[1], w[1]) + y, mix(x + w[1], y + v[1])]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crc_is_castagnolis() {
        // The check value of CRC-32C for "123456789" is e3069283; the first eight characters as one
        // word, then the ninth.
        let first = crc_u64(Wrapping(0xffff_ffff), word(b"12345678", 0)).0;
        let index = usize::from((first as u8) ^ b'9');
        let last = u64::from(CRC_TABLES[0][index]) ^ first >> 8;
        assert_eq!(last ^ 0xffff_ffff, 0xe306_9283);
    }
}
