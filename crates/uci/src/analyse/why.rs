//! `--why MOVE`: the move and the engine's own, side by side and in sentences.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sextant_board::{
    Color, Move, MoveSets, Position, Score, move_number, numbered_san, parse_san, parse_uci_move,
    to_san,
};
use sextant_cli::output::counted;
use sextant_search::{
    Bound, Engine, Event, Game, Info, Limits, Outcome,
    budget::{Depth, Price},
};
use sextant_view::{
    plies, sx,
    tree::{Charge, Recorder, Visit, Why, has_categories},
};

use super::score_text;
use crate::{error::Failure, position::ending};

/// Nodes of a tree: a page of eight megabytes.
const TREE_NODES: usize = 100_000;
/// Plies of a line that are shown.
const LINE: usize = 12;

/// A search with what was seen of it from inside.
pub(super) struct Watched {
    pub(super) outcome: Outcome,
    pub(super) recorder: Recorder,
    /// The best line of each iteration.
    history: Vec<Info>,
}

pub(super) fn watch(
    engine: &mut Engine,
    game: &Game,
    limits: &Limits,
    multipv: usize,
    report: &mut dyn FnMut(Event),
) -> Watched {
    let mut history: Vec<Info> = Vec::new();
    let mut hear = |event: Event| {
        if let Event::Info(info) = &event
            && info.multipv == 1
            && info.bound == Bound::Exact
            && !info.pv.is_empty()
        {
            history.retain(|known| known.depth < info.depth);
            history.push(info.clone());
        }
        report(event);
    };
    let (outcome, recorder) = engine
        .observed(Recorder::keeping(TREE_NODES))
        .go(game, limits, multipv, &mut hear);
    Watched {
        outcome,
        recorder: recorder.finish(),
        history,
    }
}

/// The move that is asked about, in either notation.
pub(super) fn parse(root: &Position, text: &str) -> Result<Move, Failure> {
    let read = parse_san(root, text).or_else(|_| parse_uci_move(root, text));
    read.map_err(|_| {
        let legal = MoveSets::generate(root);
        let mut legal: Vec<_> = legal.iter().map(|mv| to_san(root, mv)).collect();
        legal.sort_unstable();
        match legal.is_empty() {
            true => "--why: the game is over here, no move is legal".into(),
            false => format!(
                "--why: {text:?} is not legal here; legal are {}",
                legal.join(", ")
            )
            .into(),
        }
    })
}

impl Watched {
    /// The last line that an iteration finished: one that was cut off may end anywhere.
    fn line(&self) -> (&[Move], Score, u32) {
        let info = self.history.last().or(self.outcome.lines.first());
        info.map_or((&[], Score::DRAW, 0), |info| {
            (&info.pv, info.score, info.depth)
        })
    }
}

/// A move, searched alone.
struct Side {
    mv: Move,
    watched: Watched,
    steps: Vec<Step>,
}

/// A move of a line, as the search that found it saw it.
struct Step {
    number: String,
    san: String,
    visit: Visit,
    mover: Color,
    /// As what the move was searched at its node.
    searches: Vec<Why>,
}

/// What there is to say of a move.
pub(super) struct Answer {
    root: Position,
    asked: Move,
    best: Move,
    /// The engine's move (or, if that was asked about, the next best one) and the one asked about.
    sides: Vec<Side>,
    sentences: Vec<String>,
    /// Moves are priced by category.
    categories: bool,
    /// Endgame tables chose among the moves.
    is_tabled: bool,
}

/// Compares `asked` with the engine's own move, each searched alone with as many nodes and to the
/// same depth, if that had a limit.
pub(super) fn answer(
    engine: &mut Engine,
    game: &Game,
    (free, depth): (&Watched, Option<u32>),
    asked: Move,
) -> Option<Answer> {
    let root = game.position().clone();
    let best = free.outcome.best?;
    let alone = |moves: Vec<Move>| {
        engine.clear_hash();
        engine.signals().arm(false);
        let limits = Limits {
            nodes: Some(free.outcome.nodes),
            searchmoves: moves,
            depth,
            ..Limits::default()
        };
        let watched = watch(engine, game, &limits, 1, &mut |_| {});
        let mv = watched.outcome.best?;
        let steps = steps(&watched, &root);
        Some(Side { mv, watched, steps })
    };
    let rivals = match asked == best {
        true => MoveSets::generate(&root)
            .iter()
            .filter(|&mv| mv != asked)
            .collect(),
        false => vec![best],
    };
    let pair = [rivals, vec![asked]].into_iter();
    let sides = pair
        .filter(|moves| !moves.is_empty())
        .filter_map(alone)
        .collect();
    let mut answer = Answer {
        root,
        asked,
        best,
        sides,
        sentences: Vec::new(),
        categories: has_categories(engine.config()),
        is_tabled: free.outcome.lines.iter().any(|line| line.totals.tbhits > 0),
    };
    answer.sentences = answer.verdict(free);
    Some(answer)
}

