//! One compressed stream of values (section 5).

use super::reader::Reader;
use crate::error::TableError;

/// Longest code that a decoder window of 64 bits can refill safely.
const MAX_CODE_BITS: u32 = 32;
/// The 12-bit number that marks a symbol standing for one value.
const NO_RIGHT: u16 = 0xfff;
/// Bits of the window that pick an entry of the code table.
const LOOKUP_BITS: u32 = 8;
const LOOKUP_SIZE: usize = 1 << LOOKUP_BITS;

/// A run of values: one value, or two symbols after each other.
#[derive(Clone, Copy, Debug)]
struct Symbol {
    /// The first half, or the value itself.
    left: u16,
    right: u16,
    /// Number of values, 1 to 256.
    values: u16,
}

/// Where a stream's three sections start in the file, and how long they are.
#[derive(Clone, Copy, Debug, Default)]
struct Section {
    at: usize,
    /// Entries: sparse index, block lengths, blocks.
    count: usize,
}

/// The part of a stream that needs decoding.
#[derive(Debug)]
pub(super) struct Packed {
    span_log2: u32,
    block_log2: u32,
    sparse: Section,
    lengths: Section,
    blocks: Section,
    min_bits: u32,
    /// For each code length from the shortest: the least code of that length, padded to 64 bits.
    bases: Box<[u64]>,
    /// For each code length from the shortest: its first symbol.
    firsts: Box<[u16]>,
    symbols: Box<[Symbol]>,
    /// Code length (less the shortest) by the first [`LOOKUP_BITS`] bits: a lower bound where to
    /// start looking.
    start: Box<[u8; LOOKUP_SIZE]>,
}

/// A stream of values, one for each index.
#[derive(Debug)]
pub(super) enum Stream {
    /// All values are this one.
    Constant(u16),
    /// Values in compressed blocks.
    Packed(Box<Packed>),
}

impl Stream {
    /// Reads a stream's header; returns it with its flags.
    pub(super) fn read(
        reader: &mut Reader,
        positions: u64,
        constant_means: bool,
    ) -> Result<(Stream, u8), TableError> {
        let flags = reader.u8()?;
        let second = reader.u8()?;
        if flags & 0x80 != 0 {
            return Ok((
                Stream::Constant(if constant_means { second.into() } else { 0 }),
                flags,
            ));
        }
        let block_log2 = u32::from(second);
        let span_log2 = u32::from(reader.u8()?);
        let extra_lengths = usize::from(reader.u8()?);
        let blocks = reader.u32()? as usize;
        if !(3..=20).contains(&block_log2) || !(1..=31).contains(&span_log2) {
            return Err(reader.wrong("block size or index span is impossible"));
        }
        let spans = positions.div_ceil(1 << span_log2);
        let codes = Codes::read(reader)?;
        let packed = Packed {
            span_log2,
            block_log2,
            sparse: Section {
                at: 0,
                count: spans as usize,
            },
            lengths: Section {
                at: 0,
                count: blocks + extra_lengths,
            },
            blocks: Section {
                at: 0,
                count: blocks,
            },
            min_bits: codes.min_bits,
            start: codes.lookup(),
            bases: codes.bases.into(),
            firsts: codes.firsts.into(),
            symbols: codes.symbols.into(),
        };
        Ok((Stream::Packed(Box::new(packed)), flags))
    }

    /// Takes the place of the sparse index at `at`; returns the place behind it.
    pub(super) fn place_sparse(&mut self, at: u64) -> u64 {
        self.place(at, |packed| (&mut packed.sparse, 6))
    }

    /// Like [`Stream::place_sparse`] for the block lengths.
    pub(super) fn place_lengths(&mut self, at: u64) -> u64 {
        self.place(at, |packed| (&mut packed.lengths, 2))
    }

    /// Like [`Stream::place_sparse`] for the blocks, which start at a multiple of 64.
    pub(super) fn place_blocks(&mut self, at: u64) -> u64 {
        let at = at.next_multiple_of(64);
        self.place(at, |packed| (&mut packed.blocks, 1 << packed.block_log2))
    }

    fn place(&mut self, at: u64, section: impl Fn(&mut Packed) -> (&mut Section, u64)) -> u64 {
        match self {
            Stream::Constant(_) => at,
            Stream::Packed(packed) => {
                let (section, entry_bytes) = section(packed);
                section.at = at as usize;
                at + section.count as u64 * entry_bytes
            }
        }
    }

    /// The value at an index; `None` if the content is damaged.
    #[inline]
    pub(super) fn value(&self, file: &[u8], index: u64) -> Option<u16> {
        match self {
            Stream::Constant(value) => Some(*value),
            Stream::Packed(packed) => packed.value(file, index),
        }
    }
}

