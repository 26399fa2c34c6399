//! The value that users hold: open it once, probe it from any number of threads.

use std::str::FromStr;

use cozy_chess::{Board, Move};

use crate::error::{ProbeError, SyzygyError, TableId, TableKind};
use crate::inventory::Inventory;
use crate::material::Material;
use crate::types::{Dtz, RootMove, Wdl};

/// Who decodes the WDL tables that [`Tablebase::wdl`] reads; everything else is always native.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Backend {
    /// This crate's own decoder: every read checked, any number of instances.
    #[default]
    Native,
    /// pyrrhic-rs, one instance a process.
    Pyrrhic,
}

impl FromStr for Backend {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "native" => Ok(Backend::Native),
            "pyrrhic" => Ok(Backend::Pyrrhic),
            other => Err(format!(
                "unknown backend \"{other}\"; allowed: native, pyrrhic"
            )),
        }
    }
}

/// A set of opened tables. `Send + Sync`; several may live at once.
pub struct Tablebase {
    inventory: Inventory,
}

/// A move of a main line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMove {
    /// The move.
    pub mv: Move,
    /// DTZ of the position after it, for the side to move there; `None` at the end of the game.
    pub dtz: Option<Dtz>,
}

/// Why a main line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// The side to move is mated.
    Checkmate,
    /// The side to move is stalemated.
    Stalemate,
    /// Neither side can mate.
    InsufficientMaterial,
    /// The tables call the position drawn; any sensible line does.
    Draw,
    /// The half-move clock reached 100.
    FiftyMoves,
    /// The asked number of plies is reached.
    MaxPlies,
    /// A table is missing or damaged.
    NoTable(ProbeError),
}

/// A best line, and how it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MainLine {
    /// The moves from the probed position.
    pub moves: Vec<LineMove>,
    /// Why there is no further move.
    pub end: LineEnd,
}

impl Tablebase {
    /// Opens the folders of a list, separated by `:` or `;`.
    pub fn open(paths: &str, _backend: Backend) -> Result<Tablebase, SyzygyError> {
        Ok(Tablebase {
            inventory: Inventory::scan(paths)?,
        })
    }

    /// What was found, and what was refused.
    pub fn inventory(&self) -> &Inventory {
        &self.inventory
    }

    /// Most men of any usable WDL table; 0 without one.
    pub fn max_men(&self) -> u32 {
        self.inventory.max_men()
    }

    /// Outcome with the half-move clock taken as 0; `None` where the tables do not tell.
    pub fn wdl(&self, board: &Board) -> Option<Wdl> {
        self.probe_wdl(board).ok()
    }

    /// Like [`Tablebase::wdl`], with the reason where there is no answer.
    pub fn probe_wdl(&self, board: &Board) -> Result<Wdl, ProbeError> {
        Err(missing(board, TableKind::Wdl))
    }

    /// Distance to zeroing, the half-move clock ignored.
    pub fn dtz(&self, board: &Board) -> Result<Dtz, ProbeError> {
        Err(missing(board, TableKind::Dtz))
    }

    /// Judges every legal move.
    ///
    /// `repeated`: a position has occurred twice since the last zeroing move. `fifty`: the 50-move rule counts.
    pub fn probe_root(
        &self,
        board: &Board,
        _repeated: bool,
        _fifty: bool,
    ) -> Result<Vec<RootMove>, ProbeError> {
        Err(missing(board, TableKind::Dtz))
    }

    /// A best line of at most `max_plies`, to mate or to a stated end.
    pub fn main_line(&self, board: &Board, _max_plies: usize) -> Result<MainLine, ProbeError> {
        Err(missing(board, TableKind::Dtz))
    }
}

fn missing(board: &Board, kind: TableKind) -> ProbeError {
    match Material::of(board) {
        Some(material) => ProbeError::Missing(TableId {
            material: material.canonical(),
            kind,
        }),
        None => ProbeError::TooManyMen {
            men: board.occupied().len(),
        },
    }
}
