//! A PGN game of the main line, with the headers that Fathom gives.

use std::fmt::Write;

use cozy_chess::{Board, Color};
use sextant_syzygy::{Category, Tablebase};

use crate::json::MAX_LINE;
use crate::judge::Judged;
use crate::notation::numbered;
use crate::text::end_words;

/// The game as PGN text.
pub(crate) fn game(tables: &Tablebase, board: &Board, judged: &Judged) -> String {
    let category = judged.verdict.category;
    let result = result(board.side_to_move(), category);
    let dtz = judged
        .verdict
        .dtz
        .map_or("?".into(), |dtz| dtz.plies.abs().to_string());
    let mut text = String::new();
    let mut header = |name: &str, value: &str| {
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    for (name, value) in [
        ("Event", ""),
        ("Site", ""),
        ("Date", "????.??.??"),
        ("Round", "-"),
    ] {
        header(name, value);
    }
    header("White", "Syzygy");
    header("Black", "Syzygy");
    header("Result", result);
    header("SetUp", "1");
    header("FEN", &board.to_string());
    header(
        "Annotator",
        concat!("sextant-tb ", env!("CARGO_PKG_VERSION")),
    );
    header("WDL", wdl_name(category));
    header("DTZ", &dtz);
    header(
        "WinningMoves",
        &moves(judged, |after| after < Category::BlessedLoss),
    );
    header(
        "DrawingMoves",
        &moves(judged, |after| {
            (Category::BlessedLoss..=Category::CursedWin).contains(&after)
        }),
    );
    header(
        "LosingMoves",
        &moves(judged, |after| after > Category::CursedWin),
    );
    text.push('\n');
    match tables.main_line(board, MAX_LINE) {
        Ok(line) => {
            let words = numbered(board, line.moves.iter().map(|step| step.mv));
            text.push_str(&wrap(&format!(
                "{words} {{ {} }} {result}",
                end_words(line.end)
            )));
        }
        Err(error) => text.push_str(&wrap(&format!("{{ {error} }} {result}"))),
    }
    text
}

/// Moves whose outcome for the opponent passes the test; cursed wins count as draws, as in Fathom.
fn moves(judged: &Judged, belongs: impl Fn(Category) -> bool) -> String {
    let belonging = judged
        .moves
        .iter()
        .filter(|judged| judged.after.category.is_some_and(&belongs));
    belonging
        .map(|judged| judged.san.as_str())
        .collect::<Vec<_>>()
        .join(", ")
}

fn result(mover: Color, category: Option<Category>) -> &'static str {
    match (category, mover) {
        (None, _) => "*",
        (Some(Category::Win | Category::MaybeWin), Color::White)
        | (Some(Category::Loss | Category::MaybeLoss), Color::Black) => "1-0",
        (Some(Category::Win | Category::MaybeWin), Color::Black)
        | (Some(Category::Loss | Category::MaybeLoss), Color::White) => "0-1",
        _ => "1/2-1/2",
    }
}

fn wdl_name(category: Option<Category>) -> &'static str {
    match category {
        None => "?",
        Some(Category::Win | Category::MaybeWin) => "Win",
        Some(Category::CursedWin) => "CursedWin",
        Some(Category::Draw) => "Draw",
        Some(Category::BlessedLoss) => "BlessedLoss",
        Some(Category::Loss | Category::MaybeLoss) => "Loss",
    }
}

/// Lines of at most 80 characters, as PGN export wants them.
fn wrap(words: &str) -> String {
    let mut text = String::new();
    let mut width = 0;
    for word in words.split_whitespace() {
        if width > 0 && width + 1 + word.len() > 79 {
            text.push('\n');
            width = 0;
        }
        if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += word.len();
    }
    text + "\n"
}