/// The line of a search, each move with its visit in the last iteration that has most of it.
fn steps(watched: &Watched, root: &Position) -> Vec<Step> {
    let (line, ..) = watched.line();
    let recorder = &watched.recorder;
    let mut longest = Vec::new();
    for start in recorder.roots().rev() {
        let steps = walk(recorder, start, root, line);
        if steps.len() > longest.len() {
            longest = steps;
        }
        if longest.len() == line.len().min(LINE) {
            break;
        }
    }
    longest
}

fn walk(recorder: &Recorder, mut at: usize, root: &Position, line: &[Move]) -> Vec<Step> {
    let mut position = root.clone();
    let mut steps = Vec::new();
    for &mv in line.iter().take(LINE) {
        let visits: Vec<(usize, &Visit)> = recorder
            .children(at)
            .filter_map(|child| Some((child, recorder.visits.get(child)?)))
            .filter(|(_, visit)| visit.mv == Some(mv) && visit.charge.is_some())
            .collect();
        let Some(&(child, visit)) = visits
            .iter()
            .max_by_key(|(_, visit)| (visit.is_pv, visit.size))
        else {
            break;
        };
        steps.push(Step {
            number: move_number(&position).to_string(),
            san: to_san(&position, mv),
            visit: visit.clone(),
            mover: position.side_to_move(),
            searches: visits.iter().map(|(_, visit)| visit.why).collect(),
        });
        position.play(mv);
        at = child;
    }
    steps
}

impl Step {
    /// What White and Black have left behind the move, in SX.
    fn left(&self) -> [f64; 2] {
        let budgets = self.visit.allowance.budgets;
        let [mover, other] = [sx(budgets.them().raw()), sx(budgets.us().raw())];
        match self.mover {
            Color::White => [mover, other],
            Color::Black => [other, mover],
        }
    }

    /// How it was searched, in words.
    fn how(&self) -> String {
        let charge = self.visit.charge;
        let reduction = charge.filter(|it| it.number > 1 && it.reduction > Depth::ZERO);
        let reduced = reduction.map(|it| format!("reduced by {:.2}", plies(it.reduction)));
        let words = |why, words: &str| self.searches.contains(&why).then(|| words.to_owned());
        let again = words(Why::Again, "again without that");
        let opened = words(Why::Opened, "again with an open window");
        let parts: Vec<String> = [reduced, again, opened].into_iter().flatten().collect();
        match (parts.is_empty(), self.visit.is_pv) {
            (true, true) => "open window".to_owned(),
            (true, false) => "zero window".to_owned(),
            (false, _) => parts.join(", "),
        }
    }
}

impl Side {
    fn score(&self) -> Score {
        self.watched.line().1
    }

    /// Where its line leads.
    fn end(&self, root: &Position) -> Position {
        let mut end = root.clone();
        for &mv in self.watched.line().0 {
            end.play(mv);
        }
        end
    }

    fn line(&self, root: &Position, skip: usize) -> String {
        let (line, ..) = self.watched.line();
        let mut start = root.clone();
        for &mv in line.iter().take(skip) {
            start.play(mv);
        }
        numbered_san(&start, line.iter().copied().skip(skip).take(LINE - skip))
    }
}

impl Answer {
    fn san(&self, mv: Move) -> String {
        to_san(&self.root, mv)
    }

    /// A price and what it is for, as in `5.25 SX (recapture)`.
    fn price(&self, charge: Charge) -> String {
        let price = format!("{:.2} SX", sx(charge.price.raw()));
        match self.categories {
            true => format!("{price} ({})", charge.category.name()),
            // Without categories nothing else makes a move cheaper.
            false if charge.price < Price::NOMINAL => format!("{price} (singular)"),
            false => price,
        }
    }

