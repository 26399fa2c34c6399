//! The checksum in the last 16 bytes of a table.
//!
//! It is a hash of hashes: the content is cut into pieces of 16 MiB, each gives the 256 bits of
//! Google's `CityHashCrc256`, and the list of those is hashed with `CityHashCrc128`, both as of
//! CityHash 1.0.3 (MIT, see NOTICE). No page says so; it was found by trying candidates on real
//! files. Files of more than one piece, and so the size of a piece, were never checked.

use crate::{error::TableError, source::TableSource};

/// Tables consist of lines of this many bytes, then the checksum.
pub(crate) const LINE_BYTES: u64 = 64;
/// Length of the checksum at the end of every table.
pub(crate) const CHECKSUM_BYTES: u64 = 16;
/// Bytes of content that are hashed at a time.
const PIECE_BYTES: usize = 16 << 20;
/// Above this many bytes `CityHashCrc128` uses its 256-bit sibling.
const SHORT_BYTES: usize = 900;

const K0: u64 = 0xc3a5_c85c_97cb_3127;
const K1: u64 = 0xb492_b66f_be98_f273;
const K3: u64 = 0xc949_d7c7_509e_6557;

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
        hashes.extend(hash_256(&piece).into_iter().flat_map(u64::to_le_bytes));
    }
    let [low, high] = match hashes.len() {
        0..=SHORT_BYTES => hash_128(&hashes),
        _ => {
            let [_, _, low, high] = hash_256(&hashes);
            [low, high]
        }
    };
    Ok(u128::from(high) << 64 | u128::from(low))
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
fn crc_u64(crc: u64, word: u64) -> u64 {
    let mixed = (word ^ (crc & 0xffff_ffff)).to_le_bytes();
    let parts = mixed.iter().zip(CRC_TABLES.iter().rev());
    parts.fold(0, |crc, (&byte, table)| {
        crc ^ u64::from(table[usize::from(byte)])
    })
}

fn mix_two(low: u64, high: u64) -> u64 {
    const MULTIPLIER: u64 = 0x9ddf_ea08_eb38_2d69;
    let a = (low ^ high).wrapping_mul(MULTIPLIER);
    let b = (high ^ a ^ a >> 47).wrapping_mul(MULTIPLIER);
    (b ^ b >> 47).wrapping_mul(MULTIPLIER)
}

fn fold(value: u64) -> u64 {
    value ^ value >> 47
}

/// The 64-bit word at a byte offset; the callers stay inside.
fn word(bytes: &[u8], at: usize) -> u64 {
    bytes[at..]
        .first_chunk()
        .copied()
        .map_or(0, u64::from_le_bytes)
}

/// The running state of the 256-bit hash: five mixed words, one delayed, five CRCs.
struct State {
    words: [u64; 5],
    delayed: u64,
    crcs: [u64; 5],
}

impl State {
    const STEP: usize = 40;

    /// Takes in [`State::STEP`] bytes.
    fn step(&mut self, bytes: &[u8], multiplier: u64, twist: u32) {
        const TURNS: [u32; 5] = [41, 27, 41, 33, 25];
        let [first, second, third, fourth, fifth] = self.words;
        let sources = [second, third, fourth, fifth, self.delayed];
        self.delayed = first;
        for at in 0..5 {
            let turned = sources[at]
                .rotate_right(TURNS[at] ^ twist)
                .wrapping_mul(multiplier);
            self.words[at] = turned.wrapping_add(word(bytes, 8 * at));
            self.crcs[at] = crc_u64(self.crcs[at], self.words[at]);
        }
    }
}

fn hash_256(bytes: &[u8]) -> [u64; 4] {
    const LEAST: usize = 240;
    if bytes.len() >= LEAST {
        return hash_256_long(bytes, 0);
    }
    let mut padded = [0; LEAST];
    padded[..bytes.len()].copy_from_slice(bytes);
    hash_256_long(&padded, u64::from(!(bytes.len() as u32)))
}

