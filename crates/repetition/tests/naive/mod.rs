//! The plain scan that the crate must agree with, and scripts that put both side by side.
//!
//! Shared by `tests/model.rs`, which drives the real filter, and by the crate's own
//! `src/mutants.rs`, which drives broken ones; each supplies `History` from its side.

use super::History;

/// How a position of the game or of the line came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// By a move that can be undone by later moves.
    Reversible,
    /// By a capture or a pawn move: the clock starts again at 0.
    Irreversible,
    /// By a null move.
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
struct Naive {
    positions: Vec<(Step, u64)>,
    game_len: usize,
}

impl Naive {
    /// Where the last position occurred before: back move by move until one is no real,
    /// reversible move; same side to move; at least two moves each.
    fn earlier(&self) -> Vec<usize> {
        let Some(last) = self.positions.len().checked_sub(1) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for index in (0..last).rev() {
            if self.positions[index + 1].0 != Step::Reversible {
                break;
            }
            let back = last - index;
            if back >= 4 && back % 2 == 0 && self.positions[index].1 == self.positions[last].1 {
                found.push(index);
            }
        }
        found
    }

    fn is_repetition(&self) -> bool {
        let earlier = self.earlier();
        earlier.iter().any(|&index| index >= self.game_len) || earlier.len() >= 2
    }

    fn would_repeat(&mut self, key: u64) -> bool {
        self.positions.push((Step::Reversible, key));
        let answer = self.is_repetition();
        self.positions.pop();
        answer
    }
}

/// Runs the script on both; the error says where they first disagree.
pub(crate) fn compare(history: &mut History, script: &Script) -> Result<(), String> {
    let mut clock = script.first_clock;
    let mut clocks = Vec::new();
    for (index, &(step, _)) in script.game.iter().enumerate() {
        clock = if index == 0 {
            clock
        } else {
            clock_after(step, clock)
        };
        clocks.push(clock);
    }
    history.set_game(
        script
            .game
            .iter()
            .zip(&clocks)
            .map(|(&(_, key), &clock)| (key, clock)),
    );
    let mut naive = Naive {
        positions: script.game.clone(),
        game_len: script.game.len(),
    };
    agree(history, &mut naive, script).map_err(|what| format!("at the root: {what}"))?;
    for (number, &action) in script.actions.iter().enumerate() {
        match action {
            Action::Enter(step, key) => {
                clock = clock_after(step, clocks.last().copied().unwrap_or(0));
                clocks.push(clock);
                naive.positions.push((step, key));
                match step {
                    Step::Null => history.enter_null(key),
                    Step::Reversible | Step::Irreversible => history.enter(key, clock),
                }
            }
            Action::Leave if naive.positions.len() > naive.game_len => {
                clocks.pop();
                naive.positions.pop();
                history.leave();
            }
            Action::Leave => {}
        }
        agree(history, &mut naive, script)
            .map_err(|what| format!("after action {number} ({action:?}): {what}"))?;
    }
    Ok(())
}

/// A null move does not reset the clock: boards count it as one more half-move.
fn clock_after(step: Step, clock: u16) -> u16 {
    if step == Step::Irreversible {
        0
    } else {
        clock + 1
    }
}

fn agree(history: &History, naive: &mut Naive, script: &Script) -> Result<(), String> {
    same(
        "plies",
        history.plies(),
        naive.positions.len() - naive.game_len,
    )?;
    same("occurrences", history.occurrences(), naive.earlier().len())?;
    same(
        "is_repetition",
        history.is_repetition(),
        naive.is_repetition(),
    )?;
    let mut any = false;
    for &key in &script.candidates {
        let expected = naive.would_repeat(key);
        same("would_repeat", history.would_repeat(key), expected)?;
        any |= expected;
    }
    same(
        "upcoming",
        history.upcoming(script.candidates.iter().copied()),
        any,
    )
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, expected: T) -> Result<(), String> {
    if found == expected {
        Ok(())
    } else {
        Err(format!(
            "{what} is {found:?}, the plain scan says {expected:?}"
        ))
    }
}

/// A small generator of good bits (splitmix64), so that a seed says everything about a script.
pub(crate) struct Bits(pub(crate) u64);

impl Bits {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; the bias does not matter here.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
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

/// A chess-like shuffle: each side moves one piece along a ring, so that positions recur at the
/// distances at which they do in games, and an irreversible step changes all keys.
pub(crate) fn shuffle(shape: Shape) -> Script {
    let mut bits = Bits(shape.seed);
    let mut line = vec![State {
        own: 0,
        other: 0,
        era: 0,
    }];
    let mut game = vec![(Step::Reversible, line[0].key(shape))];
    for _ in 1..shape.game_plies {
        // A game has no null moves.
        let (step, state) = line[line.len() - 1].next(
            Shape {
                null_every: 0,
                ..shape
            },
            &mut bits,
        );
        game.push((step, state.key(shape)));
        line.push(state);
    }
    let mut actions = Vec::new();
    for _ in 0..shape.actions {
        if bits.below(10) < shape.leaves_of_ten {
            if line.len() > game.len() {
                line.pop();
            }
            actions.push(Action::Leave);
        } else {
            let (step, state) = line[line.len() - 1].next(shape, &mut bits);
            actions.push(Action::Enter(step, state.key(shape)));
            line.push(state);
        }
    }
    let candidates = (0..8)
        .map(|_| {
            let state = line[bits.below(line.len())];
            state
                .next(
                    Shape {
                        irreversible_every: 0,
                        null_every: 0,
                        ..shape
                    },
                    &mut bits,
                )
                .1
        })
        .map(|state| state.key(shape))
        .collect();
    Script {
        first_clock: bits.below(50) as u16,
        game,
        actions,
        candidates,
    }
}

#[derive(Clone, Copy)]
struct State {
    own: usize,
    other: usize,
    era: u64,
}

impl State {
    fn next(self, shape: Shape, bits: &mut Bits) -> (Step, State) {
        let one_in = |every: usize, bits: &mut Bits| every > 0 && bits.below(every) == 0;
        if one_in(shape.null_every, bits) {
            return (
                Step::Null,
                State {
                    own: self.other,
                    other: self.own,
                    era: self.era,
                },
            );
        }
        let irreversible = one_in(shape.irreversible_every, bits);
        let stride = if bits.below(2) == 0 {
            1
        } else {
            shape.squares - 1
        };
        let moved = (self.own + stride) % shape.squares;
        let era = self.era + u64::from(irreversible);
        let step = if irreversible {
            Step::Irreversible
        } else {
            Step::Reversible
        };
        (
            step,
            State {
                own: self.other,
                other: moved,
                era,
            },
        )
    }

    /// The side to move is left out on purpose: the crate must tell by the distance.
    fn key(self, shape: Shape) -> u64 {
        let (low, high) = (
            self.own.min(self.other) as u64,
            self.own.max(self.other) as u64,
        );
        let key = Bits((self.era << 32) ^ (low << 16) ^ high ^ shape.seed.rotate_left(40)).next();
        if shape.one_slot { key & !0xFFFF } else { key }
    }
}
