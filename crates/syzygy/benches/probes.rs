//! WDL and DTZ probes a second: native, pyrrhic-rs and shakmaty-syzygy in one interleaved run.
//!
//! `cargo bench -p sextant-syzygy --bench probes [-- FOLDER[:FOLDER]]`; without folders, ../shared/data/syzygy/3-4 if it is there, else the
//! bundled tables. The figure for each is the best of several rounds; the rounds take turns, so that whatever else
//! the machine does hits all of them.

use std::hint::black_box;
use std::time::{Duration, Instant};

#[path = "../tests/common/mod.rs"]
mod common;

use common::{Oracle, Rng, bundled, random_position, shared};
use cozy_chess::{
    BitBoard, Board, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};
use pyrrhic_rs::{Color, EngineAdapter, TBError, TableBases, WdlProbeResult};
use sextant_syzygy::{Backend, Material, TableId, TableKind, Tablebase};
use shakmaty::Chess;

const POSITIONS: usize = 200_000;
const ROUNDS: usize = 7;

/// Random positions of the largest materials that have both tables.
fn positions(tables: &Tablebase) -> Vec<Board> {
    let has = |material, kind| tables.inventory().get(TableId { material, kind }).is_some();
    let materials: Vec<Material> = Material::all(4)
        .into_iter()
        .filter(|&material| TableKind::ALL.iter().all(|&kind| has(material, kind)))
        .collect();
    let mut rng = Rng::new(1);
    let mut boards = Vec::new();
    while boards.len() < POSITIONS {
        let material = materials[rng.below(materials.len())];
        boards
            .extend(random_position(&mut rng, material).filter(|board| tables.dtz(board).is_ok()));
    }
    boards
}

/// cozy-chess's attacks for pyrrhic-rs, which is measured bare: without our checks of files and positions.
#[derive(Clone)]
struct Attacks;

fn square(index: u64) -> Square {
    Square::index(index as usize)
}

impl EngineAdapter for Attacks {
    fn pawn_attacks(color: Color, from: u64) -> u64 {
        let colors = [cozy_chess::Color::Black, cozy_chess::Color::White];
        get_pawn_attacks(square(from), colors[color as usize]).0
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

/// The random positions have no en passant rights.
fn bare_pyrrhic(tables: &TableBases<Attacks>, board: &Board) -> Result<WdlProbeResult, TBError> {
    let pieces = |piece| board.pieces(piece).0;
    tables.probe_wdl(
        board.colors(cozy_chess::Color::White).0,
        board.colors(cozy_chess::Color::Black).0,
        pieces(Piece::King),
        pieces(Piece::Queen),
        pieces(Piece::Rook),
        pieces(Piece::Bishop),
        pieces(Piece::Knight),
        pieces(Piece::Pawn),
        0,
        board.side_to_move() == cozy_chess::Color::White,
    )
}

struct Contest {
    name: &'static str,
    run: Box<dyn Fn() -> usize>,
    best: Duration,
}

fn contest(name: &'static str, run: impl Fn() -> usize + 'static) -> Contest {
    Contest {
        name,
        run: Box::new(run),
        best: Duration::MAX,
    }
}

fn main() {
    let paths = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with('-'));
    let paths = paths.or_else(|| shared().map(|folder| format!("{}/3-4", folder.display())));
    let paths = paths.unwrap_or_else(bundled);
    let tables: &Tablebase = Box::leak(Box::new(
        Tablebase::open(&paths, Backend::Native).expect("tables open"),
    ));
    let pyrrhic = TableBases::<Attacks>::new(&paths).expect("tables open");
    let oracle: &Oracle = Box::leak(Box::new(Oracle::open(&paths)));
    let boards: &[Board] = positions(tables).leak();
    let theirs: &[Chess] = boards
        .iter()
        .map(common::to_shakmaty)
        .collect::<Vec<Chess>>()
        .leak();
    let mut contests = [
        contest("native WDL", move || {
            boards
                .iter()
                .filter(|board| black_box(tables.wdl(board)).is_some())
                .count()
        }),
        contest("pyrrhic-rs WDL", move || {
            let probe = |board: &&Board| black_box(bare_pyrrhic(&pyrrhic, board)).is_ok();
            boards.iter().filter(probe).count()
        }),
        contest("shakmaty-syzygy WDL", move || {
            let probe = |position| black_box(oracle.tables().probe_wdl_after_zeroing(position));
            theirs
                .iter()
                .filter(|position| probe(position).is_ok())
                .count()
        }),
        contest("native DTZ", move || {
            boards
                .iter()
                .filter(|board| black_box(tables.dtz(board)).is_ok())
                .count()
        }),
        contest("shakmaty-syzygy DTZ", move || {
            let probe = |position| black_box(oracle.tables().probe_dtz(position));
            theirs
                .iter()
                .filter(|position| probe(position).is_ok())
                .count()
        }),
        contest("native WDL, 2 threads", move || {
            std::thread::scope(|scope| {
                let halves = boards.chunks(boards.len().div_ceil(2));
                let threads: Vec<_> = halves
                    .map(|half| {
                        scope.spawn(move || {
                            half.iter()
                                .filter(|b| black_box(tables.wdl(b)).is_some())
                                .count()
                        })
                    })
                    .collect();
                threads
                    .into_iter()
                    .map(|thread| thread.join().expect("no panic"))
                    .sum()
            })
        }),
    ];
    for _ in 0..ROUNDS {
        for contest in &mut contests {
            let start = Instant::now();
            assert_eq!(
                (contest.run)(),
                boards.len(),
                "{} answers all",
                contest.name
            );
            contest.best = contest.best.min(start.elapsed());
        }
    }
    println!("{POSITIONS} random 4-man positions from {paths}, best of {ROUNDS} rounds");
    for contest in &contests {
        let rate = POSITIONS as f64 / contest.best.as_secs_f64();
        println!("{:24} {:8.3} million/s", contest.name, rate / 1e6);
    }
    let opening = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            black_box(Tablebase::open(&paths, Backend::Native).expect("tables open"));
            start.elapsed()
        })
        .min();
    println!("opening {:?}", opening.unwrap_or_default());
}
