//! Watching a search from inside, at no cost when nobody does.

use sextant_board::{Move, MoveFacts, Ply, Score};

use crate::{
    budget::{Category, Depth, Exchange, NodeFacts, OrderFacts, Price},
    node::Node,
    window::Bound,
};

/// A node whose moves are about to be tried: what the search knows of it at that moment.
#[derive(Debug)]
pub struct NodeSnapshot<'a> {
    /// The node; its depth is what hindsight and internal reduction left of it.
    pub node: &'a Node<'a>,
    /// What touches the price of each move, all looked up whatever the config asks for.
    pub facts: NodeFacts,
    /// All legal moves, in the order in which they would be tried.
    pub moves: &'a [MoveSnapshot],
}

#[derive(Clone, Copy, Debug)]
pub struct MoveSnapshot {
    pub mv: Move,
    pub facts: MoveFacts,
    /// What the ordering knows; the gap is that of the order.
    pub order: OrderFacts,
    pub exchange: Exchange,
    /// The static score after it, no exchange resolved, from its mover's view; `None` if it gives
    /// check.
    pub score: Option<Score>,
}

/// A move that is about to be searched.
#[derive(Debug)]
pub struct MoveSearched<'a> {
    pub mv: Move,
    /// Its number among the moves searched here, from 1.
    pub number: usize,
    pub facts: &'a MoveFacts,
    pub category: Category,
    /// What the move costs (before the credit). With `extensions.verified` the mover pays up to
    /// nominal, and the reduction has the rest.
    pub price: Price,
    /// Of the first search of the move.
    pub reduction: Depth,
    /// The history that it was sorted by.
    pub history: i32,
    /// Distance of the node from the root.
    pub ply: Ply,
}

/// A node as it is left by its regular end.
#[derive(Debug)]
pub struct Leave {
    pub ply: Ply,
    pub bound: Bound,
    pub score: Score,
    /// The best or cutting move.
    pub best: Option<Move>,
    /// The number of the cutting move, 0 if no move cut.
    pub cut_by: usize,
    pub moves: usize,
}

/// Declares the events, each with the name under which it is counted.
macro_rules! events {
    ($($(#[doc = $doc:literal])* $event:ident = $name:literal,)+) => {
        /// Something that happened inside a node.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum SearchEvent {
            $($(#[doc = $doc])* $event,)+
        }

        impl SearchEvent {
            pub const ALL: &[SearchEvent] = &[$(SearchEvent::$event),+];

            pub const fn name(self) -> &'static str {
                match self {
                    $(SearchEvent::$event => $name,)+
                }
            }
        }
    };
}

events! {
    Quiescence = "quiescence nodes",
    /// The transposition table knew the position.
    TtHit = "table hits",
    /// ... and ended the node.
    TtCutoff = "table cut-offs",
    /// A tablebase knew the position.
    TablebaseHit = "tablebase hits",
    /// The mate pattern matched.
    MateAtAGlance = "mates at a glance",
    /// A repetition could be forced.
    UpcomingRepetition = "repetitions ahead",
    /// Stand-pat ended a quiescence node.
    StandPat = "stand-pat cut-offs",
    ReverseFutility = "reverse futility",
    Razoring = "razoring",
    NullMoveTried = "null moves tried",
    /// ... and ended the node.
    NullMoveCutoff = "null move cut-offs",
    ProbCut = "ProbCut",
    /// A node without a TT move was reduced: internal iterative reduction.
    Iir = "internal reductions",
    /// Late quiet moves were skipped.
    LateMovePruning = "late-move pruning",
    /// Futile quiet moves were skipped.
    FutilityPruning = "futility pruning",
    /// A move that loses material was skipped.
    SeePruning = "exchange pruning",
    /// A quiet move with a bad history was skipped.
    HistoryPruning = "history pruning",
    SingularTried = "singular tests",
    /// ... and the TT move stands alone.
    Singular = "singular",
    /// ... and far above the rest.
    DoublySingular = "doubly singular",
    Multicut = "multicut",
    /// A reduced move beat alpha and was searched again.
    Research = "re-searches without the reduction",
    /// A zero-window search beat alpha inside an open window.
    OpenWindow = "re-searches with an open window",
}

/// Hooks of the search. Every method does nothing unless overridden, so that the engine's own
/// observer, [`Unobserved`], compiles to nothing.
pub trait Observer {
    /// A node below the root is about to be searched: behind a move, behind a null move, or once
    /// more for a test or a verification. Its depth is not known yet.
    fn begin(&mut self, _node: &Node<'_>) {}
    /// The node that began last, of those that have not ended, ends with this score. The events
    /// since then say why. A search that is stopped leaves nodes that never end.
    fn end(&mut self, _score: Score) {}
    /// A full-width node is entered: no rule has ended it, and it lies before the horizon.
    fn enter(&mut self, _node: &Node<'_>) {}
    /// Should this node, whose moves are about to be tried, be shown to [`Observer::snapshot`]?
    fn wants_snapshot(&mut self, _node: &Node<'_>) -> bool {
        false
    }
    /// A node that was wanted, unless it has no legal move. The root and the tests of singularity
    /// are never asked for.
    fn snapshot(&mut self, _snapshot: &NodeSnapshot<'_>) {}
    /// A move is about to be searched.
    fn move_searched(&mut self, _searched: &MoveSearched<'_>) {}
    /// A full-width node ends after its move loop.
    fn leave(&mut self, _leave: &Leave) {}
    fn event(&mut self, _event: SearchEvent) {}
    /// An iteration ended with these totals of nodes.
    fn iteration(&mut self, _depth: u32, _nodes: u64) {}
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {}

impl Observer for &mut (dyn Observer + Send + '_) {
    fn begin(&mut self, node: &Node<'_>) {
        (**self).begin(node);
    }

    fn end(&mut self, score: Score) {
        (**self).end(score);
    }

    fn enter(&mut self, node: &Node<'_>) {
        (**self).enter(node);
    }

    fn wants_snapshot(&mut self, node: &Node<'_>) -> bool {
        (**self).wants_snapshot(node)
    }

    fn snapshot(&mut self, snapshot: &NodeSnapshot<'_>) {
        (**self).snapshot(snapshot);
    }

    fn move_searched(&mut self, searched: &MoveSearched<'_>) {
        (**self).move_searched(searched);
    }

    fn leave(&mut self, leave: &Leave) {
        (**self).leave(leave);
    }

    fn event(&mut self, event: SearchEvent) {
        (**self).event(event);
    }

    fn iteration(&mut self, depth: u32, nodes: u64) {
        (**self).iteration(depth, nodes);
    }
}