    fn verdict(&self, free: &Watched) -> Vec<String> {
        let mut said = vec![self.choice(free)];
        let asked = self.sides.iter().find(|side| side.mv == self.asked);
        said.extend(asked.into_iter().flat_map(|side| self.line(side)));
        said.extend(self.in_the_search(free));
        said.extend(self.turn(free));
        said
    }

    /// What the move leads to, and why the search of that ended.
    fn line(&self, side: &Side) -> Vec<String> {
        let asked = self.san(self.asked);
        let (replies, score) = (side.line(&self.root, 1), score_text(side.score()));
        let after = self.root.make(self.asked).0;
        let mut said = vec![match replies.is_empty() {
            false if self.asked == self.best => {
                format!("After {asked} the engine expects {replies} ({score}).")
            }
            false => format!("{asked} is answered by {replies}, which leaves it {score}."),
            true if is_over(&after) => return vec![format!("{asked} is {}.", ending(&after))],
            true => format!("{asked} is worth {score} without a search of the replies."),
        }];
        let end = side.end(&self.root);
        if is_over(&end) {
            said.push(format!("That is {}.", ending(&end)));
        } else if let Some(step) = side.steps.last() {
            let (number, san, end) = (&step.number, &step.san, step.visit.end.name());
            said.push(format!(
                "That line was searched up to {number} {san}. That node ended: {end}."
            ));
        }
        said
    }

    fn choice(&self, free: &Watched) -> String {
        let (asked, best) = (self.san(self.asked), self.san(self.best));
        let score = score_text(free.outcome.score());
        match &self.sides[..] {
            [rival, side] if self.asked == self.best => format!(
                "{asked} is what the engine plays ({score}). With as many nodes for each alone, {asked} is \
                 worth {} and {}, the best of the others, {}.",
                score_text(side.score()),
                self.san(rival.mv),
                score_text(rival.score())
            ),
            [rival, side] => format!(
                "The engine plays {best} ({score}). With as many nodes for each alone, {best} is worth \
                 {} and {asked} {}.",
                score_text(rival.score()),
                score_text(side.score())
            ),
            _ => format!("{asked} is the only legal move ({score})."),
        }
    }

    /// What the search of all moves did with the move.
    fn in_the_search(&self, free: &Watched) -> Vec<String> {
        let visits = free.recorder.at_root.iter();
        let visits: Vec<&Visit> = visits.filter(|it| it.mv == Some(self.asked)).collect();
        let Some(last) = visits.last() else {
            let asked = self.san(self.asked);
            let why = match self.sides.len() {
                2 if self.is_tabled => {
                    "the endgame tables say that another move has a better result"
                }
                2 => "it ended before that",
                _ => "there is no other",
            };
            return vec![format!(
                "The search of all moves never tried {asked}: {why}."
            )];
        };
        let count = |wanted: fn(&Visit) -> bool, how: &str| {
            let count = visits.iter().filter(|it| wanted(it)).count();
            (count > 0).then(|| format!("{count} {how}"))
        };
        let counts = [
            count(Visit::is_reduced, "reduced"),
            count(
                |visit| visit.why == Why::Again,
                "again without the reduction",
            ),
            count(|visit| visit.is_pv, "with an open window"),
        ];
        let counts: Vec<String> = counts.into_iter().flatten().collect();
        let counts = match counts.is_empty() {
            true => "never reduced, always with a zero window".to_owned(),
            false => counts.join(", "),
        };
        let times = counted(visits.len() as u64, "time");
        let all = format!("In the search of all moves it was searched {times}: {counts}.");
        let mut text = "The last time".to_owned();
        if let Some(charge) = last.charge {
            let (number, price) = (charge.number, self.price(charge));
            text += &format!(" it was move {number} at {price}");
            if last.is_reduced() {
                text += &format!(", reduced by {:.2} plies", plies(charge.reduction));
            }
        }
        // The window and the score are the opponent's.
        let (score, alpha) = (score_text(-last.score), score_text(-last.window.beta));
        text += &match last.bound() {
            _ if last.score == Score::NONE => {
                "; the search ended before it had a score.".to_owned()
            }
            Bound::Lower => format!(
                "; it was worth at most {score}, did not beat {alpha} and was not searched again. That \
                 node ended: {}.",
                last.end.name()
            ),
            Bound::Exact => format!("; its score was {score}."),
            Bound::Upper => format!("; its score, at least {score}, beat {alpha}."),
        };
        vec![all, text]
    }