fn hash_256_long(bytes: &[u8], seed: u64) -> [u64; 4] {
    const ROUND: usize = 6 * State::STEP;
    let length = bytes.len() as u64;
    let a = word(bytes, 56).wrapping_add(K0);
    let b = word(bytes, 96).wrapping_add(K0);
    let c = mix_two(b, length);
    let d = word(bytes, 120).wrapping_mul(K0).wrapping_add(length);
    let e = word(bytes, 184).wrapping_add(seed);
    let mut state = State {
        words: [a, b, c, d, e],
        delayed: c.wrapping_add(d),
        crcs: [seed, 0, 0, 0, 0],
    };
    let rounds = bytes.chunks_exact(ROUND);
    let rest = rounds.remainder();
    for round in rounds {
        for (at, step) in round.chunks_exact(State::STEP).enumerate() {
            let (multiplier, twist) = if at % 2 == 0 { (1, 1) } else { (K0, 0) };
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
    finish_256(state, [c, d])
}

fn finish_256(state: State, [first, second]: [u64; 2]) -> [u64; 4] {
    let [a, b, c, d, e] = state.words;
    let [f, g, h, i, j] = state.crcs;
    let j = j.wrapping_add(i << 32);
    let a = mix_two(a, j);
    let h = h.wrapping_add(g << 32);
    let b = b.wrapping_add(h);
    let c = mix_two(c, f).wrapping_add(i);
    let d = mix_two(d, e.wrapping_add(first));
    let j = j.wrapping_add(e);
    let i = i.wrapping_add(mix_two(h, state.delayed));
    let e = mix_two(a, d).wrapping_add(j);
    let f = mix_two(b, c).wrapping_add(a);
    let g = mix_two(j, i).wrapping_add(c);
    let stretch = |value: u64, add: u64| {
        fold(value.wrapping_mul(K0))
            .wrapping_mul(K0)
            .wrapping_add(add)
    };
    let one = e.wrapping_add(f).wrapping_add(g).wrapping_add(h);
    let a = stretch(a.wrapping_add(g), b);
    let two = second.wrapping_add(a).wrapping_add(one);
    let a = stretch(a, c);
    let three = a.wrapping_add(two);
    let a = stretch(a.wrapping_add(e), 0);
    [one, two, three, a.wrapping_add(three)]
}

/// `CityHash128` of one or more 32-byte hashes.
fn hash_128(bytes: &[u8]) -> [u64; 2] {
    let (head, rest) = bytes.split_at(16.min(bytes.len()));
    if head.len() < 16 {
        return [0, 0];
    }
    let seed = [word(head, 0) ^ K3, word(head, 8)];
    if rest.len() < 128 {
        hash_128_short(rest, seed)
    } else {
        hash_128_long(rest, seed)
    }
}

/// For 16, 48, 80 or 112 bytes.
fn hash_128_short(bytes: &[u8], [low, high]: [u64; 2]) -> [u64; 2] {
    let length = bytes.len();
    let absorb = |value: u64| fold(value.wrapping_mul(K1)).wrapping_mul(K1);
    let (mut a, mut b) = (low, high);
    let (mut c, mut d);
    if length <= 16 {
        let last = word(bytes, length - 8);
        let turned = last.wrapping_add(length as u64).rotate_right(length as u32);
        a = absorb(a);
        c = b
            .wrapping_mul(K1)
            .wrapping_add(mix_two(word(bytes, 0), turned) ^ last);
        d = fold(a.wrapping_add(word(bytes, 0)));
    } else {
        c = mix_two(word(bytes, length - 8).wrapping_add(K1), a);
        let before_last = word(bytes, length - 16);
        d = mix_two(b.wrapping_add(length as u64), c.wrapping_add(before_last));
        a = a.wrapping_add(d);
        for pair in bytes.chunks_exact(16) {
            a = (a ^ absorb(word(pair, 0))).wrapping_mul(K1);
            b ^= a;
            c = (c ^ absorb(word(pair, 8))).wrapping_mul(K1);
            d ^= c;
        }
    }
    let a = mix_two(a, c);
    let b = mix_two(d, b);
    [a ^ b, mix_two(b, a)]
}

/// A pair of words stirred with 32 bytes.
fn stir(bytes: &[u8], a: u64, b: u64) -> [u64; 2] {
    let [w, x, y, z] = [0, 8, 16, 24].map(|at| word(bytes, at));
    let start = a.wrapping_add(w);
    let b = b.wrapping_add(start).wrapping_add(z).rotate_right(21);
    let a = start.wrapping_add(x).wrapping_add(y);
    let b = b.wrapping_add(a.rotate_right(44));
    [a.wrapping_add(z), b.wrapping_add(start)]
}

/// For at least 128 bytes.
fn hash_128_long(bytes: &[u8], [low, high]: [u64; 2]) -> [u64; 2] {
    let (mut x, mut y) = (low, high);
    let mut z = (bytes.len() as u64).wrapping_mul(K1);
    let turn = |value: u64, by: u32| value.rotate_right(by).wrapping_mul(K1);
    let v0 = turn(y ^ K1, 49).wrapping_add(word(bytes, 0));
    let mut v = [v0, turn(v0, 42).wrapping_add(word(bytes, 8))];
    let w0 = turn(y.wrapping_add(z), 35).wrapping_add(x);
    let mut w = [w0, turn(x.wrapping_add(word(bytes, 88)), 53)];
    let whole = bytes.len() / 128 * 128;
    for part in bytes[..whole].chunks_exact(64) {
        x = turn(
            x.wrapping_add(y)
                .wrapping_add(v[0])
                .wrapping_add(word(part, 8)),
            37,
        ) ^ w[1];
        y = turn(y.wrapping_add(v[1]).wrapping_add(word(part, 48)), 42)
            .wrapping_add(v[0])
            .wrapping_add(word(part, 40));
        z = turn(z.wrapping_add(w[0]), 33);
        v = stir(part, v[1].wrapping_mul(K1), x.wrapping_add(w[0]));
        w = stir(
            &part[32..],
            z.wrapping_add(w[1]),
            y.wrapping_add(word(part, 16)),
        );
        std::mem::swap(&mut z, &mut x);
    }
    x = x.wrapping_add(v[0].wrapping_add(z).rotate_right(49).wrapping_mul(K0));
    z = z.wrapping_add(w[0].rotate_right(37).wrapping_mul(K0));
    let mut end = bytes.len();
    while end > whole {
        // Whole hashes from the end; the last of them may look back into what was taken in.
        end -= 32;
        let part = &bytes[end..];
        y = x
            .wrapping_add(y)
            .rotate_right(42)
            .wrapping_mul(K0)
            .wrapping_add(v[1]);
        w[0] = w[0].wrapping_add(word(part, 16));
        x = x.wrapping_mul(K0).wrapping_add(w[0]);
        z = z.wrapping_add(w[1]).wrapping_add(word(part, 0));
        w[1] = w[1].wrapping_add(v[0]);
        v = stir(part, v[0].wrapping_add(z), v[1]);
    }
    let x = mix_two(x, v[0]);
    let y = mix_two(y.wrapping_add(z), w[0]);
    [
        mix_two(x.wrapping_add(v[1]), w[1]).wrapping_add(y),
        mix_two(x.wrapping_add(w[1]), y.wrapping_add(v[1])),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crc_is_castagnolis() {
        // The check value of CRC-32C for "123456789" is e3069283; the first eight characters as one
        // word, then the ninth.
        let first = crc_u64(0xffff_ffff, u64::from_le_bytes(*b"12345678"));
        let index = usize::from((first as u8) ^ b'9');
        let last = u64::from(CRC_TABLES[0][index]) ^ first >> 8;
        assert_eq!(last ^ 0xffff_ffff, 0xe306_9283);
    }

    #[test]
    fn bundled_tables_carry_their_checksum() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata");
        let mut seen = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending != "md") {
                let bytes = std::fs::read(&path).unwrap();
                assert_eq!(verify(&bytes), Ok(()), "{}", path.display());
                seen += 1;
            }
        }
        assert!(seen >= 20, "{seen}");
    }
}
