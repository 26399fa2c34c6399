//! The search as a tree: an observer that takes down every node with what decided it, and keeps the
//! part of the tree that was visited most.
//!
//! The nodes lie in the order of the search, so that a node is followed by all that lies below it.
//! When a node ends and weighs too little, what lies below it is cut off the end of the list; when
//! the list grows too long, more has to weigh too little. So every node that is kept has either all
//! its children or none.

mod data;

use sextant_board::{Move, MoveSets, Ply, Position, Score};
use sextant_search::{
    Bound, Leave, MoveSearched, Node, Observer, SearchEvent, Window,
    budget::{Allowance, Category, Depth, Price},
};

pub use data::has_categories;

/// Why a node was searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Why {
    /// A try of the root, with an aspiration window of its own.
    Root,
    /// A move was made.
    Move,
    /// Its move, searched with a reduction, beat alpha.
    Again,
    /// Its move beat alpha, and the window was opened.
    Opened,
    /// A null move was made.
    Null,
    /// The same position without its best move: does that stand alone?
    Singular,
    /// The same position without null moves.
    Verification,
    /// A capture, against a higher beta.
    #[default]
    ProbCut,
}

/// Why a node ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// By the rules of the game: a draw, or a mate that cannot be improved on.
    #[default]
    Rules,
    Quiescence,
    /// All moves were tried.
    Moves,
    /// A move beat beta.
    Cut,
    /// An event of this kind.
    By(SearchEvent),
    /// The search ended first.
    Stopped,
}

impl Why {
    pub const fn name(self) -> &'static str {
        match self {
            Why::Root => "try of the root",
            Why::Move => "move",
            Why::Again => "move again, without the reduction",
            Why::Opened => "move again, with an open window",
            Why::Null => "null move",
            Why::Singular => "singular test, without the best move",
            Why::Verification => "verification of the null move",
            Why::ProbCut => "ProbCut, against a higher beta",
        }
    }
}

impl End {
    pub const fn name(self) -> &'static str {
        use SearchEvent as E;
        match self {
            End::Rules => "by the rules: a draw, or no shorter mate is possible",
            End::Quiescence => "at the horizon: quiescence",
            End::Moves => "after all its moves",
            End::Cut => "a move beat beta",
            End::Stopped => "the search ended first",
            End::By(E::TtCutoff) => "the transposition table knew enough",
            End::By(E::TablebaseHit) => "the endgame tables knew it",
            End::By(E::MateAtAGlance) => "mate at a glance",
            End::By(E::UpcomingRepetition) => "a repetition can be forced",
            End::By(E::ReverseFutility) => "reverse futility: far above beta",
            End::By(E::Razoring) => "razoring: far below alpha",
            End::By(E::NullMoveCutoff) => "the null move beat beta",
            End::By(E::ProbCut) => "ProbCut: a capture beat beta by far",
            End::By(E::Multicut) => "multicut: other moves beat beta as well",
            End::By(event) => event.name(),
        }
    }
}

/// What was charged for the move that led to a node.
#[derive(Clone, Copy, Debug)]
pub struct Charge {
    /// Its number among the moves of its node, from 1.
    pub number: usize,
    pub category: Category,
    pub price: Price,
    pub reduction: Depth,
}

/// A visit of a node.
#[derive(Clone, Debug)]
pub struct Visit {
    /// Where its parent lies; its own place for a try of the root.
    pub parent: usize,
    pub ply: Ply,
    pub why: Why,
    /// The move that led to it; `None` for the root, a null move and the same position.
    pub mv: Option<Move>,
    /// For a move only.
    pub charge: Option<Charge>,
    pub window: Window,
    pub score: Score,
    pub allowance: Allowance,
    /// Zero beyond the horizon.
    pub depth: Depth,
    pub is_pv: bool,
    pub tt_hit: bool,
    pub end: End,
    /// Visits that it took, its own and those of quiescence included.
    pub size: u64,
    /// Visits right below it, kept or not.
    pub children: u32,
}

impl Visit {
    /// What its score says.
    pub fn bound(&self) -> Bound {
        self.window.bound(self.score)
    }

    /// Was it searched less deep than its price says?
    pub fn is_reduced(&self) -> bool {
        let charge = self.charge.filter(|_| self.why == Why::Move && !self.is_pv);
        charge.is_some_and(|charge| charge.reduction > Depth::ZERO)
    }

