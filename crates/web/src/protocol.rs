//! The messages of a page on the WebSocket `/engine`, one JSON object each; `docs/how-to/web.md`
//! describes them and the answers.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Request {
    /// The first message. Without the token nothing else is answered, where there is one.
    Hello { token: Option<String> },
    /// What do the rules say of the end of this game?
    Position { id: u64, game: GameText },
    /// Reads games.
    Pgn { id: u64, text: String },
    /// Searches the end of a game; ends the search before it.
    Go(Box<Go>),
    /// Ends the search; its best move still comes.
    Stop,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GameText {
    /// `startpos`, `chess960:N` with N from 0 to 959, or a FEN.
    pub(crate) start: String,
    /// In UCI's notation; castling in either spelling.
    #[serde(default)]
    pub(crate) moves: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Go {
    pub(crate) id: u64,
    pub(crate) game: GameText,
    #[serde(default)]
    pub(crate) limits: GoLimits,
    #[serde(default = "one")]
    pub(crate) multipv: usize,
    /// Tell what each side has left along every line; takes one thread.
    #[serde(default)]
    pub(crate) budgets: bool,
    /// UCI options of the playing level.
    #[serde(default)]
    pub(crate) options: BTreeMap<String, Value>,
}

fn one() -> usize {
    1
}

/// The words of UCI's `go`, times in milliseconds; none of them means until `stop`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GoLimits {
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    pub(crate) movetime: Option<u64>,
    /// Time left to the side to move, and its increment.
    pub(crate) clock: Option<u64>,
    #[serde(default)]
    pub(crate) increment: u64,
}

/// Why something was refused.
#[derive(Debug)]
pub(crate) struct Refusal {
    code: &'static str,
    message: String,
}

impl Refusal {
    pub(crate) fn new(code: &'static str, message: impl ToString) -> Refusal {
        let message = message.to_string();
        Refusal { code, message }
    }

    pub(crate) fn reply(self, id: Option<u64>) -> Value {
        json!({ "type": "error", "id": id, "code": self.code, "message": self.message })
    }
}
