//! The plain scan that the crate must agree with, and scripts that put both side by side.
//!
//! Shared by `model.rs`, which drives the real filter, and by the crate's own `src/mutants.rs`,
//! which drives broken ones.

use std::fmt::Debug;

use sextant_board::Random;

use crate::History;

/// How a position of the game or of the line came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// By a move that can be undone by later moves.
    Reversible,
    /// By a capture or a pawn move: the clock starts again at 0.
    Irreversible,
    /// By a null move, which boards count as one more half-move.
    Null,
}

/// What a script does next.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Action {
    Enter(Step, u64),
    Leave,
}

/// A game, then a walk through the search tree below its last position.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    /// The half-move clock of the first position, whose past is not known.
    pub(crate) first_clock: u16,
    pub(crate) game: Vec<(Step, u64)>,
    pub(crate) actions: Vec<Action>,
    /// Keys to try as children after every action.
    pub(crate) candidates: Vec<u64>,
}

/// All positions so far, kept whole: nothing trimmed, nothing counted ahead.
#[derive(Default)]
struct Naive {
    positions: Vec<(Step, u64)>,
    clocks: Vec<u16>,
    game_len: usize,
}

impl Naive {
    /// Adds a position and returns its clock.
    fn push(&mut self, step: Step, key: u64, first_clock: u16) -> u16 {
        let clock = match self.clocks.last() {
            None => first_clock,
            Some(_) if step == Step::Irreversible => 0,
            Some(last) => last + 1,
        };
        self.positions.push((step, key));
        self.clocks.push(clock);
        clock
    }

    fn pop(&mut self) {
        self.positions.pop();
        self.clocks.pop();
    }

    /// Where the last position occurred before: back move by move until one is no real,
    /// reversible move; same side to move; at least two moves each.
    fn earlier(&self) -> Vec<usize> {
        let Some(last) = self.positions.len().checked_sub(1) else {
            return Vec::new();
        };
        (0..last)
            .rev()
            .take_while(|&index| self.positions[index + 1].0 == Step::Reversible)
            .filter(|index| last - index >= 4 && (last - index).is_multiple_of(2))
            .filter(|&index| self.positions[index].1 == self.positions[last].1)
            .collect()
    }

    fn is_repetition(&self) -> bool {
        let earlier = self.earlier();
        earlier.iter().any(|&index| index >= self.game_len) || earlier.len() >= 2
    }

    fn would_repeat(&mut self, key: u64) -> bool {
        self.push(Step::Reversible, key, 0);
        let answer = self.is_repetition();
        self.pop();
        answer
    }
}

/// Runs the script on both; the error says where they first disagree.
pub(crate) fn compare(history: &mut History, script: &Script) -> Result<(), String> {
    let mut naive = Naive::default();
    let game = script.game.iter();
    let game: Vec<_> = game
        .map(|&(step, key)| (key, naive.push(step, key, script.first_clock)))
        .collect();
    naive.game_len = game.len();
    history.set_game(game);
    agree(history, &mut naive, script).map_err(|what| format!("at the root: {what}"))?;
    for (number, &action) in script.actions.iter().enumerate() {
        match action {
            Action::Enter(step, key) => {
                let clock = naive.push(step, key, 0);
                match step {
                    Step::Null => history.enter_null(key),
                    Step::Reversible | Step::Irreversible => history.enter(key, clock),
                }
            }
            Action::Leave if naive.positions.len() > naive.game_len => {
                naive.pop();
                history.leave();
            }
            Action::Leave => {}
        }
        agree(history, &mut naive, script)
            .map_err(|what| format!("after action {number} ({action:?}): {what}"))?;
    }
    Ok(())
}

fn agree(history: &History, naive: &mut Naive, script: &Script) -> Result<(), String> {
    let plies = naive.positions.len() - naive.game_len;
    same("plies", history.plies(), plies)?;
    same("occurrences", history.occurrences(), naive.earlier().len())?;
    let repeats = naive.is_repetition();
    same("is_repetition", history.is_repetition(), repeats)?;
    script.candidates.iter().try_for_each(|&key| {
        let expected = naive.would_repeat(key);
        same("would_repeat", history.would_repeat(key), expected)
    })
}

