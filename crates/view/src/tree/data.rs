//! The recorded search as the data of a page, its visits as columns of numbers.

use std::{collections::HashMap, mem, ops::Range};

use serde_json::{Value, json};
use sextant_board::{Color, Move, Position, Score, to_fen, to_san};
use sextant_config::Config;
use sextant_search::{
    Bound,
    budget::{Category, Price},
};

use super::{Recorder, Visit, Why};
use crate::{plies, sx};

/// Texts that occur often, each with a number.
#[derive(Default)]
struct Words {
    numbers: HashMap<String, usize>,
    texts: Vec<String>,
}

impl Words {
    fn number(&mut self, text: &str) -> usize {
        let next = self.texts.len();
        let number = *self.numbers.entry(text.to_owned()).or_insert(next);
        if number == next {
            self.texts.push(text.to_owned());
        }
        number
    }
}

impl Recorder {
    /// What `assets/tree.js` shows: the visits of a search of `root` under `config`.
    pub fn data(&self, root: &Position, config: &Config) -> Value {
        let mut words = Words::default();
        let categories = has_categories(config);
        let mut row = |visit: &Visit, san: String, mover: Color| {
            let view = View {
                is_roots: mover == root.side_to_move(),
                root_is_white: root.side_to_move() == Color::White,
            };
            let mut word = |text: &str| json!(words.number(text));
            let mut row = vec![json!(visit.parent), json!(visit.mv.map(encoded))];
            row.extend([word(&san), word(visit.why.name())]);
            row.extend(view.numbers(visit));
            row.extend([word(view.bound(visit)), word(visit.end.name())]);
            if let Some(charge) = visit.charge {
                let category = if categories {
                    charge.category.name()
                } else {
                    ""
                };
                let (price, reduction) = (sx(charge.price.raw()), plies(charge.reduction));
                row.extend([word(category), json!(charge.number)]);
                row.extend([json!(price), json!(reduction)]);
            }
            row
        };
        let visits = self.visits.iter().zip(places(self, root));
        let rows = visits.map(|(visit, (san, mover))| row(visit, san, mover));
        let rows: Vec<_> = rows.collect();
        let iterations = self.ranges();
        let iterations = iterations.map(|(depth, it)| json!([depth, it.start, it.end]));
        let roots = self.visits.iter().filter(|visit| visit.why == Why::Root);
        json!({
            "fen": to_fen(root, root.is_chess960()),
            "total": roots.map(|visit| visit.size).sum::<u64>(),
            "iterations": iterations.collect::<Vec<_>>(),
            "words": words.texts,
            "rows": rows,
        })
    }

    /// The kept visits of each iteration, with its depth; the last one may be unfinished and has
    /// none then.
    fn ranges(&self) -> impl Iterator<Item = (Option<u32>, Range<usize>)> {
        let ends = self.iterations.iter().map(|it| (Some(it.depth), it.end));
        let ends = ends.chain([(None, self.visits.len())]);
        let ranges = ends.scan(0, |start, (depth, end)| {
            Some((depth, mem::replace(start, end)..end))
        });
        ranges.filter(|(_, range)| !range.is_empty())
    }
}

/// Does the config price moves by category? If all cost the same none is looked up.
pub fn has_categories(config: &Config) -> bool {
    let nominal = Price::NOMINAL.raw();
    let mut categories = Category::ALL.iter();
    categories.any(|category| category.weight(&config.extensions) != nominal)
}

/// Turns what the side to move of a node sees into what White sees.
#[derive(Clone, Copy)]
struct View {
    /// The side to move is that of the root, from where mates are counted.
    is_roots: bool,
    root_is_white: bool,
}

impl View {
    fn is_white(self) -> bool {
        self.is_roots == self.root_is_white
    }

    /// Centipawns, `#` and the moves to mate, or nothing for what is no score.
    fn score(self, score: Score) -> Value {
        let score = if self.is_roots { score } else { -score };
        let sign = if self.root_is_white { 1 } else { -1 };
        match score.mate_in() {
            _ if score.raw().abs() >= Score::INFINITE.raw() => Value::Null,
            Some(moves) => json!(format!("#{}", sign * moves)),
            None => json!(sign * score.raw()),
        }
    }

    fn bound(self, visit: &Visit) -> &'static str {
        match (visit.bound(), self.is_white()) {
            _ if visit.score == Score::NONE => "",
            (Bound::Exact, _) => "=",
            (Bound::Lower, true) | (Bound::Upper, false) => "\u{2265}",
            (Bound::Upper, true) | (Bound::Lower, false) => "\u{2264}",
        }
    }

    /// The numbers of a visit in the order in which the script of the page reads them.
    fn numbers(self, visit: &Visit) -> [Value; 11] {
        let (window, budgets) = (visit.window, visit.allowance.budgets);
        let pair = |[mover, other]: [i32; 2]| match self.is_white() {
            true => [sx(mover), sx(other)],
            false => [sx(other), sx(mover)],
        };
        let [white, black] = pair([budgets.us().raw(), budgets.them().raw()]);
        let [low, high] = match self.is_white() {
            true => [window.alpha, window.beta],
            false => [window.beta, window.alpha],
        };
        let score = Some(visit.score).filter(|score| *score != Score::NONE);
        let flags = [visit.is_pv, visit.tt_hit, self.is_white()];
        let flags = flags
            .iter()
            .rev()
            .fold(0, |sum, &is_set| 2 * sum + u8::from(is_set));
        [
            self.score(low),
            self.score(high),
            score.map_or(Value::Null, |score| self.score(score)),
            json!(plies(visit.depth)),
            json!(white),
            json!(black),
            json!(sx(visit.allowance.credit.raw())),
            json!(flags),
            json!(visit.size),
            json!(visit.children),
            json!(visit.ply.0),
        ]
    }
}

/// From and to, numbered from a8 to h1, and the promotion.
fn encoded(mv: Move) -> usize {
    let promotion = mv.promotion.map_or(0, |piece| piece as usize);
    (mv.from as usize ^ 56) | (mv.to as usize ^ 56) << 6 | promotion << 12
}

/// The moves that led to the visits, as people write them, and the sides to move there.
fn places(recorder: &Recorder, root: &Position) -> Vec<(String, Color)> {
    // The visits from the root to the last one, each with its position.
    let mut path: Vec<(usize, Position)> = Vec::new();
    let visits = recorder.visits.iter().enumerate();
    let places = visits.map(|(at, visit)| {
        while path.last().is_some_and(|(last, _)| *last != visit.parent) {
            path.pop();
        }
        let before = path.last().map_or(root, |(_, position)| position);
        let san = visit.mv.map_or(String::new(), |mv| to_san(before, mv));
        let after = match (visit.mv, visit.why) {
            (Some(mv), _) => before.make(mv).0,
            (None, Why::Null) => before.make_null().unwrap_or_else(|| before.clone()),
            _ => before.clone(),
        };
        let mover = after.side_to_move();
        path.push((at, after));
        (san, mover)
    });
    places.collect()
}
