//! The table only saves work: where it takes over nothing but results of the same draft, and no
//! rule looks at the path, the value is that of a search without it.

use sextant_config::{Config, CouplingRule};
use sextant_search::{Engine, Game, SearchEvent, Stats};

use crate::common::{self, Rng, legal_moves, positions, small, to_depth};

/// Prices that leave drafts in whole quarter plies and imbalances in whole units of the table, and
/// draw no credit; recaptures cost what captures cost, for the last move is no part of a position.
fn config(rng: &mut Rng) -> Config {
    let mut config = small(&Config::default());
    let e = &mut config.extensions;
    let mut price = || 32 * rng.within(4, 8);
    let capture = price();
    for weight in [
        &mut e.capture_winning,
        &mut e.capture_equal,
        &mut e.capture_losing,
        &mut e.recapture,
    ] {
        *weight = capture;
    }
    for weight in [
        &mut e.check_safe,
        &mut e.check_unsafe,
        &mut e.promotion,
        &mut e.underpromotion,
        &mut e.passed_pawn,
        &mut e.only_reply,
        &mut e.evasion,
        &mut e.quiet_forward,
        &mut e.quiet_backward,
        &mut e.mate_glance,
    ] {
        *weight = price();
    }
    // Deep in debt the two rules of the coupling differ in what else they look at; the paper's
    // depends on both budgets alone.
    e.coupling_rule = CouplingRule::Paper;
    e.coupling = rng.of(&[0, 0, 32, 64]);
    config.search.transposition_tolerance = 0;
    // With more, quiescence nodes of one draft could differ in the plies that still try checks.
    config.quiescence.checks_plies = rng.within(0, 1);
    config
}

fn value(engine: &mut Engine, game: &Game, config: &Config, cutoffs: bool) -> (i32, u64, u64) {
    let mut config = config.clone();
    config.search.tt_cutoffs = cutoffs;
    engine.configure(config).expect("a table of 1 MB");
    engine.clear_hash();
    engine.signals().arm(false);
    let report = &mut |_| ();
    let (outcome, stats) =
        engine
            .observed(Stats::default())
            .exact()
            .go(game, &to_depth(4), 1, report);
    (
        outcome.score().raw(),
        stats.count(SearchEvent::TtCutoff),
        outcome.nodes,
    )
}

#[test]
fn with_and_without_table_the_value_is_the_same() {
    let mut engine = common::engine(&Config::default());
    let mut rng = Rng::new(41);
    let (mut compared, mut cutoffs, mut saved) = (0, 0, 0);
    for game in positions::games(200) {
        let pos = game.position();
        // Draws by repetition and the fifty-move rule look at the path.
        let fresh = game.keys().len() == 1 || pos.clock() == 0;
        let men = pos.board().occupied().len();
        if !fresh || pos.clock() > 80 || legal_moves(pos).len() > 24 || men > 16 {
            continue;
        }
        let config = config(&mut rng);
        let (without, none, nodes) = value(&mut engine, &game, &config, false);
        let (with, some, fewer) = value(&mut engine, &game, &config, true);
        assert_eq!(
            with,
            without,
            "{} {:?}",
            common::fen(&game),
            config.extensions
        );
        assert_eq!(none, 0);
        cutoffs += some;
        saved += nodes.saturating_sub(fewer);
        compared += 1;
    }
    println!("{compared} positions, {cutoffs} cutoffs by the table, {saved} nodes saved");
    assert!(compared >= 40 && cutoffs > 3_000 && saved > 3_000);
}
