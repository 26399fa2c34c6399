//! Asking the tables about a position: captures first, then the table (section 7 of `docs/syzygy-format.md`).

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Rank, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_rook_moves,
};

use crate::error::{ProbeError, TableId, TableKind};
use crate::material::Material;
use crate::native::{DtzAnswer, Store, Unavailable};
use crate::types::{Dtz, Wdl};

/// A WDL value, and whether an immediate zeroing capture is what achieves it.
#[derive(Clone, Copy)]
struct Verdict {
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

/// True if the side to move has a legal move.
pub(crate) fn can_move(board: &Board) -> bool {
    board.generate_moves(|_| true)
}

/// True if the side to move is mated.
pub(crate) fn is_mate(board: &Board) -> bool {
    !board.checkers().is_empty() && !can_move(board)
}

/// Cheap, and never false when a capture is legal: most positions need no more than this.
#[inline]
fn may_capture(board: &Board) -> bool {
    let (us, occupied) = (board.side_to_move(), board.occupied());
    let targets = board.colors(!us);
    let ours = |piece| board.colored_pieces(us, piece);
    let diagonal = ours(Piece::Bishop) | ours(Piece::Queen);
    let straight = ours(Piece::Rook) | ours(Piece::Queen);
    let hits = |attacks: BitBoard| !attacks.is_disjoint(targets);
    if hits(get_king_moves(board.king(us)))
        || diagonal
            .iter()
            .any(|from| hits(get_bishop_moves(from, occupied)))
        || straight
            .iter()
            .any(|from| hits(get_rook_moves(from, occupied)))
        || ours(Piece::Knight)
            .iter()
            .any(|from| hits(get_knight_moves(from)))
    {
        return true;
    }
    let passing = en_passant_square(board).map_or(BitBoard::EMPTY, Square::bitboard);
    let mut pawns = ours(Piece::Pawn).iter();
    pawns.any(|from| !get_pawn_attacks(from, us).is_disjoint(targets | passing))
}

/// Calls `visit` with the board after each legal capture and whether it was en passant, until it returns `Err`.
fn for_captures<E>(
    board: &Board,
    mut visit: impl FnMut(&Board, bool) -> Result<(), E>,
) -> Result<(), E> {
    if !may_capture(board) {
        return Ok(());
    }
    let targets = board.colors(!board.side_to_move());
    let passing = en_passant_square(board);
    let mut result = Ok(());
    board.generate_moves(|moves| {
        let pawn_targets = passing.filter(|_| moves.piece == Piece::Pawn);
        let mut captures = moves;
        captures.to &= targets | pawn_targets.map_or(BitBoard::EMPTY, Square::bitboard);
        for mv in captures {
            let mut child = board.clone();
            child.play_unchecked(mv);
            result = visit(&child, pawn_targets == Some(mv.to));
            if result.is_err() {
                return true;
            }
        }
        false
    });
    result
}

/// Ends a walk over captures: nothing better can come, or a table is lacking.
enum Stop {
    Enough(Wdl),
    Failed(ProbeError),
}

/// The native prober.
pub(crate) struct Prober {
    pub(crate) store: Store,
}

impl Prober {
    /// WDL of a position without castling rights.
    #[inline]
    pub(crate) fn wdl(&self, board: &Board) -> Result<Wdl, ProbeError> {
        self.verdict(board).map(|verdict| verdict.wdl)
    }

    fn verdict(&self, board: &Board) -> Result<Verdict, ProbeError> {
        let material = material_of(board)?;
        let mut capture = None;
        let mut passing = None;
        let walk = for_captures(board, |child, en_passant| {
            let bound = capture.unwrap_or(Wdl::Loss);
            let value = -self
                .after_capture(child, Wdl::Loss, -bound)
                .map_err(Stop::Failed)?;
            let best = if en_passant {
                &mut passing
            } else {
                &mut capture
            };
            *best = (*best).max(Some(value));
            if value == Wdl::Win {
                Err(Stop::Enough(value))
            } else {
                Ok(())
            }
        });
        match walk {
            Err(Stop::Enough(wdl)) => {
                return Ok(Verdict {
                    wdl,
                    by_capture: true,
                });
            }
            Err(Stop::Failed(error)) => return Err(error),
            Ok(()) => {}
        }
        let table = self.table_wdl(board, material)?;
        let Some(passing) = passing else {
            let wdl = capture.map_or(table, |capture| capture.max(table));
            return Ok(Verdict {
                wdl,
                by_capture: wdl > Wdl::Draw && capture == Some(wdl),
            });
        };
        // The table does not know of the en passant capture, which may be forced or simply best.
        let without = capture.map_or(table, |capture| capture.max(table));
        if passing > without || (without == Wdl::Draw && only_en_passant(board)) {
            return Ok(Verdict {
                wdl: passing,
                by_capture: true,
            });
        }
        let by_capture = without > Wdl::Draw && (capture == Some(without) || passing == without);
        Ok(Verdict {
            wdl: without,
            by_capture,
        })
    }

