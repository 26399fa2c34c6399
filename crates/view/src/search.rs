//! A search that a page asks for, from its message to the answers.

use std::time::Duration;

use serde_json::{Value, json};
use sextant_board::{replay, to_san};
use sextant_config::{Config, Parameter};
use sextant_search::{Bound, ClockLimit, Engine, Event, Info, Limits, Outcome, wdl};

use crate::{
    budgets::Budgets,
    protocol::{Go, GoLimits, Refusal},
    rules::Known,
    tree::Recorder,
};

/// Lines of one search.
const MAX_LINES: usize = 256;

/// Nodes of a tree that is told: two megabytes of text.
const TREE_NODES: usize = 20_000;

/// A search that can be done as it was asked for.
pub struct Asked {
    go: Go,
    known: Known,
    pub limits: Limits,
}

impl Asked {
    /// Reads the game and checks the numbers.
    ///
    /// # Errors
    /// [`Refusal`] for what cannot be searched.
    pub fn read(go: Go) -> Result<Asked, Refusal> {
        let known = go.game.read()?;
        if !(1..=MAX_LINES).contains(&go.multipv) {
            let message = format!("multipv is a number from 1 to {MAX_LINES}");
            return Err(Refusal::new("bad_request", message));
        }
        let limits = go.limits.limits();
        Ok(Asked { go, known, limits })
    }

    /// `config` with the playing level that is asked for.
    ///
    /// # Errors
    /// [`Refusal`] for any other option, or a value that it has not.
    pub fn config(&self, mut config: Config) -> Result<Config, Refusal> {
        for (name, value) in &self.go.options {
            let parameter = Parameter::find(name).filter(|it| it.spec.section == "level");
            let Some(parameter) = parameter else {
                let message = format!(
                    "option {name:?} cannot be set here; UCI_LimitStrength, UCI_Elo and Skill \
                     Level can"
                );
                return Err(Refusal::new("bad_request", message));
            };
            let text = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            let set = config.set_uci(&parameter.uci_name(), &text);
            set.map_err(|error| Refusal::new("bad_request", error))?;
        }
        Ok(config)
    }

    /// Searches, and tells `say` of the progress; the answer is the last message.
    pub fn search(&self, engine: &mut Engine, say: &mut dyn FnMut(Value)) -> Value {
        let (game, multipv, id) = (&self.known.game, self.go.multipv, self.go.id);
        let budgets = Budgets::default();
        let mut report = |event| match event {
            Event::Info(info) => say(self.info(&info, &budgets)),
            Event::Note(note) => say(json!({ "type": "note", "id": id, "message": note })),
            Event::Progress(_) => {}
        };
        let outcome = if self.go.tree {
            let observed = engine.observed(Recorder::keeping(TREE_NODES));
            let (outcome, recorder) = observed.go(game, &self.limits, multipv, &mut report);
            let tree = recorder.finish().data(game.position(), engine.config());
            say(json!({ "type": "tree", "id": id, "tree": tree }));
            outcome
        } else if self.go.budgets {
            let observed = engine.observed(budgets.watcher());
            observed.go(game, &self.limits, multipv, &mut report).0
        } else {
            engine.go(game, &self.limits, multipv, &mut report)
        };
        self.best_move(&outcome)
    }

    /// A line of the search, with the words and units of UCI's `info`.
    fn info(&self, info: &Info, budgets: &Budgets) -> Value {
        let (known, id) = (&self.known, self.go.id);
        let root = known.game.position();
        let score = match info.score.mate_in() {
            Some(moves) => json!({ "mate": moves }),
            None => json!({ "cp": info.score.raw() }),
        };
        let bound = match info.bound {
            Bound::Exact => None,
            Bound::Lower => Some("lower"),
            Bound::Upper => Some("upper"),
        };
        let moves = replay(root, &info.pv);
        let (pv, san): (Vec<_>, Vec<_>) = moves
            .map(|(before, mv)| (known.spell(&before, mv), to_san(&before, mv)))
            .unzip();
        let totals = &info.totals;
        json!({
            "type": "info", "id": id,
            "depth": info.depth, "seldepth": info.seldepth, "multipv": info.multipv,
            "score": score, "bound": bound, "wdl": wdl(info.score, root),
            "nodes": totals.nodes, "nps": totals.nodes_per_second(), "hashfull": totals.hashfull,
            "tbhits": totals.tbhits, "time": totals.time.as_millis() as u64,
            "pv": pv, "san": san, "budgets": budgets.along(root, info),
        })
    }

    fn best_move(&self, outcome: &Outcome) -> Value {
        let (known, id) = (&self.known, self.go.id);
        let line: Vec<_> = outcome.best.into_iter().chain(outcome.ponder).collect();
        let moves = replay(known.game.position(), &line);
        let mut moves = moves.map(|(before, mv)| known.spell(&before, mv));
        json!({ "type": "bestmove", "id": id, "best": moves.next(), "ponder": moves.next() })
    }
}

impl GoLimits {
    fn limits(&self) -> Limits {
        let clock = self.clock.map(|remaining| ClockLimit {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(self.increment),
            moves_to_go: None,
        });
        let movetime = self.movetime.map(|ms| Duration::from_millis(ms.max(1)));
        let (depth, nodes) = (
            self.depth.map(|it| it.max(1)),
            self.nodes.map(|it| it.max(1)),
        );
        Limits {
            depth,
            nodes,
            movetime,
            clock,
            infinite: depth.is_none() && nodes.is_none() && movetime.is_none() && clock.is_none(),
            ..Limits::default()
        }
    }
}
