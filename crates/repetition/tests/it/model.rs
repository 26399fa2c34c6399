//! Filter and scan together answer exactly what a plain scan answers: no misses, no false
//! positives, whatever the size of the filter and whatever the line went through.

use sextant_board::Random;
use sextant_repetition::{FILTER_BITS, History};

/// How a position of the game or of the line came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// By a move that can be undone by later moves.
    Reversible,
    /// By a capture or a pawn move: the clock starts again at 0.
    Irreversible,
    /// By a null move, which boards count as one more half-move.
    Null,
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
    fn push(&mut self, (step, key): (Step, u64), first_clock: u16) -> u16 {
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

    fn plies(&self) -> usize {
        self.positions.len() - self.game_len
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
        self.push((Step::Reversible, key), 0);
        let answer = self.is_repetition();
        self.pop();
        answer
    }
}

/// A kind of random game, and of walk through the search tree below its last position.
#[derive(Clone, Copy, Debug)]
struct Walk {
    seed: u64,
    game_plies: usize,
    /// How many keys there are: few make many repetitions.
    keys: usize,
    /// One step in this many is irreversible, one a null move (0: none).
    irreversible_every: usize,
    null_every: usize,
    /// Whether all keys have the same low 16 bits, so that one counter takes them all.
    one_counter: bool,
    /// Of ten actions in the tree, how many leave.
    leaves_of_ten: usize,
}

impl Walk {
    fn any(seed: u64) -> Walk {
        let mut random = Random::new(seed);
        Walk {
            seed,
            game_plies: random.below(200),
            keys: 2 + random.below(8),
            irreversible_every: random.below(40),
            null_every: random.below(40),
            one_counter: random.below(2) == 0,
            leaves_of_ten: random.below(6),
        }
    }

    fn key(self, index: usize) -> u64 {
        let key = Random::of_item(self.seed, index as u64).next_u64();
        if self.one_counter { key & !0xFFFF } else { key }
    }

    fn step(self, null_every: usize, random: &mut Random) -> (Step, u64) {
        let mut one_in = |every: usize| every > 0 && random.below(every) == 0;
        let step = if one_in(null_every) {
            Step::Null
        } else if one_in(self.irreversible_every) {
            Step::Irreversible
        } else {
            Step::Reversible
        };
        (step, self.key(random.below(self.keys)))
    }

    /// Takes the walk twice, back to the root each time, and compares after every step.
    fn compare(self, history: &mut History, actions: usize) {
        let mut random = Random::new(self.seed);
        let mut naive = Naive::default();
        let first_clock = random.below(100) as u16;
        let game: Vec<_> = (0..self.game_plies)
            .map(|_| self.step(0, &mut random))
            .map(|step| (step.1, naive.push(step, first_clock)))
            .collect();
        naive.game_len = game.len();
        history.set_game(game);
        self.agree(history, &mut naive);
        for action in 0..2 * actions {
            if random.below(10) >= self.leaves_of_ten {
                let step = self.step(self.null_every, &mut random);
                match (step, naive.push(step, 0)) {
                    ((Step::Null, key), _) => history.enter_null(key),
                    ((_, key), clock) => history.enter(key, clock),
                }
            } else if naive.plies() > 0 {
                naive.pop();
                history.leave();
            }
            self.agree(history, &mut naive);
            while naive.plies() > 0 && (action + 1) % actions == 0 {
                naive.pop();
                history.leave();
                self.agree(history, &mut naive);
            }
        }
    }

    fn agree(self, history: &History, naive: &mut Naive) {
        assert_eq!(history.plies(), naive.plies(), "{self:?}");
        assert_eq!(history.occurrences(), naive.earlier().len(), "{self:?}");
        assert_eq!(history.is_repetition(), naive.is_repetition(), "{self:?}");
        // The keys of the walk, and three that are never entered.
        for key in (0..self.keys + 3).map(|index| self.key(index)) {
            assert_eq!(
                history.would_repeat(key),
                naive.would_repeat(key),
                "{self:?}"
            );
        }
    }
}

fn history(bits: u32) -> History {
    History::new(bits).expect("an allowed size")
}

/// One history for many games: what one game leaves behind must not reach the next.
#[test]
fn walks_of_all_kinds_equal_the_plain_scan() {
    let mut histories: Vec<_> = FILTER_BITS.map(history).collect();
    for (seed, which) in (0..800).zip((0..histories.len()).cycle()) {
        Walk::any(seed).compare(&mut histories[which], 150);
    }
}

#[test]
fn games_of_thousands_of_plies_equal_the_plain_scan() {
    for seed in 0..24 {
        let mut random = Random::new(seed);
        let walk = Walk {
            game_plies: 1_000 + random.below(5_000),
            irreversible_every: [0, 500][random.below(2)],
            ..Walk::any(seed)
        };
        walk.compare(&mut history(2 + random.below(15) as u32), 150);
    }
}

/// More keys on one counter than a byte can hold, in the game, in the line, and down again.
#[test]
fn saturated_counters_still_miss_nothing() {
    for bits in [2, 9, 16] {
        for game_plies in [1, 255, 256, 300, 6_000] {
            let walk = Walk {
                game_plies,
                keys: 8,
                irreversible_every: 0,
                null_every: 0,
                one_counter: true,
                leaves_of_ten: 1,
                ..Walk::any(game_plies as u64)
            };
            walk.compare(&mut history(bits), 400);
        }
    }
}

/// The walks would prove nothing if repetitions, near misses and false alarms were rare in them.
#[test]
fn the_walks_reach_what_they_are_about() {
    let walk = Walk {
        game_plies: 150,
        keys: 40,
        irreversible_every: 40,
        null_every: 30,
        one_counter: false,
        ..Walk::any(7)
    };
    let mut history = history(5);
    walk.compare(&mut history, 1_000);
    let alarms = history.alarms();
    assert!(alarms.hits > 500, "{alarms:?}");
    assert!(alarms.maybes > alarms.hits + 500, "{alarms:?}");
    assert!(alarms.queries > alarms.maybes + 500, "{alarms:?}");
}
