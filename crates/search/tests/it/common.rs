//! What the search's tests share: random values, positions, configs.

pub(crate) mod fens;
pub(crate) mod positions;

use sextant_board::{Move, MoveSets, Position, Random};
use sextant_config::{Config, Kind, SPECS, Value};
use sextant_search::{Engine, Game, Limits, Outcome, budget::Category};

/// Random values of many kinds.
pub(crate) struct Rng(Random);

impl Rng {
    pub(crate) fn new(seed: u64) -> Rng {
        Rng(Random::new(seed))
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }

    /// From `low` to `high`, both included.
    pub(crate) fn within(&mut self, low: i32, high: i32) -> i32 {
        let span = (i64::from(high) - i64::from(low) + 1) as usize;
        (i64::from(low) + self.below(span) as i64) as i32
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// The game that starts at `fen`.
pub(crate) fn game(fen: &str) -> Game {
    let position = sextant_board::parse_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    Game::new(position)
}

pub(crate) fn fen(game: &Game) -> String {
    sextant_board::to_fen(game.position(), false)
}

pub(crate) fn legal_moves(pos: &Position) -> Vec<Move> {
    MoveSets::generate(pos).iter().collect()
}

/// A small engine on one thread.
pub(crate) fn engine(config: &Config) -> Engine {
    Engine::new(small(config)).expect("an engine with a table of 1 MB")
}

/// The same config with a table of 1 MB and one thread.
pub(crate) fn small(config: &Config) -> Config {
    let mut config = config.clone();
    config.engine.hash = 1;
    config.engine.threads = 1;
    config
}

pub(crate) fn to_depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

pub(crate) fn to_nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

/// A search that only ends by its limits.
pub(crate) fn search(engine: &mut Engine, game: &Game, limits: &Limits) -> Outcome {
    engine.go_armed(game, limits, 1, &mut |_| ())
}

/// Sets the price of a category, in sixteenths of an SX.
pub(crate) fn set_price(config: &mut Config, category: Category, sixteenths: i32) {
    let key = format!("extensions.{}", category.name());
    let set = config.set(&key, Value::Number(sixteenths));
    set.expect("a category is a key, and the price within its range");
}

/// Gives every tunable of `section` a random value from its whole range.
pub(crate) fn randomize(config: &mut Config, section: &str, rng: &mut Rng) {
    for spec in SPECS.iter().filter(|spec| spec.section == section) {
        let value = match spec.kind {
            Kind::Number(number) => Value::Number(rng.within(number.min, number.max)),
            Kind::Phases(number) => {
                Value::Phases([(); 8].map(|()| rng.within(number.min, number.max)))
            }
            Kind::Bool => Value::Bool(rng.one_in(2)),
            Kind::Choice(words) => Value::Choice(rng.of(words)),
            Kind::File | Kind::Folders => continue,
        };
        spec.set(config, value).expect("a value within the range");
    }
}
