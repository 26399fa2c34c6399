//! The addresses and their answers.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use axum::{
    Json, Router,
    extract::{
        Query, State,
        rejection::{JsonRejection, QueryRejection},
    },
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use serde::{Deserialize, Serialize};
use sextant_board::{Board, parse_loose_fen};
use sextant_syzygy::{
    Tablebase,
    json::{Answer, Line},
};
use tokio::task::spawn_blocking;

use crate::{
    openapi,
    site::{Problem, Site},
    socket,
};

/// Positions in one POST.
pub(crate) const MAX_POSITIONS: usize = 256;
/// An answer changes only when tables are added, so a day old one will do.
const KEEP: &str = "public, max-age=86400";
const ASK_AGAIN: &str = "no-cache";

type Served = State<Arc<Site>>;

/// A file of the page.
macro_rules! file {
    ($name:literal, $kind:literal) => {
        |headers: HeaderMap| async move {
            const BODY: &str = include_str!(concat!("../page/dist/", $name));
            cached(&headers, ASK_AGAIN, $kind, BODY.to_owned())
        }
    };
}

/// The site without its limits.
pub(crate) fn router(site: Arc<Site>) -> Router {
    Router::new()
        .route("/", get(file!("index.html", "text/html; charset=utf-8")))
        .route("/page.js", get(file!("page.js", "text/javascript")))
        .route("/page.css", get(file!("page.css", "text/css")))
        .route("/favicon.svg", get(file!("favicon.svg", "image/svg+xml")))
        .route("/engine", get(socket::open))
        .route("/standard", get(probe).post(probe_many))
        .route("/standard/mainline", get(main_line))
        .route("/health", get(health))
        .route("/openapi.json", get(description))
        .route("/favicon.ico", get(StatusCode::NO_CONTENT))
        .fallback(nothing_here)
        .method_not_allowed_fallback(wrong_method)
        .with_state(site)
}

#[derive(Deserialize)]
struct Asked {
    fen: Option<String>,
}

/// The position that an address asks for.
fn asked(query: Result<Query<Asked>, QueryRejection>) -> Result<Board, Problem> {
    let bad = |error: &dyn ToString| Problem::of(StatusCode::BAD_REQUEST, error.to_string());
    let Query(Asked { fen }) = query.map_err(|error| bad(&error.body_text()))?;
    let help = "no fen given; write ?fen=8/3r4/8/8/8/2k5/8/K6Q_w_-_-_0_1";
    let fen = fen.ok_or_else(|| bad(&help))?;
    parse_loose_fen(&fen).map_err(|error| bad(&error))
}

/// Runs a question to the tables where waiting for a disk holds up nobody else. A question waits for
/// its place here: one whose asker has gone is never begun.
async fn ask<T: Send + 'static>(
    site: &Site,
    question: impl FnOnce(&Tablebase) -> T + Send + 'static,
) -> Result<T, Problem> {
    let none = "no tables are loaded; start sextant-web with --path DIR";
    let tables = site.tables.clone();
    let tables = tables.ok_or_else(|| Problem::of(StatusCode::NOT_FOUND, none))?;
    let failed = || Problem::of(StatusCode::INTERNAL_SERVER_ERROR, "the probe failed");
    let place = Arc::clone(&site.questions).acquire_owned().await;
    let place = place.map_err(|_| failed())?;
    let answer = spawn_blocking(move || {
        let _place = place;
        question(&tables)
    });
    answer.await.map_err(|_| failed())
}

async fn probe(
    State(site): Served,
    headers: HeaderMap,
    query: Result<Query<Asked>, QueryRejection>,
) -> Result<Response, Problem> {
    let board = asked(query)?;
    let judged = ask(&site, move |tables| tables.judge(&board)).await?;
    let mut verdicts = judged.moves.iter().map(|judged| &judged.after);
    let complete =
        judged.verdict.problem.is_none() && verdicts.all(|verdict| verdict.problem.is_none());
    let keep = if complete { KEEP } else { ASK_AGAIN };
    Ok(kept(&headers, keep, &Answer::from(&judged)))
}

