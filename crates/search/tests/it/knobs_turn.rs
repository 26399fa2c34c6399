//! Every tunable of the search turns something: for each there is a value and a position that
//! change a search of fixed depth (or of a fixed clock that counts nodes).

use std::{sync::Arc, time::Duration};

use crate::common::{engine, fens, game, search, small, to_depth};
use sextant_board::{Move, Score};
use sextant_config::{Config, Kind, SPECS, Spec, Value};
use sextant_search::{ClockLimit, Engine, Game, Limits};
use sextant_syzygy::{Backend, Tablebase};

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
    ("syzygy.path", "the front end opens the tables"),
    (
        "syzygy.backend",
        "the front end opens the tables; both decoders give the same answers",
    ),
    ("eval.file", "the front end reads the file"),
];

/// What must be set before `key` can matter, as lines of `section.name = stored value`.
fn context(key: &str) -> &'static [(&'static str, Setting)] {
    use Setting::{Number, On, Word};
    /// Prices that make one side forcing and the other dull.
    const PRICES: &[(&str, Setting)] = &[
        ("extensions.check_safe", Number(32)),
        ("extensions.capture_winning", Number(64)),
        ("extensions.quiet_forward", Number(160)),
        ("extensions.line_credit", Number(32)),
    ];
    const COUPLED: &[(&str, Setting)] = &[
        ("extensions.check_safe", Number(32)),
        ("extensions.capture_winning", Number(64)),
        ("extensions.quiet_forward", Number(160)),
        ("extensions.line_credit", Number(32)),
        ("extensions.coupling", Number(64)),
    ];
    match key {
        "extensions.coupling" | "extensions.line_credit" | "pruning.forcing_half" => PRICES,
        "extensions.coupling_rule"
        | "extensions.refund_ratio"
        | "search.transposition_tolerance" => COUPLED,
        "extensions.gap_source"
        | "extensions.quiet_forward_max"
        | "extensions.quiet_backward_max" => &[("extensions.gap_weight", Number(64))],
        "extensions.window_costs" => &[("extensions.window_above", Number(64))],
        "extensions.window_above" | "extensions.window_inside" | "extensions.window_below" => {
            &[("extensions.window_costs", On)]
        }
        "pruning.parity" => &[("pruning.parity_own", Number(60))],
        "pruning.parity_own" | "pruning.parity_their" => &[("pruning.parity", On)],
        // With the margin of the defaults no move of so short a search is bad enough deeper down.
        "pruning.history_depth" => &[("pruning.history_margin", Number(500))],
        "quiescence.delta_margin" => &[("quiescence.delta", On)],
        "quiescence.leaf_margin" => &[("quiescence.quiet_first", Word("leaf"))],
        "root_bonus.random" => &[("root_bonus.seed", Number(7))],
        "root_bonus.seed" => &[("root_bonus.random", Number(80))],
        "eval.tempo" => &[("eval.kind", Word("classical"))],
        "level.elo" => &[("level.limit_strength", On), ("root_bonus.seed", Number(7))],
        "level.limit_strength" | "level.skill" => &[("root_bonus.seed", Number(7))],
        _ => &[],
    }
}

