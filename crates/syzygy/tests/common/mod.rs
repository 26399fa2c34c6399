//! What several test files share: folders, random positions, the oracle.
#![allow(dead_code, reason = "each test file uses its part")]

use std::path::PathBuf;

use cozy_chess::{Board, BoardBuilder, Color, Piece, Square};
use sextant_syzygy::{Dtz, Material, Tablebase, Wdl};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, PositionError};
use shakmaty_syzygy::MaybeRounded;

/// The shared data folder next to the workspace, if this checkout has one.
pub(crate) fn shared() -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/syzygy");
    folder.is_dir().then_some(folder)
}

/// The tables that come with the repository.
pub(crate) fn bundled() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/testdata").to_owned()
}

/// A small deterministic generator (splitmix64); the seed is all that a failure needs to come back.
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// The men of a material, kings first.
pub(crate) fn men_of(material: Material) -> Vec<(Color, Piece)> {
    let mut men = Vec::new();
    for piece in [
        Piece::King,
        Piece::Queen,
        Piece::Rook,
        Piece::Bishop,
        Piece::Knight,
        Piece::Pawn,
    ] {
        for color in Color::ALL {
            men.extend((0..material.count(color, piece)).map(|_| (color, piece)));
        }
    }
    men
}

/// The position with these men on these squares, if it is one.
pub(crate) fn place(men: &[(Color, Piece)], squares: &[u8], to_move: Color) -> Option<Board> {
    let mut builder = BoardBuilder::empty();
    builder.side_to_move = to_move;
    for (&(color, piece), &square) in men.iter().zip(squares) {
        let slot = builder.square_mut(Square::index(square.into()));
        if slot.is_some() {
            return None;
        }
        *slot = Some((piece, color));
    }
    let board = builder.build().ok()?;
    // cozy-chess lets touching kings pass.
    let touch = cozy_chess::get_king_moves(board.king(Color::White)).has(board.king(Color::Black));
    (!touch).then_some(board)
}

/// A random legal position of the material with either colouring, if the dice hit one.
pub(crate) fn random_position(rng: &mut Rng, material: Material) -> Option<Board> {
    let material = if rng.below(2) == 0 {
        material
    } else {
        material.swapped()
    };
    let men = men_of(material);
    let squares: Vec<u8> = men.iter().map(|_| rng.below(64) as u8).collect();
    let to_move = Color::ALL[rng.below(2)];
    place(&men, &squares, to_move)
}

/// The same position in the oracle's terms.
pub(crate) fn to_shakmaty(board: &Board) -> Chess {
    let fen: Fen = board.to_string().parse().unwrap();
    let position = fen.into_position(CastlingMode::Standard);
    position
        .or_else(PositionError::ignore_impossible_check)
        .unwrap()
}

/// shakmaty-syzygy as a black box.
pub(crate) struct Oracle(shakmaty_syzygy::Tablebase<Chess>);

impl Oracle {
    pub(crate) fn open(paths: &str) -> Oracle {
        // SAFETY: the test's tables do not change while it runs.
        #[allow(unsafe_code)]
        let mut tables = unsafe { shakmaty_syzygy::Tablebase::with_mmap_filesystem() };
        for path in paths.split(':') {
            tables.add_directory(path).unwrap();
        }
        Oracle(tables)
    }

    pub(crate) fn tables(&self) -> &shakmaty_syzygy::Tablebase<Chess> {
        &self.0
    }

    /// WDL and DTZ of a position; `None` where it has no table.
    pub(crate) fn probe(&self, board: &Board) -> Option<(Wdl, Dtz)> {
        let position = to_shakmaty(board);
        let wdl = match self.0.probe_wdl_after_zeroing(&position).ok()? {
            shakmaty_syzygy::Wdl::Loss => Wdl::Loss,
            shakmaty_syzygy::Wdl::BlessedLoss => Wdl::BlessedLoss,
            shakmaty_syzygy::Wdl::Draw => Wdl::Draw,
            shakmaty_syzygy::Wdl::CursedWin => Wdl::CursedWin,
            shakmaty_syzygy::Wdl::Win => Wdl::Win,
        };
        let dtz = match self.0.probe_dtz(&position).ok()? {
            MaybeRounded::Precise(dtz) => Dtz {
                plies: dtz.0,
                rounded: false,
            },
            MaybeRounded::Rounded(dtz) => Dtz {
                plies: dtz.0,
                rounded: true,
            },
        };
        Some((wdl, dtz))
    }

    /// Fails if the two disagree.
    pub(crate) fn compare(&self, tables: &Tablebase, board: &Board) {
        let Some((wdl, dtz)) = self.probe(board) else {
            panic!("the oracle has no table for {board}");
        };
        assert_eq!(tables.probe_wdl(board), Ok(wdl), "{board}");
        let ours = tables.dtz(board).unwrap();
        assert_eq!(ours.plies, dtz.plies, "{board}");
        // Where a rounded and an exact reply are equally long, the rounded one may be longer: we say so, the oracle
        // keeps the first. The other way round would be a claim that we cannot back.
        assert!(ours.rounded || !dtz.rounded, "{board}: {ours:?}");
    }
}
