//! What all answers are made from, and why there is none.

use std::sync::Arc;

use axum::{
    Json,
    http::{HeaderValue, StatusCode},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use sextant_syzygy::Tablebase;
use tokio::sync::Semaphore;

use crate::engines::Engines;

/// What the site answers from.
pub(crate) struct Site {
    pub(crate) tables: Option<Arc<Tablebase>>,
    pub(crate) engines: Arc<Engines>,
    /// What a page must give before it may use the engine.
    pub(crate) token: Option<String>,
    /// Other sites whose pages may ask.
    pub(crate) origins: Vec<HeaderValue>,
    /// Places for pages.
    pub(crate) pages: Arc<Semaphore>,
    /// Places for questions to the tables.
    pub(crate) questions: Arc<Semaphore>,
}

/// Why there is no answer.
pub(crate) struct Problem {
    status: StatusCode,
    message: String,
}

impl Problem {
    pub(crate) fn of(status: StatusCode, message: impl ToString) -> Problem {
        let message = message.to_string();
        Problem { status, message }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        #[derive(Serialize)]
        struct Told {
            error: String,
        }
        let error = self.message;
        (self.status, Json(Told { error })).into_response()
    }
}
