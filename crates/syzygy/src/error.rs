//! What can go wrong: when opening, with a file, and when asking.

use std::{fmt, path::PathBuf};

use crate::material::{MAX_MEN, Material};

/// Which of the two kinds of table file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TableKind {
    /// Win/draw/loss, files with the ending `.rtbw`.
    Wdl,
    /// Distance to zeroing, `.rtbz`.
    Dtz,
}

impl TableKind {
    /// Both kinds, WDL first.
    pub const ALL: [TableKind; 2] = [TableKind::Wdl, TableKind::Dtz];

    /// File name ending, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            TableKind::Wdl => "rtbw",
            TableKind::Dtz => "rtbz",
        }
    }

    /// The first four bytes of such a file.
    pub(crate) const fn magic(self) -> [u8; 4] {
        match self {
            TableKind::Wdl => [0x71, 0xe8, 0x23, 0x5d],
            TableKind::Dtz => [0xd7, 0x66, 0x0c, 0xa5],
        }
    }
}

/// One table: material and kind; shown as the file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableId {
    /// The pieces, oriented as in the file name.
    pub material: Material,
    /// What the table says of a position.
    pub kind: TableKind,
}

impl TableId {
    /// The table of a material, whichever side is White.
    pub(crate) fn of(material: Material, kind: TableKind) -> TableId {
        let material = material.canonical();
        TableId { material, kind }
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.material, self.kind.extension())
    }
}

/// Opening failed as a whole; single bad files never cause it, they are listed in the
/// [`crate::Inventory`].
#[derive(Debug, thiserror::Error)]
pub enum SyzygyError {
    /// The list names no folder.
    #[error("no tablebase folder given; name one or several, separated by ':' or ';'")]
    EmptyPath,
    /// A NUL byte cannot be part of a path.
    #[error("the tablebase path holds a NUL byte (at byte {at}); remove it")]
    NulInPath {
        /// Offset of the first such byte.
        at: usize,
    },
    /// None of the named folders can be read.
    #[error("cannot read tablebase folder {}: {source}; check the path and its permissions", folder.display())]
    Folder {
        /// The first folder that failed.
        folder: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A second instance of the pyrrhic backend.
    #[error(
        "pyrrhic-rs can be open only once in a process; close the other one first (a GUI sets SyzygyPath to <empty>), or use backend \"native\""
    )]
    PyrrhicBusy,
    /// A file that pyrrhic-rs would open and trust.
    #[error("backend \"pyrrhic\" would trust {}: {reason}; move the file away, or use backend \"native\"", path.display())]
    PyrrhicFile {
        /// The file that it would open.
        path: PathBuf,
        /// What is wrong with it.
        reason: TableError,
    },
    /// The crate was built without the feature `pyrrhic`, or for ARM.
    #[error("this program was built without pyrrhic-rs; use backend \"native\"")]
    NoPyrrhic,
    /// pyrrhic-rs failed to start, for a reason that it does not tell.
    #[error("pyrrhic-rs failed to start; use backend \"native\"")]
    PyrrhicFailed,
}

/// Why a file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// The name is not that of a table.
    #[error("not the name of a table: found {found}, expected {expected}")]
    Name {
        /// The name of the file.
        found: String,
        /// What a table of these pieces would be called, or the rule.
        expected: String,
    },
    /// The system does not give its bytes.
    #[error("cannot be read: {0}")]
    Io(String),
    /// A table is a whole number of 64-byte lines and a 16-byte checksum.
    #[error(
        "{found} bytes long, but a whole table has 16 more than a multiple of 64: truncated or not a table"
    )]
    Size {
        /// Length of the file in bytes.
        found: u64,
    },
    /// The first four bytes are not those of this kind of table.
    #[error("starts with {found:02x?}, but a .{} file starts with {:02x?}", kind.extension(), kind.magic())]
    Magic {
        /// The first four bytes of the file.
        found: [u8; 4],
        /// The kind that the ending promises.
        kind: TableKind,
    },
    /// The header contradicts itself, the file's name or its length.
    #[error("invalid header at byte {at}: {what}")]
    Header {
        /// Offset in the file, in bytes.
        at: usize,
        /// What contradicts what.
        what: &'static str,
    },
    /// The sections that the header announces do not fill the file exactly.
    #[error("header announces {announced} bytes but the file has {found}")]
    Length {
        /// Bytes that the header asks for.
        announced: u64,
        /// Length of the file in bytes.
        found: u64,
    },
    /// The codes of a block do not give as many values as the index says.
    #[error("the block at byte {at} does not decode: the file is damaged")]
    Block {
        /// Offset in the file, in bytes.
        at: usize,
    },
    /// The stored checksum is not that of the content.
    #[error("checksum is {found:032x}, but the content gives {computed:032x}: the file is damaged")]
    Checksum {
        /// As stored in the last 16 bytes.
        found: u128,
        /// As computed from the content.
        computed: u128,
    },
}

impl From<std::io::Error> for TableError {
    fn from(error: std::io::Error) -> Self {
        TableError::Io(error.to_string())
    }
}

/// Why a position has no answer. Cheap to make and to copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProbeError {
    /// The position has castling rights, of which tables know nothing.
    #[error("the position has castling rights; tables only cover positions without any")]
    Castling,
    /// The kings touch, which no legal position has.
    #[error("the kings are adjacent, which is illegal")]
    KingsTouch,
    /// There are more men on the board than in any table.
    #[error("the position has {men} men; tables have at most {MAX_MEN}")]
    TooManyMen {
        /// Men on the board, kings included.
        men: u32,
    },
    /// The table that would answer is not installed.
    #[error("{0} is not installed")]
    Missing(TableId),
    /// The table that would answer is there but damaged; [`crate::Tablebase::table_error`] says
    /// how.
    #[error("{0} is damaged")]
    Corrupt(TableId),
    /// Mate or stalemate: there is no move to name.
    #[error("the game is over: there is no legal move")]
    NoMoves,
    /// The table that would answer is there, but this backend was not offered it.
    #[error("{0} is not offered to this backend")]
    NotOffered(TableId),
}
