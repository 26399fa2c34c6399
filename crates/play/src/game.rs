//! One game, from its opening to its end.

use std::time::Duration;

use sextant_board::{Color, Move, Position, Score, to_fen};
use sextant_search::Game;
use thiserror::Error;

use crate::{
    adjudication::{Adjudicator, Rules, by_tables},
    ending::{Ending, GameResult, by_the_rules},
    player::{Choice, Player},
};

#[derive(Clone, Debug)]
pub struct Record {
    /// The position that it began from.
    pub start: Position,
    pub turns: Vec<Turn>,
    pub result: GameResult,
    pub ending: Ending,
}

/// A move of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    pub mv: Move,
    /// What the mover thought of its position.
    pub score: Score,
    /// The depth that it reached, in plies.
    pub depth: u32,
    /// Nodes that it spent.
    pub nodes: u64,
    /// Time that it spent.
    pub time: Duration,
}

/// What can go wrong in a game: a player broke the rules.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlayError {
    /// There were legal moves, but none was played.
    #[error("{color:?} gave no move in {fen}, which has legal moves")]
    NoMove { color: Color, fen: String },
    /// The move is not legal.
    #[error("{color:?} played the illegal move {mv} in {fen}")]
    IllegalMove { color: Color, mv: Move, fen: String },
}

/// Plays a game. Both players are told that a new game begins; `interrupted` is asked before every
/// move, and `None` means that it said yes.
///
/// # Errors
/// [`PlayError`] when a player gives no legal move.
pub fn play_game<P: Player>(
    start: &Position,
    white: &mut P,
    black: &mut P,
    rules: &Rules,
    interrupted: impl Fn() -> bool,
) -> Result<Option<Record>, PlayError> {
    white.new_game();
    black.new_game();
    let choose = |color, game: &Game| match color {
        Color::White => white.choose(game),
        Color::Black => black.choose(game),
    };
    play_with(start, choose, rules, interrupted)
}

/// Plays a game of one player against itself. It is not told that a new game begins, so that what
/// it did to find the start may belong to the game; `None` as in [`play_game`].
///
/// # Errors
/// [`PlayError`] when the player gives no legal move.
pub fn play_alone<P: Player>(
    start: &Position,
    player: &mut P,
    rules: &Rules,
    interrupted: impl Fn() -> bool,
) -> Result<Option<Record>, PlayError> {
    play_with(start, |_, game| player.choose(game), rules, interrupted)
}

fn play_with(
    start: &Position,
    mut choose: impl FnMut(Color, &Game) -> Choice,
    rules: &Rules,
    interrupted: impl Fn() -> bool,
) -> Result<Option<Record>, PlayError> {
    let mut game = Game::new(start.clone());
    let mut adjudicator = Adjudicator::new(rules);
    let mut turns = Vec::new();
    let (result, ending) = loop {
        if let Some(end) = by_the_rules(&game) {
            break end;
        }
        if interrupted() {
            return Ok(None);
        }
        let color = game.position().side_to_move();
        let turn = turn_of(choose(color, &game), &game, color)?;
        game.play(turn.mv);
        turns.push(turn);
        let heard = adjudicator.hear(color, turn.score);
        if let Some(end) = heard.or_else(|| by_tables(rules, game.position())) {
            // The rules of chess have the last word about the position that was reached.
            break by_the_rules(&game).unwrap_or(end);
        }
    };
    Ok(Some(Record {
        start: start.clone(),
        turns,
        result,
        ending,
    }))
}

fn turn_of(choice: Choice, game: &Game, color: Color) -> Result<Turn, PlayError> {
    let position = game.position();
    let fen = || to_fen(position, true);
    let mv = choice
        .mv
        .ok_or_else(|| PlayError::NoMove { color, fen: fen() })?;
    if !position.board().is_legal(mv) {
        return Err(PlayError::IllegalMove {
            color,
            mv,
            fen: fen(),
        });
    }
    let (score, depth) = (choice.score, choice.depth);
    Ok(Turn {
        mv,
        score,
        depth,
        nodes: choice.nodes,
        time: choice.time,
    })
}
