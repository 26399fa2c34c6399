//! The annotated games as a page: every move with its position, so that the script needs no rules.

use std::slice::Iter;

use serde_json::{Value, json};
use sextant_board::{
    PgnItem, Position, cozy_chess::Square, display_uci_move, move_number, to_fen, to_san,
};

use super::judge::Judged;
use crate::html;

const TEMPLATE: &str = include_str!("../../assets/annotate.html");

pub(super) fn html(games: &[Judged]) -> String {
    let games: Vec<Value> = games.iter().map(game).collect();
    html::page(TEMPLATE, &json!(games))
}

fn game(judged: &Judged) -> Value {
    let game = &judged.game;
    let mut chances = judged.chances.iter();
    json!({
        "tags": game.tags,
        "fen": to_fen(&game.start, game.start.is_chess960()),
        "result": game.result,
        "items": items(&game.items, &game.start, &mut chances),
    })
}

/// Moves as `m` (number, text, FEN after it, squares, White's chances), glyphs as `g`, comments as
/// `c`, variations as `v`.
fn items(items_of: &[PgnItem], start: &Position, chances: &mut Iter<'_, Option<f64>>) -> Value {
    let (mut position, mut before) = (start.clone(), start.clone());
    let items = items_of.iter().map(|item| match item {
        PgnItem::Move(mv) => {
            let after = mv.map_or_else(|| position.make_null(), |mv| Some(position.make(mv).0));
            let after = after.unwrap_or_else(|| position.clone());
            let value = json!({
                "m": mv.map_or("--".to_owned(), |mv| to_san(&position, mv)),
                "n": move_number(&position).to_string(),
                "f": to_fen(&after, false),
                "u": mv.map(|mv| squares(&display_uci_move(&position, mv, false).to_string())),
                "w": chances.next().copied().flatten(),
            });
            before = std::mem::replace(&mut position, after);
            value
        }
        PgnItem::Glyph(number) => json!({ "g": number }),
        PgnItem::Comment(text) => json!({ "c": text }),
        PgnItem::Escape(text) => json!({ "c": format!("%{text}") }),
        PgnItem::Variation(inner) => json!({ "v": items(inner, &before, &mut [].iter()) }),
    });
    items.collect()
}

/// The two squares of a move, numbered as the board draws them: from a8 to h1.
fn squares(uci: &str) -> Vec<usize> {
    let square = |text: &str| text.parse().ok().map(|square: Square| square as usize ^ 56);
    [uci.get(..2), uci.get(2..4)]
        .into_iter()
        .flatten()
        .filter_map(square)
        .collect()
}
