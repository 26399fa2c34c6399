//! JSON in lila-tablebase's form; `schema/probe.schema.json` describes it.

use cozy_chess::util::{display_san_move, display_uci_move};
use cozy_chess::{Board, Color};
use serde::Serialize;
use sextant_syzygy::{Dtz, LineEnd, ProbeError, Tablebase};

use crate::judge::{Judged, JudgedMove, Verdict};

/// What is said of a position. Plain JSON numbers are plies.
#[derive(Serialize)]
pub(crate) struct Position {
    checkmate: bool,
    stalemate: bool,
    variant_win: bool,
    variant_loss: bool,
    insufficient_material: bool,
    dtz: Option<i32>,
    precise_dtz: Option<i32>,
    dtm: Option<i32>,
    dtw: Option<i32>,
    dtc: Option<i32>,
    category: &'static str,
}

/// A move, judged from the opponent's side.
#[derive(Serialize)]
pub(crate) struct MoveEntry {
    uci: String,
    san: String,
    zeroing: bool,
    conversion: bool,
    #[serde(flatten)]
    after: Position,
}

/// The answer to a probe.
#[derive(Serialize)]
pub(crate) struct Response {
    #[serde(flatten)]
    position: Position,
    /// The table that would have answered; absent in complete answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    moves: Vec<MoveEntry>,
}

/// A move of a main line.
#[derive(Serialize)]
struct LineEntry {
    uci: String,
    san: String,
    dtz: Option<i32>,
    precise_dtz: Option<i32>,
}

#[derive(Serialize)]
pub(crate) struct Line {
    mainline: Vec<LineEntry>,
    winner: Option<&'static str>,
    dtz: i32,
    precise_dtz: Option<i32>,
}

/// Longest main line that is written; no line of seven men comes near it.
pub(crate) const MAX_LINE: usize = 2_000;

fn precise(dtz: Dtz) -> Option<i32> {
    (!dtz.rounded).then_some(dtz.plies)
}

impl From<&Verdict> for Position {
    fn from(verdict: &Verdict) -> Self {
        Position {
            checkmate: verdict.checkmate,
            stalemate: verdict.stalemate,
            variant_win: false,
            variant_loss: false,
            insufficient_material: verdict.insufficient_material,
            dtz: verdict.dtz.map(|dtz| dtz.plies),
            precise_dtz: verdict.dtz.and_then(precise),
            dtm: None,
            dtw: None,
            dtc: None,
            category: verdict.category_name(),
        }
    }
}

impl From<&JudgedMove> for MoveEntry {
    fn from(judged: &JudgedMove) -> Self {
        MoveEntry {
            uci: judged.uci.clone(),
            san: judged.san.clone(),
            zeroing: judged.zeroing,
            conversion: judged.conversion,
            after: Position::from(&judged.after),
        }
    }
}

/// A position and its moves.
pub(crate) fn response(judged: &Judged) -> Response {
    Response {
        position: Position::from(&judged.verdict),
        problem: judged.verdict.problem.map(|problem| problem.to_string()),
        moves: judged.moves.iter().map(MoveEntry::from).collect(),
    }
}

pub(crate) fn position(verdict: &Verdict) -> Position {
    Position::from(verdict)
}

/// The main line from a position.
pub(crate) fn main_line(tables: &Tablebase, board: &Board) -> Result<Line, ProbeError> {
    let line = tables.main_line(board, MAX_LINE)?;
    let root = tables.dtz(board)?;
    let mut at = board.clone();
    let mut entries = Vec::new();
    for step in &line.moves {
        // Only the last move of the game has no distance after it.
        let over = if line.end == LineEnd::Checkmate {
            Dtz::exact(-1)
        } else {
            Dtz::DRAW
        };
        let dtz = step.dtz.unwrap_or(over);
        entries.push(LineEntry {
            uci: display_uci_move(&at, step.mv).to_string(),
            san: display_san_move(&at, step.mv).to_string(),
            dtz: Some(dtz.plies),
            precise_dtz: precise(dtz),
        });
        at.play(step.mv);
    }
    let winner = (line.end == LineEnd::Checkmate).then(|| match at.side_to_move() {
        Color::White => "b",
        Color::Black => "w",
    });
    Ok(Line {
        mainline: entries,
        winner,
        dtz: root.plies,
        precise_dtz: precise(root),
    })
}

/// Pretty text with a final newline.
pub(crate) fn print(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

/// One line without the newline.
pub(crate) fn compact(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
