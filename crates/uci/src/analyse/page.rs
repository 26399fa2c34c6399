//! `--tree`: the recorded search as a page, its visits as columns of numbers.

use std::collections::HashMap;

use serde_json::{Value, json};
use sextant_board::{Move, Position, Score, to_fen, to_san};
use sextant_search::Bound;

use super::{
    plies, sx,
    tree::{Recorder, Visit},
};
use crate::html;

const TEMPLATE: &str = include_str!("../../assets/tree.html");

/// Texts that occur often, each with a number.
#[derive(Default)]
struct Words {
    numbers: HashMap<String, usize>,
    texts: Vec<String>,
}

impl Words {
    fn number(&mut self, text: String) -> usize {
        *self.numbers.entry(text).or_insert_with_key(|text| {
            self.texts.push(text.clone());
            self.texts.len() - 1
        })
    }
}

pub(super) fn html(recorder: &Recorder, root: &Position) -> String {
    let mut words = Words::default();
    let sans = sans(recorder, root);
    let visits = recorder.visits.iter().zip(sans);
    let rows: Vec<Vec<Value>> = visits.map(|(visit, san)| row(visit, san, &mut words)).collect();
    let iterations = recorder.ranges();
    let iterations: Vec<_> = iterations.map(|(depth, it)| json!([depth, it.start, it.end])).collect();
    let roots = recorder.roots(0..recorder.visits.len());
    let total: u64 = roots.filter_map(|at| recorder.visits.get(at)).map(|visit| visit.size).sum();
    let page = json!({
        "fen": to_fen(root, root.is_chess960()),
        "total": total,
        "iterations": iterations,
        "words": words.texts,
        "rows": rows,
    });
    html::page(TEMPLATE, &page)
}

/// A visit, in the order in which the script of the page reads it.
fn row(visit: &Visit, san: String, words: &mut Words) -> Vec<Value> {
    let score = |score: Score| match score.mate_in() {
        _ if score == Score::NONE || score.raw().abs() > 32_000 => Value::Null,
        Some(moves) => json!(format!("#{moves}")),
        None => json!(score.raw()),
    };
    let bound = match visit.bound() {
        Bound::Exact => "=",
        Bound::Lower => "\u{2265}",
        Bound::Upper => "\u{2264}",
    };
    let budgets = visit.allowance.budgets;
    let mut row = vec![
        json!(visit.parent),
        json!(visit.mv.map(encoded)),
        json!(words.number(san)),
        json!(words.number(visit.why.name().to_owned())),
        score(visit.window.alpha),
        score(visit.window.beta),
        score(visit.score),
        json!(words.number(bound.to_owned())),
        json!(plies(visit.depth)),
        json!(sx(budgets.us().raw())),
        json!(sx(budgets.them().raw())),
        json!(sx(visit.allowance.credit.raw())),
        json!(u8::from(visit.is_pv) + 2 * u8::from(visit.tt_hit)),
        json!(words.number(visit.end.name().to_owned())),
        json!(visit.size),
        json!(visit.children),
    ];
    if let Some(charge) = visit.charge {
        row.extend([
            json!(charge.number),
            json!(words.number(charge.category.name().to_owned())),
            json!(sx(charge.price.raw())),
            json!(plies(charge.reduction)),
        ]);
    }
    row
}

/// From and to, numbered from a8 to h1, and the promotion.
fn encoded(mv: Move) -> usize {
    let promotion = mv.promotion.map_or(0, |piece| piece as usize);
    (mv.from as usize ^ 56) | (mv.to as usize ^ 56) << 6 | promotion << 12
}

/// The moves that led to the visits, as people write them.
fn sans(recorder: &Recorder, root: &Position) -> Vec<String> {
    // The visits from the root to the last one, each with its position.
    let mut path: Vec<(usize, Position)> = Vec::new();
    let visits = recorder.visits.iter().enumerate();
    let sans = visits.map(|(at, visit)| {
        while path.last().is_some_and(|(last, _)| *last != visit.parent) {
            path.pop();
        }
        let before = path.last().map_or(root, |(_, position)| position);
        let san = visit.mv.map_or(String::new(), |mv| to_san(before, mv));
        let after = match (visit.mv, visit.why) {
            (Some(mv), _) => before.make(mv).0,
            (None, super::tree::Why::Null) => before.make_null().unwrap_or_else(|| before.clone()),
            _ => before.clone(),
        };
        path.push((at, after));
        san
    });
    sans.collect()
}