    /// Its part in what is kept: the number of its visits, and more near the root and along the
    /// lines of the search. No node weighs more than its parent.
    fn weight(&self) -> u64 {
        let near = if self.ply <= Ply(1) { 6 } else { 0 };
        let open = if self.is_pv { 6 } else { 0 };
        self.size.saturating_mul(1 << (near + open))
    }
}

/// A node that has not ended.
struct Open {
    at: usize,
    position: Position,
    /// The last move that was made here, and what it was charged.
    last: Option<(Move, Charge)>,
    /// Why its next child will be searched.
    next: Why,
}

/// A finished iteration: its depth, and how many of the kept visits came before its end.
#[derive(Clone, Copy, Debug)]
struct Iteration {
    depth: u32,
    end: usize,
}

/// Takes down a search; give it to [`sextant_search::Engine::observed`].
#[derive(Default)]
pub struct Recorder {
    /// Nodes that are kept.
    most: usize,
    pub visits: Vec<Visit>,
    iterations: Vec<Iteration>,
    /// All visits right below the root, in their order.
    pub at_root: Vec<Visit>,
    open: Vec<Open>,
    /// What weighs less is not kept with its children.
    least: u64,
}

impl Recorder {
    /// Keeps at most this many nodes, and up to twice as many during the search.
    pub fn keeping(most: usize) -> Recorder {
        Recorder {
            most,
            ..Recorder::default()
        }
    }

    /// Ends what the search left open and cuts the list to its final length.
    pub fn finish(mut self) -> Recorder {
        while !self.open.is_empty() {
            self.close(End::Stopped, None);
        }
        self.shrink();
        self
    }

    /// The places of the visits right below one.
    pub fn children(&self, of: usize) -> impl Iterator<Item = usize> {
        let below = self.visits.iter().enumerate().skip(of + 1);
        below
            .take_while(move |(at, visit)| visit.parent >= of && visit.parent != *at)
            .filter(move |(_, visit)| visit.parent == of)
            .map(|(at, _)| at)
    }

    /// The places of the tries of the root.
    pub fn roots(&self) -> impl DoubleEndedIterator<Item = usize> {
        let visits = self.visits.iter().enumerate();
        let roots = visits.filter(|(_, visit)| visit.why == Why::Root);
        roots.map(|(at, _)| at)
    }

    fn push(&mut self, node: &Node<'_>, why: Why, led: (Option<Move>, Option<Charge>)) {
        let at = self.visits.len();
        let parent = self.open.last().map_or(at, |open| open.at);
        if let Some(parent) = self.visits.get_mut(parent) {
            parent.children += 1;
        }
        self.visits.push(Visit {
            parent,
            ply: node.ply,
            why,
            mv: led.0,
            charge: led.1,
            window: node.window,
            score: Score::DRAW,
            allowance: node.allowance,
            depth: Depth::ZERO,
            is_pv: node.pv,
            tt_hit: false,
            end: End::Rules,
            size: 1,
            children: 0,
        });
        self.open.push(Open {
            at,
            position: node.pos.clone(),
            last: None,
            next: Why::ProbCut,
        });
    }

    /// The visit that began last.
    fn top(&mut self) -> Option<&mut Visit> {
        let open = self.open.last()?;
        self.visits.get_mut(open.at)
    }

    /// Ends the visit that began last; `end` outranks what the events said.
    fn close(&mut self, end: End, score: Option<Score>) {
        let Some(at) = self.open.pop().map(|open| open.at) else {
            return;
        };
        let Some(visit) = self.visits.get_mut(at) else {
            return;
        };
        if end != End::Rules {
            visit.end = end;
        }
        visit.score = score.unwrap_or(Score::NONE);
        let (size, weight, parent) = (visit.size, visit.weight(), visit.parent);
        if visit.ply == Ply(1) {
            self.at_root.push(visit.clone());
        }
        if weight < self.least {
            self.visits.truncate(at + 1);
        }
        if parent != at
            && let Some(parent) = self.visits.get_mut(parent)
        {
            parent.size += size;
        }
        if self.visits.len() > 2 * self.most {
            self.shrink();
        }
    }

