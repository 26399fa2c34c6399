//! The engine's exact mode against the oracle.

use sextant_board::Move;
use sextant_config::{Config, CouplingRule, EvalKind};
use sextant_search::{Engine, Game, Limits, Outcome, Unobserved, budget::Category};

use super::{Fault, Oracle, best};
use crate::common::{Rng, engine, fen, randomize, set_price, small, to_depth};

/// The deepest comparison.
const MAX_DEPTH: i32 = 4;

/// Compares, and counts what was compared.
pub(crate) struct Duel {
    engine: Engine,
    cap: u64,
    compared: usize,
    by_depth: [usize; MAX_DEPTH as usize + 1],
}

/// What the engine and the oracle found.
#[derive(Debug)]
pub(crate) struct Verdict {
    pub(crate) engine: i32,
    pub(crate) oracle: i32,
    /// What the oracle says of the engine's move.
    pub(crate) oracle_on_best: Option<i32>,
}

impl Verdict {
    pub(crate) fn agrees(&self) -> bool {
        self.engine == self.oracle && self.oracle_on_best == Some(self.oracle)
    }
}

impl Duel {
    /// A duel in which the oracle may visit `cap` nodes a position.
    pub(crate) fn new(cap: u64) -> Duel {
        Duel {
            engine: engine(&Config::default()),
            cap,
            compared: 0,
            by_depth: [0; MAX_DEPTH as usize + 1],
        }
    }

    /// Compares as deep as the oracle gets within its cap.
    pub(crate) fn compare(&mut self, game: &Game, config: &Config) {
        if let Some((depth, verdict)) = self.try_fault(game, config, Fault::None) {
            assert!(
                verdict.agrees(),
                "depth {depth} of {}: {verdict:?}\n{:?}\n{:?}\n{:?}",
                fen(game),
                config.search,
                config.extensions,
                config.quiescence,
            );
            self.compared += 1;
            self.by_depth[depth as usize] += 1;
        }
    }

    /// What engine and (perhaps wrong) oracle find; `None` if the first ply already was too much.
    pub(crate) fn try_fault(
        &mut self,
        game: &Game,
        config: &Config,
        fault: Fault,
    ) -> Option<(i32, Verdict)> {
        let mut oracle = Oracle::new(config, fault);
        let mut deepest = None;
        for depth in 1..=MAX_DEPTH {
            let Ok((values, nodes)) = oracle.root(game, depth, self.cap) else {
                break;
            };
            deepest = Some((depth, values));
            if nodes * 4 > self.cap {
                break;
            }
        }
        let (depth, values) = deepest?;
        let outcome = exact(&mut self.engine, game, config, &to_depth(depth as u32), 1);
        let on = |mv: Move| {
            values
                .iter()
                .find(|value| value.0 == mv)
                .map(|value| value.1)
        };
        let verdict = Verdict {
            engine: outcome.score().raw(),
            oracle: best(&values),
            oracle_on_best: outcome.best.and_then(on),
        };
        Some((depth, verdict))
    }

    /// Says what was compared, and fails if that was too little.
    pub(crate) fn conclude(&self, least: usize) {
        println!(
            "compared {} times, by depth {:?}",
            self.compared,
            &self.by_depth[1..]
        );
        assert!(self.compared >= least);
        let deepest = self.by_depth[MAX_DEPTH as usize];
        assert!(
            deepest * 10 >= self.compared,
            "too few at depth {MAX_DEPTH}"
        );
    }
}

/// An exact search.
pub(crate) fn exact(
    engine: &mut Engine,
    game: &Game,
    config: &Config,
    limits: &Limits,
    multipv: usize,
) -> Outcome {
    engine.configure(small(config)).expect("a table of 1 MB");
    engine.signals().arm(false);
    let report = &mut |_| ();
    engine
        .observed(Unobserved)
        .exact()
        .go(game, limits, multipv, report)
        .0
}

/// The config of case `number`: every strength of the coupling, both rules, three iteration
/// steps, and random prices.
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
    let e = &mut config.extensions;
    e.coupling = [0, 16, 32, 64][number % 4];
    e.coupling_rule = [
        CouplingRule::Forcing,
        CouplingRule::Paper,
        CouplingRule::Strict,
    ][number / 4 % 3];
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
