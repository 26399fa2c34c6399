//! The engines: a bounded number for all pages together, and a thread for each search.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use serde_json::{Value, json};
use sextant_board::{replay, to_san};
use sextant_config::{Config, Parameter};
use sextant_search::{
    Bound, ClockLimit, Engine, EngineSetup, Event, Info, Limits, Outcome, Signals, wdl,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use crate::{
    budgets::Budgets,
    protocol::{Go, GoLimits, Refusal},
    rules::Known,
};

/// Lines of one search.
const MAX_LINES: usize = 256;

/// The engines of the server. A search takes one and gives it back; their number bounds the memory.
pub(crate) struct Engines {
    setup: EngineSetup,
    most: usize,
    places: Arc<Semaphore>,
    /// Those that were made and do not search, each with the page that it searched for; the one
    /// that rests longest is the first.
    idle: Mutex<Vec<(u64, Engine)>>,
}

/// A search that was begun.
pub(crate) struct Search {
    signals: Arc<Signals>,
    ended: mpsc::Receiver<()>,
}

impl Search {
    pub(crate) fn stop(&self) {
        self.signals.stop();
    }

    /// Ends it, and waits until its best move was told.
    pub(crate) async fn end(mut self) {
        self.stop();
        self.ended.recv().await;
    }
}

/// Whoever goes away ends the search.
impl Drop for Search {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Engines {
    pub(crate) fn new(setup: EngineSetup, most: usize) -> Arc<Engines> {
        Arc::new(Engines {
            setup,
            most,
            places: Arc::new(Semaphore::new(most)),
            idle: Mutex::default(),
        })
    }

    /// Searches at once.
    pub(crate) fn most(&self) -> usize {
        self.most
    }

    fn idle(&self) -> MutexGuard<'_, Vec<(u64, Engine)>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn place(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        let busy = |_| match self.most {
            0 => Refusal::new(
                "busy",
                "this server has no engine: it runs with --engines 0",
            ),
            most => Refusal::new(
                "busy",
                format!(
                    "all {most} engines are thinking; end another search, or start sextant-web \
                     with more than --engines {most}"
                ),
            ),
        };
        self.places.clone().try_acquire_owned().map_err(busy)
    }

    /// An engine for a page that has a place: the one that it had, else a new one while there may
    /// be more, else one that forgets whom it served.
    fn take(&self, page: u64) -> Result<Engine, Refusal> {
        let mut idle = self.idle();
        let searching = self.most - self.places.available_permits();
        let own = idle.iter().position(|(last, _)| *last == page);
        let Some(index) = own.or_else(|| (idle.len() + searching > self.most).then_some(0)) else {
            drop(idle);
            let failed = |error| Refusal::new("engine", error);
            return self.setup.engine().map_err(failed);
        };
        let (last, mut engine) = idle.remove(index);
        drop(idle);
        if last != page {
            engine.new_game();
        }
        Ok(engine)
    }

    /// Begins a search, which tells `outbox` of its progress. Waits for an engine to be set up.
    pub(crate) fn search(
        self: &Arc<Self>,
        page: u64,
        go: Go,
        outbox: mpsc::Sender<Value>,
    ) -> Result<Search, Refusal> {
        let known = go.game.read()?;
        if !(1..=MAX_LINES).contains(&go.multipv) {
            let message = format!("multipv is a number from 1 to {MAX_LINES}");
            return Err(Refusal::new("bad_request", message));
        }
        let config = self.config(&go.options)?;
        let place = self.place()?;
        let mut engine = self.take(page)?;
        let configured = engine.configure(config);
        configured.map_err(|error| Refusal::new("engine", error))?;
        let signals = engine.signals();
        signals.arm(false);
        let (end, ended) = mpsc::channel(1);
        let engines = Arc::clone(self);
        thread::spawn(move || {
            let outcome = run(&mut engine, &go, &known, &outbox);
            engines.idle().push((page, engine));
            drop(place);
            // The page may ask for the next search at once.
            let _ = outbox.blocking_send(best_move(&outcome, go.id, &known));
            drop(end);
        });
        Ok(Search { signals, ended })
    }

    /// The server's config with the playing level that is asked for.
    fn config(&self, options: &BTreeMap<String, Value>) -> Result<Config, Refusal> {
        let mut config = self.setup.config().clone();
        for (name, value) in options {
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

fn run(engine: &mut Engine, go: &Go, known: &Known, outbox: &mpsc::Sender<Value>) -> Outcome {
    let (id, limits) = (go.id, go.limits.limits());
    let budgets = Budgets::default();
    let mut report = |event| {
        let reply = match event {
            Event::Info(info) => info_reply(&info, id, known, &budgets),
            Event::Note(message) => json!({ "type": "note", "id": id, "message": message }),
            Event::Progress(_) => return,
        };
        // Where nobody listens the search is being ended.
        let _ = outbox.blocking_send(reply);
    };
    if go.budgets {
        let observed = engine.observed(budgets.watcher());
        observed.go(&known.game, &limits, go.multipv, &mut report).0
    } else {
        engine.go(&known.game, &limits, go.multipv, &mut report)
    }
}

/// A line of the search, with the words and units of UCI's `info`.
fn info_reply(info: &Info, id: u64, known: &Known, budgets: &Budgets) -> Value {
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

fn best_move(outcome: &Outcome, id: u64, known: &Known) -> Value {
    let line: Vec<_> = outcome.best.into_iter().chain(outcome.ponder).collect();
    let moves = replay(known.game.position(), &line);
    let mut moves = moves.map(|(before, mv)| known.spell(&before, mv));
    json!({ "type": "bestmove", "id": id, "best": moves.next(), "ponder": moves.next() })
}
