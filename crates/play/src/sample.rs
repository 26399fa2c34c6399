//! Positions from games, to fit an evaluation to their results.

use sextant_board::{CheckSquares, MoveFacts, Position, Random};

use crate::game::Record;

/// Scores beyond this, in centipawns, say nothing new about the evaluation.
const DECIDED: i32 = 1500;

/// At most `most` positions of a game, drawn at random and in the order of the game, that are
/// quiet: the side to move is not in check, the move that was played neither captures, promotes
/// nor gives check, and the score was not yet decisive.
#[must_use]
pub fn quiet_positions(record: &Record, most: usize, random: &mut Random) -> Vec<Position> {
    let mut found = Vec::new();
    let mut position = record.start.clone();
    for turn in &record.turns {
        if turn.score.raw().abs() <= DECIDED && !position.in_check() {
            let facts = MoveFacts::of(&position, turn.mv, &CheckSquares::of(&position), None);
            if facts.is_quiet() && !facts.gives_check {
                found.push(position.clone());
            }
        }
        position = position.make(turn.mv).0;
    }
    let mut order: Vec<usize> = (0..found.len()).collect();
    random.shuffle(&mut order);
    order.truncate(most);
    order.sort_unstable();
    order
        .into_iter()
        .map(|index| found[index].clone())
        .collect()
}
