//! The categories of the price list, each declared once: its name in the config, its weight there,
//! and the moves that it applies to.

use sextant_board::{Move, MoveFacts, Phase, Piece, Position, see_ge};
use sextant_config::ExtensionsConfig;

/// Facts about a node that touch the price of each of its moves.
#[derive(Clone, Copy, Debug)]
pub struct NodeFacts {
    pub phase: Phase,
    /// The side to move is in check.
    pub in_check: bool,
    pub only_reply: bool,
    /// The null move was answered by mate.
    pub mate_threat: bool,
    /// A static pattern says that the opponent would mate.
    pub mate_glance: bool,
}

/// What the ordering knows about a move.
#[derive(Clone, Copy, Debug, Default)]
pub struct OrderFacts {
    /// The TT move or, without one, the first move.
    pub first: bool,
    /// A killer of this ply.
    pub killer: bool,
    pub counter_move: bool,
    /// How far its score lies behind the best quiet move's, in points; never negative.
    pub gap: i32,
}

/// The outcome of a static exchange (SEE).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exchange {
    Loses,
    Even,
    Wins,
}

impl Exchange {
    /// The exchange that a legal move begins.
    pub fn of(pos: &Position, mv: Move) -> Exchange {
        if see_ge(pos, mv, 1) {
            Exchange::Wins
        } else if see_ge(pos, mv, 0) {
            Exchange::Even
        } else {
            Exchange::Loses
        }
    }
}

/// A move as the price list sees it.
#[derive(Clone, Copy, Debug)]
pub struct MoveToPrice<'a> {
    pub facts: &'a MoveFacts,
    pub exchange: Exchange,
    pub order: OrderFacts,
    pub node: &'a NodeFacts,
}

impl MoveToPrice<'_> {
    fn is_underpromotion(&self) -> bool {
        self.facts
            .promotion
            .is_some_and(|promoted| promoted != Piece::Queen)
    }

    /// A capture, unless it underpromotes: that alone then counts.
    fn is_capture(&self) -> bool {
        self.facts.victim.is_some() && !self.is_underpromotion()
    }

    fn is_check(&self) -> bool {
        self.facts.gives_check && !self.is_underpromotion()
    }

    /// Nothing but a quiet move by its kind.
    fn is_plain(&self) -> bool {
        let f = self.facts;
        f.victim.is_none() && !f.gives_check && f.promotion.is_none() && !f.passed_push
    }
}

/// Declares the categories: their number, name in `[extensions]`, and when they apply. The order is
/// that in which equal prices are named: the first one counts.
macro_rules! categories {
    ($mv:ident; $($(#[$doc:meta])* $name:ident = $index:literal, $key:ident if $applies:expr;)*) => {
        /// Why a move costs what it costs.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Category { $($(#[$doc])* $name = $index,)* }

        impl Category {
            pub const COUNT: usize = [$($index,)*].len();

            /// All categories in the order of their numbers.
            pub const ALL: [Category; Category::COUNT] = {
                let mut all = [Category::First; Category::COUNT];
                $(all[$index] = Category::$name;)*
                all
            };

            /// All categories, the one that names a price before those that equal it.
            const BY_RANK: [Category; Category::COUNT] = [$(Category::$name,)*];

            /// The key of its weight in `[extensions]`.
            pub const fn name(self) -> &'static str {
                match self { $(Category::$name => stringify!($key),)* }
            }

            /// Its weight in a config, in sixteenths of an SX.
            pub const fn weight(self, config: &ExtensionsConfig) -> i32 {
                match self { $(Category::$name => config.$key,)* }
            }

            /// The same, to be changed.
            pub const fn weight_mut(self, config: &mut ExtensionsConfig) -> &mut i32 {
                match self { $(Category::$name => &mut config.$key,)* }
            }

            /// Every category that applies to a move.
            pub fn applicable($mv: &MoveToPrice<'_>) -> CategorySet {
                CategorySet(0 $(| u32::from($applies) << RANKS[$index])*)
            }
        }
    };
}

categories! { mv;
    /// A move without anything else about it, not backward.
    QuietForward = 14, quiet_forward if mv.is_plain() && !mv.facts.backward;
    /// The same, back towards the own side.
    QuietBackward = 15, quiet_backward if mv.is_plain() && mv.facts.backward;
    /// A capture that wins material.
    CaptureWinning = 3, capture_winning if mv.is_capture() && mv.exchange == Exchange::Wins;
    CaptureEqual = 4, capture_equal if mv.is_capture() && mv.exchange == Exchange::Even;
    /// A capture that loses material.
    CaptureLosing = 5, capture_losing if mv.is_capture() && mv.exchange == Exchange::Loses;
    /// A capture where the last move captured.
    Recapture = 6, recapture if mv.is_capture() && mv.facts.recapture;
    /// A check that loses no material.
    CheckSafe = 1, check_safe if mv.is_check() && mv.exchange != Exchange::Loses;
    /// A check that loses material.
    CheckUnsafe = 2, check_unsafe if mv.is_check() && mv.exchange == Exchange::Loses;
    /// Promotion to a queen.
    Promotion = 7, promotion if mv.facts.promotion == Some(Piece::Queen);
    /// Promotion to a lesser piece.
    Underpromotion = 8, underpromotion if mv.is_underpromotion();
    /// A far advanced passed pawn goes on.
    PassedPawn = 9, passed_pawn if mv.facts.passed_push && !mv.is_underpromotion();
    /// The TT move or, without one, the first move.
    First = 0, first if mv.order.first;
    Killer = 12, killer if mv.order.killer;
    CounterMove = 13, counter_move if mv.order.counter_move;
    /// The only legal move out of check.
    OnlyReply = 10, only_reply if mv.node.only_reply;
    /// A way out of check.
    Evasion = 11, evasion if mv.node.in_check && !mv.node.only_reply;
    /// A move made while the null move says that mate threatens.
    MateThreat = 16, mate_threat if mv.node.mate_threat;
    /// A move made while a static pattern says that mate threatens.
    MateGlance = 17, mate_glance if mv.node.mate_glance;
}

/// The place of each category in the order of their ranks.
const RANKS: [u8; Category::COUNT] = {
    let mut ranks = [0; Category::COUNT];
    let mut rank = 0;
    while rank < Category::COUNT {
        ranks[Category::BY_RANK[rank] as usize] = rank as u8;
        rank += 1;
    }
    ranks
};

/// Some of the categories, such as those that apply to a move: bit `n` is the one of rank `n`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CategorySet(u32);

impl CategorySet {
    pub(super) const fn of(categories: &[Category]) -> CategorySet {
        let mut bits = 0;
        let mut place = 0;
        while place < categories.len() {
            bits |= 1 << RANKS[categories[place] as usize];
            place += 1;
        }
        CategorySet(bits)
    }

    pub(super) const fn without(self, others: CategorySet) -> CategorySet {
        CategorySet(self.0 & !others.0)
    }

    pub(super) const fn with(self, others: CategorySet) -> CategorySet {
        CategorySet(self.0 | others.0)
    }

    /// The one that also belongs to `others` and names a price before those that equal it.
    #[inline]
    pub(super) fn first_of(self, others: CategorySet) -> Option<Category> {
        let rank = (self.0 & others.0).trailing_zeros();
        Category::BY_RANK.get(rank as usize).copied()
    }

    /// The same set with a bit `n` for the category whose number is `n`.
    pub fn by_number(self) -> u32 {
        let has = |category: &&Category| self.0 >> RANKS[**category as usize] & 1 != 0;
        let members = Category::ALL.iter().filter(has);
        members.map(|&category| 1 << category as u8).sum()
    }
}
