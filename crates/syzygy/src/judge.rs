//! What the tables say of a position and of each of its moves: what a probe prints and a server
//! answers.

use std::cmp::Reverse;

use cozy_chess::util::{display_san_move, display_uci_move};
use cozy_chess::{Board, Move, Piece};
use sextant_board::is_insufficient_material;

use crate::{
    error::ProbeError,
    mainline::Progress,
    probe::{can_move, children, is_zeroing},
    tablebase::Tablebase,
    types::{Category, Dtz},
};

/// The judgment of one position, for its side to move, with its half-move clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct Verdict {
    /// The side to move is mated.
    pub checkmate: bool,
    /// The side to move has no move and is not in check.
    pub stalemate: bool,
    /// Neither side can mate, whatever is played.
    pub insufficient_material: bool,
    /// The result with the half-move clock; `None` where nothing is known.
    pub category: Option<Category>,
    /// Distance to zeroing; -1 in mate, 0 in draws.
    pub dtz: Option<Dtz>,
    /// Why something is not known.
    pub problem: Option<ProbeError>,
    /// Only the WDL table answered while the half-move clock runs: a win may be a draw by now.
    pub clock_ignored: bool,
}

impl Verdict {
    /// Is there a result?
    pub fn is_known(&self) -> bool {
        self.category.is_some()
    }

    /// The category in lila-tablebase's words, `unknown` where there is none; `syzygy-win` and
    /// `syzygy-loss` where the clock was not counted.
    pub fn category_name(&self) -> &'static str {
        match (self.category, self.clock_ignored) {
            (None, _) => "unknown",
            (Some(Category::Win), true) => "syzygy-win",
            (Some(Category::Loss), true) => "syzygy-loss",
            (Some(Category::Win), _) => "win",
            (Some(Category::MaybeWin), _) => "maybe-win",
            (Some(Category::CursedWin), _) => "cursed-win",
            (Some(Category::Draw), _) => "draw",
            (Some(Category::BlessedLoss), _) => "blessed-loss",
            (Some(Category::MaybeLoss), _) => "maybe-loss",
            (Some(Category::Loss), _) => "loss",
        }
    }
}

/// A move and the position that it leads to, judged from the opponent's side.
#[derive(Clone, Debug)]
pub struct JudgedMove {
    /// The move in UCI's notation; castling is the king's move of two squares.
    pub uci: String,
    /// The move in algebraic notation.
    pub san: String,
    /// A capture or pawn move.
    pub zeroing: bool,
    /// A capture or promotion: other material.
    pub conversion: bool,
    /// The verdict after the move, for the opponent.
    pub after: Verdict,
}

/// A position with its moves, best first.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The verdict before any move.
    pub verdict: Verdict,
    /// Every legal move, best first.
    pub moves: Vec<JudgedMove>,
}

impl Tablebase {
    /// Judges a position without its moves.
    pub fn verdict(&self, board: &Board) -> Verdict {
        let known = |category, dtz| Verdict {
            category: Some(category),
            dtz: Some(dtz),
            ..Verdict::default()
        };
        let is_stuck = !can_move(board);
        if is_stuck && !board.checkers().is_empty() {
            // Tables count a mated position as one ply from the end.
            return Verdict {
                checkmate: true,
                ..known(Category::Loss, Dtz::exact(-1))
            };
        }
        if is_stuck || is_insufficient_material(board) {
            return Verdict {
                stalemate: is_stuck,
                insufficient_material: !is_stuck,
                ..known(Category::Draw, Dtz::DRAW)
            };
        }
        let clock = board.halfmove_clock();
        let problem = match self.dtz(board) {
            Ok(dtz) => return known(dtz.category(clock), dtz),
            Err(problem) => Some(problem),
        };
        let (wdl, dtz) = match self.probe_wdl(board) {
            Ok(wdl) => (wdl, None),
            Err(_) => match self.look_ahead(board) {
                Some(outlook) => (outlook.wdl, outlook.dtz),
                None => {
                    return Verdict {
                        problem,
                        ..Verdict::default()
                    };
                }
            },
        };
        let category = dtz.map_or(Category::from_wdl(wdl), |dtz| dtz.category(clock));
        Verdict {
            category: Some(category),
            dtz,
            problem,
            clock_ignored: dtz.is_none() && clock > 0,
            ..Verdict::default()
        }
    }

    /// Judges a position and all its moves.
    pub fn judge(&self, board: &Board) -> Judged {
        let moves = children(board).map(|(mv, child)| judge_move(self, board, mv, &child));
        let mut moves: Vec<JudgedMove> = moves.collect();
        moves.sort_by_key(order);
        Judged {
            verdict: self.verdict(board),
            moves,
        }
    }
}

fn judge_move(tables: &Tablebase, board: &Board, mv: Move, child: &Board) -> JudgedMove {
    let captures =
        child.colors(child.side_to_move()).len() < board.colors(!board.side_to_move()).len();
    JudgedMove {
        uci: display_uci_move(board, mv).to_string(),
        san: display_san_move(board, mv).to_string(),
        zeroing: is_zeroing(board, mv),
        conversion: captures || mv.promotion.is_some(),
        after: tables.verdict(child),
    }
}

/// Best first: result, mate, then the nearest win or the furthest loss. What is unknown comes
/// between wins and draws, as it may be anything.
fn order(judged: &JudgedMove) -> (i32, Reverse<bool>, i32, (Progress, i32)) {
    // Twice the rank, so that what is unknown falls between.
    let category = judged.after.category;
    let result = category.map_or(3, |category| 2 * category as i32);
    // After a winning move the opponent's distance is negative: the nearest win has the greatest.
    // After a losing one it is positive, and the greatest lasts longest.
    let won = category.is_some_and(|category| category < Category::Draw);
    let distance = judged.after.dtz.map_or(i32::MAX, |dtz| -dtz.plies);
    let promotion = judged.uci.chars().nth(4);
    let promotion = promotion.and_then(|letter| Piece::try_from(letter).ok());
    let progress = Progress::of(judged.conversion, promotion);
    let mates = Reverse(judged.after.checkmate);
    match won && judged.zeroing {
        _ if judged.after.checkmate => {
            let unusual = progress == Progress::Underpromotion;
            (result, mates, 0, (Progress::Mate, unusual.into()))
        }
        // A zeroing win restarts the count, hence comes first.
        true => (result, mates, 0, (progress, distance)),
        false => {
            let last = i32::from(!judged.zeroing);
            (result, mates, distance, (Progress::Mate, last))
        }
    }
}