    /// When the verdict changed.
    fn turn(&self, free: &Watched) -> Vec<String> {
        let mut said = Vec::new();
        let choices = free.history.iter();
        let mut choices = choices.filter_map(|info| Some((info, *info.pv.first()?)));
        if let Some((_, mut last)) = choices.next() {
            let mut text = format!("At first the engine chose {}", self.san(last));
            let mut end = " and never changed its mind.";
            for (info, mv) in choices {
                if mv != last {
                    (last, end) = (mv, ".");
                    let (depth, score) = (info.depth, score_text(info.score));
                    text += &format!(", from depth {depth} on {} ({score})", self.san(mv));
                }
            }
            said.push(text + end);
        }
        if let [a, b] = &self.sides[..]
            && let Some(depth) = parted(&a.watched.history, &b.watched.history)
        {
            let mut order = [b, a];
            order.sort_by_key(|side| side.score().raw());
            let [behind, ahead] = order.map(|side| self.san(side.mv));
            said.push(format!(
                "Alone, {behind} is behind {ahead} from depth {depth} on."
            ));
        }
        said
    }

    pub(super) fn to_text(&self) -> String {
        let not = if self.asked == self.best { "" } else { "not " };
        let mut text = format!("Why {not}{}?\n", self.san(self.asked));
        for sentence in &self.sentences {
            let _ = write!(text, "\n{sentence}");
        }
        let column = |what: &dyn Fn(&Side) -> String| {
            let cells = self.sides.iter().map(|side| format!("{:>14}", what(side)));
            cells.collect::<String>()
        };
        let _ = write!(
            text,
            "\n\n      {}\nscore {}\ndepth {}\nnodes {}",
            column(&|side| self.san(side.mv)),
            column(&|side| score_text(side.score())),
            column(&|side| side.watched.line().2.to_string()),
            column(&|side| side.watched.outcome.nodes.to_string())
        );
        for side in &self.sides {
            let _ = write!(
                text,
                "\n\nThe line of {}: what each move costs, what each side has left behind it (SX; 8 are a \
                 ply), depth in plies\n{:>12} {:>8} {:>8} {:>7}  price; search",
                self.san(side.mv),
                "move",
                "White",
                "Black",
                "depth"
            );
            for step in &side.steps {
                let [white, black] = step.left();
                let charge = step.visit.charge;
                let price = charge.map_or(String::new(), |charge| self.price(charge));
                let _ = write!(
                    text,
                    "\n{:>12} {white:>8.2} {black:>8.2} {:>7.2}  {price}; {}",
                    format!("{} {}", step.number, step.san),
                    plies(step.visit.depth),
                    step.how()
                );
            }
        }
        text
    }

    pub(super) fn to_json(&self) -> Value {
        let category = |step: &Step| {
            let charge = step.visit.charge.filter(|_| self.categories);
            charge.map(|charge| charge.category.name())
        };
        let sides = self.sides.iter().map(|side| {
            let line = side.steps.iter().map(|step| {
                let [white, black] = step.left();
                json!({
                    "move": step.san,
                    "category": category(step),
                    "price": step.visit.charge.map(|charge| sx(charge.price.raw())),
                    "reduction": step.visit.charge.map(|charge| plies(charge.reduction)),
                    "white": white,
                    "black": black,
                    "depth": plies(step.visit.depth),
                    "search": step.how(),
                    "end": step.visit.end.name(),
                })
            });
            json!({
                "move": self.san(side.mv),
                "score": crate::format::score(side.score()),
                "depth": side.watched.line().2,
                "nodes": side.watched.outcome.nodes,
                "line": line.collect::<Vec<_>>(),
            })
        });
        json!({
            "move": self.san(self.asked),
            "best": self.san(self.best),
            "sentences": self.sentences,
            "sides": sides.collect::<Vec<_>>(),
        })
    }
}

fn is_over(position: &Position) -> bool {
    MoveSets::generate(position).is_empty()
}

/// The depth from which on one of two histories stays behind the other.
fn parted(a: &[Info], b: &[Info]) -> Option<u32> {
    let common = a.iter().filter_map(|info| {
        let other = b.iter().find(|other| other.depth == info.depth)?;
        Some((info.depth, info.score.raw().cmp(&other.score.raw())))
    });
    let changes = common.fold(None, |last, (depth, order)| match last {
        Some((_, same)) if same == order => last,
        _ => Some((depth, order)),
    });
    changes
        .filter(|(_, order)| order.is_ne())
        .map(|(depth, _)| depth)
}
