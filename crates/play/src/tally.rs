//! The unit of a match, two games of one opening in which the players change colors, and what all
//! of them came to.

use std::{collections::BTreeMap, time::Duration};

use serde::{Deserialize, Serialize};
use sextant_board::{Color, Position};
use thiserror::Error;

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

/// Above any count of games, moves or plies; sums of a few cannot overflow.
const MOST: u64 = 1 << 56;

/// The results so far, from the first player's view.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    pub pairs: Pentanomial,
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

/// Counts that no match can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("its counts contradict each other: {0}")]
pub struct TallyError(&'static str);

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

    /// Do the counts agree with each other? For a tally that was kept in a file.
    pub fn check(&self) -> Result<(), TallyError> {
        let moves = self.efforts.map(|effort| effort.moves);
        let counts = [self.wins, self.draws, self.losses, self.plies];
        let counts = counts.iter().chain(&self.pairs.0).chain(&moves);
        let mut counts = counts.chain(self.endings.values());
        if counts.any(|&count| count >= MOST) {
            return Err(TallyError("a number is absurd"));
        }
        let [lost, worse, even, better, won] = self.pairs.0.map(i128::from);
        let [wins, draws, losses] = [self.wins, self.draws, self.losses].map(i128::from);
        // Pairs of a win and a loss; the other even pairs are two draws.
        let split = wins - 2 * won - better;
        let twice_drawn = 2 * (even - split);
        let ended = |endings: &[Ending]| -> u64 {
            let counts = endings.iter().filter_map(|ending| self.endings.get(ending));
            counts.sum()
        };
        let (games, decided) = (self.games(), self.wins + self.losses);
        let certain = ended(&[Ending::Checkmate, Ending::WinAdjudicated]);
        let possible = certain + ended(&[Ending::Tablebase]);
        let rules = [
            ("pairs and games", (0..=even).contains(&split)),
            ("pairs and games", draws == worse + better + twice_drawn),
            ("pairs and games", losses == 2 * lost + worse + split),
            ("endings and games", ended(&Ending::ALL) == games),
            ("endings and games", (certain..=possible).contains(&decided)),
            ("White's wins and games", self.white_wins <= decided),
            ("moves and plies", moves[0] + moves[1] == self.plies),
            ("moves and plies", moves[0].abs_diff(moves[1]) <= games),
        ];
        let broken = rules.iter().find(|(_, holds)| !holds);
        broken.map_or(Ok(()), |(why, _)| Err(TallyError(why)))
    }

    pub fn add(&mut self, pair: &Pair) {
        self.pairs.0[pair.half_points()] += 1;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Two pairs: a win and a draw, and a win and a loss.
    fn tally() -> Tally {
        let effort = |moves| Effort {
            moves,
            ..Effort::default()
        };
        Tally {
            pairs: Pentanomial([0, 0, 1, 1, 0]),
            wins: 2,
            draws: 1,
            losses: 1,
            white_wins: 2,
            endings: BTreeMap::from([(Ending::Checkmate, 3), (Ending::Threefold, 1)]),
            plies: 201,
            efforts: [effort(101), effort(100)],
        }
    }

    #[test]
    fn forged_counts_are_found() {
        tally().check().unwrap();
        Tally::default().check().unwrap();
        type Forgery = (&'static str, fn(&mut Tally));
        let forgeries: [Forgery; 12] = [
            ("pairs", |t| t.pairs.0 = [0, 0, 0, 0, 2]),
            ("pairs", |t| t.pairs.0 = [0, 0, 0, 2, 0]),
            ("pairs", |t| t.pairs.0[4] += 1),
            ("pairs", |t| (t.wins, t.draws) = (3, 0)),
            ("pairs", |t| (t.wins, t.losses) = (1, 2)),
            ("pairs", |t| t.draws += 2),
            ("endings", |t| t.endings.extend([(Ending::Threefold, 2)])),
            ("endings", |t| t.endings.extend([(Ending::Checkmate, 2)])),
            ("endings", |t| t.endings = [(Ending::Checkmate, 4)].into()),
            ("White", |t| t.white_wins = 4),
            ("moves", |t| t.plies += 1),
            ("absurd", |t| t.efforts[0].moves = u64::MAX),
        ];
        for (word, forge) in forgeries {
            let mut forged = tally();
            forge(&mut forged);
            let error = forged.check().unwrap_err().to_string();
            assert!(error.contains(word), "{word}: {error}");
        }
    }
}
