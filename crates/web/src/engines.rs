//! The engines: a bounded number for all pages together, and a thread for each search.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
};

use serde_json::Value;
use sextant_search::{Engine, EngineSetup, Signals};
use sextant_view::{Asked, Go, Refusal};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

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
        let asked = Asked::read(go)?;
        let config = asked.config(self.setup.config().clone())?;
        let place = self.place()?;
        let mut engine = self.take(page)?;
        let configured = engine.configure(config);
        configured.map_err(|error| Refusal::new("engine", error))?;
        let signals = engine.signals();
        signals.arm(false);
        let (end, ended) = mpsc::channel(1);
        let engines = Arc::clone(self);
        thread::spawn(move || {
            // Where nobody listens the search is being ended.
            let mut say = |reply| drop(outbox.blocking_send(reply));
            let best = asked.search(&mut engine, &mut say);
            engines.idle().push((page, engine));
            drop(place);
            // The page may ask for the next search at once.
            let _ = outbox.blocking_send(best);
            drop(end);
        });
        Ok(Search { signals, ended })
    }
}
