//! The WebSocket `/engine`: who may open it, and a conversation over it from its first message to
//! its end. All state of a page lives in the page; what is here ends with the connection.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use axum::{
    Extension,
    extract::{
        State,
        ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code, rejection::*},
    },
    http::{HeaderMap, StatusCode, header},
    response::Response,
};
use futures_util::{
    SinkExt, StreamExt,
    stream::{SplitSink, SplitStream},
};
use serde_json::Value;
use sextant_syzygy::Tablebase;
use sextant_view::{Refusal, Request, hello, read_pgn};
use tokio::{
    sync::{OwnedSemaphorePermit, mpsc},
    task::{JoinHandle, spawn_blocking},
    time::{self, Instant},
};

use crate::{
    connections::Seat,
    engines::Search,
    site::{Problem, Site},
};

/// Pages at once.
pub(crate) const MAX_PAGES: usize = 200;
/// Largest message of a page; a PGN of a hundred games.
const MAX_MESSAGE_BYTES: usize = 256 * 1024;
/// Messages that wait for a page to read them; a search waits then.
const MAX_WAITING: usize = 8;
const READ_BUFFER_BYTES: usize = 8 * 1024;
/// How often a page is asked whether it is there, and how long it may be silent, or be without the
/// token.
const PING: Duration = Duration::from_secs(10);
const SILENCE: Duration = Duration::from_secs(30);
/// How long the end of a conversation may take.
const PARTING: Duration = Duration::from_secs(5);
/// Pause after a wrong token.
const WRONG_TOKEN_PAUSE: Duration = Duration::from_secs(1);

/// Opens a WebSocket for a page of ours. A browser names the page's site in `Origin`; no other
/// site's page may use the engine through it.
pub(crate) async fn open(
    State(site): State<Arc<Site>>,
    Extension(seat): Extension<Arc<Seat>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    let message = "this address speaks WebSocket; docs/how-to/web.md has its messages";
    let upgrade = upgrade.map_err(|_| Problem::of(StatusCode::UPGRADE_REQUIRED, message))?;
    if !is_own_page(&headers, &site) {
        let message = "a page of another site may not use the engine; name its site with --cors";
        return Err(Problem::of(StatusCode::FORBIDDEN, message));
    }
    let upgrade = upgrade
        .read_buffer_size(READ_BUFFER_BYTES)
        .write_buffer_size(0)
        .max_message_size(MAX_MESSAGE_BYTES)
        .max_frame_size(MAX_MESSAGE_BYTES);
    Ok(upgrade.on_upgrade(move |socket| converse(socket, site, seat)))
}

fn is_own_page(headers: &HeaderMap, site: &Site) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else {
        return true; // No browser.
    };
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let named = origin.to_str().unwrap_or_default().split_once("://");
    let is_same = named.is_some_and(|(_, named)| host == Some(named));
    // `*` opens the tables, not the engine.
    is_same || site.origins.iter().any(|it| it == origin && it != "*")
}

async fn converse(socket: WebSocket, site: Arc<Site>, seat: Arc<Seat>) {
    static PAGES: AtomicU64 = AtomicU64::new(0);
    let (sink, mut stream) = socket.split();
    let (outbox, waiting) = mpsc::channel(MAX_WAITING);
    let mut writer = tokio::spawn(write(sink, waiting));
    let page = Page {
        number: PAGES.fetch_add(1, Ordering::Relaxed),
        site,
        place: None,
        outbox,
        search: None,
    };
    let (code, reason) = tokio::select! {
        ended = page.listen(&mut stream, &seat) => ended,
        () = seat.evicted() => (close_code::AGAIN, "the server needed the place for another page"),
        () = seat.stopped() => (close_code::AWAY, "the server ends"),
        // The page reads no more.
        _ = &mut writer => return,
    };
    // With the page its search and its outbox are gone. What was said gets lost unless the other
    // side is heard out.
    let parting = async {
        farewell(writer, code, reason).await;
        while let Some(Ok(_)) = stream.next().await {}
    };
    tokio::select! {
        _ = time::timeout(PARTING, parting) => {}
        () = seat.stopped(), if code != close_code::AWAY => {}
    }
}

type Sink = SplitSink<WebSocket, Message>;

/// Sends what waits, and asks from time to time whether the page is there.
async fn write(mut sink: Sink, mut waiting: mpsc::Receiver<Value>) -> Option<Sink> {
    let mut ping = time::interval(PING);
    loop {
        let message = tokio::select! {
            reply = waiting.recv() => match reply {
                Some(reply) => Message::text(reply.to_string()),
                None => return Some(sink),
            },
            _ = ping.tick() => Message::Ping(Default::default()),
        };
        sink.send(message).await.ok()?;
    }
}

