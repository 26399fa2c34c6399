//! The list: one line per tunable.
//!
//! To add one, write its doc comment and its line; field, file key, UCI option, SPSA line and
//! reference entry follow (then `SEXTANT_BLESS=1 cargo test -p sextant-config` rewrites the
//! generated files). The kinds are
//!
//! * `int(range, "unit", step s)`: an integer; without `step` it is not tuned by games;
//! * `sx(range, step s)`: a cost in SX, stored in sixteenths;
//! * `ratio(range, step s)`: a factor, stored in 1/64;
//! * `phases(range, step s)`: eight costs, one per game phase, that share one default;
//! * `switch()`, `choice(Enum)`, `file()`, `folders()`.
//!
//! A section is `search` when it can change what a search of fixed nodes finds, else `host`.

use crate::choices::{CouplingRule, EvalKind, GapSource, QuietFirst, SyzygyBackend};

tunables! {
    /// What the machine lends to the engine.
    engine: EngineConfig, host {
        /// Size of the transposition table.
        hash: int(1..=33_554_432, "MB") as "Hash" = 16;
        /// Search threads.
        threads: int(1..=1024, "threads") as "Threads" = 1;
        /// Time kept back on every move for the way to and from the GUI.
        move_overhead: int(0..=5000, "ms") as "Move Overhead" = 10;
    }

    /// The frame of the search: iterations, windows, table and draws.
    search: SearchConfig, search {
        /// Budget that each iteration adds for both sides together; 8 is one ply.
        iteration_step: int(1..=32, "SX") = 8;
        /// Search each iteration in a window around the previous score.
        aspiration: switch() = true;
        /// Half-width of the first aspiration window.
        aspiration_window: int(2..=200, "cp", step 3) = 18;
        /// Centre the window on the last score of the same parity of depth.
        parity_aspiration: switch() = false;
        /// Reduce the root after a fail high, by at most three plies.
        aspiration_reduction: switch() = true;
        /// End a node on a sufficient table entry.
        tt_cutoffs: switch() = true;
        /// Reduce a node without a table move (internal iterative reduction).
        iir: switch() = true;
        /// Least effective depth of internal iterative reduction.
        iir_depth: int(1..=12, "plies", step 1) = 4;
        /// Correct the parent's reduction by what the static evaluations say afterwards.
        hindsight: switch() = true;
        /// Bound the window by the shortest mate still possible.
        mate_distance: switch() = true;
        /// See that a side can force a repetition with its next move.
        upcoming_repetition: switch() = true;
        /// Ask the static mate pattern at the horizon.
        mate_at_a_glance: switch() = false;
        /// Largest difference of budget imbalance, weighted by the coupling, at which a table entry
        /// still ends a node.
        transposition_tolerance: int(0..=254, "SX", step 2) = 8;
    }

    /// The price of a move by category: 8 is nominal, cheaper extends the line, dearer shortens it.
    extensions: ExtensionsConfig, search {
        /// Strength of the coupling of the two budgets; 0 is one shared budget.
        coupling: ratio(0.0..=1.0, step 0.125) = 0.0;
        /// How the imbalance of the budgets prolongs a line.
        coupling_rule: choice(CouplingRule) = CouplingRule::Forcing;
        /// Share of the forcing side's lead that the other side's dull replies are refunded, under
        /// the rule "forcing".
        refund_ratio: ratio(0.0..=4.0, step 0.125) = 1.0;
        /// Credit for extensions along one line, as a share of the iteration's whole budget.
        line_credit: ratio(0.0..=2.0, step 0.125) = 0.5;
        /// The table move or, without one, the first move.
        first: sx(-16.0..=32.0, step 0.5) = 8.0;
        /// A check that loses no material.
        check_safe: sx(-16.0..=32.0, step 0.5) = 8.0;
        /// A check that loses material.
        check_unsafe: sx(-16.0..=32.0, step 0.5) = 8.0;
        /// A capture that wins material by static exchange.
        capture_winning: sx(-16.0..=32.0, step 0.5) = 8.0;
        /// A capture that trades evenly by static exchange.
        capture_equal: sx(-16.0..=32.0, step 0.5) = 8.0;
        /// A capture that loses material by static exchange.
        capture_losing: sx(-16.0..=32.0, step 0.5) = 8.0;
        /// A capture on the square of the last capture.
        recapture: sx(-16.0..=32.0, step 0.5) = 8.0;
        /// Promotion to a queen.
        promotion: sx(-16.0..=32.0, step 0.5) = 8.0;
        /// Promotion to another piece.
        underpromotion: sx(-16.0..=32.0, step 0.5) = 8.0;
        /// The push of a passed pawn.
        passed_pawn: sx(-16.0..=32.0, step 0.5) = 8.0;
        /// The only legal move.
        only_reply: sx(-16.0..=32.0, step 0.5) = 8.0;
        /// A move out of check with alternatives.
        evasion: sx(-16.0..=32.0, step 0.5) = 8.0;
        /// A killer move.
        killer: sx(-16.0..=32.0, step 0.5) = 8.0;
        /// The move that refuted the opponent's last move before.
        counter_move: sx(-16.0..=32.0, step 0.5) = 8.0;
        /// A quiet move forward or sideways.
        quiet_forward: sx(-16.0..=32.0, step 0.5) = 8.0;
        /// A quiet move backward.
        quiet_backward: sx(-16.0..=32.0, step 0.5) = 8.0;
        /// A move made while the null move says that mate threatens.
        mate_threat: sx(-16.0..=32.0, step 0.5) = 8.0;
        /// A move made while a static pattern says that mate threatens.
        mate_glance: sx(-16.0..=32.0, step 0.5) = 8.0;
        /// Added to every price by game phase, from the opening (0) to the bare endgame (7).
        phase: phases(-8.0..=8.0, step 0.25) = 0.0;
        /// Test whether the table move stands alone (singular extension).
        singular_enabled: switch() = true;
        /// Discount for a singular table move.
        singular: sx(0.0..=16.0, step 0.5) = 8.0;
        /// Discount for a table move that stands far above the rest.
        singular_double: sx(0.0..=32.0, step 1.0) = 16.0;
        /// Least effective depth of the singular test.
        singular_depth: int(2..=16, "plies", step 1) = 6;
        /// Distance below the table score that makes a move singular, per ply of effective depth.
        singular_margin: int(0..=20, "cp/ply", step 1) = 2;
        /// Added to the price of a quiet move for each 100 points that it scores below the best
        /// quiet move.
        gap_weight: int(0..=256, "SX/16", step 4) = 0;
        /// Which score the gap is measured in.
        gap_source: choice(GapSource) = GapSource::Order;
        /// Dearest price of a forward quiet move after the score gap.
        quiet_forward_max: sx(8.0..=32.0, step 0.5) = 21.0;
        /// Dearest price of a backward quiet move after the score gap.
        quiet_backward_max: sx(8.0..=32.0, step 0.5) = 24.0;
        /// Price moves by their static score against the window, with no exchange resolved.
        window_costs: switch() = false;
        /// A move whose static score is at or above beta.
        window_above: sx(-16.0..=32.0, step 0.5) = 8.0;
        /// A move whose static score is inside the window.
        window_inside: sx(-16.0..=32.0, step 0.5) = 8.0;
        /// A move whose static score is at or below alpha.
        window_below: sx(-16.0..=32.0, step 0.5) = 8.0;
    }

    /// The searcher's bets: late moves are searched less deep first; taken from both budgets.
    reductions: ReductionsConfig, search {
        /// Reduce late moves at all.
        enabled: switch() = true;
        /// Constant part of the reduction.
        base: int(-512..=512, "ply/128", step 16) = 77;
        /// Divisor of ln(depth) * ln(move number), in hundredths.
        log_scale: int(100..=800, "1/100", step 15) = 220;
        /// Reduced less by this much for the best possible history, and more for the worst.
        history: int(-512..=512, "ply/128", step 16) = 128;
        /// Reduced less in a principal-variation node.
        pv: int(-512..=512, "ply/128", step 16) = 128;
        /// Reduced more in an expected cut node.
        cut_node: int(-512..=512, "ply/128", step 16) = 160;
        /// Reduced less while the static evaluation is improving.
        improving: int(-512..=512, "ply/128", step 16) = 64;
        /// Reduced more in a node without a table move.
        no_tt_move: int(-512..=512, "ply/128", step 16) = 64;
        /// A check is reduced less.
        check: int(-512..=512, "ply/128", step 16) = 128;
        /// A killer or counter move is reduced less.
        killer: int(-512..=512, "ply/128", step 16) = 128;
        /// A backward quiet move is reduced more.
        backward: int(-512..=512, "ply/128", step 16) = 32;
        /// Reduced less where the table remembers a principal variation.
        tt_pv: int(-512..=512, "ply/128", step 16) = 96;
        /// Reduced more where the table move is a capture.
        tt_capture: int(-512..=512, "ply/128", step 16) = 64;
        /// Reduced more where more than three nodes of the next ply were cut off lately.
        cutoffs: int(-512..=512, "ply/128", step 16) = 128;
        /// The other moves of an open node are searched less deep once one has raised alpha.
        raised: int(0..=512, "ply/128", step 16) = 128;
        /// Moves searched before the first reduction.
        min_moves: int(1..=16, "moves", step 1) = 2;
        /// Least effective depth of a reduction.
        min_depth: int(1..=16, "plies", step 1) = 2;
    }

    /// Moves and nodes that are not searched at all; all keyed on effective depth.
    pruning: PruningConfig, search {
        /// Null-move pruning.
        null_move: switch() = true;
        /// Constant part of the null move's reduction.
        null_base: int(0..=1024, "ply/128", step 32) = 512;
        /// Effective depth that adds a ply to the null move's reduction.
        null_depth_div: int(1..=16, "plies", step 1) = 4;
        /// Static score above beta that adds a ply to the null move's reduction.
        null_eval_div: int(50..=1000, "cp", step 20) = 120;
        /// Least effective depth of the null move.
        null_min_depth: int(1..=16, "plies", step 1) = 2;
        /// Reverse futility pruning: a node far above beta is cut off.
        reverse_futility: switch() = true;
        /// Margin of reverse futility per ply.
        rfp_margin: int(10..=400, "cp/ply", step 8) = 64;
        /// Taken off the reverse futility margin while improving.
        rfp_improving: int(0..=300, "cp", step 8) = 40;
        /// Taken off it while the opponent's evaluation is worsening: its last move did not help it.
        rfp_worsening: int(0..=300, "cp", step 5) = 0;
        /// Largest effective depth of reverse futility.
        rfp_depth: int(1..=16, "plies", step 1) = 8;
        /// Razoring: a node far below alpha goes straight to quiescence.
        razoring: switch() = true;
        /// Constant part of the razoring margin.
        razor_base: int(0..=1000, "cp", step 20) = 150;
        /// Razoring margin per ply.
        razor_margin: int(0..=1000, "cp/ply", step 20) = 120;
        /// Largest effective depth of razoring.
        razor_depth: int(1..=10, "plies", step 1) = 3;
        /// Futility pruning of quiet moves in a node below alpha.
        futility: switch() = true;
        /// Constant part of the futility margin.
        futility_base: int(0..=500, "cp", step 10) = 60;
        /// Futility margin per ply.
        futility_margin: int(10..=400, "cp/ply", step 10) = 54;
        /// Largest effective depth of futility pruning.
        futility_depth: int(1..=16, "plies", step 1) = 7;
        /// Prune quiet moves after a number of moves.
        late_moves: switch() = true;
        /// Constant part of that number.
        late_base: int(1..=30, "moves", step 1) = 4;
        /// Share of the squared effective depth that is added to that number.
        late_scale: int(10..=400, "percent", step 10) = 100;
        /// Largest effective depth of late-move pruning.
        late_depth: int(1..=16, "plies", step 1) = 8;
        /// Prune moves that lose material by static exchange.
        see_pruning: switch() = true;
        /// Material that a quiet move may lose per ply.
        see_quiet: int(0..=400, "cp/ply", step 8) = 60;
        /// Material that a capture may lose per ply.
        see_capture: int(0..=400, "cp/ply", step 8) = 90;
        /// Largest effective depth of that pruning.
        see_depth: int(1..=16, "plies", step 1) = 8;
        /// Prune quiet moves with a bad history.
        history_pruning: switch() = true;
        /// How bad the history must be, per ply.
        history_margin: int(0..=16_384, "points/ply", step 250) = 2500;
        /// Largest effective depth of history pruning.
        history_depth: int(1..=16, "plies", step 1) = 4;
        /// ProbCut: a reduced search well above beta is believed.
        probcut: switch() = true;
        /// Distance above beta that ProbCut asks for.
        probcut_margin: int(20..=600, "cp", step 12) = 110;
        /// Least effective depth of ProbCut.
        probcut_depth: int(2..=16, "plies", step 1) = 5;
        /// Cut off when the singular test finds a second move above beta.
        multicut: switch() = true;
        /// Shift the futility margins by who moves last before the horizon.
        parity: switch() = false;
        /// Margin added where the side to move also makes the last move.
        parity_own: int(-100..=100, "cp", step 5) = 0;
        /// Margin added where the opponent makes the last move.
        parity_their: int(-100..=100, "cp", step 5) = 0;
        /// Halve the late-move and exchange pruning of a side that has been forcing.
        forcing_half: switch() = false;
    }

    /// What earlier nodes teach the move ordering.
    history: HistoryConfig, search {
        /// Quiet moves by from and to square and by threat.
        butterfly: switch() = true;
        /// Captures by piece, square and victim.
        capture: switch() = true;
        /// Quiet moves by pawn structure.
        pawn: switch() = true;
        /// Quiet moves by the moves 1, 2, 4 and 6 plies before.
        continuation: switch() = true;
        /// Correct the static evaluation by what searches of like positions found.
        correction: switch() = true;
        /// Remember the refutation of each move.
        counter_moves: switch() = true;
        /// Remember two refutations for each ply.
        killers: switch() = true;
        /// Praise the last move where every reply to it failed.
        replies: switch() = true;
        /// Praise a quiet table move that ends its node without a search.
        table_moves: switch() = true;
        /// Bonus of a good move per ply.
        bonus_scale: int(10..=600, "points/ply", step 15) = 150;
        /// Largest bonus.
        bonus_max: int(100..=4000, "points", step 100) = 1500;
        /// Malus of a failed move per ply.
        malus_scale: int(10..=600, "points/ply", step 15) = 150;
        /// Largest malus.
        malus_max: int(100..=4000, "points", step 100) = 1200;
    }

    /// The search after the horizon.
    quiescence: QuiescenceConfig, search {
        /// Resolve captures at all; off, the static evaluation is taken at the horizon.
        enabled: switch() = true;
        /// Where a quiet move comes before the captures.
        quiet_first: choice(QuietFirst) = QuietFirst::Off;
        /// How far stand-pat may miss alpha for a quiet move at a leaf.
        leaf_margin: int(0..=400, "cp", step 10) = 50;
        /// Plies of quiescence that try quiet checks.
        checks_plies: int(0..=8, "plies", step 1) = 1;
        /// Skip captures that lose material by static exchange.
        see_pruning: switch() = true;
        /// Skip captures that cannot reach alpha.
        delta: switch() = false;
        /// Safety margin of that rule.
        delta_margin: int(0..=600, "cp", step 12) = 180;
    }

    /// Bonuses that the root gives to its moves; the search below never sees them.
    root_bonus: RootBonusConfig, search {
        /// Amplitude of the bonus for developing moves.
        development: int(0..=500, "cp") = 0;
        /// Amplitude of a random bonus.
        random: int(0..=500, "cp") = 0;
        /// Seed of the random bonus; 0 draws one from the clock.
        seed: int(0..=2_147_483_647, "") = 0;
        /// Penalty of an under-promotion.
        underpromotion: int(0..=500, "cp") = 0;
        /// Bonus for captures that lead into trivially drawn endings.
        trivial_draw_capture: int(0..=500, "cp") = 0;
        /// Bonus for giving material away in endings that the tablebases call drawn.
        tablebase_draw_sacrifice: int(0..=500, "cp") = 0;
    }

    /// Detection of repeated positions.
    repetition: RepetitionConfig, search {
        /// Binary logarithm of the number of counters in the filter.
        filter_bits: int(2..=16, "bits") = 14;
    }

    /// Endgame tablebases.
    syzygy: SyzygyConfig, search {
        /// Folders of the tables.
        path: folders() as "SyzygyPath" = "";
        /// Which code reads them.
        backend: choice(SyzygyBackend) = SyzygyBackend::Native;
        /// Least effective depth of a probe with as many men as the largest table has.
        probe_depth: int(1..=100, "plies") as "SyzygyProbeDepth" = 1;
        /// Most men to probe with; 0 switches the tables off.
        probe_limit: int(0..=7, "men") as "SyzygyProbeLimit" = 7;
        /// Treat wins that the 50-move rule spoils as draws.
        fifty_move_rule: switch() as "Syzygy50MoveRule" = true;
    }

    /// How the clock is spent.
    time: TimeConfig, host {
        /// Predict the time of the next iteration by separate growth factors for odd and even
        /// depths.
        parity_prediction: switch() = false;
        /// Stop earlier while the best move stays the same.
        stability: switch() = true;
        /// Think longer after the score has dropped.
        score_drop: switch() = true;
        /// Stop earlier when the best move takes most of the nodes.
        node_share: switch() = true;
        /// Scale of the time that a move is planned to take.
        base_percent: int(10..=400, "percent", step 5) = 100;
        /// Share of the increment that is spent at once.
        increment_percent: int(0..=100, "percent", step 5) = 75;
        /// Most of the remaining clock that one move may take.
        max_percent: int(5..=95, "percent", step 3) = 60;
    }

    /// The static evaluation.
    eval: EvalConfig, search {
        /// Which evaluation scores a position.
        kind: choice(EvalKind) = EvalKind::Nnue;
        /// Bonus for the side to move in the classical evaluation.
        tempo: int(-100..=100, "cp", step 3) = 16;
        /// Network to use in place of the embedded one.
        file: file() as "EvalFile" = "";
    }

    /// Playing below full strength.
    level: LevelConfig, search {
        /// Play at the strength of `elo`.
        limit_strength: switch() as "UCI_LimitStrength" = false;
        /// Strength while limited.
        elo: int(500..=2500, "Elo") as "UCI_Elo" = 1500;
        /// Strength as a plain number; 20 is full strength.
        skill: int(0..=20, "") as "Skill Level" = 20;
    }
}
