//! What a match came to.

use std::{collections::BTreeMap, time::Duration};

use sextant_board::Color;

use crate::{
    ending::Ending,
    game::Record,
    matches::{Pair, Side},
    pentanomial::Pentanomial,
};

/// The results so far, from the first player's view.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Results by pair.
    pub pairs: Pentanomial,
    /// Games that the first player won.
    pub wins: u64,
    /// Games that nobody won.
    pub draws: u64,
    /// Games that the first player lost.
    pub losses: u64,
    /// Games that White won, whoever had it: tells how unbalanced the openings are.
    pub white_wins: u64,
    /// How the games ended.
    pub endings: BTreeMap<Ending, u64>,
    /// Plies played in all games.
    pub plies: u64,
    /// What each player spent, the first player's before the second's.
    pub efforts: [Effort; 2],
}

/// What one player spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Moves made.
    pub moves: u64,
    /// Nodes searched.
    pub nodes: u64,
    /// Sum of the nominal depths reached.
    pub depth: u64,
    /// Time spent.
    pub time: Duration,
}

impl Effort {
    /// Nodes a move.
    #[must_use]
    pub fn nodes_per_move(&self) -> f64 {
        self.nodes as f64 / self.moves.max(1) as f64
    }

    /// Mean depth.
    #[must_use]
    pub fn mean_depth(&self) -> f64 {
        self.depth as f64 / self.moves.max(1) as f64
    }

    /// Nodes a second, 0 if no time was spent.
    #[must_use]
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
    /// Number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Counts a pair.
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
        let mut color = record.start.side_to_move();
        for turn in &record.turns {
            let side = if color == first_player {
                Side::First
            } else {
                Side::Second
            };
            let effort = &mut self.efforts[side as usize];
            effort.moves += 1;
            effort.nodes += turn.nodes;
            effort.depth += u64::from(turn.depth);
            effort.time += turn.time;
            color = !color;
        }
    }
}
