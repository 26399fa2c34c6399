//! A game so far: the position on the board and the keys behind it.

use sextant_board::{Move, Position};

/// A position and the positions that led to it, so that repetitions can be seen.
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    /// Key and half-move clock of every position since the start, the current one last.
    keys: Vec<(u64, u16)>,
}

impl Game {
    pub fn new(position: Position) -> Game {
        let keys = vec![(position.key(), position.clock())];
        Game { position, keys }
    }

    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Key and half-move clock of every position so far, the current one last.
    pub fn keys(&self) -> &[(u64, u16)] {
        &self.keys
    }

    /// Plays a legal move (callers check legality: `position().board().is_legal(mv)`).
    pub fn play(&mut self, mv: Move) {
        self.position = self.position.make(mv).0;
        self.keys.push((self.position.key(), self.position.clock()));
    }

    /// How often the current position has stood on the board, this time included.
    pub fn occurrences(&self) -> usize {
        let key = self.position.key();
        let reversible = usize::from(self.position.clock()) + 1;
        self.keys
            .iter()
            .rev()
            .take(reversible)
            .filter(|(seen, _)| *seen == key)
            .count()
    }
}
