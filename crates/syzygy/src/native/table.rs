//! A whole table file: mapped, its header read and checked once (section 2), then probed.

use std::{fs::File, path::Path};

use cozy_chess::Color;
use memmap2::Mmap;

use super::{
    index::{Perspective, PieceList, Shape},
    reader::Reader,
    stream::Stream,
};
use crate::{
    checksum::checksum,
    error::{TableError, TableId, TableKind},
    inventory::{CHECKSUM_BYTES, LINE_BYTES},
    material::Material,
    pieces::Pieces,
    types::{Dtz, Wdl},
};

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
#[derive(Debug)]
struct List {
    /// One for each stored side to move.
    sides: Vec<(PieceList, Stream)>,
    dtz: DtzCoding,
}

/// How the values of a DTZ stream become plies.
#[derive(Debug, Default)]
struct DtzCoding {
    flags: u8,
    /// For wins, losses, cursed wins, blessed losses: the map's place in the file and its entries.
    maps: [(usize, usize); 4],
}

#[derive(Debug)]
pub(crate) struct Table {
    file: Mmap,
    shape: Shape,
    symmetric: bool,
    has_pawns: bool,
    lists: Vec<List>,
}

impl Table {
    /// Maps a file and checks its header against its name and its length.
    pub(crate) fn open(path: &Path, id: TableId) -> Result<Table, TableError> {
        let io = |error: std::io::Error| TableError::Io(error.to_string());
        let file = File::open(path).map_err(io)?;
        // An empty file cannot be mapped, and what is no file at all has no length to check
        // against.
        let bytes = file.metadata().map_err(io)?.len();
        if bytes < LINE_BYTES + CHECKSUM_BYTES {
            return Err(TableError::Size { found: bytes });
        }
        Self::read(map(&file).map_err(io)?, id)
    }

    fn read(file: Mmap, id: TableId) -> Result<Table, TableError> {
        let material = id.material;
        let shape = Shape::new(material);
        let mut reader = Reader::new(&file, 0);
        let magic = reader.take(4)?;
        if magic != id.kind.magic() {
            let found = [magic[0], magic[1], magic[2], magic[3]];
            return Err(TableError::Magic {
                found,
                kind: id.kind,
            });
        }
        let sides = match id.kind {
            TableKind::Wdl if !material.is_symmetric() => 2,
            _ => 1,
        };
        check_flags(&mut reader, material, id.kind, sides)?;
        let mut piece_lists = Vec::new();
        for file in 0..shape.lists() {
            piece_lists.push(PieceList::read(&mut reader, &shape, file, sides)?);
        }
        reader.align(2)?;
        let mut lists = Vec::new();
        for piece_list in piece_lists {
            lists.push(List::read(&mut reader, piece_list, id.kind)?);
        }
        if id.kind == TableKind::Dtz {
            for list in &mut lists {
                list.dtz.read_maps(&mut reader)?;
            }
            reader.align(2)?;
        }
        place_sections(&mut lists, reader.at() as u64, file.len() as u64)?;
        let (symmetric, has_pawns) = (material.is_symmetric(), material.has_pawns());
        Ok(Table {
            file,
            shape,
            symmetric,
            has_pawns,
            lists,
        })
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
        let value = stream.value(&self.file, pieces.index(&perspective)?)?;
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
        let value = stream.value(&self.file, pieces.index(&perspective)?)?;
        list.dtz
            .distance(&self.file, value, wdl)
            .map(DtzAnswer::Distance)
    }

    /// Compares the stored checksum with that of the content.
    pub(crate) fn verify(&self) -> Result<(), TableError> {
        let Some((content, stored)) = self.file.split_last_chunk::<16>() else {
            return Err(TableError::Size {
                found: self.file.len() as u64,
            });
        };
        let (found, computed) = (u128::from_le_bytes(*stored), checksum(content));
        if found == computed {
            Ok(())
        } else {
            Err(TableError::Checksum { found, computed })
        }
    }
}

/// Maps a file read-only.
#[allow(unsafe_code)]
fn map(file: &File) -> std::io::Result<Mmap> {
    // SAFETY: mapped bytes must not change while borrowed. Table files are written once and then
    // only read; we never write to them, and every value read from them is checked before use, so
    // that even a change from outside can make an answer wrong but not unsound in practice.
    // Truncation of a mapped file by another process kills the process (SIGBUS), as with every user
    // of tables; the documentation says so.
    unsafe { Mmap::map(file) }
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
fn place_sections(lists: &mut [List], header_end: u64, file_len: u64) -> Result<(), TableError> {
    let mut at = header_end;
    for place in [
        Stream::place_sparse,
        Stream::place_lengths,
        Stream::place_blocks,
    ] {
        for list in lists.iter_mut() {
            for (_, stream) in &mut list.sides {
                at = place(stream, at);
            }
        }
    }
    let announced = at.next_multiple_of(LINE_BYTES) + CHECKSUM_BYTES;
    if announced == file_len {
        Ok(())
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
            let entries = if wide {
                reader.u16()?.into()
            } else {
                reader.u8()?.into()
            };
            *map = (reader.at(), entries);
            reader.take(if wide { 2 * entries } else { entries })?;
        }
        Ok(())
    }

    /// The signed distance that a stored value means for a position of this outcome.
    fn distance(&self, file: &[u8], value: u16, wdl: Wdl) -> Option<Dtz> {
        let (map, in_plies) = match wdl {
            Wdl::Win => (0, self.has(dtz_flag::WINS_IN_PLIES)),
            Wdl::Loss => (1, self.has(dtz_flag::LOSSES_IN_PLIES)),
            Wdl::CursedWin => (2, false),
            Wdl::BlessedLoss => (3, false),
            Wdl::Draw => return Some(Dtz::DRAW),
        };
        let value = match self.has(dtz_flag::MAPPED) {
            true => i32::from(self.mapped(file, map, usize::from(value))?),
            false => i32::from(value),
        };
        let more = if in_plies { value } else { 2 * value };
        let plies = wdl.dtz_before_zeroing() + wdl.signum() * more;
        Some(Dtz {
            plies,
            rounded: !in_plies,
        })
    }

    fn mapped(&self, file: &[u8], map: usize, entry: usize) -> Option<u16> {
        let (at, entries) = self.maps[map];
        if entry >= entries {
            return None;
        }
        if self.has(dtz_flag::WIDE_MAPS) {
            file.get(at + 2 * entry..)?
                .first_chunk()
                .copied()
                .map(u16::from_le_bytes)
        } else {
            file.get(at + entry).copied().map(u16::from)
        }
    }
}
