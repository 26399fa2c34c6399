//! Folders, random positions, the oracle.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Mutex,
};

use cozy_chess::{Board, BoardBuilder, Color, Piece, Square};
use sextant_board::Random;
use sextant_syzygy::{Backend, Dtz, Material, TableId, TableKind, Tablebase, Wdl};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, PositionError};
use shakmaty_syzygy::MaybeRounded;

/// pyrrhic-rs can be open once in a process, so the tests that open it take turns.
pub(crate) static PYRRHIC: Mutex<()> = Mutex::new(());

/// The shared data folder next to the workspace, if this checkout has one.
pub(crate) fn shared() -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/syzygy");
    if !folder.is_dir() {
        println!("skipped: no ../shared/data/syzygy");
        return None;
    }
    Some(folder)
}

/// The shared tables of three to five men.
pub(crate) fn all_shared() -> Option<String> {
    shared().map(|folder| format!("{0}/3-4:{0}/5", folder.display()))
}

pub(crate) fn material(name: &str) -> Material {
    Material::parse(name).unwrap()
}

pub(crate) fn id(name: &str, kind: TableKind) -> TableId {
    let material = material(name);
    TableId { material, kind }
}

pub(crate) fn native(paths: &str) -> Tablebase {
    Tablebase::open(paths, Backend::Native).unwrap()
}

/// The tables that come with the repository.
pub(crate) fn bundled() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/testdata").to_owned()
}

/// The bytes of a bundled table.
pub(crate) fn original(name: &str) -> Vec<u8> {
    fs::read(Path::new(&bundled()).join(name)).unwrap()
}

/// A fresh folder below the build's own temporary one.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// The men of a material, kings first.
fn men_of(material: Material) -> Vec<(Color, Piece)> {
    let mut men = Vec::new();
    for piece in Piece::ALL.into_iter().rev() {
        for color in Color::ALL {
            men.extend((0..material.count(color, piece)).map(|_| (color, piece)));
        }
    }
    men
}

/// The position with these men on these squares, if it is one.
fn place(men: &[(Color, Piece)], squares: &[u8], to_move: Color) -> Option<Board> {
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

/// Every legal position of the material, without en passant rights.
pub(crate) fn place_all(material: Material) -> impl Iterator<Item = Board> {
    let men = men_of(material);
    let all = 0..1u32 << (6 * men.len() + 1);
    all.filter_map(move |number| {
        let squares = (0..men.len()).map(|man| (number >> (6 * man) & 63) as u8);
        let to_move = Color::ALL[(number >> (6 * men.len())) as usize];
        place(&men, &squares.collect::<Vec<_>>(), to_move)
    })
}

/// Random legal positions of the materials, for either color, without end.
pub(crate) fn random_positions(seed: u64, materials: Vec<Material>) -> impl Iterator<Item = Board> {
    let mut random = Random::new(seed);
    let position = move || {
        let material = materials[random.below(materials.len())];
        let material = [material, material.swapped()][random.below(2)];
        let men = men_of(material);
        let squares: Vec<u8> = men.iter().map(|_| random.below(64) as u8).collect();
        place(&men, &squares, Color::ALL[random.below(2)])
    };
    std::iter::repeat_with(position).flatten()
}

/// The positions of a truth file, with what it says of them.
pub(crate) fn truth(file: &str) -> Vec<(Board, serde_json::Value)> {
    let Some(folder) = shared() else {
        return Vec::new();
    };
    let text = fs::read_to_string(folder.join(file)).unwrap();
    let row = |line| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        (row["fen"].as_str().unwrap().parse().unwrap(), row)
    };
    text.lines().map(row).collect()
}

/// The same position in the oracle's terms.
fn to_shakmaty(board: &Board) -> Chess {
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

    /// WDL and DTZ of a position; `None` where it has no table.
    pub(crate) fn probe(&self, board: &Board) -> Option<(Wdl, Dtz)> {
        let position = to_shakmaty(board);
        let wdl = i8::from(self.0.probe_wdl_after_zeroing(&position).ok()?);
        let wdl = Wdl::ALL[(wdl + 2) as usize];
        let (plies, rounded) = match self.0.probe_dtz(&position).ok()? {
            MaybeRounded::Precise(dtz) => (dtz.0, false),
            MaybeRounded::Rounded(dtz) => (dtz.0, true),
        };
        Some((wdl, Dtz { plies, rounded }))
    }

    /// Fails if the two disagree.
    pub(crate) fn compare(&self, tables: &Tablebase, board: &Board) {
        let Some((wdl, dtz)) = self.probe(board) else {
            panic!("the oracle has no table for {board}");
        };
        assert_eq!(tables.probe_wdl(board), Ok(wdl), "{board}");
        let ours = tables.dtz(board).unwrap();
        assert_eq!(ours.plies, dtz.plies, "{board}");
        // Where a rounded and an exact reply are equally long, the rounded one may be longer: we
        // say so, the oracle keeps the first. The other way round would be a claim that we cannot
        // back.
        assert!(ours.rounded || !dtz.rounded, "{board}: {ours:?}");
    }
}
