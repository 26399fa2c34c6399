//! One compressed stream of values (section 5).
//!
//! A block is decoded whole when it is first asked for. What remains of that are *marks*, one for
//! every eight bytes: how many values the codes before the first one that starts there stand for.
//! Later questions start at the nearest mark and decode a few codes.

use std::sync::atomic::{AtomicU32, Ordering};

use super::body::{Blocks, Body, MARK_BYTES, PAGE_BYTES, Reader};
use crate::error::TableError;

/// Longest code that a decoder window of 64 bits can refill safely.
const MAX_CODE_BITS: u32 = 32;
/// The 12-bit number in place of a second half that marks a symbol of one value.
const NO_RIGHT: u16 = 0xfff;
/// Bits of the window that pick an entry of the code table.
const LOOKUP_BITS: u32 = 8;
const LOOKUP_SIZE: usize = 1 << LOOKUP_BITS;
/// Low bits of a mark: how far behind its eight bytes' start the first code starts.
const MARK_SHIFT: u32 = 5;
/// Set in every mark that is made.
const MADE: u32 = 1 << 31;

/// Where one of a stream's three sections starts in the file, and how long it is.
#[derive(Clone, Copy)]
struct Section {
    at: usize,
    count: usize,
    entry_bytes: u64,
    /// It starts at a multiple of this.
    align: u64,
}

impl Section {
    fn new(count: usize, entry_bytes: u64, align: u64) -> Section {
        Section {
            at: 0,
            count,
            entry_bytes,
            align,
        }
    }
}

/// The part of a stream that needs decoding.
pub(super) struct Packed {
    span_log2: u32,
    block_log2: u32,
    sparse: Section,
    lengths: Section,
    blocks: Section,
    codes: Codes,
    /// All of them, where the table is kept whole.
    kept: Blocks,
}

/// A stream of values, one for each index.
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
            let value = if constant_means { second.into() } else { 0 };
            return Ok((Stream::Constant(value), flags));
        }
        let block_log2 = u32::from(second);
        let span_log2 = u32::from(reader.u8()?);
        let extra_lengths = usize::from(reader.u8()?);
        let blocks = reader.u32()? as usize;
        if !(3..=20).contains(&block_log2) || !(1..=31).contains(&span_log2) {
            return Err(reader.wrong("block size or index span is impossible"));
        }
        let spans = positions.div_ceil(1 << span_log2) as usize;
        let packed = Packed {
            span_log2,
            block_log2,
            sparse: Section::new(spans, 6, 1),
            lengths: Section::new(blocks + extra_lengths, 2, 1),
            blocks: Section::new(blocks, 1 << block_log2, 64),
            codes: Codes::read(reader)?,
            kept: Blocks::default(),
        };
        Ok((Stream::Packed(Box::new(packed)), flags))
    }

    /// Gives a section (sparse index, block lengths, blocks) the next place from `at` on; returns
    /// the place behind it.
    pub(super) fn place(&mut self, section: usize, at: u64) -> u64 {
        let Stream::Packed(packed) = self else {
            return at;
        };
        let section = match section {
            0 => &mut packed.sparse,
            1 => &mut packed.lengths,
            _ => &mut packed.blocks,
        };
        let at = at.next_multiple_of(section.align);
        section.at = at as usize;
        at + section.count as u64 * section.entry_bytes
    }

    /// Keeps the blocks of a table that is kept whole.
    pub(super) fn keep_blocks(&mut self, file: &[u8]) {
        if let Stream::Packed(packed) = self {
            let Section { at, count, .. } = packed.blocks;
            let blocks = file.get(at..at + (count << packed.block_log2));
            packed.kept = Blocks::new(blocks.unwrap_or_default(), packed.block_log2);
        }
    }

    /// The value at an index; `None` if the content is damaged or cannot be read.
    #[inline]
    pub(super) fn value(&self, body: &Body, index: u64) -> Option<u16> {
        match self {
            Stream::Constant(value) => Some(*value),
            Stream::Packed(packed) => packed.value(body, index),
        }
    }
}

/// Where an index's value is.
#[derive(Clone, Copy)]
struct Place {
    block: usize,
    /// Number of the value in the block, and that of the block's last value.
    offset: u32,
    last: u32,
}

impl Packed {
    #[inline]
    fn value(&self, body: &Body, index: u64) -> Option<u16> {
        let place = self.locate(body, index)?;
        let found = if self.kept.is_empty() {
            let of_page = self.block_log2.max(PAGE_BYTES.ilog2()) - self.block_log2;
            let first = place.block >> of_page << of_page;
            let at = (self.blocks.at + (first << self.block_log2)) as u64;
            let length = 1 << (of_page + self.block_log2);
            let page = body.page(at, length, Some(self.block_log2))?;
            self.find(&page.blocks, place.block - first, place)
        } else {
            self.find(&self.kept, place.block, place)
        };
        if found.is_none() {
            body.fail(TableError::Block {
                at: self.blocks.at + (place.block << self.block_log2),
            });
        }
        found
    }

