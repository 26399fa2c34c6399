//! What the search's tests share: random values, positions, configs, searches.

use std::sync::LazyLock;

use sextant_board::{Move, MoveSets, Piece, Position, Random, Score, is_insufficient_material};
use sextant_config::{Config, CouplingRule, Kind, SPECS, Value};
use sextant_search::{Engine, Game, Limits, Outcome, budget::Category};

/// Endings, promotions, castling, en passant, checks, mates in sight, high clocks.
pub(crate) static SPARSE: LazyLock<Vec<&str>> = LazyLock::new(|| positions(0));
/// Middlegames and rich endings.
pub(crate) static RICH: LazyLock<Vec<&str>> = LazyLock::new(|| positions(1));

fn positions(part: usize) -> Vec<&'static str> {
    let mut parts = include_str!("positions.epd").split("\n\n");
    let lines = parts.nth(part).expect("two parts").lines();
    lines.filter(|line| !line.starts_with('#')).collect()
}

pub(crate) fn all_fens() -> impl Iterator<Item = &'static str> {
    SPARSE.iter().chain(RICH.iter()).copied()
}

pub(crate) const RULES: [CouplingRule; 2] = [CouplingRule::Forcing, CouplingRule::Paper];

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

pub(crate) fn is_mate(pos: &Position) -> bool {
    pos.in_check() && legal_moves(pos).is_empty()
}

/// Is the game over by its rules?
pub(crate) fn is_over(game: &Game) -> bool {
    let pos = game.position();
    legal_moves(pos).is_empty()
        || pos.clock() >= 100
        || game.occurrences() >= 3
        || is_insufficient_material(pos.board())
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

/// Takes over a config and forgets what was searched.
pub(crate) fn configure(engine: &mut Engine, config: &Config) {
    engine.configure(small(config)).expect("a table of 1 MB");
    engine.clear_hash();
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
    engine.arm_and_go(game, limits)
}

/// What is equal in equal searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Print {
    pub(crate) best: Option<Move>,
    pub(crate) score: Score,
    pub(crate) nodes: u64,
    pub(crate) pv: Vec<Move>,
}

impl From<Outcome> for Print {
    fn from(outcome: Outcome) -> Print {
        Print {
            best: outcome.best,
            score: outcome.score(),
            nodes: outcome.nodes,
            pv: outcome.lines[0].pv.clone(),
        }
    }
}

/// A search from a clean start.
pub(crate) fn fresh(engine: &mut Engine, game: &Game, limits: &Limits) -> Print {
    engine.new_game();
    search(engine, game, limits).into()
}

/// Sets the price of a category, in sixteenths of an SX.
pub(crate) fn set_price(config: &mut Config, category: Category, sixteenths: i32) {
    *category.weight_mut(&mut config.extensions) = sixteenths;
}

/// Gives every tunable of `section` a random value from its whole range.
pub(crate) fn randomize(config: &mut Config, section: &str, rng: &mut Rng) {
    for spec in SPECS.iter().filter(|spec| spec.section == section) {
        let value = match spec.kind {
            // More would not bind, and then nothing is left to look at.
            _ if spec.name == "line_credit" => Value::Number(rng.within(0, 128)),
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

/// `count` games for comparisons, few pieces first, so that plain search gets somewhere: the
/// positions above, games in which a repetition is near, and random games with a taste for
/// captures.
pub(crate) fn games(count: usize) -> Vec<Game> {
    let mut rng = Rng::new(2026);
    let mut games: Vec<Game> = all_fens().map(game).collect();
    games.extend(all_fens().filter_map(|fen| shuffled(game(fen), &mut rng)));
    while games.len() < count {
        let start: &[&str] = if rng.one_in(2) { &RICH } else { &SPARSE };
        let plies = rng.below(120);
        games.extend(random_game(game(rng.of(start)), plies, &mut rng));
    }
    games.truncate(count);
    games
}

/// The game after up to `plies` random moves; `None` if it ended.
fn random_game(mut game: Game, plies: usize, rng: &mut Rng) -> Option<Game> {
    for _ in 0..plies {
        let pos = game.position();
        let mut moves = legal_moves(pos);
        let mut captures = moves.clone();
        captures.retain(|&mv| pos.is_capture(mv));
        if !captures.is_empty() && !rng.one_in(3) {
            moves = captures;
        }
        if moves.is_empty() {
            return None;
        }
        game.play(rng.of(&moves));
    }
    let over = is_over(&game) || game.position().clock() >= 99;
    (!over).then_some(game)
}

/// The game after both sides moved a piece to and fro: every position stood on the board twice, and
/// the next one may stand there a third time.
fn shuffled(mut game: Game, rng: &mut Rng) -> Option<Game> {
    // The second cycle stops half way.
    for back in [2, 1] {
        let mut there = Vec::new();
        for _ in 0..2 {
            let mv = quiet_piece_move(&game, rng)?;
            there.push(mv);
            game.play(mv);
        }
        for &mv in there.iter().take(back) {
            let mv = Move {
                from: mv.to,
                to: mv.from,
                promotion: None,
            };
            if !game.position().board().is_legal(mv) {
                return None;
            }
            game.play(mv);
        }
    }
    (game.position().clock() < 100).then_some(game)
}

fn quiet_piece_move(game: &Game, rng: &mut Rng) -> Option<Move> {
    let pos = game.position();
    let pawns = pos.board().pieces(Piece::Pawn);
    let mut moves = legal_moves(pos);
    moves.retain(|&mv| !pos.is_capture(mv) && !pos.is_castling(mv) && !pawns.has(mv.from));
    (!moves.is_empty()).then(|| rng.of(&moves))
}
