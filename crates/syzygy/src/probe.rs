//! Asking the tables about a position: captures first, then the table (section 7 of
//! `docs/reference/syzygy-format.md`).

use arrayvec::ArrayVec;
use cozy_chess::{
    Board, Color, Move, Piece, PieceMoves, Rank, Square, get_king_moves, get_pawn_attacks,
};

use crate::{
    error::{ProbeError, TableId, TableKind},
    material::{Material, Pieces},
    native::{DtzAnswer, Store},
    types::{Dtz, Wdl},
};

/// A WDL value, and whether an immediate zeroing capture is what achieves it.
#[derive(Clone, Copy)]
struct WdlProbe {
    wdl: Wdl,
    by_capture: bool,
}

/// The square that an en passant capture would land on, if the last move was a double push.
pub(crate) fn en_passant_square(board: &Board) -> Option<Square> {
    let rank = Rank::Third.relative_to(!board.side_to_move());
    board.en_passant().map(|file| Square::new(file, rank))
}

/// True if a legal move takes a man or moves a pawn.
pub(crate) fn is_zeroing(board: &Board, mv: Move) -> bool {
    board.piece_on(mv.from) == Some(Piece::Pawn) || board.colors(!board.side_to_move()).has(mv.to)
}

/// Every legal move, with the position after it.
pub(crate) fn children(board: &Board) -> impl Iterator<Item = (Move, Board)> {
    legal_moves(board).map(|mv| (mv, after(board, mv)))
}

fn legal_moves(board: &Board) -> impl Iterator<Item = Move> + use<> {
    // A set for each piece, and two for captures en passant.
    let mut sets = ArrayVec::<PieceMoves, 18>::new();
    board.generate_moves(|moves| {
        sets.push(moves);
        false
    });
    sets.into_iter().flatten()
}

fn after(board: &Board, mv: Move) -> Board {
    let mut child = board.clone();
    child.play_unchecked(mv);
    child
}

/// True if the side to move has a legal move.
pub(crate) fn can_move(board: &Board) -> bool {
    board.generate_moves(|_| true)
}

/// True if the side to move is mated.
pub(crate) fn is_mate(board: &Board) -> bool {
    !board.checkers().is_empty() && !can_move(board)
}

/// Calls `visit` with the position after each legal en passant capture.
fn for_en_passant<E>(
    board: &Board,
    mut visit: impl FnMut(&Pieces) -> Result<(), E>,
) -> Result<(), E> {
    let Some(square) = en_passant_square(board) else {
        return Ok(());
    };
    let us = board.side_to_move();
    let pawns = board.colored_pieces(us, Piece::Pawn) & get_pawn_attacks(square, !us);
    let mut result = Ok(());
    board.generate_moves_for(pawns, |mut moves| {
        moves.to &= square.bitboard();
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            result = visit(&Pieces::from(&child));
        }
        result.is_err()
    });
    result
}

/// Ends a walk over captures: nothing better can come, or a table is lacking.
enum Stop {
    Enough(Wdl),
    Failed(ProbeError),
}

/// Probing by our own decoder.
pub(crate) struct Prober {
    pub(crate) store: Store,
}

impl Prober {
    /// WDL of a position without castling rights.
    #[inline]
    pub(crate) fn wdl(&self, board: &Board) -> Result<Wdl, ProbeError> {
        self.probe_wdl(board).map(|probe| probe.wdl)
    }

    fn probe_wdl(&self, board: &Board) -> Result<WdlProbe, ProbeError> {
        let men = Pieces::from(board);
        let material = material_of(&men)?;
        let (mut capture, mut passing) = (None, None);
        let visit = |child: &Pieces, best: &mut Option<Wdl>, bound: Option<Wdl>| {
            let beta = -bound.unwrap_or(Wdl::Loss);
            let value = -self
                .after_capture(child, Wdl::Loss, beta)
                .map_err(Stop::Failed)?;
            *best = (*best).max(Some(value));
            if value == Wdl::Win {
                Err(Stop::Enough(value))
            } else {
                Ok(())
            }
        };
        let walk = men
            .for_captures(|child| {
                let bound = capture;
                visit(child, &mut capture, bound)
            })
            .and_then(|()| for_en_passant(board, |child| visit(child, &mut passing, capture)));
        match walk {
            Err(Stop::Enough(wdl)) => {
                let by_capture = true;
                return Ok(WdlProbe { wdl, by_capture });
            }
            Err(Stop::Failed(error)) => return Err(error),
            Ok(()) => {}
        }
        let table = self.table_wdl(&men, material)?;
        // The table does not know of an en passant capture, which may be forced or simply best.
        let without = capture.map_or(table, |capture| capture.max(table));
        let is_forced = || without == Wdl::Draw && only_en_passant(board);
        let (wdl, by_capture) = match passing {
            Some(passing) if passing > without || is_forced() => (passing, true),
            _ => {
                let captures = capture == Some(without) || passing == Some(without);
                (without, without > Wdl::Draw && captures)
            }
        };
        Ok(WdlProbe { wdl, by_capture })
    }

    /// Alpha-beta over captures; no en passant can follow a capture.
    fn after_capture(&self, men: &Pieces, alpha: Wdl, beta: Wdl) -> Result<Wdl, ProbeError> {
        let material = material_of(men)?;
        let mut best = alpha;
        let walk = men.for_captures(|child| {
            let value = -self
                .after_capture(child, -beta, -best)
                .map_err(Stop::Failed)?;
            best = best.max(value);
            if value >= beta {
                Err(Stop::Enough(value))
            } else {
                Ok(())
            }
        });
        match walk {
            Err(Stop::Enough(value)) => Ok(value),
            Err(Stop::Failed(error)) => Err(error),
            Ok(()) => Ok(best.max(self.table_wdl(men, material)?)),
        }
    }

