//! The messages of the WebSocket `/engine`, one JSON object each; `docs/web.md` describes them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a page asks.
#[derive(Debug, Deserialize)]
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

/// A game as text.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GameText {
    /// `startpos`, `chess960:N` with N from 0 to 959, or a FEN.
    pub(crate) start: String,
    /// In UCI's notation; castling in either spelling.
    #[serde(default)]
    pub(crate) moves: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Go {
    pub(crate) id: u64,
    pub(crate) game: GameText,
    #[serde(default)]
    pub(crate) limits: GoLimits,
    pub(crate) multipv: Option<usize>,
    /// Tell what each side has left along every line; takes one thread.
    #[serde(default)]
    pub(crate) budgets: bool,
    /// UCI options of the playing level.
    #[serde(default)]
    pub(crate) options: BTreeMap<String, Value>,
}

/// The words of UCI's `go`, times in milliseconds; none of them means until `stop`.
#[derive(Clone, Debug, Default, Deserialize)]
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

/// What the server says.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Reply {
    Hello {
        name: &'static str,
        /// Searches at once, of all pages together.
        engines: usize,
        /// Most men of any table; 0 without tables.
        men: u32,
    },
    Position(Box<PositionReply>),
    Pgn {
        id: u64,
        games: Vec<PgnGame>,
        /// Why the reading ended before the end of the text.
        error: Option<String>,
    },
    Info(Box<Info>),
    Bestmove {
        id: u64,
        /// None where no move is legal.
        best: Option<String>,
        ponder: Option<String>,
    },
    /// Something a person should know of a search.
    Note {
        id: u64,
        message: String,
    },
    Error {
        id: Option<u64>,
        code: &'static str,
        message: String,
    },
}

#[derive(Debug, Serialize)]
pub(crate) struct PositionReply {
    pub(crate) id: u64,
    /// Castling is written as king takes rook.
    pub(crate) chess960: bool,
    /// The position at the start and after every move.
    pub(crate) plies: Vec<Ply>,
    /// The legal moves at the end; none where the game is over.
    pub(crate) legal: Vec<LegalMove>,
    pub(crate) end: Option<End>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Ply {
    pub(crate) fen: String,
    pub(crate) check: bool,
    /// The move that led here.
    #[serde(flatten)]
    pub(crate) mv: Option<Played>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Played {
    pub(crate) uci: String,
    pub(crate) san: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct LegalMove {
    pub(crate) uci: String,
    pub(crate) san: String,
    pub(crate) from: String,
    /// The squares that may be meant: castling is by the king's square or by the rook's.
    pub(crate) to: Vec<String>,
    /// A letter of `qrbn`.
    pub(crate) promotion: Option<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct End {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub(crate) result: &'static str,
    /// In words, such as `stalemate`.
    pub(crate) reason: &'static str,
}

#[derive(Debug, Serialize)]
pub(crate) struct PgnGame {
    pub(crate) tags: Vec<(String, String)>,
    pub(crate) start: String,
    pub(crate) moves: Vec<String>,
}

/// A line of the search, with the words and units of UCI's `info`.
#[derive(Debug, Serialize)]
pub(crate) struct Info {
    pub(crate) id: u64,
    pub(crate) depth: u32,
    pub(crate) seldepth: u32,
    pub(crate) multipv: usize,
    pub(crate) score: ScoreText,
    /// `lower` or `upper` where the score is a bound.
    pub(crate) bound: Option<&'static str>,
    pub(crate) wdl: [u16; 3],
    pub(crate) nodes: u64,
    pub(crate) nps: u64,
    pub(crate) hashfull: u32,
    pub(crate) tbhits: u64,
    pub(crate) time: u64,
    pub(crate) pv: Vec<String>,
    pub(crate) san: Vec<String>,
    /// What White and Black have left in SX, at the root and after each move, as far as full-width
    /// nodes go.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) budgets: Vec<[f64; 2]>,
}

/// From the view of the side to move.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ScoreText {
    Cp(i32),
    Mate(i32),
}

/// Why something was refused.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

impl Refusal {
    pub(crate) fn new(code: &'static str, message: impl ToString) -> Refusal {
        let message = message.to_string();
        Refusal { code, message }
    }

    pub(crate) fn reply(self, id: Option<u64>) -> Reply {
        let Refusal { code, message } = self;
        Reply::Error { id, code, message }
    }
}
