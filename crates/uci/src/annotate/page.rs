//! The annotated games as a page: every move with its position, so that the script needs no rules.

use serde_json::{Value, json};
use sextant_board::{
    PgnItem, Position, cozy_chess::Square, display_uci_move, move_number, to_fen, to_san,
};

use super::{judge::Judged, trees::Trees};
use crate::html;

const TEMPLATE: &str = include_str!("../../assets/annotate.html");

/// The commands of comments that say what time it was, and what they are called.
const CLOCKS: [(&str, &str); 4] = [
    ("clk", "clock"),
    ("mct", "clock"),
    ("emt", "took"),
    ("egt", "game time"),
];

/// The page, with the trees behind some of the marked moves.
pub(super) fn html(games: &[Judged], trees: &Trees) -> String {
    let games: Vec<Value> = games
        .iter()
        .enumerate()
        .map(|(at, judged)| game(judged, &|ply| trees.number(at, ply)))
        .collect();
    html::page(
        TEMPLATE,
        &json!({ "games": games, "trees": trees.found, "left": trees.left() }),
    )
}

/// The number of the tree behind a ply of a game.
type TreeOf<'a> = &'a dyn Fn(usize) -> Option<usize>;

fn game(judged: &Judged, tree_of: TreeOf<'_>) -> Value {
    let game = &judged.game;
    let mut moves = judged.moves.iter().enumerate().map(|(ply, judged)| {
        let judged = judged.as_ref()?;
        Some((judged.white, judged.mark().is_some(), tree_of(ply)))
    });
    json!({
        "number": judged.number,
        "tags": game.tags,
        "fen": to_fen(&game.start, game.start.is_chess960()),
        "result": game.result,
        "items": items(&game.items, &game.start, &mut moves),
        "runs": runs(judged.moves.iter().map(|judged| Some(judged.as_ref()?.white))),
    })
}

/// White's chances after each move as points of the graph, from gap to gap.
fn runs(chances: impl Iterator<Item = Option<f64>>) -> Vec<Vec<(usize, f64)>> {
    let points: Vec<_> = (1..).zip(chances).collect();
    let runs = points.split(|(_, white)| white.is_none());
    let runs = runs.filter(|run| !run.is_empty()).map(|run| {
        let points = run.iter();
        points
            .filter_map(|(x, white)| Some((*x, (*white)?)))
            .collect()
    });
    runs.collect()
}

/// A comment as a person reads it: its evaluation apart (`e`), clocks as words, and without what
/// only a program can show, as colored squares and arrows.
fn comment(text: &str) -> Value {
    let (mut shown, mut evaluation, mut rest) = (String::new(), None, text);
    while let Some((before, command, after)) = rest.split_once("[%").and_then(|(before, rest)| {
        let (command, after) = rest.split_once(']')?;
        Some((before, command, after))
    }) {
        let (name, value) = command.split_once(' ').unwrap_or((command, ""));
        let clock = CLOCKS.iter().find(|(clock, _)| *clock == name);
        shown += before;
        shown += &clock.map_or(" ".to_owned(), |(_, words)| {
            format!(" ({words} {}) ", value.trim())
        });
        if name == "eval" && evaluation.is_none() {
            evaluation = value.split(',').next();
        }
        rest = after;
    }
    shown += rest;
    let words: Vec<_> = shown.split_whitespace().collect();
    json!({ "c": words.join(" "), "e": evaluation })
}

/// White's chances after a move, whether the engine marks it, and the number of its tree.
type Note = Option<(f64, bool, Option<usize>)>;

/// Moves as `m` (number, text, FEN after it, squares, White's chances, is it marked, tree), glyphs
/// as `g`, comments as `c` with their evaluation as `e`, variations as `v`.
fn items(items_of: &[PgnItem], start: &Position, notes: &mut dyn Iterator<Item = Note>) -> Value {
    let (mut position, mut before) = (start.clone(), start.clone());
    let items = items_of.iter().map(|item| match item {
        PgnItem::Move(mv) => {
            let after = mv.map_or_else(|| position.make_null(), |mv| Some(position.make(mv).0));
            let after = after.unwrap_or_else(|| position.clone());
            let note = notes.next().flatten();
            let value = json!({
                "m": mv.map_or("--".to_owned(), |mv| to_san(&position, mv)),
                "n": move_number(&position).to_string(),
                "f": to_fen(&after, false),
                "u": mv.map(|mv| squares(&display_uci_move(&position, mv, false).to_string())),
                "w": note.map(|(white, ..)| white),
                "b": note.is_some_and(|(_, is_marked, _)| is_marked),
                "t": note.and_then(|(.., tree)| tree),
            });
            before = std::mem::replace(&mut position, after);
            value
        }
        PgnItem::Glyph(number) => json!({ "g": number }),
        PgnItem::Comment(text) => comment(text),
        PgnItem::Escape(text) => json!({ "c": format!("%{text}") }),
        PgnItem::Variation(inner) => {
            json!({ "v": items(inner, &before, &mut std::iter::empty()) })
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_is_shown_as_words() {
        for (text, words, evaluation) in [
            (
                "[%clk 0:03:00][%emt 0:00:01]",
                "(clock 0:03:00) (took 0:00:01)",
                None,
            ),
            ("Look [%csl Ge4,Rd5][%cal Ge5e4] here", "Look here", None),
            ("[%eval 0.31,18] Sextant: ?!", "Sextant: ?!", Some("0.31")),
            ("a [%clk 0:01", "a [%clk 0:01", None),
        ] {
            assert_eq!(comment(text), json!({ "c": words, "e": evaluation }));
        }
    }

    #[test]
    fn the_graph_has_gaps_where_nothing_is_known() {
        let chances = [None, Some(50.0), Some(60.0), None, None, Some(0.0)];
        let expected = [vec![(2, 50.0), (3, 60.0)], vec![(6, 0.0)]];
        assert_eq!(runs(chances.into_iter()), expected);
        assert!(runs([None].into_iter()).is_empty());
    }
}
