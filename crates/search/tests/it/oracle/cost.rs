//! The static price list: what a move costs by what it is, whatever the ordering thinks of it.

use sextant_board::{
    CheckSquares, Move, MoveFacts, Phase, Piece, Position, Square, mate_at_a_glance, see_ge,
};
use sextant_config::ExtensionsConfig;

/// The price in sixteenths of an SX.
pub(crate) fn price(
    e: &ExtensionsConfig,
    pos: &Position,
    mv: Move,
    captured_on: Option<Square>,
) -> i32 {
    let checks = CheckSquares::of(pos);
    let facts = MoveFacts::of(pos, mv, &checks, captured_on);
    let mut offers = by_kind(e, pos, mv, &facts);
    if pos.in_check() {
        let mut replies = 0;
        pos.board().generate_moves(|set| {
            replies += set.len();
            false
        });
        offers.push(if replies == 1 {
            e.only_reply
        } else {
            e.evasion
        });
    }
    if is_threatened(pos) {
        offers.push(e.mate_glance);
    }
    let cheapest = offers.into_iter().min().unwrap_or(128);
    (cheapest + e.phase[Phase::of(pos.board()).index()]).clamp(-16 * 16, 32 * 16)
}

fn by_kind(e: &ExtensionsConfig, pos: &Position, mv: Move, facts: &MoveFacts) -> Vec<i32> {
    if mv.promotion.is_some_and(|piece| piece != Piece::Queen) {
        return vec![e.underpromotion];
    }
    let mut offers = Vec::new();
    if pos.is_capture(mv) {
        offers.push(if see_ge(pos, mv, 1) {
            e.capture_winning
        } else if see_ge(pos, mv, 0) {
            e.capture_equal
        } else {
            e.capture_losing
        });
        if facts.recapture {
            offers.push(e.recapture);
        }
    }
    if pos.make(mv).0.in_check() {
        let safe = see_ge(pos, mv, 0);
        offers.push(if safe { e.check_safe } else { e.check_unsafe });
    }
    if mv.promotion.is_some() {
        offers.push(e.promotion);
    }
    if facts.passed_push {
        offers.push(e.passed_pawn);
    }
    if offers.is_empty() {
        offers.push(if facts.backward {
            e.quiet_backward
        } else {
            e.quiet_forward
        });
    }
    offers
}

/// Would the opponent mate at once if it were its move?
fn is_threatened(pos: &Position) -> bool {
    pos.make_null()
        .is_some_and(|passed| mate_at_a_glance(&passed, &CheckSquares::of(&passed)).is_some())
}
