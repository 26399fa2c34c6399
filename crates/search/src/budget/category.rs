//! The kinds of move that the price list knows.

/// Why a move costs what it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Category {
    /// The table move or, without one, the first move.
    First,
    /// A check that loses no material.
    CheckSafe,
    /// A check that loses material.
    CheckUnsafe,
    /// A capture that wins material.
    CaptureWinning,
    /// An even exchange.
    CaptureEqual,
    /// A capture that loses material.
    CaptureLosing,
    /// A capture where the last move captured.
    Recapture,
    /// Promotion to a queen.
    Promotion,
    /// Promotion to a lesser man.
    Underpromotion,
    /// A far advanced passed pawn goes on.
    PassedPawn,
    /// The only legal move.
    OnlyReply,
    /// A way out of check.
    Evasion,
    /// A killer.
    Killer,
    /// The counter move.
    CounterMove,
    /// Any other quiet move, not backward.
    QuietForward,
    /// Any other quiet move back towards the own side.
    QuietBackward,
    /// A move made while the null move says that mate threatens.
    MateThreat,
    /// A move made while a static pattern says that mate threatens.
    MateGlance,
}

impl Category {
    /// Number of categories.
    pub const COUNT: usize = 18;

    /// All categories in the order of their indices.
    pub const ALL: [Category; Category::COUNT] = [
        Category::First,
        Category::CheckSafe,
        Category::CheckUnsafe,
        Category::CaptureWinning,
        Category::CaptureEqual,
        Category::CaptureLosing,
        Category::Recapture,
        Category::Promotion,
        Category::Underpromotion,
        Category::PassedPawn,
        Category::OnlyReply,
        Category::Evasion,
        Category::Killer,
        Category::CounterMove,
        Category::QuietForward,
        Category::QuietBackward,
        Category::MateThreat,
        Category::MateGlance,
    ];

    /// The key of its weight in `[extensions]`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Category::First => "first",
            Category::CheckSafe => "check_safe",
            Category::CheckUnsafe => "check_unsafe",
            Category::CaptureWinning => "capture_winning",
            Category::CaptureEqual => "capture_equal",
            Category::CaptureLosing => "capture_losing",
            Category::Recapture => "recapture",
            Category::Promotion => "promotion",
            Category::Underpromotion => "underpromotion",
            Category::PassedPawn => "passed_pawn",
            Category::OnlyReply => "only_reply",
            Category::Evasion => "evasion",
            Category::Killer => "killer",
            Category::CounterMove => "counter_move",
            Category::QuietForward => "quiet_forward",
            Category::QuietBackward => "quiet_backward",
            Category::MateThreat => "mate_threat",
            Category::MateGlance => "mate_glance",
        }
    }
}
