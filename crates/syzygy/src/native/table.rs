//! A table file: its header is read and checked once (section 2), then it is probed.

use std::sync::{Arc, OnceLock};

use cozy_chess::Color;

use super::{
    body::{Body, Memory, Reader},
    index::{Perspective, PieceList, Shape},
    stream::Stream,
};
use crate::{
    checksum::{CHECKSUM_BYTES, LINE_BYTES, verify},
    error::{TableError, TableId, TableKind},
    material::{Material, Pieces},
    source::TableSource,
    types::{Dtz, Wdl},
};

/// No header is longer: four maps of at most 65,535 numbers for each of four lists, and eight
/// tables of 4,095 symbols.
const HEADER_BYTES: u64 = 4 << 20;
/// Larger tables are read page by page, except for their index if that is not larger.
const WHOLE_TABLE_BYTES: u64 = 16 << 20;

/// Bits of a DTZ stream's flags (section 6).
mod dtz_flag {
    pub(super) const SECOND_SIDE: u8 = 1;
    pub(super) const MAPPED: u8 = 2;
    pub(super) const WINS_IN_PLIES: u8 = 4;
    pub(super) const LOSSES_IN_PLIES: u8 = 8;
    pub(super) const WIDE_MAPS: u8 = 16;
}

/// What a DTZ table says of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DtzAnswer {
    Distance(Dtz),
    /// The table holds the other side to move.
    OtherSide,
}

/// The streams of one piece list.
struct List {
    /// One for each stored side to move.
    sides: Vec<(PieceList, Stream)>,
    dtz: DtzCoding,
}

/// How the values of a DTZ stream become plies.
#[derive(Default)]
struct DtzCoding {
    flags: u8,
    /// For wins, losses, cursed wins, blessed losses.
    maps: [Vec<u16>; 4],
}

pub(crate) struct Table {
    body: Body,
    shape: Shape,
    symmetric: bool,
    has_pawns: bool,
    lists: Vec<List>,
}

impl Table {
    /// Reads a table's header and checks it against its name and its length, and keeps of the rest
    /// what `memory` has room for. With `verify_first` its checksum must fit too.
    pub(crate) fn open(
        source: Arc<dyn TableSource>,
        id: TableId,
        memory: Arc<Memory>,
        verify_first: bool,
    ) -> Result<Table, TableError> {
        let bytes = source.size()?;
        // What is no file at all has no length to check against.
        if bytes < LINE_BYTES + CHECKSUM_BYTES {
            return Err(TableError::Size { found: bytes });
        }
        let mut start = vec![0; bytes.min(HEADER_BYTES) as usize];
        source.read_exact_at(&mut start, 0)?;
        let (mut lists, index_end) = read_lists(&mut Reader::new(&start), id, bytes)?;
        let whole = bytes <= WHOLE_TABLE_BYTES && memory.take(bytes);
        let kept = match whole {
            true => bytes,
            false if index_end <= WHOLE_TABLE_BYTES && memory.take(index_end) => index_end,
            false => 0,
        };
        let read = start.len().min(kept as usize);
        start.resize(kept as usize, 0);
        source.read_exact_at(&mut start[read..], read as u64)?;
        if verify_first {
            match whole {
                true => verify(&start),
                false => verify(&*source),
            }?;
        }
        if whole {
            for (_, stream) in lists.iter_mut().flat_map(|list| &mut list.sides) {
                stream.keep_blocks(&start);
            }
            start.truncate(index_end as usize);
        }
        Ok(Table {
            body: Body {
                id,
                source,
                bytes,
                index: start.into(),
                memory,
                fault: OnceLock::new(),
            },
            shape: Shape::new(id.material),
            symmetric: id.material.is_symmetric(),
            has_pawns: id.material.has_pawns(),
            lists,
        })
    }

    /// What was found to be wrong with the content since the table was opened.
    #[inline]
    pub(crate) fn fault(&self) -> Option<&TableError> {
        self.body.fault.get()
    }

    /// Whether the colors are exchanged to fit the table, and whether its second side is then to
    /// move. In a symmetric table the mover is always the first side.
    #[inline]
    fn orient(&self, men: &Pieces, swap: bool) -> (bool, bool) {
        let black_to_move = men.mover() == Color::Black;
        if self.symmetric {
            (black_to_move, false)
        } else {
            (swap, black_to_move != swap)
        }
    }

    /// WDL of a position of this table's material; `swap` if its White is the name's second side.
    /// `None` if the content is damaged.
    #[inline]
    pub(crate) fn wdl(&self, men: &Pieces, swap: bool) -> Option<Wdl> {
        let (swap, second) = self.orient(men, swap);
        let perspective = Perspective::new(men, swap, self.has_pawns);
        let list = self.lists.get(self.shape.list_of(&perspective))?;
        let (pieces, stream) = list.sides.get(usize::from(second))?;
        let value = stream.value(&self.body, pieces.index(&perspective)?)?;
        Wdl::from_stored(u8::try_from(value).ok()?)
    }

