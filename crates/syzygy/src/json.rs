//! Answers in lila-tablebase's form, to be written as JSON (feature `json`); the files in `schema`
//! describe them.

use cozy_chess::util::{display_san_move, display_uci_move};
use cozy_chess::{Board, Color};
use serde::Serialize;

use crate::{
    error::ProbeError,
    judge::{Judged, JudgedMove, Verdict},
    mainline::{LineEnd, MAX_LINE_PLIES},
    tablebase::Tablebase,
    types::Dtz,
};

/// JSON Schema of [`Answer`].
pub const ANSWER_SCHEMA: &str = include_str!("../schema/probe.schema.json");
/// JSON Schema of [`Line`].
pub const LINE_SCHEMA: &str = include_str!("../schema/mainline.schema.json");

/// What is said of a position. Plain numbers are plies.
#[derive(Serialize)]
pub struct Position {
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
struct MoveEntry {
    uci: String,
    san: String,
    zeroing: bool,
    conversion: bool,
    #[serde(flatten)]
    after: Position,
}

/// The answer to a probe: a position and its moves, best first.
#[derive(Serialize)]
pub struct Answer {
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

/// The answer to a question for the main line.
#[derive(Serialize)]
pub struct Line {
    mainline: Vec<LineEntry>,
    winner: Option<&'static str>,
    dtz: i32,
    precise_dtz: Option<i32>,
}

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

impl From<&Judged> for Answer {
    fn from(judged: &Judged) -> Self {
        Answer {
            position: Position::from(&judged.verdict),
            problem: judged.verdict.problem.map(|problem| problem.to_string()),
            moves: judged.moves.iter().map(MoveEntry::from).collect(),
        }
    }
}

impl Line {
    /// The main line from a position.
    ///
    /// # Errors
    /// [`ProbeError`] if the tables do not answer at the position itself.
    pub fn of(tables: &Tablebase, board: &Board) -> Result<Line, ProbeError> {
        let line = tables.main_line(board, MAX_LINE_PLIES)?;
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
}
