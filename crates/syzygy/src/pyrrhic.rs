//! pyrrhic-rs behind a fence.
//!
//! It trusts file contents, has process-wide state, and its root probe is wrong after double pushes
//! (`docs/reference/upstream.md`). So it is offered a position only when every table that it would
//! open for it carries its checksum, one instance lives at a time, and nothing but WDL is taken
//! from it.

use std::{collections::HashMap, sync::OnceLock};

use cozy_chess::{
    BitBoard, Board, Color, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};
use pyrrhic_rs::{EngineAdapter, TBError, TableBases, WdlProbeResult};

use crate::{
    error::{ProbeError, SyzygyError, TableError, TableId, TableKind},
    inventory::Inventory,
    material::Material,
    native::Store,
    probe::en_passant_square,
    types::Wdl,
};

/// cozy-chess's attacks in the form that pyrrhic-rs asks for.
#[derive(Clone)]
struct Attacks;

fn square(index: u64) -> Square {
    Square::index((index & 63) as usize)
}

impl EngineAdapter for Attacks {
    fn pawn_attacks(color: pyrrhic_rs::Color, from: u64) -> u64 {
        let color = match color {
            pyrrhic_rs::Color::White => Color::White,
            pyrrhic_rs::Color::Black => Color::Black,
        };
        get_pawn_attacks(square(from), color).0
    }

    fn knight_attacks(from: u64) -> u64 {
        get_knight_moves(square(from)).0
    }

    fn bishop_attacks(from: u64, occupied: u64) -> u64 {
        get_bishop_moves(square(from), BitBoard(occupied)).0
    }

    fn rook_attacks(from: u64, occupied: u64) -> u64 {
        get_rook_moves(square(from), BitBoard(occupied)).0
    }

    fn queen_attacks(from: u64, occupied: u64) -> u64 {
        Self::bishop_attacks(from, occupied) | Self::rook_attacks(from, occupied)
    }

    fn king_attacks(from: u64) -> u64 {
        get_king_moves(square(from)).0
    }
}

/// The one live instance.
pub(crate) struct Pyrrhic {
    handle: TableBases<Attacks>,
    /// For each installed WDL table, once asked: it opens, fits its name and carries its checksum.
    sound: HashMap<Material, OnceLock<bool>>,
    /// For each of them, once asked: all tables that a probe can reach are sound.
    offered: HashMap<Material, OnceLock<bool>>,
}

impl Pyrrhic {
    /// Opens the folders of an inventory.
    pub(crate) fn open(inventory: &Inventory) -> Result<Pyrrhic, SyzygyError> {
        // It would find such files by name and trust them.
        let named = |reason: &TableError| !matches!(reason, TableError::Name { .. });
        if let Some(refused) = inventory.refused().iter().find(|file| named(&file.reason)) {
            return Err(SyzygyError::PyrrhicFile {
                path: refused.path.clone(),
                reason: refused.reason.clone(),
            });
        }
        let folders = inventory.folders().iter();
        let folders: Vec<&str> = folders.filter_map(|folder| folder.to_str()).collect();
        let handle = TableBases::new(folders.join(":")).map_err(|error| match error {
            TBError::AlreadyInitialized => SyzygyError::PyrrhicBusy,
            _ => SyzygyError::PyrrhicFailed,
        })?;
        let of_each = || {
            let wdl = inventory
                .tables()
                .filter(|(id, _)| id.kind == TableKind::Wdl);
            wdl.map(|(id, _)| (id.material, OnceLock::new())).collect()
        };
        Ok(Pyrrhic {
            handle,
            sound: of_each(),
            offered: of_each(),
        })
    }

    /// WDL of a position that [`crate::probe::check_board`] passed.
    pub(crate) fn wdl(&self, store: &Store, board: &Board) -> Result<Wdl, ProbeError> {
        let men = board.occupied().len();
        let material = Material::of(board).ok_or(ProbeError::TooManyMen { men })?;
        if men == 2 {
            return Ok(Wdl::Draw);
        }
        let id = TableId::of(material, TableKind::Wdl);
        let offered = self.offered.get(&id.material);
        let offered = offered.ok_or(ProbeError::Missing(id))?;
        if !offered.get_or_init(|| self.reachable_are_sound(store, id.material)) {
            return Err(ProbeError::NotOffered(id));
        }
        let en_passant = en_passant_square(board).map_or(0, |square| square as u32);
        let probed = self.handle.probe_wdl(
            board.colors(Color::White).0,
            board.colors(Color::Black).0,
            board.pieces(Piece::King).0,
            board.pieces(Piece::Queen).0,
            board.pieces(Piece::Rook).0,
            board.pieces(Piece::Bishop).0,
            board.pieces(Piece::Knight).0,
            board.pieces(Piece::Pawn).0,
            en_passant,
            board.side_to_move() == Color::White,
        );
        probed.map(wdl_of).map_err(|_| ProbeError::Missing(id))
    }

    /// True if every WDL table that probing this material can open is absent or sound.
    fn reachable_are_sound(&self, store: &Store, material: Material) -> bool {
        let mut seen = vec![material];
        let mut next = 0;
        while let Some(&material) = seen.get(next) {
            next += 1;
            if !self.is_sound(store, material) {
                return false;
            }
            for successor in material.successors().into_iter().map(Material::canonical) {
                if !seen.contains(&successor) {
                    seen.push(successor);
                }
            }
        }
        true
    }

    fn is_sound(&self, store: &Store, material: Material) -> bool {
        let Some(sound) = self.sound.get(&material) else {
            return true;
        };
        *sound.get_or_init(|| {
            let table = store.inspect(TableId::of(material, TableKind::Wdl));
            table.is_some_and(|table| table.is_ok_and(|table| table.verify().is_ok()))
        })
    }
}

fn wdl_of(result: WdlProbeResult) -> Wdl {
    match result {
        WdlProbeResult::Loss => Wdl::Loss,
        WdlProbeResult::BlessedLoss => Wdl::BlessedLoss,
        WdlProbeResult::Draw => Wdl::Draw,
        WdlProbeResult::CursedWin => Wdl::CursedWin,
        WdlProbeResult::Win => Wdl::Win,
    }
}
