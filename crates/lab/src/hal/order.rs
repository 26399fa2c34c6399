//! The paper's `Locate_Refutations` and `Order`: which move is tried first.

use cozy_chess::Move;

use super::{MoveFacts, Reading};
use crate::{
    game::{Game, chess::Chess},
    textbook::ordering::CapturesFirst,
};

/// Killer moves kept at each level.
const KILLERS: usize = 4;

/// Moves that refuted something at one level before, the latest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Killers([Option<Move>; KILLERS]);

impl Killers {
    /// Puts `mv` in front; the oldest one falls out if it was not among them.
    pub(super) fn update(&mut self, mv: Move) {
        let known = self.rank(mv);
        self.0[..=known.unwrap_or(KILLERS - 1)].rotate_right(1);
        self.0[0] = Some(mv);
    }

    fn rank(&self, mv: Move) -> Option<usize> {
        self.0.iter().position(|&killer| killer == Some(mv))
    }
}

/// Sorts the moves of a node: the refutation, captures and promotions, killers, the rest.
pub(super) fn sort(
    position: &Chess,
    moves: &mut [Move],
    refutation: Option<Move>,
    killers: &Killers,
) {
    moves.sort_by_cached_key(|&mv| {
        let class = if refutation == Some(mv) {
            0
        } else if position.is_noisy(mv) {
            1
        } else {
            2 + killers.rank(mv).unwrap_or(KILLERS)
        };
        (class, -CapturesFirst::promise(position, mv))
    });
}

/// The paper's optimization: the first move of the sorted list that would not be extended goes
/// to the very front. Does nothing where there is no such move.
///
/// As printed the code looks at captures and promotions; the prose counts checks among the moves
/// to be avoided as well.
pub(super) fn bring_quiet_move_first(reading: Reading, position: &Chess, moves: &mut [Move]) {
    let avoids_checks = reading == Reading::Described;
    let quiet = moves.iter().position(|&mv| {
        let facts = MoveFacts {
            noisy: position.is_noisy(mv),
            check: avoids_checks && position.play(mv).in_check(),
            mate: false,
        };
        !Reading::Described.extends(facts)
    });
    if let Some(place) = quiet {
        moves[..=place].rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(fen: &str, refutation: Option<&str>, killer: &str) -> (Chess, Vec<Move>) {
        let position = Chess::new(fen.parse().unwrap(), 0);
        let mut killers = Killers::default();
        killers.update(killer.parse().unwrap());
        let mut moves = position.moves();
        let refutation = refutation.map(|mv| mv.parse().unwrap());
        sort(&position, &mut moves, refutation, &killers);
        (position, moves)
    }

    const FEN: &str = "4k3/8/8/3q4/4P3/8/3Q4/4K3 w - - 0 1";

    fn names<'a>(moves: impl IntoIterator<Item = &'a Move>) -> Vec<String> {
        moves.into_iter().map(ToString::to_string).collect()
    }

    #[test]
    fn refutation_captures_killers_rest() {
        let (_, moves) = sorted(FEN, Some("e1f1"), "d2a2");
        assert_eq!(names(&moves)[..4], ["e1f1", "e4d5", "d2d5", "d2a2"]);
    }

    #[test]
    fn the_quiet_move_jumps_over_the_captures_and_they_keep_their_order() {
        let (position, mut moves) = sorted(FEN, None, "d2a2");
        bring_quiet_move_first(Reading::Meant, &position, &mut moves);
        assert_eq!(names(&moves)[..3], ["d2a2", "e4d5", "d2d5"]);
    }

    #[test]
    fn by_the_prose_a_checking_move_is_not_quiet() {
        let open = "4k3/8/8/3q4/8/8/3Q4/4K3 w - - 0 1";
        for (reading, is_first) in [(Reading::Meant, true), (Reading::Described, false)] {
            let (position, mut moves) = sorted(open, None, "d2e2");
            bring_quiet_move_first(reading, &position, &mut moves);
            assert_eq!(moves[0].to_string() == "d2e2", is_first, "{reading:?}");
            assert!(!position.is_noisy(moves[0]));
        }
    }

    #[test]
    fn four_killers_are_kept_and_none_twice() {
        let mut killers = Killers::default();
        for mv in ["a2a3", "b2b3", "c2c3", "d2d3", "b2b3", "e2e3"] {
            killers.update(mv.parse().unwrap());
        }
        let kept = names(killers.0.iter().flatten());
        assert_eq!(kept, ["e2e3", "b2b3", "d2d3", "c2c3"]);
    }
}
