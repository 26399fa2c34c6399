//! Exact mode, in which the search guesses nothing, equals plain negamax; and the table only saves
//! work there: where it takes over nothing but results of the same draft, and no rule looks at the
//! path, the value is that of a search without it.

use sextant_board::Move;
use sextant_config::{Config, CouplingRule, EvalKind};
use sextant_search::{Engine, Game, Limits, Outcome, SearchEvent, Stats, budget::Category};

use crate::{
    common::{
        self, RULES, Rng, configure, engine, fen, legal_moves, randomize, set_price, to_depth,
    },
    oracle::{Fault, Oracle, best},
};

/// The deepest comparison.
const MAX_DEPTH: i32 = 4;

/// What the engine and the oracle found at a depth.
#[derive(Debug)]
pub(crate) struct Comparison {
    depth: i32,
    engine: i32,
    oracle: i32,
    /// What the oracle says of the engine's move.
    oracle_on_best: Option<i32>,
}

impl Comparison {
    pub(crate) fn agrees(&self) -> bool {
        self.engine == self.oracle && self.oracle_on_best == Some(self.oracle)
    }
}

/// Compares engine and (perhaps wrong) oracle as deep as the oracle gets with `cap` nodes; `None`
/// if the first ply already was too much.
pub(crate) fn compare(
    engine: &mut Engine,
    game: &Game,
    config: &Config,
    (fault, cap): (Fault, u64),
) -> Option<Comparison> {
    let mut oracle = Oracle::new(config, fault);
    let mut deepest = None;
    for depth in 1..=MAX_DEPTH {
        let Some((values, nodes)) = oracle.root(game, depth, cap) else {
            break;
        };
        deepest = Some((depth, values));
        if nodes * 4 > cap {
            break;
        }
    }
    let (depth, values) = deepest?;
    let (outcome, _) = exact(engine, game, config, &to_depth(depth as u32));
    let on = |mv: Move| values.iter().find(|value| value.0 == mv);
    Some(Comparison {
        depth,
        engine: outcome.score().raw(),
        oracle: best(&values),
        oracle_on_best: outcome.best.and_then(on).map(|value| value.1),
    })
}

fn exact(engine: &mut Engine, game: &Game, config: &Config, limits: &Limits) -> (Outcome, Stats) {
    configure(engine, config);
    engine.signals().arm(false);
    let observed = engine.observed(Stats::default()).exact();
    observed.go(game, limits, 1, &mut |_| ())
}

/// The config of case `number`: every strength of the coupling, each rule, three iteration steps,
/// and random prices.
pub(crate) fn config(number: usize, rng: &mut Rng) -> Config {
    let mut config = Config::default();
    let wild = rng.one_in(4);
    randomize(&mut config, "extensions", rng);
    if !wild {
        // Prices as a person would set them.
        let by_order = [Category::First, Category::Killer, Category::CounterMove];
        for category in Category::ALL {
            if !by_order.contains(&category) && category != Category::MateThreat {
                set_price(&mut config, category, rng.within(2 * 16, 16 * 16));
            }
        }
        let e = &mut config.extensions;
        e.phase = [(); 8].map(|()| rng.within(-16, 16));
        e.refund_ratio = rng.within(0, 128);
        e.line_credit = rng.within(0, 64);
    }
    config.extensions.coupling = [0, 16, -32, 64][number % 4];
    config.extensions.coupling_rule = RULES[number / 4 % 2];
    config.search.iteration_step = [7, 8, 16][number / 8 % 3];
    // Windows of all widths: the value must not depend on them.
    config.search.aspiration = !rng.one_in(4);
    config.search.aspiration_window = rng.within(2, 60);
    // The cut-offs of exact mode have their own test.
    config.search.tt_cutoffs = false;
    config.quiescence.enabled = !rng.one_in(4);
    config.quiescence.checks_plies = rng.within(0, 3);
    config.eval.tempo = rng.within(-20, 20);
    config.eval.kind = rng.of(&[EvalKind::Classical, EvalKind::Nnue]);
    config
}

/// Every strength of the coupling, each rule and three iteration steps: each on every fourth
/// position.
#[test]
fn exact_mode_equals_plain_negamax() {
    let games = common::games(100);
    let mut rng = Rng::new(61);
    let mut engine = engine(&Config::default());
    let mut by_depth = [0; MAX_DEPTH as usize + 1];
    for round in 0..4 {
        for (number, game) in games.iter().enumerate() {
            let config = config(number + number / 24 + 4 * round, &mut rng);
            let compared = compare(&mut engine, game, &config, (Fault::None, 12_000));
            if let Some(compared) = compared {
                let Config {
                    search,
                    extensions,
                    quiescence,
                    ..
                } = &config;
                let case = (fen(game), search, extensions, quiescence);
                assert!(compared.agrees(), "{compared:?} {case:?}");
                by_depth[compared.depth as usize] += 1;
            }
        }
    }
    let compared: usize = by_depth.iter().sum();
    println!("compared {compared} times, by depth {:?}", &by_depth[1..]);
    assert!(compared >= games.len() * 4 * 2 / 3);
    assert!(
        by_depth[MAX_DEPTH as usize] * 10 >= compared,
        "{by_depth:?}"
    );
}

/// Prices that leave drafts in whole quarter plies and imbalances in whole units of the table, and
/// draw no credit; recaptures cost what captures cost, for the last move is no part of a position.
fn config_for_the_table(rng: &mut Rng) -> Config {
    let mut config = Config::default();
    let mut price = || 32 * rng.within(4, 8);
    let capture = price();
    for category in Category::ALL {
        let price = match category {
            Category::CaptureWinning
            | Category::CaptureEqual
            | Category::CaptureLosing
            | Category::Recapture => capture,
            _ => price(),
        };
        set_price(&mut config, category, price);
    }
    // Deep in debt the two rules of the coupling differ in what else they look at; the paper's
    // depends on both budgets alone.
    config.extensions.coupling_rule = CouplingRule::Paper;
    config.extensions.coupling = rng.of(&[0, 0, 32, 64]);
    config.search.transposition_tolerance = 0;
    // With more, quiescence nodes of one draft could differ in the plies that still try checks.
    config.quiescence.checks_plies = rng.within(0, 1);
    config
}

#[test]
fn with_and_without_table_the_value_is_the_same() {
    let mut engine = engine(&Config::default());
    let mut rng = Rng::new(41);
    let (mut compared, mut cutoffs, mut saved) = (0, 0, 0);
    for game in common::games(200) {
        let pos = game.position();
        // Draws by repetition and the fifty-move rule look at the path.
        let fresh = game.keys().len() == 1 || pos.clock() == 0;
        let men = pos.board().occupied().len();
        if !fresh || pos.clock() > 80 || legal_moves(pos).len() > 24 || men > 16 {
            continue;
        }
        let mut config = config_for_the_table(&mut rng);
        let [without, with] = [false, true].map(|cutoffs| {
            config.search.tt_cutoffs = cutoffs;
            let (outcome, stats) = exact(&mut engine, &game, &config, &to_depth(4));
            (outcome, stats.count(SearchEvent::TtCutoff))
        });
        let case = (fen(&game), &config.extensions);
        assert_eq!(with.0.score(), without.0.score(), "{case:?}");
        assert_eq!(without.1, 0);
        cutoffs += with.1;
        saved += without.0.nodes.saturating_sub(with.0.nodes);
        compared += 1;
    }
    println!("{compared} positions, {cutoffs} cutoffs by the table, {saved} nodes saved");
    assert!(compared >= 40 && cutoffs > 3_000 && saved > 3_000);
}
