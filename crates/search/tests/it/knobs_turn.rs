//! Every tunable of the search turns something: for each there is a value and a position that
//! change a search of fixed depth (or of a fixed clock that counts nodes).

use std::{sync::Arc, time::Duration};

use sextant_config::{Config, Kind, SPECS, Spec, Value};
use sextant_search::{ClockLimit, Engine, Game, Limits};
use sextant_syzygy::Tablebase;

use crate::{
    common::{Print, RICH, SPARSE, engine, fresh, game, small, to_depth},
    games::bundled_tables,
};

/// Tunables that change nothing that a search finds, and why.
const EXEMPT: &[(&str, &str)] = &[
    (
        "engine.threads",
        "two threads are not deterministic; sound.rs looks at them",
    ),
    (
        "repetition.filter_bits",
        "the filter is exact whatever its size: only the speed changes",
    ),
    (
        "history.kept_percent",
        "the first search of a game has nothing to forget",
    ),
    ("syzygy.path", "the front end opens the tables"),
    (
        "syzygy.backend",
        "the front end opens the tables; both decoders give the same answers",
    ),
    (
        "syzygy.verify",
        "the front end opens the tables; sound ones give the same answers",
    ),
    ("eval.file", "the front end reads the file"),
];

/// What must be set before `key` can matter, as the text of a config.
fn context(key: &str) -> &'static str {
    /// Prices that make one side forcing and the other dull.
    const PRICES: &str = "extensions.check_safe = 2.0\nextensions.capture_winning = 4.0\n\
        extensions.quiet_forward = 10.0\nextensions.line_credit = 0.5";
    const COUPLED: &str = "extensions.check_safe = 2.0\nextensions.capture_winning = 4.0\n\
        extensions.quiet_forward = 10.0\nextensions.line_credit = 0.5\n\
        extensions.coupling = 1.0\nextensions.coupling_rule = \"forcing\"\n\
        extensions.lead = \"price\"\nextensions.verified = false";
    match key {
        "extensions.coupling"
        | "extensions.line_credit"
        | "extensions.beyond_nominal"
        | "extensions.verified"
        | "pruning.forcing_half" => PRICES,
        "extensions.coupling_rule"
        | "extensions.lead"
        | "extensions.refund_ratio"
        | "search.transposition_tolerance" => COUPLED,
        "extensions.gap_source"
        | "extensions.quiet_forward_max"
        | "extensions.quiet_backward_max" => "extensions.gap_weight = 64",
        "extensions.window_costs" => "extensions.window_above = 4.0",
        "extensions.window_above" | "extensions.window_inside" | "extensions.window_below" => {
            "extensions.window_costs = true"
        }
        "pruning.parity" => "pruning.parity_own = 60",
        "pruning.parity_own" | "pruning.parity_their" => "pruning.parity = true",
        // With the margin of the defaults no move of so short a search is bad enough deeper down.
        "pruning.history_depth" => "pruning.history_margin = 500",
        "quiescence.leaf_margin" => "quiescence.quiet_first = \"leaf\"",
        "root_bonus.random" => "root_bonus.seed = 7",
        "root_bonus.seed" => "root_bonus.random = 80",
        "eval.tempo" => "eval.kind = \"classical\"",
        "level.elo" => "level.limit_strength = true\nroot_bonus.seed = 7",
        "level.limit_strength" | "level.skill" => "root_bonus.seed = 7",
        _ => "",
    }
}

/// The defaults with the context of `key`.
fn base(key: &str) -> Config {
    let config = Config::from_toml_str(context(key), "the context");
    small(&config.unwrap_or_else(|error| panic!("{key}: {error}")))
}