async fn farewell(writer: JoinHandle<Option<Sink>>, code: u16, reason: &'static str) {
    if let Ok(Some(mut sink)) = writer.await {
        let reason = reason.into();
        let _ = sink
            .send(Message::Close(Some(CloseFrame { code, reason })))
            .await;
    }
}

/// Why a conversation ends.
type Ended = (u16, &'static str);

/// One page, as the server sees it.
struct Page {
    number: u64,
    site: Arc<Site>,
    /// None until it gave the token, where one is asked for.
    place: Option<OwnedSemaphorePermit>,
    outbox: mpsc::Sender<Value>,
    search: Option<Search>,
}

impl Page {
    /// Answers until there is nothing more to hear.
    async fn listen(mut self, stream: &mut SplitStream<WebSocket>, seat: &Seat) -> Ended {
        let begun = Instant::now();
        loop {
            let patience = match self.place {
                Some(_) => SILENCE,
                None => SILENCE.saturating_sub(begun.elapsed()),
            };
            let Ok(next) = time::timeout(patience, stream.next()).await else {
                return (close_code::AWAY, "the page is silent");
            };
            seat.touch();
            let text = match next {
                Some(Ok(Message::Text(text))) => text,
                Some(Ok(Message::Binary(_))) => {
                    return (close_code::UNSUPPORTED, "only text is read here");
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                Some(Ok(Message::Close(_))) | None => return (close_code::NORMAL, ""),
                Some(Err(_)) => return (close_code::SIZE, "the message is broken or too long"),
            };
            match serde_json::from_str(&text) {
                Err(error) => {
                    self.say(Refusal::new("bad_request", error).reply(None))
                        .await
                }
                Ok(request) => {
                    if let Err(ended) = self.admit(&request).await {
                        return ended;
                    }
                    if let Some(reply) = self.answer(request).await {
                        self.say(reply).await;
                    }
                }
            }
        }
    }

    async fn say(&self, reply: Value) {
        // The conversation ends by itself where nobody listens.
        let _ = self.outbox.send(reply).await;
    }

    /// Before the first answer: takes the token, where one is asked for, and a place.
    async fn admit(&mut self, request: &Request) -> Result<(), Ended> {
        if self.place.is_some() {
            return Ok(());
        }
        let given = match request {
            Request::Hello { token } => token.as_deref(),
            _ => None,
        };
        let wanted = self.site.token.as_deref();
        if !wanted.is_none_or(|wanted| given.is_some_and(|given| same(given, wanted))) {
            time::sleep(WRONG_TOKEN_PAUSE).await;
            let message = "this server asks for the token that it was started with";
            self.say(Refusal::new("token", message).reply(None)).await;
            return Err((close_code::POLICY, "the token is wrong or missing"));
        }
        let Ok(place) = self.site.pages.clone().try_acquire_owned() else {
            let message = format!("{MAX_PAGES} pages are open, which is the most; close another");
            self.say(Refusal::new("full", message).reply(None)).await;
            return Err((close_code::AGAIN, "too many pages are open"));
        };
        self.place = Some(place);
        Ok(())
    }

    /// Answers a request; a search answers by itself.
    async fn answer(&mut self, request: Request) -> Option<Value> {
        let refused = |id| move |refusal: Refusal| refusal.reply(Some(id));
        match request {
            Request::Hello { .. } => {
                let men = self.site.tables.as_deref().map_or(0, Tablebase::max_men);
                Some(hello(self.site.engines.most(), men))
            }
            Request::Position { id, game } => {
                let reply = offload(move || game.read().map(|known| known.reply(id))).await;
                Some(reply.unwrap_or_else(refused(id)))
            }
            Request::Pgn { id, text } => {
                let reply = offload(move || Ok(read_pgn(id, &text))).await;
                Some(reply.unwrap_or_else(refused(id)))
            }
            Request::Stop => {
                self.search.iter().for_each(Search::stop);
                None
            }
            Request::Go(go) => {
                if let Some(search) = self.search.take() {
                    search.end().await;
                }
                let (engines, outbox) = (Arc::clone(&self.site.engines), self.outbox.clone());
                let (page, id) = (self.number, go.id);
                match offload(move || engines.search(page, *go, outbox)).await {
                    Ok(search) => self.search = Some(search),
                    Err(refusal) => return Some(refused(id)(refusal)),
                }
                None
            }
        }
    }
}

/// Works where it holds up nobody else: a long game takes milliseconds, an engine as long as its
/// table is large.
async fn offload<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let failed = |_| Err(Refusal::new("engine", "this failed inside the server"));
    spawn_blocking(work).await.unwrap_or_else(failed)
}

/// Are they equal? Takes as long whichever byte differs.
fn same(a: &str, b: &str) -> bool {
    let differs = a
        .bytes()
        .zip(b.bytes())
        .fold(0, |seen, (a, b)| seen | (a ^ b));
    a.len() == b.len() && differs == 0
}