impl Packed {
    #[inline]
    fn value(&self, file: &[u8], index: u64) -> Option<u16> {
        let (block, offset) = self.locate(file, index)?;
        let (symbol, offset) = self.decode(file, block, offset)?;
        self.descend(symbol, offset)
    }

    /// The block that holds the value of an index, and the value's place in it.
    #[inline]
    fn locate(&self, file: &[u8], index: u64) -> Option<(usize, u32)> {
        let span = 1u64 << self.span_log2;
        let entry = usize::try_from(index >> self.span_log2).ok()?;
        if entry >= self.sparse.count {
            return None;
        }
        let bytes: &[u8; 6] = file.get(self.sparse.at + 6 * entry..)?.first_chunk()?;
        let mut block = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize;
        let from_middle = (index & (span - 1)) as i64 - (span / 2) as i64;
        let mut offset = from_middle + i64::from(u16::from_le_bytes([bytes[4], bytes[5]]));
        let lengths = file.get(self.lengths.at..self.lengths.at + 2 * self.lengths.count)?;
        let (lengths, _) = lengths.as_chunks::<2>();
        while offset < 0 {
            block = block.checked_sub(1)?;
            offset += i64::from(u16::from_le_bytes(*lengths.get(block)?)) + 1;
        }
        loop {
            let last = i64::from(u16::from_le_bytes(*lengths.get(block)?));
            if offset <= last {
                break;
            }
            offset -= last + 1;
            block += 1;
        }
        (block < self.blocks.count).then_some((block, offset as u32))
    }

    /// Skips `offset` values from a block's start; returns the symbol reached and the rest of the
    /// offset in it.
    #[inline]
    fn decode(&self, file: &[u8], block: usize, mut offset: u32) -> Option<(Symbol, u32)> {
        // A block may read ahead into the next one, and the last one into the checksum.
        let bytes = file.get(self.blocks.at + (block << self.block_log2)..)?;
        let mut window = u64::from_be_bytes(*bytes.first_chunk()?);
        let mut ahead = bytes.get(8..)?;
        let mut used = 0;
        loop {
            let mut step = usize::from(self.start[(window >> (64 - LOOKUP_BITS)) as usize]);
            while window < *self.bases.get(step)? {
                step += 1;
            }
            let bits = self.min_bits + step as u32;
            let code = (window - self.bases[step]) >> (64 - bits);
            let symbol = usize::from(*self.firsts.get(step)?) + code as usize;
            let symbol = *self.symbols.get(symbol)?;
            if offset < u32::from(symbol.values) {
                return Some((symbol, offset));
            }
            offset -= u32::from(symbol.values);
            window <<= bits;
            used += bits;
            if used >= 32 {
                used -= 32;
                let (next, rest) = ahead.split_first_chunk::<4>()?;
                window |= u64::from(u32::from_be_bytes(*next)) << used;
                ahead = rest;
            }
        }
    }

    /// The value at `offset` inside a symbol. Symbols are free of cycles, see [`measure`].
    #[inline]
    fn descend(&self, mut symbol: Symbol, mut offset: u32) -> Option<u16> {
        while symbol.values > 1 {
            let left = *self.symbols.get(usize::from(symbol.left))?;
            if offset < u32::from(left.values) {
                symbol = left;
            } else {
                offset -= u32::from(left.values);
                symbol = *self.symbols.get(usize::from(symbol.right))?;
            }
        }
        Some(symbol.left)
    }
}

/// The codes and symbols of a stream as they are read and checked.
struct Codes {
    min_bits: u32,
    bases: Vec<u64>,
    firsts: Vec<u16>,
    symbols: Vec<Symbol>,
}

impl Codes {
    fn read(reader: &mut Reader) -> Result<Codes, TableError> {
        let max_bits = u32::from(reader.u8()?);
        let min_bits = u32::from(reader.u8()?);
        if min_bits == 0 || max_bits < min_bits || max_bits > MAX_CODE_BITS {
            return Err(reader.wrong("code lengths are impossible"));
        }
        let firsts = (min_bits..=max_bits)
            .map(|_| reader.u16())
            .collect::<Result<Vec<_>, _>>()?;
        let bases = code_bases(min_bits, &firsts)
            .ok_or_else(|| reader.wrong("the code table does not add up"))?;
        let count = usize::from(reader.u16()?);
        if count == 0 || count > usize::from(NO_RIGHT) {
            return Err(reader.wrong("the number of symbols is impossible"));
        }
        let (triples, _) = reader.take(3 * count)?.as_chunks::<3>();
        let mut symbols: Vec<Symbol> = triples.iter().map(|&bytes| unpack_symbol(bytes)).collect();
        measure(&mut symbols).map_err(|what| reader.wrong(what))?;
        reader.take(count & 1)?;
        Ok(Codes {
            min_bits,
            bases,
            firsts,
            symbols,
        })
    }

