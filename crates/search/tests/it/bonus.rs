//! Bonuses at the root: `max(exact value + bonus)`, whatever the window.

use sextant_board::{Move, Ply};
use sextant_config::Config;
use sextant_search::{Engine, Game, Leave, Observer};

use crate::{
    common::{self, Rng, configure, engine, fen, game, to_depth},
    exact,
    games::bundled_tables,
    oracle::{Fault, Oracle},
};

/// The value of the root as the search saw it, bonus included.
#[derive(Default)]
struct RootValue(i32);

impl Observer for RootValue {
    fn leave(&mut self, leave: &Leave) {
        if leave.ply == Ply::ROOT {
            self.0 = leave.score.raw();
        }
    }
}

/// Mates and tablebase results are not shifted.
fn biased(value: i32, bonus: i32) -> i32 {
    if value.abs() > 19_000 {
        value
    } else {
        (value + bonus).clamp(-19_000, 19_000)
    }
}

fn with_bonuses(number: usize, rng: &mut Rng) -> Config {
    let mut config = exact::config(number, rng);
    let bonus = &mut config.root_bonus;
    bonus.random = rng.within(0, 300);
    bonus.seed = rng.within(1, 1 << 30);
    bonus.development = rng.within(0, 100);
    bonus.underpromoting = rng.within(-500, 500);
    config
}

/// A root move: its score with the bonus, without it, and the move.
type Biased = (i32, i32, Move);

/// The oracle's root moves by biased value, best first. From depth 4 on there are aspiration
/// windows; where that is too much for the oracle, depth 2 has to do.
fn expected(engine: &Engine, game: &Game, config: &Config) -> Option<(u32, Vec<Biased>)> {
    let mut oracle = Oracle::new(config, Fault::None);
    let found = |depth| Some((depth, oracle.root(game, depth, 8_000)?.0));
    let (depth, values) = [4, 2].into_iter().find_map(found)?;
    let bonuses = engine.root_bonuses(game);
    let bonus_of = |mv: Move| bonuses.iter().find(|bonus| bonus.0 == mv);
    let mut expected: Vec<Biased> = values
        .iter()
        .map(|&(mv, value)| {
            let bonus = bonus_of(mv).map_or(0, |bonus| bonus.1);
            (biased(value, bonus), value, mv)
        })
        .collect();
    expected.sort_by_key(|&(biased, ..)| -biased);
    Some((depth as u32, expected))
}

#[test]
fn the_root_takes_the_best_sum_of_value_and_bonus() {
    let mut engine = engine(&Config::default());
    let mut rng = Rng::new(3);
    let (mut compared, mut shifted) = (0, 0);
    for (number, game) in common::games(150).iter().enumerate() {
        let config = with_bonuses(number, &mut rng);
        configure(&mut engine, &config);
        let Some((depth, expected)) = expected(&engine, game, &config) else {
            continue;
        };
        let case = format!("{} {:?} {expected:?}", fen(game), config.root_bonus);
        for multipv in [1, 3] {
            engine.signals().arm(false);
            let observed = engine.observed(RootValue::default()).exact();
            let (outcome, root) = observed.go(game, &to_depth(depth), multipv, &mut |_| ());
            assert_eq!(outcome.lines.len(), multipv.min(expected.len()), "{case}");
            // Equal sums may come in any order, but the sums are those of the best moves, each line
            // shows the pure value of its own move, and no move comes twice.
            for (rank, line) in outcome.lines.iter().enumerate() {
                let mv = line.pv[0];
                let own = expected.iter().find(|(.., known)| *known == mv);
                let &(sum, value, _) = own.expect("a legal move");
                let right = (expected[rank].0, line.score.raw());
                assert_eq!((sum, value), right, "line {rank} {mv}: {case}");
                let before = &outcome.lines[..rank];
                assert!(before.iter().all(|line| line.pv[0] != mv), "{case}");
            }
            if multipv == 1 {
                assert_eq!(root.0, expected[0].0, "{case}");
                let pure = expected.iter().map(|&(_, value, _)| value).max();
                shifted += usize::from(pure != Some(expected[0].1));
            }
            compared += 1;
        }
    }
    println!("{compared} searches, in {shifted} of them the bonus changed the move");
    assert!(compared >= 150 && shifted >= 20);
}

/// The preset `variety` does what Ronald de Man proposes, move by move.
#[test]
fn each_key_moves_the_score_of_its_own_moves() {
    let mut config = Config::preset("variety").expect("built in");
    config.root_bonus.random = 0;
    let mut engine = engine(&config);
    engine.set_tablebase(Some(bundled_tables()));
    for (fen, mv, expected) in [
        // A bishop that can be taken, and the draw is kept; one that cannot; one that develops.
        ("8/8/3k4/3n4/8/3K4/3B4/8 w - - 0 1", "d2f4", -30),
        ("8/8/3k4/3n4/8/3K4/3B4/8 w - - 0 1", "d2e1", 0),
        ("8/8/3k4/8/8/8/8/3KB3 w - - 0 1", "e1g3", 20),
        ("8/P7/8/8/8/1k6/6K1/8 w - - 0 1", "a7a8n", -50),
        ("8/P7/8/8/8/1k6/6K1/8 w - - 0 1", "a7a8q", 0),
        ("8/8/3k4/3r4/3R4/3K4/8/8 w - - 0 1", "d4d5", 100),
        ("8/8/3k4/3r4/3R4/3K4/8/8 w - - 0 1", "d3e3", 0),
    ] {
        let bonuses = engine.root_bonuses(&game(fen));
        let found = bonuses.iter().find(|(known, _)| known.to_string() == mv);
        assert_eq!(found.map(|&(_, bonus)| bonus), Some(expected), "{fen} {mv}");
    }
}
