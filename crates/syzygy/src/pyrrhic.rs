//! pyrrhic-rs behind a fence.
//!
//! It trusts file contents, has process-wide state, and its root probe is wrong after double pushes
//! (`docs/upstream.md`). So it is offered a position only when every table that it would open for
//! it carries its checksum, one instance lives at a time, and nothing but WDL is taken from it,
//! except to show where it differs.

use std::{
    collections::HashMap,
    sync::{Mutex, OnceLock, PoisonError},
};

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_rook_moves,
};
use pyrrhic_rs::{DtzProbeValue, EngineAdapter, TBError, TableBases, WdlProbeResult};

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

/// A move as pyrrhic-rs's root probe judges it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PyrrhicMove {
    /// The move.
    pub mv: Move,
    /// Its WDL for the mover, with the real clock.
    pub wdl: Wdl,
    /// Its unsigned distance to zeroing from the root.
    pub dtz: u16,
}

/// The one live instance.
pub(crate) struct Pyrrhic {
    handle: TableBases<Attacks>,
    /// For each installed table, once asked: it opens, fits its name and carries its checksum.
    sound: HashMap<TableId, OnceLock<bool>>,
    /// For each material, once asked: all tables that a WDL probe can reach are sound.
    offered: HashMap<Material, OnceLock<bool>>,
    /// Root probes are not thread-safe.
    root: Mutex<()>,
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
        let folders: Vec<&str> = inventory
            .folders()
            .iter()
            .filter_map(|folder| folder.to_str())
            .collect();
        let handle = TableBases::new(folders.join(":")).map_err(|error| match error {
            TBError::AlreadyInitialized => SyzygyError::PyrrhicBusy,
            _ => SyzygyError::PyrrhicFailed,
        })?;
        let ids: Vec<TableId> = inventory.tables().map(|(id, _)| id).collect();
        let sound = ids.iter().map(|&id| (id, OnceLock::new())).collect();
        let offered = ids
            .iter()
            .map(|id| (id.material, OnceLock::new()))
            .collect();
        Ok(Pyrrhic {
            handle,
            sound,
            offered,
            root: Mutex::new(()),
        })
    }

    /// WDL of a position that [`crate::probe::check_board`] passed.
    pub(crate) fn wdl(&self, store: &Store, board: &Board) -> Result<Wdl, ProbeError> {
        let men = board.occupied().len();
        let material = Material::of(board)
            .ok_or(ProbeError::TooManyMen { men })?
            .canonical();
        if men == 2 {
            return Ok(Wdl::Draw);
        }
        let id = TableId {
            material,
            kind: TableKind::Wdl,
        };
        let offered = self.offered.get(&material).ok_or(ProbeError::Missing(id))?;
        if !offered.get_or_init(|| self.reachable_are_sound(store, material, Reach::Captures)) {
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

    /// All moves as its root probe sees them; wrong after double pushes, which is what comparing
    /// shows.
    pub(crate) fn root(
        &self,
        store: &Store,
        board: &Board,
    ) -> Result<Vec<PyrrhicMove>, ProbeError> {
        let men = board.occupied().len();
        let material = Material::of(board)
            .ok_or(ProbeError::TooManyMen { men })?
            .canonical();
        let id = TableId {
            material,
            kind: TableKind::Dtz,
        };
        if !self.reachable_are_sound(store, material, Reach::AllMoves) {
            return Err(ProbeError::NotOffered(id));
        }
        let _alone = self.root.lock().unwrap_or_else(PoisonError::into_inner);
        let probed = self.handle.probe_root(
            board.colors(Color::White).0,
            board.colors(Color::Black).0,
            board.pieces(Piece::King).0,
            board.pieces(Piece::Queen).0,
            board.pieces(Piece::Rook).0,
            board.pieces(Piece::Bishop).0,
            board.pieces(Piece::Knight).0,
            board.pieces(Piece::Pawn).0,
            board.halfmove_clock().into(),
            en_passant_square(board).map_or(0, |square| square as u32),
            board.side_to_move() == Color::White,
        );
        let probed = probed.map_err(|_| ProbeError::Missing(id))?;
        let moves = probed
            .moves
            .iter()
            .take(probed.num_moves)
            .filter_map(|value| match value {
                DtzProbeValue::DtzResult(result) => Some(PyrrhicMove {
                    mv: Move {
                        from: square(result.from_square.into()),
                        to: square(result.to_square.into()),
                        promotion: promotion(result.promotion),
                    },
                    wdl: wdl_of(result.wdl),
                    dtz: result.dtz,
                }),
                _ => None,
            });
        Ok(moves.collect())
    }

    /// True if every table that probing this material can open is absent or sound.
    fn reachable_are_sound(&self, store: &Store, material: Material, reach: Reach) -> bool {
        let kinds: &[TableKind] = match reach {
            Reach::Captures => &[TableKind::Wdl],
            Reach::AllMoves => &TableKind::ALL,
        };
        let mut seen = vec![material.canonical()];
        let mut next = 0;
        while let Some(&material) = seen.get(next) {
            next += 1;
            if !kinds
                .iter()
                .all(|&kind| self.is_sound(store, TableId { material, kind }))
            {
                return false;
            }
            for successor in successors(material, reach) {
                let successor = successor.canonical();
                if !seen.contains(&successor) {
                    seen.push(successor);
                }
            }
        }
        true
    }

    fn is_sound(&self, store: &Store, id: TableId) -> bool {
        let Some(sound) = self.sound.get(&id) else {
            return true;
        };
        *sound.get_or_init(|| {
            store
                .inspect(id)
                .is_some_and(|table| table.is_ok_and(|table| table.verify().is_ok()))
        })
    }
}

/// Which moves a probe follows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// A WDL probe.
    Captures,
    /// A root probe.
    AllMoves,
}

/// Material after one capture, capturing promotion or (if followed) promotion.
fn successors(material: Material, reach: Reach) -> Vec<Material> {
    const OTHERS: [Piece; 5] = [
        Piece::Queen,
        Piece::Rook,
        Piece::Bishop,
        Piece::Knight,
        Piece::Pawn,
    ];
    let mut found = Vec::new();
    for color in Color::ALL {
        let promote = |material: Material| {
            OTHERS[..4]
                .iter()
                .filter_map(move |&piece| material.promoted(color, piece))
        };
        let captured = OTHERS
            .iter()
            .filter_map(|&piece| material.without(!color, piece));
        for material in captured {
            found.push(material);
            found.extend(promote(material));
        }
        if reach == Reach::AllMoves {
            found.extend(promote(material));
        }
    }
    found
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

fn promotion(piece: pyrrhic_rs::Piece) -> Option<Piece> {
    match piece {
        pyrrhic_rs::Piece::Queen => Some(Piece::Queen),
        pyrrhic_rs::Piece::Rook => Some(Piece::Rook),
        pyrrhic_rs::Piece::Bishop => Some(Piece::Bishop),
        pyrrhic_rs::Piece::Knight => Some(Piece::Knight),
        pyrrhic_rs::Piece::Pawn | pyrrhic_rs::Piece::King => None,
    }
}
