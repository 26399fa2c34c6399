//! A PGN game of the main line, with the tags that Fathom gives.

use cozy_chess::{Board, Color};
use sextant_board::{Position, write_pgn};
use sextant_syzygy::{Category, Judged, MAX_LINE_PLIES, Tablebase};

use crate::text::end_words;

/// The game as PGN text.
pub(crate) fn game(tables: &Tablebase, board: &Board, judged: &Judged) -> String {
    let category = judged.verdict.category;
    let result = result(board.side_to_move(), category);
    let dtz = judged.verdict.dtz;
    let dtz = dtz.map_or("?".into(), |dtz| dtz.plies.abs().to_string());
    let winning = moves(judged, |after| after < Category::BlessedLoss);
    let drawing = moves(judged, |after| {
        (Category::BlessedLoss..=Category::CursedWin).contains(&after)
    });
    let losing = moves(judged, |after| after > Category::CursedWin);
    let tags = [
        ("Event", ""),
        ("Site", ""),
        ("Date", "????.??.??"),
        ("Round", "-"),
        ("White", "Syzygy"),
        ("Black", "Syzygy"),
        ("Result", result),
        ("SetUp", "1"),
        ("FEN", &board.to_string()),
        (
            "Annotator",
            concat!("sextant-tb ", env!("CARGO_PKG_VERSION")),
        ),
        ("WDL", wdl_name(category)),
        ("DTZ", &dtz),
        ("WinningMoves", &winning),
        ("DrawingMoves", &drawing),
        ("LosingMoves", &losing),
    ];
    let (steps, comment) = match tables.main_line(board, MAX_LINE_PLIES) {
        Ok(line) => (line.moves, end_words(line.end)),
        Err(error) => (Vec::new(), error.to_string()),
    };
    let moves = steps.iter().map(|step| (step.mv, String::new()));
    let end = format!("{{ {comment} }} {result}");
    write_pgn(&tags, &Position::new(board.clone()), moves, &end)
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