fn same<T: PartialEq + Debug>(what: &str, found: T, expected: T) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(format!(
        "{what} is {found:?}, the plain scan says {expected:?}"
    ))
}

/// What kind of script to make.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) seed: u64,
    pub(crate) game_plies: usize,
    pub(crate) actions: usize,
    /// How many squares each side's wandering piece has: few make many repetitions.
    pub(crate) squares: usize,
    /// One step in this many is irreversible, one a null move (0: none).
    pub(crate) irreversible_every: usize,
    pub(crate) null_every: usize,
    /// Whether all keys have the same low 16 bits, so that one counter takes them all.
    pub(crate) one_slot: bool,
    /// Of ten actions, how many leave.
    pub(crate) leaves_of_ten: usize,
}

impl Default for Shape {
    fn default() -> Shape {
        Shape {
            seed: 0,
            game_plies: 40,
            actions: 400,
            squares: 6,
            irreversible_every: 0,
            null_every: 0,
            one_slot: false,
            leaves_of_ten: 3,
        }
    }
}

/// A chess-like shuffle: each side moves one piece along a ring, so that positions recur at the
/// distances at which they do in games, and an irreversible step changes all keys.
pub(crate) fn shuffle(shape: Shape) -> Script {
    let mut random = Random::new(shape.seed);
    let in_game = Shape {
        null_every: 0,
        ..shape
    };
    let child = Shape {
        irreversible_every: 0,
        ..in_game
    };
    let mut line = vec![State::default()];
    let mut game = vec![(Step::Reversible, line[0].key(shape))];
    for _ in 1..shape.game_plies {
        let (step, state) = line[line.len() - 1].next(in_game, &mut random);
        game.push((step, state.key(shape)));
        line.push(state);
    }
    let mut actions = Vec::new();
    for _ in 0..shape.actions {
        if random.below(10) < shape.leaves_of_ten {
            line.truncate((line.len() - 1).max(game.len()));
            actions.push(Action::Leave);
        } else {
            let (step, state) = line[line.len() - 1].next(shape, &mut random);
            actions.push(Action::Enter(step, state.key(shape)));
            line.push(state);
        }
    }
    let mut candidate = || {
        let parent = line[random.below(line.len())];
        parent.next(child, &mut random).1.key(shape)
    };
    Script {
        candidates: (0..8).map(|_| candidate()).collect(),
        first_clock: random.below(50) as u16,
        game,
        actions,
    }
}

/// Where the pieces of both sides are, and how many irreversible moves were made.
#[derive(Clone, Copy, Default)]
struct State {
    own: usize,
    other: usize,
    era: u64,
}

impl State {
    fn next(self, shape: Shape, random: &mut Random) -> (Step, State) {
        let mut one_in = |every: usize| every > 0 && random.below(every) == 0;
        let passed = State {
            own: self.other,
            other: self.own,
            era: self.era,
        };
        if one_in(shape.null_every) {
            return (Step::Null, passed);
        }
        let irreversible = one_in(shape.irreversible_every);
        let stride = [1, shape.squares - 1][random.below(2)];
        let moved = State {
            other: (self.own + stride) % shape.squares,
            era: self.era + u64::from(irreversible),
            ..passed
        };
        let step = if irreversible {
            Step::Irreversible
        } else {
            Step::Reversible
        };
        (step, moved)
    }

    /// The side to move is left out on purpose: the crate must tell by the distance.
    fn key(self, shape: Shape) -> u64 {
        let (low, high) = (self.own.min(self.other), self.own.max(self.other));
        let place = (self.era << 32) ^ ((low as u64) << 16) ^ high as u64;
        let key = Random::new(place ^ shape.seed.rotate_left(40)).next_u64();
        if shape.one_slot { key & !0xFFFF } else { key }
    }
}
