//! The messages of a page to its engine, one JSON object each; `docs/how-to/web.md` describes
//! them and the answers.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
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
pub struct GameText {
    /// `startpos`, `chess960:N` with N from 0 to 959, or a FEN.
    pub start: String,
    /// In UCI's notation; castling in either spelling.
    #[serde(default)]
    pub moves: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Go {
    pub id: u64,
    pub game: GameText,
    #[serde(default)]
    pub limits: GoLimits,
    #[serde(default = "one")]
    pub multipv: usize,
    /// Tell what each side has left along every line; takes one thread.
    #[serde(default)]
    pub budgets: bool,
    /// Tell the search as a tree at its end, instead of the budgets; takes one thread.
    #[serde(default)]
    pub tree: bool,
    /// UCI options of the playing level.
    #[serde(default)]
    pub options: BTreeMap<String, Value>,
}

fn one() -> usize {
    1
}

/// The words of UCI's `go`, times in milliseconds; none of them means until `stop`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoLimits {
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub movetime: Option<u64>,
    /// Time left to the side to move, and its increment.
    pub clock: Option<u64>,
    #[serde(default)]
    pub increment: u64,
}

/// Why something was refused.
#[derive(Debug)]
pub struct Refusal {
    code: &'static str,
    message: String,
}

/// The first answer: how many searches there may be at once, and how many men the tables know.
pub fn hello(engines: usize, men: u32) -> Value {
    let name = concat!("Sextant ", env!("CARGO_PKG_VERSION"));
    json!({ "type": "hello", "name": name, "engines": engines, "men": men })
}

impl Refusal {
    pub fn new(code: &'static str, message: impl ToString) -> Refusal {
        let message = message.to_string();
        Refusal { code, message }
    }

    pub fn reply(self, id: Option<u64>) -> Value {
        json!({ "type": "error", "id": id, "code": self.code, "message": self.message })
    }
}
