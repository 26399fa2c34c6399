//! The engine as WebAssembly. A worker of the page (`crates/web/page/src/worker.ts`) hands it the
//! messages that `sextant-web` hears on its WebSocket, and gets the same answers.
//!
//! The worker hears nothing while a search runs, so the search asks it: see `is_stopped`.
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::{mem, panic, sync::Arc};

use serde_json::Value;
use sextant_config::Config;
use sextant_eval::nnue::Network;
use sextant_search::{Engine, Limits, bench};
use sextant_view::{Asked, Go, Refusal, Request, hello, read_pgn};
use wasm_bindgen::prelude::*;

/// Transposition table in MB; a phone has room for it.
const HASH: i32 = 32;

#[wasm_bindgen]
extern "C" {
    /// Hands a message to the page.
    #[wasm_bindgen(js_name = sextantSay)]
    fn say(text: &str);
    /// Does the page want the search to end? Asked every few hundred nodes.
    #[wasm_bindgen(js_name = sextantIsStopped)]
    fn is_stopped() -> bool;
}

fn tell(message: Value) {
    say(&message.to_string());
}

fn config() -> Config {
    let mut config = Config::default();
    config.engine.hash = HASH;
    config
}

/// The engine's side of a conversation with a page.
#[wasm_bindgen]
#[derive(Default)]
pub struct Conversation {
    /// None before the network is there: the rules are known without it.
    engine: Option<Engine>,
    /// The best move of a search that is to last until it is stopped, but has nothing left to do.
    held: Option<Value>,
}

#[wasm_bindgen]
impl Conversation {
    #[wasm_bindgen(constructor)]
    pub fn new() -> Conversation {
        // What goes wrong inside is told before the worker dies of it.
        panic::set_hook(Box::new(|panic| {
            tell(Refusal::new("engine", panic).reply(None));
        }));
        Conversation::default()
    }

    /// Takes a network file, and refuses what is damaged or none.
    pub fn load(&mut self, network: &[u8]) -> Result<(), JsError> {
        let network = Arc::new(Network::from_bytes(network)?);
        let engine = Engine::on_caller(config(), Some(network))?;
        engine.signals().ask(is_stopped);
        self.engine = Some(engine);
        Ok(())
    }

    /// Answers a message; comes back when a search is over.
    pub fn hear(&mut self, text: &str) {
        match serde_json::from_str(text) {
            Ok(request) => self.answer(request),
            Err(error) => tell(Refusal::new("bad_request", error).reply(None)),
        }
    }
}

impl Conversation {
    fn answer(&mut self, request: Request) {
        let refused = |id| move |refusal: Refusal| refusal.reply(Some(id));
        match request {
            Request::Hello { .. } => tell(hello(1, 0)),
            Request::Position { id, game } => {
                let reply = game.read().map(|known| known.reply(id));
                tell(reply.unwrap_or_else(refused(id)));
            }
            Request::Pgn { id, text } => tell(read_pgn(id, &text)),
            Request::Stop => self.held.take().into_iter().for_each(tell),
            Request::Go(go) => {
                self.held.take().into_iter().for_each(tell);
                let id = go.id;
                if let Err(refusal) = self.search(*go) {
                    tell(refused(id)(refusal));
                }
            }
        }
    }

    fn search(&mut self, go: Go) -> Result<(), Refusal> {
        let failed = |error: &dyn ToString| Refusal::new("engine", error.to_string());
        let engine = self.engine.as_mut();
        let engine = engine.ok_or_else(|| failed(&"the network is not loaded yet"))?;
        let mut asked = Asked::read(go)?;
        let configured = engine.configure(asked.config(config())?);
        configured.map_err(|error| failed(&error))?;
        let signals = engine.signals();
        signals.arm(false);
        // Waiting for `stop` is done where it can be heard.
        let is_endless = mem::take(&mut asked.limits.infinite);
        let best = asked.search(engine, &mut tell);
        if is_endless && !signals.is_stopped() {
            self.held = Some(best);
        } else {
            tell(best);
        }
        Ok(())
    }
}

/// The nodes of `sextant bench 16 1 DEPTH` with this network.
#[wasm_bindgen]
pub fn signature(depth: u32, network: &[u8]) -> Result<u64, JsError> {
    let network = Arc::new(Network::from_bytes(network)?);
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    Ok(bench::nodes(&limits, &Config::default(), Some(network))?)
}