    /// The block that holds the value of an index, and the value's place in it.
    #[inline]
    fn locate(&self, body: &Body, index: u64) -> Option<Place> {
        let span = 1u64 << self.span_log2;
        let entry = usize::try_from(index >> self.span_log2).ok()?;
        if entry >= self.sparse.count {
            return None;
        }
        let bytes: [u8; 6] = body.read(self.sparse.at + 6 * entry)?;
        let mut block = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize;
        let from_middle = (index & (span - 1)) as i64 - (span / 2) as i64;
        let mut offset = from_middle + i64::from(u16::from_le_bytes([bytes[4], bytes[5]]));
        let last_of = |block: usize| {
            (block < self.lengths.count)
                .then(|| {
                    body.read(self.lengths.at + 2 * block)
                        .map(u16::from_le_bytes)
                })?
                .map(i64::from)
        };
        while offset < 0 {
            block = block.checked_sub(1)?;
            offset += last_of(block)? + 1;
        }
        let mut last = last_of(block)?;
        while offset > last {
            offset -= last + 1;
            block += 1;
            last = last_of(block)?;
        }
        (block < self.blocks.count).then_some(Place {
            block,
            offset: offset as u32,
            last: last as u32,
        })
    }

    /// The value at a place, whose block is number `block` of `blocks`.
    #[inline]
    fn find(&self, blocks: &Blocks, block: usize, place: Place) -> Option<u16> {
        let wanted = MADE | place.offset << MARK_SHIFT | ((1 << MARK_SHIFT) - 1);
        let (marks, words) = blocks.get(block)?;
        // The first mark is made last.
        if marks.first()?.load(Ordering::Acquire) == 0 {
            self.mark(words, marks, place.last)?;
        }
        let after = marks.partition_point(|mark| mark.load(Ordering::Relaxed) <= wanted);
        let mark = marks.get(after.checked_sub(1)?)?.load(Ordering::Relaxed) & !MADE;
        let start = (after - 1) * MARK_BYTES / 4;
        let mut offset = place.offset - (mark >> MARK_SHIFT);
        let mut window = Window::new(words.get(start..)?, mark & ((1 << MARK_SHIFT) - 1))?;
        loop {
            let (symbol, bits) = self.codes.next(&window)?;
            let values = self.codes.values(symbol)?;
            if offset < values {
                return self.codes.descend(symbol, offset);
            }
            offset -= values;
            window.skip(bits)?;
        }
    }

    /// Decodes a block and makes its marks; `None` if its codes do not fit into it.
    #[inline(never)]
    fn mark(&self, words: &[AtomicU32], marks: &[AtomicU32], last: u32) -> Option<()> {
        let mut window = Window::new(words, 0)?;
        let (mut offset, mut bit, mut made) = (0, 0, 1);
        while offset <= last {
            let (symbol, bits) = self.codes.next(&window)?;
            window.skip(bits)?;
            offset += self.codes.values(symbol)?;
            bit += bits;
            let start = (8 * MARK_BYTES * made) as u32;
            if bit >= start && made < marks.len() {
                marks[made].store(
                    MADE | offset << MARK_SHIFT | (bit - start),
                    Ordering::Relaxed,
                );
                made += 1;
            }
        }
        // The last symbol may stand for more values than the block has, but not lie outside.
        if bit > 8 << self.block_log2 {
            return None;
        }
        for mark in &marks[made..] {
            mark.store(u32::MAX, Ordering::Relaxed);
        }
        marks[0].store(MADE, Ordering::Release);
        Some(())
    }
}

/// The next bits of a block, the first one on top.
struct Window<'a> {
    bits: u64,
    /// Bits that are missing below, fewer than 32.
    used: u32,
    ahead: &'a [AtomicU32],
}

impl<'a> Window<'a> {
    /// `skipped`: fewer than 32 bits.
    #[inline]
    fn new(words: &'a [AtomicU32], skipped: u32) -> Option<Self> {
        let ([first, second], ahead) = words.split_first_chunk()?;
        let [first, second] = [first, second].map(|word| u64::from(word.load(Ordering::Relaxed)));
        Some(Window {
            bits: (first << 32 | second) << skipped,
            used: skipped,
            ahead,
        })
    }

    /// Reads ahead over the end of the block, where no code starts.
    #[inline]
    fn skip(&mut self, bits: u32) -> Option<()> {
        self.bits <<= bits;
        self.used += bits;
        if self.used >= 32 {
            self.used -= 32;
            let (next, rest) = self.ahead.split_first()?;
            self.bits |= u64::from(next.load(Ordering::Relaxed)) << self.used;
            self.ahead = rest;
        }
        Some(())
    }
}

/// A run of values: equal ones, or two symbols after each other.
#[derive(Clone, Copy, Debug)]
struct Symbol {
    /// The first half, or the value.
    left: u16,
    right: u16,
    /// Number of values, 1 to 256.
    values: u16,
}