    /// Alpha-beta over captures; no en passant can follow a capture.
    fn after_capture(&self, board: &Board, alpha: Wdl, beta: Wdl) -> Result<Wdl, ProbeError> {
        let material = material_of(board)?;
        let mut best = alpha;
        let walk = for_captures(board, |child, _| {
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
            Ok(()) => Ok(best.max(self.table_wdl(board, material)?)),
        }
    }

    #[inline]
    fn table_wdl(&self, board: &Board, material: Material) -> Result<Wdl, ProbeError> {
        if material.men() == 2 {
            return Ok(Wdl::Draw);
        }
        let error = |why| unavailable(material, TableKind::Wdl, why);
        let (table, swap) = self.store.get(material, TableKind::Wdl).map_err(error)?;
        table
            .wdl(board, swap)
            .ok_or_else(|| error(Unavailable::Corrupt))
    }

    /// DTZ of a position without castling rights.
    pub(crate) fn dtz(&self, board: &Board) -> Result<Dtz, ProbeError> {
        let Verdict { wdl, by_capture } = self.verdict(board)?;
        if wdl == Wdl::Draw {
            return Ok(Dtz::DRAW);
        }
        if by_capture || (wdl > Wdl::Draw && self.pawn_move_keeps(board, wdl)?) {
            return Ok(Dtz::exact(wdl.dtz_before_zeroing()));
        }
        let material = material_of(board)?;
        match self.table_dtz(board, material, wdl)? {
            DtzAnswer::Distance(dtz) => Ok(dtz),
            DtzAnswer::OtherSide => self.dtz_one_ply_ahead(board, material, wdl),
        }
    }

    fn table_dtz(
        &self,
        board: &Board,
        material: Material,
        wdl: Wdl,
    ) -> Result<DtzAnswer, ProbeError> {
        let error = |why| unavailable(material, TableKind::Dtz, why);
        let (table, swap) = self.store.get(material, TableKind::Dtz).map_err(error)?;
        table
            .dtz(board, swap, wdl)
            .ok_or_else(|| error(Unavailable::Corrupt))
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
    fn dtz_one_ply_ahead(
        &self,
        board: &Board,
        material: Material,
        wdl: Wdl,
    ) -> Result<Dtz, ProbeError> {
        // The loser's zeroing moves count one ply; the winner's were all looked at before.
        let mut best = (wdl < Wdl::Draw).then(|| Dtz::exact(wdl.dtz_before_zeroing()));
        let mut failure = None;
        board.generate_moves(|moves| {
            for mv in moves {
                if is_zeroing(board, mv) {
                    continue;
                }
                let mut child = board.clone();
                child.play_unchecked(mv);
                match self.through_reply(&child, material) {
                    Ok(dtz) => {
                        if dtz.plies.signum() == wdl.signum()
                            && best.is_none_or(|best| is_better(dtz, best))
                        {
                            best = Some(dtz);
                        }
                    }
                    Err(error) => failure = Some(error),
                }
            }
            failure.is_some()
        });
        match (failure, best) {
            (Some(error), _) => Err(error),
            (None, Some(best)) => Ok(best),
            // A win without a winning move: WDL and DTZ contradict each other.
            (None, None) => Err(unavailable(material, TableKind::Dtz, Unavailable::Corrupt)),
        }
    }

    /// Distance of the position before a quiet move, from the position after it, which the table must hold.
    fn through_reply(&self, child: &Board, material: Material) -> Result<Dtz, ProbeError> {
        if is_mate(child) {
            return Ok(Dtz::exact(1));
        }
        let Verdict { wdl, by_capture } = self.verdict(child)?;
        if wdl == Wdl::Draw {
            return Ok(Dtz::DRAW);
        }
        if by_capture || (wdl > Wdl::Draw && self.pawn_move_keeps(child, wdl)?) {
            return Ok(one_ply_before(Dtz::exact(wdl.dtz_before_zeroing())));
        }
        match self.table_dtz(child, material, wdl)? {
            DtzAnswer::Distance(dtz) => Ok(one_ply_before(dtz)),
            DtzAnswer::OtherSide => {
                Err(unavailable(material, TableKind::Dtz, Unavailable::Corrupt))
            }
        }
    }
}

/// Distance before a quiet move that does not mate, from the distance after it for the other side.
pub(crate) fn one_ply_before(after: Dtz) -> Dtz {
    let plies = -after.plies;
    Dtz {
        plies: plies + plies.signum(),
        rounded: after.rounded,
    }
}

/// Nearer for a win, further for a loss. At equal plies a rounded distance may be one longer than an exact one.
fn is_better(a: Dtz, b: Dtz) -> bool {
    if a.plies == b.plies {
        return a.rounded != b.rounded && a.rounded == (a.plies < 0);
    }
    a.plies < b.plies
}

/// True if en passant captures are the only legal moves and the king is not in check: without them it would be stalemate.
fn only_en_passant(board: &Board) -> bool {
    let passing = en_passant_square(board);
    let other = board.generate_moves(|moves| {
        moves
            .into_iter()
            .any(|mv| moves.piece != Piece::Pawn || Some(mv.to) != passing)
    });
    !other && board.checkers().is_empty()
}

fn material_of(board: &Board) -> Result<Material, ProbeError> {
    Material::of(board).ok_or_else(|| ProbeError::TooManyMen {
        men: board.occupied().len(),
    })
}

fn unavailable(material: Material, kind: TableKind, why: Unavailable) -> ProbeError {
    let id = TableId {
        material: material.canonical(),
        kind,
    };
    match why {
        Unavailable::Missing => ProbeError::Missing(id),
        Unavailable::Corrupt => ProbeError::Corrupt(id),
    }
}

/// Refuses boards that no table holds: castling rights, and kings that touch (which cozy-chess lets pass).
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