/// Where a tunable shows: positions, and how long to look at them.
fn trial(spec: &Spec) -> (Vec<&'static str>, Limits) {
    let all = || [&RICH[..], &SPARSE].concat();
    let key = spec.key();
    if spec.section == "time" || key == "engine.move_overhead" {
        let limits = Limits {
            clock: Some(ClockLimit {
                remaining: Duration::from_millis(6_000),
                increment: Duration::from_millis(100),
                // The last move before the control: plan and cut-off are one, so predictions
                // matter.
                moves_to_go: (key == "time.parity_prediction").then_some(1),
            }),
            nodes_per_ms: Some(60),
            ..Limits::default()
        };
        return (all(), limits);
    }
    let (fens, depth) = match (spec.section, spec.name) {
        // The queen wins, but not within what the clock leaves.
        ("syzygy", "fifty_move_rule") => (vec!["8/8/8/4k3/3r4/8/8/KQ6 w - - 90 80"], 4),
        ("syzygy", _) => {
            let five_men = "8/8/8/4k3/1p6/P3r3/8/KQ6 w - - 0 1";
            (vec![five_men, "8/2k5/8/1p6/8/1P6/P7/K7 w - - 0 1"], 8)
        }
        ("root_bonus", "capturing_in_trivial_draw") => {
            (vec!["8/8/3k4/3r4/3R4/3K4/8/8 w - - 0 1"], 4)
        }
        ("root_bonus", "sacrificing_in_tabled_draw") => {
            (vec!["8/8/3k4/3n4/8/3K4/3B4/8 w - - 0 1"], 4)
        }
        // Whatever is promoted is taken at once, so that only the bonus tells the moves apart.
        ("root_bonus", "underpromoting") => (vec!["8/Pk6/8/8/8/8/6K1/8 w - - 0 1"], 4),
        ("engine", "hash") => (RICH.to_vec(), 12),
        // A threat of mate is rare, and what it changes shows late.
        ("extensions", "mate_threat") => (all(), 11),
        _ => (all(), 8),
    };
    (fens, to_depth(depth))
}

/// Other values worth a try, the most different first.
fn alternatives(spec: &Spec, now: &Value) -> Vec<Value> {
    let spread = |min: i32, max: i32| {
        let eighth = (max - min) / 8;
        let near = match now {
            Value::Number(now) => (now + eighth).clamp(min, max),
            _ => max,
        };
        [max, min, (min + max) / 2, near, min + eighth]
    };
    let all = match spec.kind {
        // A table of the largest size is no thing to try.
        Kind::Number(_) if spec.key() == "engine.hash" => vec![Value::Number(64), Value::Number(2)],
        Kind::Number(number) => spread(number.min, number.max).map(Value::Number).to_vec(),
        Kind::Phases(number) => spread(number.min, number.max)
            .map(|stored| Value::Phases([stored; 8]))
            .to_vec(),
        Kind::Bool => vec![Value::Bool(true), Value::Bool(false)],
        Kind::Choice(words) => words.iter().map(|word| Value::Choice(word)).collect(),
        Kind::File | Kind::Folders => Vec::new(),
    };
    all.into_iter().filter(|value| value != now).collect()
}

struct Bench {
    engine: Engine,
    tables: Arc<Tablebase>,
}

impl Bench {
    fn print(&mut self, config: &Config, game: &Game, limits: &Limits) -> Print {
        let configured = self.engine.configure(config.clone());
        configured.expect("a small table");
        fresh(&mut self.engine, game, limits)
    }

    /// Does any other value change any search?
    fn turns(&mut self, spec: &Spec) -> bool {
        let key = spec.key();
        let base = base(&key);
        let with_tables = spec.section == "syzygy" || spec.name == "sacrificing_in_tabled_draw";
        self.engine
            .set_tablebase(with_tables.then(|| self.tables.clone()));
        let (fens, limits) = trial(spec);
        let values = alternatives(spec, &spec.get(&base));
        fens.iter().any(|fen| {
            let game = &game(fen);
            let before = self.print(&base, game, &limits);
            values.iter().any(|value| {
                let mut config = base.clone();
                spec.set(&mut config, value.clone())
                    .expect("a value within the range");
                // Cheap extensions can make a fixed depth very deep: a search that goes on beyond
                // the nodes of the first one has already shown its difference.
                let limits = Limits {
                    nodes: Some(before.nodes * 2 + 1_000),
                    ..limits.clone()
                };
                self.print(&config, game, &limits) != before
            })
        })
    }
}

#[test]
fn every_knob_turns_something() {
    let mut bench = Bench {
        engine: engine(&Config::default()),
        tables: bundled_tables(),
    };
    let exempt = |spec: &Spec| EXEMPT.iter().any(|&(key, _)| key == spec.key());
    let mut dead = Vec::new();
    for spec in SPECS.iter().filter(|spec| !exempt(spec)) {
        if !bench.turns(spec) {
            println!("{} turns nothing", spec.key());
            dead.push(spec.key());
        }
    }
    assert!(dead.is_empty(), "these turn nothing: {dead:?}");
}