/// The codes and symbols of a stream.
struct Codes {
    min_bits: u32,
    /// For each code length from the shortest: the least code of that length, padded to 64 bits.
    bases: Box<[u64]>,
    /// For each code length from the shortest: its first symbol.
    firsts: Box<[u16]>,
    /// Code length (less the shortest) by the first [`LOOKUP_BITS`] bits: a lower bound where to
    /// start looking.
    start: [u8; LOOKUP_SIZE],
    /// The number of each symbol's values, less one. Apart from the halves, for skipping reads
    /// nothing else and they fit the cache so.
    lengths: Box<[u8]>,
    /// The two halves of each symbol, or its value and [`NO_RIGHT`].
    halves: Box<[[u16; 2]]>,
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
            .collect::<Result<Box<[_]>, _>>()?;
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
            start: lookup(&bases),
            bases: bases.into(),
            firsts,
            lengths: symbols.iter().map(|it| (it.values - 1) as u8).collect(),
            halves: symbols.iter().map(|it| [it.left, it.right]).collect(),
        })
    }

    /// The first symbol of a window and the bits of its code.
    #[inline]
    fn next(&self, window: &Window) -> Option<(usize, u32)> {
        let mut step = usize::from(self.start[(window.bits >> (64 - LOOKUP_BITS)) as usize]);
        while window.bits < *self.bases.get(step)? {
            step += 1;
        }
        let bits = self.min_bits + step as u32;
        let code = (window.bits - self.bases[step]) >> (64 - bits);
        Some((usize::from(*self.firsts.get(step)?) + code as usize, bits))
    }

    /// How many values a symbol stands for.
    #[inline]
    fn values(&self, symbol: usize) -> Option<u32> {
        self.lengths.get(symbol).map(|&less| u32::from(less) + 1)
    }

    /// The value at `offset` inside a symbol. Symbols are free of cycles, see [`measure`].
    #[inline]
    fn descend(&self, mut symbol: usize, mut offset: u32) -> Option<u16> {
        loop {
            let [left, right] = *self.halves.get(symbol)?;
            if right == NO_RIGHT {
                return Some(left);
            }
            let before = self.values(left.into())?;
            symbol = if offset < before {
                left
            } else {
                offset -= before;
                right
            }
            .into();
        }
    }
}

/// For each value of the first bits of a window, the shortest code length (less the shortest of
/// all) that can start so.
fn lookup(bases: &[u64]) -> [u8; LOOKUP_SIZE] {
    std::array::from_fn(|top| {
        let greatest = ((top as u64 + 1) << (64 - LOOKUP_BITS)).wrapping_sub(1);
        let step = bases.iter().position(|&base| base <= greatest);
        step.unwrap_or(bases.len()) as u8
    })
}

impl Symbol {
    /// Its values are counted later, unless it is one.
    fn new(left: u16, right: u16) -> Symbol {
        let values = u16::from(right == NO_RIGHT);
        Symbol {
            left,
            right,
            values,
        }
    }
}

/// Two 12-bit numbers from three bytes.
fn unpack_symbol([low, middle, high]: [u8; 3]) -> Symbol {
    let left = u16::from(low) | u16::from(middle & 15) << 8;
    let right = u16::from(middle >> 4) | u16::from(high) << 4;
    Symbol::new(left, right)
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

/// Counts the values of every symbol, makes those of equal values one run, and refuses tables in
/// which a symbol contains itself or nothing.
fn measure(symbols: &mut [Symbol]) -> Result<(), &'static str> {
    const LONGEST: u16 = 256;
    // A stack instead of recursion, for chains may be thousands deep; `open` marks the symbols on
    // it.
    let mut open = vec![false; symbols.len()];
    for start in 0..symbols.len() {
        let mut stack = vec![start];
        while let Some(&at) = stack.last() {
            let symbol = symbols[at];
            if symbol.values > 0 {
                open[at] = false;
                stack.pop();
                continue;
            }
            open[at] = true;
            let halves = [symbol.left, symbol.right].map(usize::from);
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
                let [left, right] = halves.map(|half| symbols[half]);
                if left.right == NO_RIGHT && right.right == NO_RIGHT && left.left == right.left {
                    (symbols[at].left, symbols[at].right) = (left.left, NO_RIGHT);
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_measured_and_cycles_refused() {
        let mut good = [
            Symbol::new(2, 1),
            Symbol::new(2, 2),
            Symbol::new(7, NO_RIGHT),
        ];
        measure(&mut good).unwrap();
        assert_eq!(good.map(|s| s.values), [3, 2, 1]);
        assert!(measure(&mut [Symbol::new(0, 1), Symbol::new(3, NO_RIGHT)]).is_err());
        assert!(
            measure(&mut [
                Symbol::new(1, 2),
                Symbol::new(2, 0),
                Symbol::new(3, NO_RIGHT)
            ])
            .is_err()
        );
        assert!(measure(&mut [Symbol::new(1, 9), Symbol::new(3, NO_RIGHT)]).is_err());
    }

    #[test]
    fn endless_doubling_is_refused() {
        let mut symbols: Vec<Symbol> = (1..4000).map(|next| Symbol::new(next, next)).collect();
        symbols.push(Symbol::new(0, NO_RIGHT));
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
