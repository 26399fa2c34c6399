//! Wins, draws and losses of a whole material.

use std::process::ExitCode;

use cozy_chess::{Board, BoardBuilder, Color, Piece, Square, get_king_moves};
use rayon::prelude::*;
use serde::Serialize;
use sextant_syzygy::{Material, ProbeError, Tablebase, Wdl};

use crate::cli::StatsArgs;
use crate::failure::Failure;
use crate::verify::material;
use crate::{json, progress};

/// Most men that are counted out.
const EXHAUSTIVE_MEN: u32 = 4;
/// Positions of a sample unless the arguments say otherwise.
const SAMPLE: u64 = 1_000_000;

/// Counts for one side to move, worst outcome first as in [`Wdl::ALL`].
#[derive(Clone, Debug, Default, Serialize)]
struct Counts {
    loss: u64,
    blessed_loss: u64,
    draw: u64,
    cursed_win: u64,
    win: u64,
    /// Greatest distance of a win or cursed win, and a position that has it.
    longest_win: Option<(i32, String)>,
    longest_loss: Option<(i32, String)>,
}

impl Counts {
    fn add(&mut self, wdl: Wdl, weight: u64) {
        *match wdl {
            Wdl::Loss => &mut self.loss,
            Wdl::BlessedLoss => &mut self.blessed_loss,
            Wdl::Draw => &mut self.draw,
            Wdl::CursedWin => &mut self.cursed_win,
            Wdl::Win => &mut self.win,
        } += weight;
    }

    /// Keeps the longer of two; at equal length the first in alphabetical order, so that threads make no difference.
    fn note(&mut self, plies: i32, fen: impl FnOnce() -> String) {
        let longest = if plies > 0 {
            &mut self.longest_win
        } else {
            &mut self.longest_loss
        };
        let length = longest.as_ref().map_or(0, |(plies, _)| plies.abs());
        if plies.abs() < length || plies == 0 {
            return;
        }
        let fen = fen();
        if plies.abs() > length || longest.as_ref().is_none_or(|(_, known)| fen < *known) {
            *longest = Some((plies, fen));
        }
    }

    fn merge(mut self, other: Counts) -> Counts {
        self.loss += other.loss;
        self.blessed_loss += other.blessed_loss;
        self.draw += other.draw;
        self.cursed_win += other.cursed_win;
        self.win += other.win;
        for (plies, fen) in [other.longest_win, other.longest_loss]
            .into_iter()
            .flatten()
        {
            self.note(plies, || fen);
        }
        self
    }

    fn total(&self) -> u64 {
        self.loss + self.blessed_loss + self.draw + self.cursed_win + self.win
    }
}

#[derive(Serialize)]
struct Report {
    material: String,
    exhaustive: bool,
    /// For White to move, the side that the name lists first, then Black.
    white_to_move: Counts,
    black_to_move: Counts,
}

/// Both sides to move; white first.
type Pair = (Counts, Counts);

