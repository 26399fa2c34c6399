//! The unit of a match, two games of one opening in which the players change colors, and what all
//! of them came to.

use std::{collections::BTreeMap, time::Duration};

use serde::{Deserialize, Serialize};
use sextant_board::{Color, Position};

use crate::{ending::Ending, game::Record, pentanomial::Pentanomial};

/// Two games of one opening: the first player has White, then Black.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Number of the pair, from 0.
    pub index: u64,
    pub opening: Position,
    pub games: [Record; 2],
}

impl Pair {
    /// Half points of the first player, 0 to 4.
    fn half_points(&self) -> usize {
        let [with_white, with_black] = &self.games;
        with_white.result.half_points(Color::White) + with_black.result.half_points(Color::Black)
    }
}

/// The results so far, from the first player's view.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    pub pentanomial: Pentanomial,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// Games that White won, whoever had it: tells how unbalanced the openings are.
    pub white_wins: u64,
    pub endings: BTreeMap<Ending, u64>,
    pub plies: u64,
    /// What each player spent, the first player's before the second's.
    pub efforts: [Effort; 2],
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Effort {
    pub moves: u64,
    pub nodes: u64,
    /// Sum of the nominal depths reached.
    pub depth: u64,
    pub time: Duration,
}

impl Effort {
    pub fn nodes_per_move(&self) -> f64 {
        self.nodes as f64 / self.moves.max(1) as f64
    }

    pub fn mean_depth(&self) -> f64 {
        self.depth as f64 / self.moves.max(1) as f64
    }

    /// Nodes a second, 0 if no time was spent.
    pub fn nodes_per_second(&self) -> f64 {
        let seconds = self.time.as_secs_f64();
        if seconds > 0.0 {
            self.nodes as f64 / seconds
        } else {
            0.0
        }
    }
}

impl Tally {
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Whether the counts agree with each other; those of a file need not.
    ///
    /// # Errors
    /// Two counts that no games can have together, in words.
    pub fn check(&self) -> Result<(), String> {
        let total = |counts: &mut dyn Iterator<Item = u64>| counts.map(u128::from).sum::<u128>();
        let pairs = total(&mut self.pentanomial.0.into_iter());
        let games = total(&mut [self.wins, self.draws, self.losses].into_iter());
        let by_pairs = (0..).zip(self.pentanomial.0);
        let by_pairs: u128 = by_pairs.map(|(points, n)| points * u128::from(n)).sum();
        let by_games = 2 * u128::from(self.wins) + u128::from(self.draws);
        let endings = total(&mut self.endings.values().copied());
        let moves = total(&mut self.efforts.iter().map(|effort| effort.moves));
        for (what, count, other, expected) in [
            ("games", games, "of the pairs", 2 * pairs),
            ("half points", by_games, "of the pairs", by_pairs),
            ("endings", endings, "games", games),
            ("moves", moves, "plies", self.plies.into()),
        ] {
            if count != expected {
                return Err(format!("{count} {what}, but {expected} {other}"));
            }
        }
        if u128::from(self.white_wins) > games {
            return Err(format!(
                "{} wins of White in {games} games",
                self.white_wins
            ));
        }
        Ok(())
    }

    pub fn add(&mut self, pair: &Pair) {
        self.pentanomial.0[pair.half_points()] += 1;
        for (record, first_player) in pair.games.iter().zip([Color::White, Color::Black]) {
            match record.result.half_points(first_player) {
                2 => self.wins += 1,
                1 => self.draws += 1,
                _ => self.losses += 1,
            }
            self.white_wins += record.result.half_points(Color::White) as u64 / 2;
            *self.endings.entry(record.ending).or_default() += 1;
            self.count_effort(record, first_player);
        }
    }

    fn count_effort(&mut self, record: &Record, first_player: Color) {
        self.plies += record.turns.len() as u64;
        let second_begins = record.start.side_to_move() != first_player;
        let movers = [second_begins, !second_begins].into_iter().cycle();
        for (turn, is_second) in record.turns.iter().zip(movers) {
            let effort = &mut self.efforts[usize::from(is_second)];
            effort.moves += 1;
            effort.nodes += turn.nodes;
            effort.depth += u64::from(turn.depth);
            effort.time += turn.time;
        }
    }
}
