//! The paper's `Locate_Refutations` and `Order`: which move is tried first.

use cozy_chess::Move;

use super::decrement::{MoveFacts, extends};
use super::{Reading, Settings};
use crate::game::chess::Chess;
use crate::game::{Game, Value};
use crate::textbook::ordering::CapturesFirst;

/// Killer moves kept at each level.
pub const KILLERS: usize = 4;

/// Moves that refuted something at one level before, the latest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Killers([Option<Move>; KILLERS]);

impl Killers {
    /// Puts `mv` in front; the oldest one falls out if it was not among them.
    pub fn remember(&mut self, mv: Move) {
        let known = self.0.iter().position(|&killer| killer == Some(mv));
        self.0[..=known.unwrap_or(KILLERS - 1)].rotate_right(1);
        self.0[0] = Some(mv);
    }

    fn rank(&self, mv: Move) -> Option<usize> {
        self.0.iter().position(|&killer| killer == Some(mv))
    }
}

/// Sorts the moves of a node: the refutation, captures and promotions, killers, the rest.
pub fn sort(position: &Chess, moves: &mut [Move], refutation: Option<Move>, killers: &Killers) {
    moves.sort_by_cached_key(|&mv| {
        let class = if refutation == Some(mv) {
            0
        } else if position.is_noisy(mv) {
            1
        } else if let Some(rank) = killers.rank(mv) {
            2 + rank
        } else {
            2 + KILLERS
        };
        (class, -CapturesFirst::promise(position, mv))
    });
}

/// The paper's optimization: the first move of the sorted list that would not be extended goes
/// to the very front. Does nothing where there is no such move.
///
/// As printed the code looks at captures and promotions; the prose counts checks among the moves
/// to be avoided as well.
pub fn bring_quiet_move_first(settings: &Settings, position: &Chess, moves: &mut [Move]) {
    let avoided = match settings.reading {
        Reading::AsPrinted | Reading::AsMeant => Reading::AsMeant,
        Reading::AsDescribed => Reading::AsDescribed,
    };
    let quiet = moves
        .iter()
        .position(|&mv| !extends(avoided, facts(position, mv, avoided)));
    if let Some(place) = quiet {
        moves[..=place].rotate_right(1);
    }
}

fn facts(position: &Chess, mv: Move, reading: Reading) -> MoveFacts {
    let asks_check = reading == Reading::AsDescribed;
    MoveFacts {
        noisy: position.is_noisy(mv),
        check: asks_check && !position.play(mv).board().checkers().is_empty(),
        mate: false,
    }
}

/// The evaluation, which knows a mate when it sees one: HAL marks mating moves when it generates
/// them.
#[must_use]
pub fn evaluate(position: &Chess, ply: u32) -> Value {
    if !position.board().checkers().is_empty() && position.moves().is_empty() {
        return position.outcome(ply);
    }
    position.evaluate()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(fen: &str, refutation: Option<&str>, killer: Option<&str>) -> (Chess, Vec<Move>) {
        let position = Chess::new(fen.parse().unwrap(), 0);
        let mut killers = Killers::default();
        if let Some(killer) = killer {
            killers.remember(killer.parse().unwrap());
        }
        let mut moves = position.moves();
        sort(
            &position,
            &mut moves,
            refutation.map(|mv| mv.parse().unwrap()),
            &killers,
        );
        (position, moves)
    }

    const FEN: &str = "4k3/8/8/3q4/4P3/8/3Q4/4K3 w - - 0 1";

    fn names(moves: &[Move]) -> Vec<String> {
        moves.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn refutation_captures_killers_rest() {
        let (_, moves) = sorted(FEN, Some("e1f1"), Some("d2a2"));
        assert_eq!(names(&moves)[..4], ["e1f1", "e4d5", "d2d5", "d2a2"]);
    }

    #[test]
    fn the_quiet_move_jumps_over_the_captures_and_they_keep_their_order() {
        let (position, mut moves) = sorted(FEN, None, Some("d2a2"));
        bring_quiet_move_first(&Settings::skill(5), &position, &mut moves);
        assert_eq!(names(&moves)[..3], ["d2a2", "e4d5", "d2d5"]);
    }

    #[test]
    fn by_the_prose_a_checking_move_is_not_quiet() {
        let (position, mut moves) = sorted(FEN, None, Some("d2e2"));
        let meant = Settings::skill(5);
        bring_quiet_move_first(&meant, &position, &mut moves);
        assert_eq!(
            names(&moves)[0],
            "d2e2",
            "not a check: the pawn is in the way"
        );
        let (position, mut moves) = sorted("4k3/8/8/3q4/8/8/3Q4/4K3 w - - 0 1", None, Some("d2e2"));
        let described = Settings {
            reading: Reading::AsDescribed,
            ..meant
        };
        bring_quiet_move_first(&described, &position, &mut moves);
        assert_ne!(names(&moves)[0], "d2e2");
        assert!(!position.is_noisy(moves[0]));
    }

    #[test]
    fn four_killers_are_kept_and_none_twice() {
        let mut killers = Killers::default();
        let moves = ["a2a3", "b2b3", "c2c3", "d2d3", "b2b3", "e2e3"];
        for mv in moves {
            killers.remember(mv.parse().unwrap());
        }
        let kept: Vec<String> = killers
            .0
            .iter()
            .flatten()
            .map(ToString::to_string)
            .collect();
        assert_eq!(kept, ["e2e3", "b2b3", "d2d3", "c2c3"]);
    }
}
