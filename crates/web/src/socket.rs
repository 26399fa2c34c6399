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
use tokio::{
    sync::mpsc,
    task::{JoinHandle, spawn_blocking},
    time,
};

use crate::{
    connections::Seat,
    engines::Search,
    protocol::{Refusal, Reply, Request},
    routes::{Problem, Site},
    rules,
};

/// Pages at once.
pub(crate) const MAX_PAGES: usize = 200;
/// Largest message of a page; a PGN of some hundred games.
const MAX_MESSAGE_BYTES: usize = 256 * 1024;
/// Messages that wait for a page to read them; a search waits then.
const MAX_WAITING: usize = 64;
const READ_BUFFER_BYTES: usize = 8 * 1024;
/// How often a page is asked whether it is there, and how long it may be silent.
const PING: Duration = Duration::from_secs(10);
const SILENCE: Duration = Duration::from_secs(30);
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
    let message = "this address speaks WebSocket; docs/web.md has its messages";
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
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let named = origin.to_str().unwrap_or_default().split_once("://");
    let is_same = named.is_some_and(|(_, named)| host == Some(named));
    // `*` opens the tables, not the engine.
    is_same || site.origins.iter().any(|it| it == origin && it != "*")
}

async fn converse(socket: WebSocket, site: Arc<Site>, seat: Arc<Seat>) {
    let (sink, stream) = socket.split();
    let (outbox, waiting) = mpsc::channel(MAX_WAITING);
    let mut writer = tokio::spawn(write(sink, waiting));
    static PAGES: AtomicU64 = AtomicU64::new(0);
    let page = Page {
        number: PAGES.fetch_add(1, Ordering::Relaxed),
        is_known: site.token.is_none(),
        site,
        outbox,
        search: None,
    };
    let (code, reason) = tokio::select! {
        ended = page.listen(stream, &seat) => ended,
        () = seat.evicted() => (close_code::AGAIN, "the server needed the place for another page"),
        () = seat.stopped() => (close_code::AWAY, "the server ends"),
        // The page reads no more.
        _ = &mut writer => return,
    };
    // With the page its search and its outbox are gone.
    let _ = time::timeout(PING, farewell(writer, code, reason)).await;
}

type Sink = SplitSink<WebSocket, Message>;

/// Sends what waits, and asks from time to time whether the page is there.
async fn write(mut sink: Sink, mut waiting: mpsc::Receiver<Reply>) -> Option<Sink> {
    let mut ping = time::interval(PING);
    loop {
        let message = tokio::select! {
            reply = waiting.recv() => match reply {
                Some(reply) => Message::text(serde_json::to_string(&reply).unwrap_or_default()),
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
        let _ = sink.send(Message::Close(Some(CloseFrame { code, reason }))).await;
    }
}

/// One page, as the server sees it.
struct Page {
    number: u64,
    site: Arc<Site>,
    /// It gave the token, or none is asked for.
    is_known: bool,
    outbox: mpsc::Sender<Reply>,
    search: Option<Search>,
}

impl Page {
    /// Answers until there is nothing more to hear; says why it ends.
    async fn listen(mut self, mut stream: SplitStream<WebSocket>, seat: &Seat) -> (u16, &'static str) {
        let Ok(_place) = self.site.pages.clone().try_acquire_owned() else {
            let message = format!("{MAX_PAGES} pages are open, which is the most; close another one");
            self.say(Refusal::new("full", message).reply(None)).await;
            return (close_code::AGAIN, "too many pages are open");
        };
        loop {
            let Ok(next) = time::timeout(SILENCE, stream.next()).await else {
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
            let asked = serde_json::from_str(&text);
            let asked = asked.map_err(|error| Refusal::new("bad_request", error));
            let is_known = match asked {
                Ok(request) => self.answer(request).await,
                Err(refusal) => {
                    self.say(refusal.reply(None)).await;
                    self.is_known
                }
            };
            if !is_known {
                return (close_code::POLICY, "the token is wrong or missing");
            }
        }
    }

    async fn say(&self, reply: Reply) {
        // The conversation ends by itself where nobody listens.
        let _ = self.outbox.send(reply).await;
    }

    /// Answers a request; `false` if the page may ask no more.
    async fn answer(&mut self, request: Request) -> bool {
        if let Request::Hello { token } = request {
            return self.greet(token.as_deref()).await;
        }
        if !self.is_known {
            return self.greet(None).await;
        }
        let reply = match request {
            Request::Hello { .. } => return true,
            Request::Position { id, game } => game
                .read()
                .map_or_else(|refusal| refusal.reply(Some(id)), |known| known.reply(id)),
            Request::Pgn { id, text } => rules::read_pgn(id, &text),
            Request::Stop => {
                self.search.iter().for_each(Search::stop);
                return true;
            }
            Request::Go(go) => {
                if let Some(search) = self.search.take() {
                    search.end().await;
                }
                let (engines, outbox) = (Arc::clone(&self.site.engines), self.outbox.clone());
                let (page, id) = (self.number, go.id);
                // An engine that is set up may take long for its table.
                let begun = spawn_blocking(move || engines.search(page, &go, outbox)).await;
                match begun {
                    Ok(Ok(search)) => {
                        self.search = Some(search);
                        return true;
                    }
                    Ok(Err(refusal)) => refusal.reply(Some(id)),
                    Err(_) => Refusal::new("engine", "the search failed").reply(Some(id)),
                }
            }
        };
        self.say(reply).await;
        true
    }

    /// Takes the token, where one is asked for.
    async fn greet(&mut self, token: Option<&str>) -> bool {
        let wanted = self.site.token.as_deref();
        self.is_known = wanted.is_none_or(|wanted| token.is_some_and(|token| same(token, wanted)));
        if !self.is_known {
            time::sleep(WRONG_TOKEN_PAUSE).await;
            let message = "this server asks for the token that it was started with";
            self.say(Refusal::new("token", message).reply(None)).await;
            return false;
        }
        let reply = Reply::Hello {
            name: concat!("Sextant ", env!("CARGO_PKG_VERSION")),
            engines: self.site.engines.most(),
            men: self.site.tables.as_deref().map_or(0, |tables| tables.max_men()),
        };
        self.say(reply).await;
        true
    }
}

/// Are they equal? Takes as long whichever byte differs.
fn same(a: &str, b: &str) -> bool {
    let differs = a.bytes().zip(b.bytes()).fold(0, |seen, (a, b)| seen | (a ^ b));
    a.len() == b.len() && differs == 0
}