    #[inline]
    fn table_wdl(&self, men: &Pieces, material: Material) -> Result<Wdl, ProbeError> {
        if men.count() == 2 {
            return Ok(Wdl::Draw);
        }
        let (table, swap) = self.store.get(material, TableKind::Wdl)?;
        let wdl = table.wdl(men, swap);
        wdl.ok_or_else(|| ProbeError::Corrupt(TableId::of(material, TableKind::Wdl)))
    }

    /// DTZ of a position without castling rights.
    pub(crate) fn dtz(&self, board: &Board) -> Result<Dtz, ProbeError> {
        match self.own_dtz(board)? {
            (_, DtzAnswer::Distance(dtz)) => Ok(dtz),
            (wdl, DtzAnswer::OtherSide) => self.dtz_one_ply_ahead(board, wdl),
        }
    }

    /// WDL of a position, and its DTZ if the table holds its side to move.
    fn own_dtz(&self, board: &Board) -> Result<(Wdl, DtzAnswer), ProbeError> {
        let WdlProbe { wdl, by_capture } = self.probe_wdl(board)?;
        if wdl == Wdl::Draw {
            return Ok((wdl, DtzAnswer::Distance(Dtz::DRAW)));
        }
        if by_capture || (wdl > Wdl::Draw && self.pawn_move_keeps(board, wdl)?) {
            let dtz = Dtz::exact(wdl.dtz_before_zeroing());
            return Ok((wdl, DtzAnswer::Distance(dtz)));
        }
        let men = Pieces::from(board);
        let material = material_of(&men)?;
        let (table, swap) = self.store.get(material, TableKind::Dtz)?;
        let dtz = table.dtz(&men, swap, wdl);
        Ok((wdl, dtz.ok_or_else(|| corrupt_dtz(material))?))
    }

    /// True if a pawn move that takes nothing keeps the win.
    fn pawn_move_keeps(&self, board: &Board, wdl: Wdl) -> Result<bool, ProbeError> {
        let pawns = board.colored_pieces(board.side_to_move(), Piece::Pawn);
        if pawns.is_empty() {
            return Ok(false);
        }
        let mut result = Ok(false);
        board.generate_moves_for(pawns, |moves| {
            for mv in moves {
                if mv.from.file() == mv.to.file() {
                    let mut child = board.clone();
                    child.play_unchecked(mv);
                    result = self.wdl(&child).map(|value| -value == wdl);
                    if result != Ok(false) {
                        return true;
                    }
                }
            }
            false
        });
        result
    }

    /// The table holds the positions after our moves: one ply more than the best of them.
    fn dtz_one_ply_ahead(&self, board: &Board, wdl: Wdl) -> Result<Dtz, ProbeError> {
        let corrupt = corrupt_dtz(material_of(&Pieces::from(board))?);
        // The loser's zeroing moves count one ply; the winner's were all looked at before.
        let mut best = (wdl < Wdl::Draw).then(|| Dtz::exact(wdl.dtz_before_zeroing()));
        for mv in legal_moves(board).filter(|&mv| !is_zeroing(board, mv)) {
            let child = after(board, mv);
            let dtz = if is_mate(&child) {
                Dtz::exact(1)
            } else {
                match self.own_dtz(&child)? {
                    (_, DtzAnswer::Distance(dtz)) => one_ply_before(dtz),
                    (_, DtzAnswer::OtherSide) => return Err(corrupt),
                }
            };
            if dtz.plies.signum() == wdl.signum() && best.is_none_or(|best| is_better(dtz, best)) {
                best = Some(dtz);
            }
        }
        // A win without a winning move: WDL and DTZ contradict each other.
        best.ok_or(corrupt)
    }
}

fn corrupt_dtz(material: Material) -> ProbeError {
    ProbeError::Corrupt(TableId::of(material, TableKind::Dtz))
}

/// Distance before a quiet move that does not mate, from the distance after it for the other side.
pub(crate) fn one_ply_before(after: Dtz) -> Dtz {
    let plies = -after.plies;
    Dtz {
        plies: plies + plies.signum(),
        rounded: after.rounded,
    }
}

/// Nearer for a win, further for a loss. At equal plies a rounded distance may be one longer than
/// an exact one.
fn is_better(a: Dtz, b: Dtz) -> bool {
    if a.plies == b.plies {
        return a.rounded != b.rounded && a.rounded == (a.plies < 0);
    }
    a.plies < b.plies
}

/// True if en passant captures are the only legal moves and the king is not in check: without them
/// it would be stalemate.
fn only_en_passant(board: &Board) -> bool {
    let passing = en_passant_square(board);
    let other = board.generate_moves(|moves| {
        moves
            .into_iter()
            .any(|mv| moves.piece != Piece::Pawn || Some(mv.to) != passing)
    });
    !other && board.checkers().is_empty()
}

fn material_of(men: &Pieces) -> Result<Material, ProbeError> {
    Material::of_men(men).ok_or_else(|| ProbeError::TooManyMen { men: men.count() })
}

/// Refuses boards that no table holds: castling rights, and kings that touch (which cozy-chess lets
/// pass).
#[inline]
pub(crate) fn check_board(board: &Board) -> Result<(), ProbeError> {
    let rights = Color::ALL.map(|color| *board.castle_rights(color));
    if rights
        .iter()
        .any(|rights| rights.short.is_some() || rights.long.is_some())
    {
        return Err(ProbeError::Castling);
    }
    if get_king_moves(board.king(Color::White)).has(board.king(Color::Black)) {
        return Err(ProbeError::KingsTouch);
    }
    Ok(())
}