    /// DTZ of a position whose WDL is known and no draw; `None` if the content is damaged.
    pub(crate) fn dtz(&self, men: &Pieces, swap: bool, wdl: Wdl) -> Option<DtzAnswer> {
        let (swap, second) = self.orient(men, swap);
        let perspective = Perspective::new(men, swap, self.has_pawns);
        let list = self.lists.get(self.shape.list_of(&perspective))?;
        let stored_second = list.dtz.flags & dtz_flag::SECOND_SIDE != 0;
        if stored_second != second && !self.symmetric {
            return Some(DtzAnswer::OtherSide);
        }
        let (pieces, stream) = list.sides.first()?;
        let value = stream.value(&self.body, pieces.index(&perspective)?)?;
        list.dtz.distance(value, wdl).map(DtzAnswer::Distance)
    }

    /// Reads the whole source anew and checks its checksum.
    pub(crate) fn verify(&self) -> Result<(), TableError> {
        verify(&*self.body.source)
    }
}

/// Reads the header of a table that is `bytes` long; gives the end of its index, too.
fn read_lists(
    reader: &mut Reader,
    id: TableId,
    bytes: u64,
) -> Result<(Vec<List>, u64), TableError> {
    let TableId { material, kind } = id;
    let magic = reader.take(4)?;
    if magic != kind.magic() {
        let found = [magic[0], magic[1], magic[2], magic[3]];
        return Err(TableError::Magic { found, kind });
    }
    let sides = match kind {
        TableKind::Wdl if !material.is_symmetric() => 2,
        _ => 1,
    };
    check_flags(reader, material, kind, sides)?;
    let shape = Shape::new(material);
    let piece_lists = (0..shape.lists())
        .map(|file| PieceList::read(reader, &shape, file, sides))
        .collect::<Result<Vec<_>, _>>()?;
    reader.align(2)?;
    let mut lists = piece_lists
        .into_iter()
        .map(|piece_list| List::read(reader, piece_list, kind))
        .collect::<Result<Vec<_>, _>>()?;
    if kind == TableKind::Dtz {
        for list in &mut lists {
            list.dtz.read_maps(reader)?;
        }
        reader.align(2)?;
    }
    let index_end = place_sections(&mut lists, reader.at() as u64, bytes)?;
    Ok((lists, index_end))
}

/// Compares the flags byte with what the name demands.
fn check_flags(
    reader: &mut Reader,
    material: Material,
    kind: TableKind,
    sides: usize,
) -> Result<(), TableError> {
    let flags = reader.u8()?;
    if (flags & 2 != 0) != material.has_pawns() {
        return Err(reader.wrong("it is about pawns, the name is not, or the other way round"));
    }
    if kind == TableKind::Wdl && (flags & 1 != 0) != (sides == 2) {
        return Err(reader.wrong("the number of stored sides is not that of the file's name"));
    }
    Ok(())
}

/// Lays the sections out behind the header, and checks that they fill the file.
fn place_sections(lists: &mut [List], header_end: u64, file_len: u64) -> Result<u64, TableError> {
    let mut place = |section, from| {
        let streams = lists.iter_mut().flat_map(|list| &mut list.sides);
        streams.fold(from, |at, (_, stream)| stream.place(section, at))
    };
    let lengths = place(0, header_end);
    let index_end = place(1, lengths);
    let at = place(2, index_end);
    let announced = at.next_multiple_of(LINE_BYTES) + CHECKSUM_BYTES;
    if announced == file_len {
        Ok(index_end)
    } else {
        Err(TableError::Length {
            announced,
            found: file_len,
        })
    }
}

impl List {
    fn read(
        reader: &mut Reader,
        piece_lists: Vec<PieceList>,
        kind: TableKind,
    ) -> Result<List, TableError> {
        let mut dtz = DtzCoding::default();
        let mut sides = Vec::new();
        for pieces in piece_lists {
            let (stream, flags) = Stream::read(reader, pieces.size(), kind == TableKind::Wdl)?;
            dtz.flags = flags;
            sides.push((pieces, stream));
        }
        Ok(List { sides, dtz })
    }
}

impl DtzCoding {
    fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    fn read_maps(&mut self, reader: &mut Reader) -> Result<(), TableError> {
        if !self.has(dtz_flag::MAPPED) {
            return Ok(());
        }
        let wide = self.has(dtz_flag::WIDE_MAPS);
        if wide {
            reader.align(2)?;
        }
        for map in &mut self.maps {
            *map = if wide {
                let entries = usize::from(reader.u16()?);
                let (numbers, _) = reader.take(2 * entries)?.as_chunks();
                numbers.iter().copied().map(u16::from_le_bytes).collect()
            } else {
                let entries = reader.u8()?;
                let numbers = reader.take(entries.into())?;
                numbers.iter().copied().map(u16::from).collect()
            };
        }
        Ok(())
    }

    /// The signed distance that a stored value means for a position of this outcome.
    fn distance(&self, value: u16, wdl: Wdl) -> Option<Dtz> {
        let (map, in_plies) = match wdl {
            Wdl::Win => (0, self.has(dtz_flag::WINS_IN_PLIES)),
            Wdl::Loss => (1, self.has(dtz_flag::LOSSES_IN_PLIES)),
            Wdl::CursedWin => (2, false),
            Wdl::BlessedLoss => (3, false),
            Wdl::Draw => return Some(Dtz::DRAW),
        };
        let value = match self.has(dtz_flag::MAPPED) {
            true => i32::from(*self.maps[map].get(usize::from(value))?),
            false => i32::from(value),
        };
        let more = if in_plies { value } else { 2 * value };
        let plies = wdl.dtz_before_zeroing() + wdl.signum() * more;
        Some(Dtz {
            plies,
            rounded: !in_plies,
        })
    }
}
