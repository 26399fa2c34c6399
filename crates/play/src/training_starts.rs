//! Where games for training begin: varied and balanced positions, each a function of its number.

use std::ops::RangeInclusive;

use sextant_board::{Board, MoveSets, Position, Random};
use sextant_search::{Engine, Game, Limits};
use thiserror::Error;

use crate::openings::Openings;

const CHESS960_STARTS: usize = 960;
/// Candidates for one start before it is given up.
const PATIENCE: u64 = 1_000;

/// Balanced positions after random moves from a book, the initial position or those of Chess960.
#[derive(Clone, Debug)]
pub struct TrainingStarts {
    pub seed: u64,
    /// Where standard games come from; `None` for the initial position. A book without end
    /// ([`Openings::random`]) is taken for the initial position too.
    pub book: Option<Openings>,
    /// How many of 1000 games are games of Chess960.
    pub chess960_per_mille: u16,
    /// Random moves of both sides after that; how many is drawn evenly.
    pub random_plies: RangeInclusive<usize>,
    /// Nodes of the search that judges a candidate.
    pub judge_nodes: u64,
    /// A start may be this much better for one side, in centipawns.
    pub most_unequal: i32,
}

/// No balanced position comes of this book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "none of {tried} candidates for start {index} is within {most_unequal} centipawns; take a more \
     balanced book or allow more"
)]
pub struct TrainingStartsError {
    pub index: u64,
    pub tried: u64,
    pub most_unequal: i32,
}

impl TrainingStarts {
    /// Start number `index`. The engine judges the candidates; how it does must not depend on
    /// earlier starts, so tell it of the new game before.
    pub fn find(&self, engine: &mut Engine, index: u64) -> Result<Position, TrainingStartsError> {
        let mut random = Random::of_item(self.seed, index);
        (0..PATIENCE)
            .filter_map(|_| self.candidate(&mut random))
            .find(|position| self.is_balanced(engine, position))
            .ok_or(TrainingStartsError {
                index,
                tried: PATIENCE,
                most_unequal: self.most_unequal,
            })
    }

    /// Random moves from one of the origins; `None` if they ended the game.
    fn candidate(&self, random: &mut Random) -> Option<Position> {
        let mut position = self.origin(random);
        let (least, most) = (*self.random_plies.start(), *self.random_plies.end());
        let moves = least + random.below(most.saturating_sub(least) + 1);
        play_random(&mut position, moves, random).then_some(position)
    }

    fn origin(&self, random: &mut Random) -> Position {
        if random.below(1000) < usize::from(self.chess960_per_mille) {
            let number = random.below(CHESS960_STARTS) as u32;
            return Position::new(Board::chess960_startpos(number));
        }
        let from_book = self.book.as_ref().and_then(|book| {
            let count = usize::try_from(book.count()?).ok()?;
            book.get(random.below(count) as u64)
        });
        from_book.unwrap_or_else(Position::startpos)
    }

    fn is_balanced(&self, engine: &mut Engine, position: &Position) -> bool {
        let limits = Limits {
            nodes: Some(self.judge_nodes),
            ..Limits::default()
        };
        let game = Game::new(position.clone());
        let outcome = engine.arm_and_go(&game, &limits);
        outcome.score().raw().abs() <= self.most_unequal
    }
}

/// Plays so many random legal moves. Do they exist, and one more behind them?
pub fn play_random(position: &mut Position, moves: usize, random: &mut Random) -> bool {
    for _ in 0..moves {
        let legal: Vec<_> = MoveSets::generate(position).iter().collect();
        match legal.get(random.below(legal.len().max(1))) {
            Some(&mv) => position.play(mv),
            None => return false,
        };
    }
    !MoveSets::generate(position).is_empty()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use sextant_board::to_fen;
    use sextant_config::Config;

    use super::*;

    fn engine() -> Engine {
        let mut config = Config::default();
        config.engine.hash = 1;
        Engine::new(config).unwrap()
    }

    fn starts() -> TrainingStarts {
        TrainingStarts {
            seed: 5,
            book: None,
            chess960_per_mille: 0,
            random_plies: 6..=9,
            judge_nodes: 200,
            most_unequal: 300,
        }
    }

    /// The FENs of the first `count` starts.
    fn fens(starts: &TrainingStarts, engine: &mut Engine, count: u64) -> Vec<String> {
        let mut fen = |index| {
            engine.new_game();
            to_fen(&starts.find(engine, index).unwrap(), true)
        };
        (0..count).map(&mut fen).collect()
    }

    #[test]
    fn a_start_depends_on_seed_and_number_alone() {
        let (starts, mut engine) = (starts(), engine());
        let found = fens(&starts, &mut engine, 40);
        assert_eq!(found.iter().collect::<HashSet<_>>().len(), 40);
        assert_eq!(fens(&starts, &mut engine, 8), found[..8]);
        let other = TrainingStarts { seed: 6, ..starts };
        assert_ne!(fens(&other, &mut engine, 1), found[..1]);
        let ply = |fen: &String| {
            let mut fields = fen.split(' ').skip(1);
            let black = fields.next() == Some("b");
            let number: u32 = fields.last().unwrap().parse().unwrap();
            2 * (number - 1) + u32::from(black)
        };
        let plies: HashSet<_> = found.iter().map(ply).collect();
        assert_eq!(plies, HashSet::from([6, 7, 8, 9]));
    }

    #[test]
    fn the_share_of_chess960_is_kept() {
        let mut engine = engine();
        let starts = TrainingStarts {
            chess960_per_mille: 500,
            random_plies: 0..=0,
            most_unequal: 30_000,
            judge_nodes: 1,
            ..starts()
        };
        let found = fens(&starts, &mut engine, 400);
        let on_first_ranks = |fen: &String| fen.contains("/pppppppp/8/8/8/8/PPPPPPPP/");
        assert!(found.iter().all(on_first_ranks));
        let standard = to_fen(&Position::startpos(), true);
        let count = found.iter().filter(|fen| **fen != standard).count();
        // Four standard deviations of a fair coin thrown 400 times are 40.
        assert!((160..=240).contains(&count), "{count}");
    }

    #[test]
    fn books_are_drawn_from_and_unbalanced_ones_are_refused() {
        let mut engine = engine();
        let text = "4k3/4p3/8/8/8/8/4P3/4K3 w - -\n4k3/4p3/8/8/8/8/4P3/4K3 b - -\n";
        let starts = TrainingStarts {
            book: Some(Openings::from_book(text, 1).unwrap()),
            random_plies: 0..=0,
            ..starts()
        };
        let found = fens(&starts, &mut engine, 30);
        assert_eq!(found.iter().collect::<HashSet<_>>().len(), 2);
        let lost = "4k3/8/8/8/8/8/8/QQ2K3 w - -\n";
        let starts = TrainingStarts {
            book: Some(Openings::from_book(lost, 1).unwrap()),
            ..starts
        };
        let error = starts.find(&mut engine, 3).unwrap_err();
        assert_eq!((error.index, error.most_unequal), (3, 300));
    }
}
