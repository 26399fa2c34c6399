//! The price list: from facts about a move to what its mover pays.

use sextant_board::{MoveFacts, Phase, Piece, Position, Score, see_ge};
use sextant_config::{ExtensionsConfig, GapSource};

use super::{Category, units::Price};
use crate::window::Window;

/// Facts about a node that touch the price of each of its moves.
#[derive(Clone, Copy, Debug)]
pub struct NodeFacts {
    /// Game phase.
    pub phase: Phase,
    /// The side to move is in check.
    pub in_check: bool,
    /// There is only one legal move.
    pub only_reply: bool,
    /// The null move was answered by mate.
    pub mate_threat: bool,
    /// A static pattern says that the opponent would mate.
    pub mate_glance: bool,
}

/// What the ordering knows about a move.
#[derive(Clone, Copy, Debug, Default)]
pub struct OrderFacts {
    /// The table move or, without one, the first move.
    pub first: bool,
    /// A killer of this ply.
    pub killer: bool,
    /// The counter move.
    pub counter_move: bool,
    /// How far its score lies behind the best quiet move's, in points; never negative.
    pub gap: i32,
}

/// Where the static score after a move lies, for the window-dependent costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgainstWindow {
    /// At or above beta.
    Above,
    /// Between alpha and beta.
    Inside,
    /// At or below alpha.
    Below,
}

impl AgainstWindow {
    /// The place of `score`.
    #[must_use]
    pub fn of(score: Score, window: Window) -> AgainstWindow {
        if score >= window.beta {
            AgainstWindow::Above
        } else if score > window.alpha {
            AgainstWindow::Inside
        } else {
            AgainstWindow::Below
        }
    }
}

/// The weights of `[extensions]` in sixteenths of an SX, ready for the search.
#[derive(Clone, Debug)]
pub struct Prices {
    weights: [i32; Category::COUNT],
    phases: [i32; 8],
    gap_weight: i32,
    gap_max: [i32; 2],
    gap_source: GapSource,
    window: Option<[i32; 3]>,
    /// Every move costs eight SX: nothing needs to be looked at.
    neutral: bool,
    /// Captures and checks are priced by their exchange value.
    needs_see: bool,
    /// A threatened mate makes some move cheaper.
    mate_glance: bool,
}

impl Prices {
    /// The price list of a config. With `static_only` (exact mode) whatever depends on the
    /// ordering or on the window is left out.
    #[must_use]
    pub fn new(config: &ExtensionsConfig, static_only: bool) -> Prices {
        let nominal = Price::NOMINAL.raw();
        let mut weights = weights_of(config);
        if static_only {
            for category in [Category::First, Category::Killer, Category::CounterMove] {
                weights[category as usize] = Price::MAX.raw();
            }
            weights[Category::MateThreat as usize] = nominal;
        }
        let w = |category: Category| weights[category as usize];
        let gap_weight = if static_only { 0 } else { config.gap_weight };
        let window = (config.window_costs && !static_only).then(|| {
            [
                config.window_above,
                config.window_inside,
                config.window_below,
            ]
            .map(|cost| cost - nominal)
        });
        let dearest = dearest_kind(&weights, gap_weight, config);
        let ignored = [Category::First, Category::Killer, Category::CounterMove];
        let neutral = gap_weight == 0
            && window.is_none()
            && config.phase.iter().all(|&cost| cost == 0)
            && Category::ALL.iter().all(|&category| {
                w(category) == nominal || static_only && ignored.contains(&category)
            });
        Prices {
            needs_see: w(Category::CaptureWinning) != w(Category::CaptureEqual)
                || w(Category::CaptureEqual) != w(Category::CaptureLosing)
                || w(Category::CheckSafe) != w(Category::CheckUnsafe),
            mate_glance: w(Category::MateGlance) < dearest,
            weights,
            phases: config.phase,
            gap_weight,
            gap_max: [config.quiet_forward_max, config.quiet_backward_max],
            gap_source: config.gap_source,
            window,
            neutral,
        }
    }

    /// Do all moves cost one nominal ply?
    #[inline]
    #[must_use]
    pub const fn is_neutral(&self) -> bool {
        self.neutral
    }

    /// Does the price depend on the static score after the move?
    #[inline]
    #[must_use]
    pub const fn uses_window(&self) -> bool {
        self.window.is_some()
    }

    /// The score in which a quiet move's distance to the best one is measured, if it matters.
    #[inline]
    #[must_use]
    pub fn gap(&self) -> Option<GapSource> {
        (self.gap_weight != 0).then_some(self.gap_source)
    }

    /// Is it worth counting the replies to a check?
    #[inline]
    #[must_use]
    pub const fn asks_only_reply(&self) -> bool {
        self.weights[Category::OnlyReply as usize] != self.weights[Category::Evasion as usize]
    }

    /// Is a node-wide question about threatened mates worth asking?
    #[inline]
    #[must_use]
    pub const fn asks_mate_glance(&self) -> bool {
        self.mate_glance
    }

