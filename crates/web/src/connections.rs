//! Connections: how many, how long, and how they end.
//!
//! A client may be slow, silent or hostile. Whatever it does costs one of [`MAX_CONNECTIONS`]
//! places and 16 KiB; when all places are taken, the connection that has asked nothing for longest
//! makes room, so that the next client is always heard.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    future::Future,
    io,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use axum::{Router, body::Body, http::Request};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{Notify, watch},
    time,
};
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

/// Connections at once, if the system has as many files for us.
const MAX_CONNECTIONS: u64 = 3_000;
/// Open files that are not connections: tables, standard streams, the listener.
const OTHER_FILES: u64 = 256;
/// Largest request line with headers.
const MAX_HEAD_BYTES: usize = 16 * 1024;
const MAX_HEADERS: usize = 64;
/// How long a client may take for a whole head, and be silent between two requests.
const HEAD_TIMEOUT: Duration = Duration::from_secs(20);
/// How long a client may read nothing of its answer.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);
/// How long answers may still take after the signal to stop.
const GRACE: Duration = Duration::from_secs(1);
/// Pause after an `accept` that failed, most likely for want of a file.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);

/// Answers until `stop` comes, then lets requests that began be answered.
pub(crate) async fn serve(listener: TcpListener, site: Router, stop: impl Future<Output = ()>) {
    let capacity = capacity();
    let seats = Arc::new(Seats::default());
    let (stopping, stopped) = watch::channel(());
    tokio::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        match accepted {
            Ok((stream, _)) => {
                if seats.lock().len() as u64 >= capacity {
                    seats.evict();
                }
                let seat = Arc::new(Seat::take(&seats, stopped.clone()));
                tokio::spawn(converse(stream, site.clone(), seat));
            }
            Err(_) => {
                seats.evict();
                time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
    drop((listener, stopped));
    let _ = stopping.send(());
    // Every seat holds a receiver.
    let _ = time::timeout(GRACE, stopping.closed()).await;
}

/// One connection from its first request to its end, or until it becomes a WebSocket, which takes
/// the seat with it.
async fn converse(stream: TcpStream, site: Router, seat: Arc<Seat>) {
    // Answers are small and whole; there is nothing to collect.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(WRITE_TIMEOUT));
    let seated = Arc::clone(&seat);
    let service = service_fn(move |mut request: Request<Incoming>| {
        seated.touch();
        request.extensions_mut().insert(Arc::clone(&seated));
        let answered = site.clone().oneshot(request.map(Body::new));
        async move { answered.await.map_err(|never: Infallible| never) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(MAX_HEAD_BYTES)
        .max_headers(MAX_HEADERS)
        .serve_connection(TokioIo::new(Box::pin(stream)), service)
        .with_upgrades();
    tokio::pin!(connection);
    tokio::select! {
        // A client that breaks off is its own concern.
        _ = &mut connection => {}
        () = seat.evicted() => {}
        () = seat.stopped() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}

/// Who is connected, by the time of the last request.
#[derive(Default)]
struct Seats {
    by_time: Mutex<BTreeMap<u64, Arc<Notify>>>,
    /// Counts connections and requests.
    clock: AtomicU64,
}

impl Seats {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Notify>>> {
        self.by_time.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> u64 {
        self.clock.fetch_add(1, Ordering::Relaxed)
    }

    /// Ends the connection that has asked nothing for longest.
    fn evict(&self) {
        if let Some((_, evicted)) = self.lock().pop_first() {
            evicted.notify_one();
        }
    }
}

/// The place of one connection; free again when it is dropped.
pub(crate) struct Seat {
    seats: Arc<Seats>,
    time: AtomicU64,
    evicted: Arc<Notify>,
    stopped: watch::Receiver<()>,
}

impl Seat {
    fn take(seats: &Arc<Seats>, stopped: watch::Receiver<()>) -> Seat {
        let (time, evicted) = (seats.now(), Arc::new(Notify::new()));
        seats.lock().insert(time, Arc::clone(&evicted));
        Seat {
            seats: Arc::clone(seats),
            time: AtomicU64::new(time),
            evicted,
            stopped,
        }
    }

    /// Waits until the place is needed for another.
    pub(crate) async fn evicted(&self) {
        self.evicted.notified().await;
    }

    /// Waits until the server is told to end.
    pub(crate) async fn stopped(&self) {
        let _ = self.stopped.clone().changed().await;
    }

    /// Notes that the connection asks.
    pub(crate) fn touch(&self) {
        let mut by_time = self.seats.lock();
        let now = self.seats.now();
        let before = self.time.swap(now, Ordering::Relaxed);
        // A connection that is being evicted has lost its place already.
        if let Some(evicted) = by_time.remove(&before) {
            by_time.insert(now, evicted);
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let time = self.time.load(Ordering::Relaxed);
        self.seats.lock().remove(&time);
    }
}

/// How many connections the system's limit of open files allows, after it is raised as far as may
/// be.
#[cfg(unix)]
fn capacity() -> u64 {
    use rustix::process::{Resource, getrlimit, setrlimit};

    let mut limit = getrlimit(Resource::Nofile);
    let wanted = MAX_CONNECTIONS + OTHER_FILES;
    if limit.current.is_some_and(|current| current < wanted) {
        limit.current = Some(limit.maximum.map_or(wanted, |most| most.min(wanted)));
        let _ = setrlimit(Resource::Nofile, limit);
    }
    let files = getrlimit(Resource::Nofile).current.unwrap_or(wanted);
    let others = OTHER_FILES.min(files / 2);
    (files - others).clamp(1, MAX_CONNECTIONS)
}

#[cfg(not(unix))]
fn capacity() -> u64 {
    MAX_CONNECTIONS
}

/// Waits for Ctrl-C or SIGTERM; a second one ends the program at once. Whoever sends them means
/// this program, so they count even if they were ignored when it began, as a shell does for jobs in
/// its background; SIGHUP keeps its meaning.
///
/// # Errors
/// If signals cannot be watched.
pub(crate) fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    let (mut interrupt, mut terminate) = {
        use tokio::signal::unix::{SignalKind, signal};
        (
            signal(SignalKind::interrupt())?,
            signal(SignalKind::terminate())?,
        )
    };
    #[cfg(not(unix))]
    let (mut interrupt, mut terminate) = (
        tokio::signal::windows::ctrl_c()?,
        tokio::signal::windows::ctrl_close()?,
    );
    let (first, heard) = tokio::sync::oneshot::channel::<()>();
    tokio::spawn(async move {
        let mut first = Some(first);
        loop {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            match first.take() {
                Some(first) => drop(first),
                None => std::process::exit(sextant_cli::failure::Failure::INTERRUPTED.into()),
            }
        }
    });
    Ok(async move { drop(heard.await) })
}
