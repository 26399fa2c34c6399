//! The fifty-move rule, the other draw that hangs on the half-move clock.

/// Half-moves without a capture or a pawn move after which the fifty-move rule makes a draw.
pub const FIFTY_MOVE_PLIES: u16 = 100;

/// Whether a position with this half-move clock falls under the fifty-move rule.
///
/// Checkmate takes precedence: a move that mates on the hundredth half-move wins. Keys do not show
/// mate, so the caller must make sure, before it scores the draw, that the side to move is not in
/// check or has a legal move.
#[inline]
#[must_use]
pub const fn is_fifty(clock: u16) -> bool {
    clock >= FIFTY_MOVE_PLIES
}

#[cfg(test)]
mod tests {
    use super::is_fifty;

    #[test]
    fn begins_at_the_hundredth_half_move() {
        assert!(!is_fifty(0));
        assert!(!is_fifty(99));
        assert!(is_fifty(100));
        assert!(is_fifty(u16::MAX));
    }
}