    /// The price of a move and the category that decided it.
    ///
    /// The cheapest of the tactical categories that apply counts; a quiet move costs its quiet
    /// weight plus its score gap, unless what the ordering or the node knows makes it cheaper.
    #[inline]
    #[must_use]
    pub fn price(
        &self,
        pos: &Position,
        mv: sextant_board::Move,
        facts: &MoveFacts,
        order: OrderFacts,
        node: &NodeFacts,
    ) -> (Price, Category) {
        if self.neutral {
            return (Price::NOMINAL, Category::First);
        }
        let mut best = self.by_kind(pos, mv, facts, order.gap);
        let mut offer = |applies: bool, category: Category| {
            let cost = self.weights[category as usize];
            if applies && cost < best.0 {
                best = (cost, category);
            }
        };
        offer(order.first, Category::First);
        offer(order.killer, Category::Killer);
        offer(order.counter_move, Category::CounterMove);
        offer(node.only_reply, Category::OnlyReply);
        offer(node.in_check && !node.only_reply, Category::Evasion);
        offer(node.mate_threat, Category::MateThreat);
        offer(node.mate_glance, Category::MateGlance);
        (
            Price::from_raw(best.0 + self.phases[node.phase.index()]),
            best.1,
        )
    }

    /// The same price moved by where the static score after the move lies (off by default: it
    /// makes a move's value depend on the window, as the paper warns).
    #[inline]
    #[must_use]
    pub fn against_window(&self, price: Price, place: AgainstWindow) -> Price {
        match self.window {
            Some(costs) => Price::from_raw(price.raw() + costs[place as usize]),
            None => price,
        }
    }

    fn by_kind(
        &self,
        pos: &Position,
        mv: sextant_board::Move,
        facts: &MoveFacts,
        gap: i32,
    ) -> (i32, Category) {
        let cost = |category: Category| (self.weights[category as usize], category);
        if let Some(piece) = facts.promotion
            && piece != Piece::Queen
        {
            return cost(Category::Underpromotion);
        }
        let mut best: Option<(i32, Category)> = None;
        let mut offer = |applies: bool, category: Category| {
            if applies && best.is_none_or(|(cost, _)| self.weights[category as usize] < cost) {
                best = Some(cost(category));
            }
        };
        if facts.victim.is_some() {
            offer(true, self.capture_category(pos, mv));
            offer(facts.recapture, Category::Recapture);
        }
        if facts.gives_check {
            let safe = !self.needs_see || see_ge(pos, mv, 0);
            offer(
                true,
                if safe {
                    Category::CheckSafe
                } else {
                    Category::CheckUnsafe
                },
            );
        }
        offer(facts.promotion.is_some(), Category::Promotion);
        offer(facts.passed_push, Category::PassedPawn);
        best.unwrap_or_else(|| {
            let category = if facts.backward {
                Category::QuietBackward
            } else {
                Category::QuietForward
            };
            let (base, _) = cost(category);
            let max = self.gap_max[usize::from(facts.backward)].max(base);
            ((base + self.gap_weight * gap / 100).min(max), category)
        })
    }

    fn capture_category(&self, pos: &Position, mv: sextant_board::Move) -> Category {
        if !self.needs_see || see_ge(pos, mv, 1) {
            Category::CaptureWinning
        } else if see_ge(pos, mv, 0) {
            Category::CaptureEqual
        } else {
            Category::CaptureLosing
        }
    }
}

/// The most that a move can cost by its kind alone.
fn dearest_kind(
    weights: &[i32; Category::COUNT],
    gap_weight: i32,
    config: &ExtensionsConfig,
) -> i32 {
    let gap_max = config.quiet_forward_max.max(config.quiet_backward_max);
    let by_ordering_or_node = [
        Category::First,
        Category::Killer,
        Category::CounterMove,
        Category::OnlyReply,
        Category::Evasion,
        Category::MateThreat,
        Category::MateGlance,
    ];
    Category::ALL
        .into_iter()
        .filter(|category| !by_ordering_or_node.contains(category))
        .map(|category| weights[category as usize])
        .chain((gap_weight != 0).then_some(gap_max))
        .fold(i32::MIN, i32::max)
}

fn weights_of(config: &ExtensionsConfig) -> [i32; Category::COUNT] {
    Category::ALL.map(|category| match category {
        Category::First => config.first,
        Category::CheckSafe => config.check_safe,
        Category::CheckUnsafe => config.check_unsafe,
        Category::CaptureWinning => config.capture_winning,
        Category::CaptureEqual => config.capture_equal,
        Category::CaptureLosing => config.capture_losing,
        Category::Recapture => config.recapture,
        Category::Promotion => config.promotion,
        Category::Underpromotion => config.underpromotion,
        Category::PassedPawn => config.passed_pawn,
        Category::OnlyReply => config.only_reply,
        Category::Evasion => config.evasion,
        Category::Killer => config.killer,
        Category::CounterMove => config.counter_move,
        Category::QuietForward => config.quiet_forward,
        Category::QuietBackward => config.quiet_backward,
        Category::MateThreat => config.mate_threat,
        Category::MateGlance => config.mate_glance,
    })
}