    /// Raises what a node has to weigh until few enough are kept.
    fn shrink(&mut self) {
        // The last condition holds unless nothing but nodes that have not ended is left.
        while self.visits.len() > self.most && self.least < u64::MAX / 2 {
            self.least += self.least / 4 + 1;
            let is_open = |at: usize| self.open.iter().any(|open| open.at == at);
            let heavy = self.visits.iter().enumerate();
            let heavy: Vec<bool> = heavy
                .map(|(at, visit)| visit.weight() >= self.least || is_open(at))
                .collect();
            // Where each visit goes; a child of what is not heavy goes nowhere.
            let mut places = Vec::with_capacity(heavy.len());
            let mut kept = 0;
            for (at, visit) in self.visits.iter().enumerate() {
                let keeps = visit.parent == at || heavy.get(visit.parent) == Some(&true);
                places.push(keeps.then_some(kept));
                kept += usize::from(keeps);
            }
            let place = |at: usize| places.get(at).copied().flatten().unwrap_or(0);
            for iteration in &mut self.iterations {
                let before = places.get(..iteration.end).unwrap_or(&places);
                iteration.end = before.iter().flatten().count();
            }
            for open in &mut self.open {
                open.at = place(open.at);
            }
            let visits = std::mem::take(&mut self.visits);
            let with_places = visits.into_iter().zip(&places);
            let kept = with_places.filter_map(|(mut visit, kept)| {
                kept.as_ref()?;
                visit.parent = place(visit.parent);
                Some(visit)
            });
            self.visits = kept.collect();
        }
    }
}

impl Observer for Recorder {
    fn begin(&mut self, node: &Node<'_>) {
        let Some(open) = self.open.last_mut() else {
            return;
        };
        let why = std::mem::replace(&mut open.next, Why::ProbCut);
        let is_same = self
            .visits
            .get(open.at)
            .is_some_and(|visit| visit.ply == node.ply);
        let (mv, charge) = open.last.unzip();
        let (why, led) = match why {
            Why::Singular => (why, (None, None)),
            _ if is_same => (Why::Verification, (None, None)),
            Why::Null => (why, (None, None)),
            Why::ProbCut => (why, (move_to(&open.position, node.pos), None)),
            _ => (why, (mv, charge)),
        };
        self.push(node, why, led);
    }

    fn end(&mut self, score: Score) {
        self.close(End::Rules, Some(score));
    }

    fn enter(&mut self, node: &Node<'_>) {
        if node.ply == Ply::ROOT && self.open.is_empty() {
            self.push(node, Why::Root, (None, None));
        }
        if let Some(visit) = self.top() {
            visit.depth = node.depth;
        }
    }

    fn move_searched(&mut self, tried: &MoveSearched<'_>) {
        if let Some(open) = self.open.last_mut() {
            let charge = Charge {
                number: tried.number,
                category: tried.category,
                price: tried.price,
                reduction: tried.reduction,
            };
            open.last = Some((tried.mv, charge));
            open.next = Why::Move;
        }
    }

    fn leave(&mut self, leave: &Leave) {
        let end = if leave.cut_by > 0 {
            End::Cut
        } else {
            End::Moves
        };
        if leave.ply == Ply::ROOT && self.open.len() == 1 {
            self.close(end, Some(leave.score));
        } else if let Some(visit) = self.top() {
            visit.end = end;
        }
    }

    fn event(&mut self, event: SearchEvent) {
        use SearchEvent as E;
        let next = match event {
            E::Research => Some(Why::Again),
            E::OpenWindow => Some(Why::Opened),
            E::NullMoveTried => Some(Why::Null),
            E::SingularTried => Some(Why::Singular),
            _ => None,
        };
        if let (Some(open), Some(next)) = (self.open.last_mut(), next) {
            open.next = next;
        }
        let Some(visit) = self.top() else { return };
        match event {
            E::Quiescence => {
                visit.size += 1;
                if visit.depth == Depth::ZERO {
                    visit.end = End::Quiescence;
                }
            }
            E::TtHit => visit.tt_hit |= visit.size == 1,
            E::TtCutoff | E::TablebaseHit | E::MateAtAGlance | E::UpcomingRepetition
                if visit.end != End::Quiescence =>
            {
                visit.end = End::By(event);
            }
            E::ReverseFutility | E::Razoring | E::NullMoveCutoff | E::ProbCut | E::Multicut => {
                visit.end = End::By(event);
            }
            _ => {}
        }
    }

    fn iteration(&mut self, depth: u32, _nodes: u64) {
        let end = self.visits.len();
        self.iterations.push(Iteration { depth, end });
    }
}

/// The move that makes one position of another.
fn move_to(before: &Position, after: &Position) -> Option<Move> {
    let moves = MoveSets::generate(before);
    moves
        .iter()
        .find(|&mv| before.make(mv).0.key() == after.key())
}