    /// For each value of the first bits of a window, the shortest code length that can start so.
    fn lookup(&self) -> Box<[u8; LOOKUP_SIZE]> {
        let mut starts = Box::new([0; LOOKUP_SIZE]);
        for (top, start) in (1u64..).zip(starts.iter_mut()) {
            let greatest = (top << (64 - LOOKUP_BITS)).wrapping_sub(1);
            let step = self.bases.iter().position(|&base| base <= greatest);
            *start = step.unwrap_or(self.bases.len()) as u8;
        }
        starts
    }
}

/// Two 12-bit numbers from three bytes.
fn unpack_symbol([low, middle, high]: [u8; 3]) -> Symbol {
    let left = u16::from(low) | u16::from(middle & 15) << 8;
    let right = u16::from(middle >> 4) | u16::from(high) << 4;
    Symbol {
        left,
        right,
        values: u16::from(right == NO_RIGHT),
    }
}

/// The least code of each length, padded to 64 bits; `None` if a length has less than no codes or
/// too many.
fn code_bases(min_bits: u32, firsts: &[u16]) -> Option<Vec<u64>> {
    let mut bases = vec![0; firsts.len()];
    for at in (0..firsts.len().saturating_sub(1)).rev() {
        let longer: u64 = bases[at + 1];
        let sum = (longer + u64::from(firsts[at])).checked_sub(u64::from(firsts[at + 1]))?;
        bases[at] = sum / 2;
        if bases[at] >> (min_bits + at as u32) != 0 {
            return None;
        }
    }
    for (at, base) in bases.iter_mut().enumerate() {
        *base <<= 64 - min_bits - at as u32;
    }
    Some(bases)
}

/// Counts the values of every symbol, and refuses tables in which a symbol contains itself or
/// nothing.
fn measure(symbols: &mut [Symbol]) -> Result<(), &'static str> {
    const LONGEST: u16 = 256;
    // A stack instead of recursion, for chains may be thousands deep; `open` marks the symbols on
    // it.
    let mut open = vec![false; symbols.len()];
    for start in 0..symbols.len() {
        let mut stack = vec![start];
        while let Some(&at) = stack.last() {
            let Symbol {
                left,
                right,
                values,
            } = symbols[at];
            if values > 0 {
                open[at] = false;
                stack.pop();
                continue;
            }
            open[at] = true;
            let halves = [left, right].map(usize::from);
            let mut sum = 0;
            for half in halves {
                let part = symbols
                    .get(half)
                    .ok_or("a symbol names one that does not exist")?;
                if part.values == 0 {
                    if open[half] {
                        return Err("a symbol contains itself");
                    }
                    stack.push(half);
                }
                sum += part.values;
            }
            if sum > LONGEST {
                return Err("a symbol is longer than 256 values");
            }
            if stack.last() == Some(&at) {
                symbols[at].values = sum;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(left: u16, right: u16) -> Symbol {
        Symbol {
            left,
            right,
            values: u16::from(right == NO_RIGHT),
        }
    }

    #[test]
    fn symbols_are_measured_and_cycles_refused() {
        let mut good = [symbol(2, 1), symbol(2, 2), symbol(7, NO_RIGHT)];
        measure(&mut good).unwrap();
        assert_eq!(good.map(|s| s.values), [3, 2, 1]);
        assert!(measure(&mut [symbol(0, 1), symbol(3, NO_RIGHT)]).is_err());
        assert!(measure(&mut [symbol(1, 2), symbol(2, 0), symbol(3, NO_RIGHT)]).is_err());
        assert!(measure(&mut [symbol(1, 9), symbol(3, NO_RIGHT)]).is_err());
    }

    #[test]
    fn endless_doubling_is_refused() {
        let mut symbols: Vec<Symbol> = (1..4000).map(|next| symbol(next, next)).collect();
        symbols.push(symbol(0, NO_RIGHT));
        assert_eq!(
            measure(&mut symbols),
            Err("a symbol is longer than 256 values")
        );
    }

    #[test]
    fn packed_numbers_come_apart() {
        let symbol = unpack_symbol([0x34, 0x52, 0xf6]);
        assert_eq!((symbol.left, symbol.right), (0x234, 0xf65));
    }

    #[test]
    fn canonical_codes_have_the_documented_bases() {
        // Lengths 1, 2, 2: symbol 2 is "1", symbols 0 and 1 are "00" and "01".
        assert_eq!(code_bases(1, &[2, 0]), Some(vec![1 << 63, 0]));
        assert_eq!(code_bases(1, &[0, 2]), None);
    }
}