async fn main_line(
    State(site): Served,
    headers: HeaderMap,
    query: Result<Query<Asked>, QueryRejection>,
) -> Result<Response, Problem> {
    let board = asked(query)?;
    let line = ask(&site, move |tables| Line::of(tables, &board)).await?;
    let line = line.map_err(|error| Problem::of(StatusCode::NOT_FOUND, error))?;
    Ok(kept(&headers, KEEP, &line))
}

/// An answer that a browser or a proxy may keep; 304 if the asker has it already.
fn kept(asker: &HeaderMap, keep: &'static str, answer: &impl Serialize) -> Response {
    let body = serde_json::to_string(answer).unwrap_or_default();
    cached(asker, keep, "application/json", body)
}

fn cached(asker: &HeaderMap, keep: &'static str, kind: &'static str, body: String) -> Response {
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    // Weak, since a compressed body has other bytes.
    let tag = format!("W/\"{:016x}\"", hasher.finish());
    let known = asker.get_all(header::IF_NONE_MATCH).iter();
    let known = known.filter_map(|value| value.to_str().ok());
    let is_known = known
        .flat_map(|list| list.split(','))
        .any(|known| matches!(known.trim(), known if known == tag || known == "*"));
    let caching = [(header::ETAG, tag.as_str()), (header::CACHE_CONTROL, keep)];
    if is_known {
        return (StatusCode::NOT_MODIFIED, caching).into_response();
    }
    let kind = [(header::CONTENT_TYPE, kind)];
    (caching, kind, body).into_response()
}

#[derive(Deserialize)]
struct AskedMany {
    positions: Vec<String>,
}

#[derive(Serialize)]
struct AnsweredMany {
    answers: Vec<OneOfMany>,
}

/// What becomes of one position of many.
#[derive(Serialize)]
#[serde(untagged)]
enum OneOfMany {
    Known {
        fen: String,
        #[serde(flatten)]
        answer: Answer,
    },
    Bad {
        fen: String,
        error: String,
    },
}

async fn probe_many(
    State(site): Served,
    body: Result<Json<AskedMany>, JsonRejection>,
) -> Result<Json<AnsweredMany>, Problem> {
    let Json(AskedMany { positions }) =
        body.map_err(|error| Problem::of(error.status(), error.body_text()))?;
    if positions.len() > MAX_POSITIONS {
        let message = format!("at most {MAX_POSITIONS} positions a request");
        return Err(Problem::of(StatusCode::UNPROCESSABLE_ENTITY, message));
    }
    let answer = |tables: &Tablebase, fen: String| match parse_loose_fen(&fen) {
        Ok(board) => OneOfMany::Known {
            answer: Answer::from(&tables.judge(&board)),
            fen,
        },
        Err(error) => OneOfMany::Bad {
            error: error.to_string(),
            fen,
        },
    };
    let answers = ask(&site, move |tables| {
        let each = positions.into_iter().map(|fen| answer(tables, fen));
        each.collect()
    });
    Ok(Json(AnsweredMany {
        answers: answers.await?,
    }))
}

async fn description() -> impl IntoResponse {
    Json(openapi::document())
}

#[derive(Serialize)]
struct Health {
    status: &'static str,
    version: &'static str,
    wdl: usize,
    dtz: usize,
    men: u32,
}

async fn health(State(site): Served) -> impl IntoResponse {
    let tables = site.tables.as_deref();
    Json(Health {
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
        wdl: tables.map_or(0, |tables| tables.inventory().wdl_count()),
        dtz: tables.map_or(0, |tables| tables.inventory().dtz_count()),
        men: tables.map_or(0, Tablebase::max_men),
    })
}

async fn nothing_here() -> Problem {
    let message = "nothing here; try /, /standard?fen=..., /standard/mainline?fen=..., /health or \
                   /openapi.json";
    Problem::of(StatusCode::NOT_FOUND, message)
}

async fn wrong_method() -> Problem {
    let message = "only GET and HEAD are answered here; POST at /standard";
    Problem::of(StatusCode::METHOD_NOT_ALLOWED, message)
}