/// The `stats` command.
pub(crate) fn run(tables: &Tablebase, args: &StatsArgs) -> Result<ExitCode, Failure> {
    let material = material(&args.material)?;
    let exhaustive = args.sample.is_none() && material.men() <= EXHAUSTIVE_MEN;
    let (white_to_move, black_to_move) = if exhaustive {
        count_all(tables, material)?
    } else {
        count_sample(tables, material, args.sample.unwrap_or(SAMPLE), args.seed)?
    };
    let report = Report {
        material: material.to_string(),
        exhaustive,
        white_to_move,
        black_to_move,
    };
    crate::print_all(&if args.json {
        json::print(&report)
    } else {
        words(&report)
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The men of a material, White's king first, then Black's, equal men next to each other.
fn men(material: Material) -> Vec<(Color, Piece)> {
    let kinds = [
        Piece::King,
        Piece::Queen,
        Piece::Rook,
        Piece::Bishop,
        Piece::Knight,
        Piece::Pawn,
    ];
    let mut men = Vec::new();
    for piece in kinds {
        for color in Color::ALL {
            men.extend((0..material.count(color, piece)).map(|_| (color, piece)));
        }
    }
    men
}

/// The position, if these squares make one.
fn place(men: &[(Color, Piece)], squares: &[Square], mover: Color) -> Option<Board> {
    let mut builder = BoardBuilder::empty();
    builder.side_to_move = mover;
    for (&(color, piece), &square) in men.iter().zip(squares) {
        let slot = builder.square_mut(square);
        if slot.is_some() {
            return None;
        }
        *slot = Some((piece, color));
    }
    let board = builder.build().ok()?;
    let touch = get_king_moves(board.king(Color::White)).has(board.king(Color::Black));
    (!touch).then_some(board)
}

fn count(
    tables: &Tablebase,
    board: &Board,
    weight: u64,
    pair: &mut Pair,
) -> Result<(), ProbeError> {
    let counts = match board.side_to_move() {
        Color::White => &mut pair.0,
        Color::Black => &mut pair.1,
    };
    let wdl = tables.probe_wdl(board)?;
    counts.add(wdl, weight);
    if wdl != Wdl::Draw
        && let Ok(dtz) = tables.dtz(board)
    {
        counts.note(dtz.plies, || board.to_string());
    }
    Ok(())
}

/// Every position. White's king visits one square of each symmetry class, and counts for the whole class.
fn count_all(tables: &Tablebase, material: Material) -> Result<Pair, Failure> {
    let men = men(material);
    let classes: Vec<(Square, u64)> = Square::ALL
        .into_iter()
        .filter_map(|square| {
            let (file, rank) = (square.file() as u8, square.rank() as u8);
            match (material.has_pawns(), file < 4, rank.cmp(&file)) {
                (_, false, _) => None,
                (true, ..) => Some((square, 2)),
                (false, _, std::cmp::Ordering::Less) => Some((square, 8)),
                (false, _, std::cmp::Ordering::Equal) => Some((square, 4)),
                (false, ..) => None,
            }
        })
        .collect();
    let starts: Vec<(Square, Square, u64)> = classes
        .iter()
        .flat_map(|&(white, weight)| Square::ALL.map(|black| (white, black, weight)))
        .collect();
    let bar = progress::bar(Some(starts.len() as u64), "king placements");
    let counted = starts.par_iter().map(|&(white, black, weight)| {
        let mut pair = Pair::default();
        let mut squares = vec![white, black];
        fill(tables, &men, &mut squares, weight, &mut pair)?;
        bar.inc(1);
        Ok::<Pair, ProbeError>(pair)
    });
    let merged = counted.try_reduce(Pair::default, |a, b| Ok((a.0.merge(b.0), a.1.merge(b.1))))?;
    bar.finish_and_clear();
    Ok(merged)
}

/// Places the men that are still in hand on all squares; of equal men each set is visited once.
fn fill(
    tables: &Tablebase,
    men: &[(Color, Piece)],
    squares: &mut Vec<Square>,
    weight: u64,
    pair: &mut Pair,
) -> Result<(), ProbeError> {
    let placed = squares.len();
    let Some(man) = men.get(placed) else {
        for mover in Color::ALL {
            if let Some(board) = place(men, squares, mover) {
                count(tables, &board, weight, pair)?;
            }
        }
        return Ok(());
    };
    let twin = placed
        .checked_sub(1)
        .filter(|&before| men.get(before) == Some(man));
    let first = twin
        .and_then(|before| squares.get(before))
        .map_or(0, |square| *square as usize + 1);
    for square in Square::ALL.into_iter().skip(first) {
        squares.push(square);
        fill(tables, men, squares, weight, pair)?;
        squares.pop();
    }
    Ok(())
}

/// Random positions, the same for a seed whatever the number of threads.
fn count_sample(
    tables: &Tablebase,
    material: Material,
    sample: u64,
    seed: u64,
) -> Result<Pair, Failure> {
    const BLOCK: u64 = 1_000;
    let men = men(material);
    let bar = progress::bar(Some(sample), "positions");
    let blocks = sample.div_ceil(BLOCK);
    let counted = (0..blocks).into_par_iter().map(|block| {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ block << 32;
        let mut pair = Pair::default();
        let mut left = BLOCK.min(sample - block * BLOCK);
        while left > 0 {
            let mut random = || {
                state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb) >> 40
            };
            let squares: Vec<Square> = men
                .iter()
                .map(|_| Square::index((random() % 64) as usize))
                .collect();
            let mover = if random() % 2 == 0 {
                Color::White
            } else {
                Color::Black
            };
            if let Some(board) = place(&men, &squares, mover) {
                count(tables, &board, 1, &mut pair)?;
                left -= 1;
            }
        }
        bar.inc(BLOCK);
        Ok::<Pair, ProbeError>(pair)
    });
    let merged = counted.try_reduce(Pair::default, |a, b| Ok((a.0.merge(b.0), a.1.merge(b.1))))?;
    bar.finish_and_clear();
    Ok(merged)
}

fn words(report: &Report) -> String {
    let how = if report.exhaustive {
        "all positions"
    } else {
        "a random sample"
    };
    let mut text = format!("{}, {how}\n", report.material);
    for (side, counts) in [
        ("White", &report.white_to_move),
        ("Black", &report.black_to_move),
    ] {
        let total = counts.total().max(1);
        text += &format!("{side} to move: {} positions\n", counts.total());
        for (name, count) in [
            ("win", counts.win),
            ("cursed win", counts.cursed_win),
            ("draw", counts.draw),
            ("blessed loss", counts.blessed_loss),
            ("loss", counts.loss),
        ] {
            let percent = 100.0 * count as f64 / total as f64;
            text += &format!("  {name:13} {count:>12} {percent:6.2} %\n");
        }
        for (plies, fen) in [&counts.longest_win, &counts.longest_loss]
            .into_iter()
            .flatten()
        {
            text += &format!("  longest DTZ {plies:>5}  {fen}\n");
        }
    }
    text
}