#[derive(Clone, Copy)]
enum Setting {
    Number(i32),
    On,
    Word(&'static str),
}

fn set(config: &mut Config, key: &str, setting: Setting) {
    let value = match setting {
        Setting::Number(stored) => Value::Number(stored),
        Setting::On => Value::Bool(true),
        Setting::Word(word) => Value::Choice(word),
    };
    config
        .set(key, value)
        .expect("a key and a value within its range");
}

/// Where a section shows: positions, and how long to look at them.
fn trial(spec: &Spec) -> (Vec<Game>, Limits) {
    let games = |fens: &[&str]| fens.iter().map(|fen| game(fen)).collect();
    let all = [fens::RICH, fens::SPARSE].concat();
    let key = spec.key();
    if spec.section == "time" || key == "engine.move_overhead" {
        let limits = Limits {
            clock: Some(ClockLimit {
                remaining: Duration::from_millis(6_000),
                increment: Duration::from_millis(100),
                // The last move before the control: plan and cut-off are one, so predictions matter.
                moves_to_go: (key == "time.parity_prediction").then_some(1),
            }),
            nodes_per_ms: Some(60),
            ..Limits::default()
        };
        return (games(&all), limits);
    }
    match (spec.section, spec.name) {
        ("syzygy", "fifty_move_rule") => {
            // The queen wins, but not within what the clock leaves.
            (games(&["8/8/8/4k3/3r4/8/8/KQ6 w - - 90 80"]), to_depth(4))
        }
        ("syzygy", _) => (
            games(&[
                "8/8/8/4k3/1p6/P3r3/8/KQ6 w - - 0 1",
                "8/2k5/8/1p6/8/1P6/P7/K7 w - - 0 1",
            ]),
            to_depth(8),
        ),
        ("root_bonus", "trivial_draw_capture") => {
            (games(&["8/8/3k4/3r4/3R4/3K4/8/8 w - - 0 1"]), to_depth(4))
        }
        ("root_bonus", "tablebase_draw_sacrifice") => {
            (games(&["8/8/3k4/3n4/8/3K4/3B4/8 w - - 0 1"]), to_depth(4))
        }
        ("root_bonus", "underpromotion") => {
            // Whatever is promoted is taken at once, so that only the bonus tells the moves apart.
            (games(&["8/Pk6/8/8/8/8/6K1/8 w - - 0 1"]), to_depth(4))
        }
        ("engine", "hash") => (games(fens::RICH), to_depth(12)),
        // A threat of mate is rare, and what it changes shows late.
        ("extensions", "mate_threat") => (games(&all), to_depth(11)),
        _ => (games(&all), to_depth(8)),
    }
}

/// Other values worth a try, the most different first.
fn alternatives(spec: &Spec, now: &Value) -> Vec<Value> {
    let spread = |min: i32, max: i32| {
        let near = if let Value::Number(now) = now {
            now + (max - min) / 8
        } else {
            max
        };
        [
            max,
            min,
            (min + max) / 2,
            near.clamp(min, max),
            min + (max - min) / 8,
        ]
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

fn tables() -> Arc<Tablebase> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../syzygy/testdata");
    Arc::new(Tablebase::open(folder, Backend::Native).expect("the bundled tables"))
}

type Print = (u64, Option<Move>, Score);

struct Bench {
    engine: Engine,
    tables: Arc<Tablebase>,
}

impl Bench {
    fn print(&mut self, config: &Config, game: &Game, limits: &Limits) -> Print {
        self.engine
            .configure(config.clone())
            .expect("a small table");
        self.engine.new_game();
        let outcome = search(&mut self.engine, game, limits);
        (outcome.nodes, outcome.best, outcome.score())
    }

    /// Does any other value change any search?
    fn turns(&mut self, spec: &Spec) -> bool {
        let key = spec.key();
        let mut base = small(&Config::default());
        for &(key, setting) in context(&key) {
            set(&mut base, key, setting);
        }
        let with_tables = spec.section == "syzygy" || spec.name == "tablebase_draw_sacrifice";
        self.engine
            .set_tablebase(with_tables.then(|| self.tables.clone()));
        let (games, limits) = trial(spec);
        let values = alternatives(spec, &spec.get(&base));
        games.iter().any(|game| {
            let before = self.print(&base, game, &limits);
            values.iter().any(|value| {
                let mut config = base.clone();
                spec.set(&mut config, value.clone())
                    .expect("a value within the range");
                // Cheap extensions can make a fixed depth very deep: a search that goes on beyond
                // the nodes of the first one has already shown its difference.
                let limits = Limits {
                    nodes: Some(before.0 * 2 + 1_000),
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
        tables: tables(),
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

#[test]
fn every_exemption_and_every_context_names_a_tunable() {
    for (key, _) in EXEMPT {
        assert!(Spec::find(key).is_some(), "{key}");
    }
    for spec in SPECS {
        let mut config = Config::default();
        for &(key, setting) in context(&spec.key()) {
            set(&mut config, key, setting);
        }
    }
}
