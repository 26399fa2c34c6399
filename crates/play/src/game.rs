//! One game, from its opening to its end, and who plays it.

use std::time::Duration;

use sextant_board::{CheckSquares, Color, Move, MoveFacts, Position, Random, Score, to_fen};
use sextant_search::{Engine, Game, Limits, nodes_as_time};
use thiserror::Error;

use crate::{
    adjudication::{Adjudicator, Rules, by_tables},
    ending::{Ending, GameResult, by_the_rules},
};

/// Scores beyond this, in centipawns, say nothing new about the evaluation.
const DECIDED: i32 = 1500;

#[derive(Clone, Debug)]
pub struct Record {
    pub start: Position,
    pub turns: Vec<Turn>,
    pub result: GameResult,
    pub ending: Ending,
}

/// A move of a game, and what its mover thought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    pub mv: Move,
    /// The value of the position from the mover's view.
    pub score: Score,
    /// The depth that it reached, in plies.
    pub depth: u32,
    pub nodes: u64,
    pub time: Duration,
}

impl Turn {
    /// What an engine plays under these limits; `None` where it finds no move.
    pub fn of_search(engine: &mut Engine, game: &Game, limits: &Limits) -> Option<Turn> {
        let outcome = engine.arm_and_go(game, limits);
        Some(Turn {
            mv: outcome.best?,
            score: outcome.score(),
            depth: outcome.depth(),
            nodes: outcome.nodes,
            time: outcome.time,
        })
    }
}

pub trait Player: Send {
    /// Forgets everything about earlier games, so that a game's moves depend on that game alone.
    fn new_game(&mut self);

    /// Chooses a move in a position that has at least one; none or an illegal one ends the match
    /// with an error.
    fn choose(&mut self, game: &Game) -> Option<Turn>;
}

/// An engine that plays every move under the same limits, or every game with the same clock.
pub struct EnginePlayer {
    engine: Engine,
    limits: Limits,
    /// With the clock as it stands.
    now: Limits,
}

impl EnginePlayer {
    /// A clock runs by nodes (`limits.nodes_per_ms`), and is what a game begins with.
    pub fn new(engine: Engine, limits: Limits) -> EnginePlayer {
        EnginePlayer {
            engine,
            now: limits.clone(),
            limits,
        }
    }

    /// Takes what a move took from the clock.
    fn run_clock(&mut self, nodes: u64) {
        if let (Some(clock), Some(rate)) = (&mut self.now.clock, self.limits.nodes_per_ms) {
            let took = nodes_as_time(nodes, rate);
            clock.remaining = clock.remaining.saturating_sub(took) + clock.increment;
        }
    }
}

impl Player for EnginePlayer {
    fn new_game(&mut self) {
        self.engine.new_game();
        self.now = self.limits.clone();
    }

    fn choose(&mut self, game: &Game) -> Option<Turn> {
        let turn = Turn::of_search(&mut self.engine, game, &self.now)?;
        self.run_clock(turn.nodes);
        Some(turn)
    }
}

/// A player broke the rules.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{color:?} {deed} in {fen}")]
pub struct PlayError {
    color: Color,
    deed: String,
    fen: String,
}

/// Plays a game with the moves that `choose` gives for each color; `interrupted` is asked before
/// every move, and `None` means that it said yes.
pub fn play_game(
    start: &Position,
    mut choose: impl FnMut(Color, &Game) -> Option<Turn>,
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
        let turn = legal(choose(color, &game), &game)?;
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

fn legal(turn: Option<Turn>, game: &Game) -> Result<Turn, PlayError> {
    let position = game.position();
    let deed = match turn {
        Some(turn) if position.board().is_legal(turn.mv) => return Ok(turn),
        Some(turn) => format!("played the illegal move {}", turn.mv),
        None => "gave no move".to_owned(),
    };
    Err(PlayError {
        color: position.side_to_move(),
        deed,
        fen: to_fen(position, true),
    })
}

impl Record {
    /// At most `most` positions, drawn at random and in the order of the game, that are quiet: the
    /// side to move is not in check, the move that was played neither captures, promotes nor gives
    /// check, and the score was not yet decisive.
    pub fn quiet_positions(&self, most: usize, random: &mut Random) -> Vec<Position> {
        let mut found = Vec::new();
        let mut position = self.start.clone();
        for turn in &self.turns {
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
        let chosen = order.into_iter().map(|index| found[index].clone());
        chosen.collect()
    }
}
