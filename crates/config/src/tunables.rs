//! The list of tunables, one line each.
//!
//! To add one, write its doc comment and its line; the field, the file key, the UCI option, the
//! SPSA line and the reference entry follow (`SEXTANT_BLESS=1 cargo test -p sextant-config`
//! rewrites the generated files). The kinds are
//!
//! * `int(range, "unit", step s)`: an integer; without `step` it is not tuned by games;
//! * `sx(range, step s)`: a cost in SX, stored in sixteenths;
//! * `ratio(range, step s)`: a factor, stored in 1/64;
//! * `phases(range, step s)`: eight costs, one per game phase;
//! * `switch()`, `choice(Enum)`, `file()`, `folders()`.
//!
//! A section is `search` if it can change the result of a fixed-node search, else `host`.

use crate::choices::{CouplingRule, EvalKind, GapSource, Lead, QuietFirst, SyzygyBackend};

tunables! {
    /// Hardware resources: hash size, threads, move overhead.
    engine: EngineConfig, host {
        /// Size of the transposition table.
        hash: int(1..=33_554_432, "MB") as "Hash" = 16;
        /// Number of search threads.
        threads: int(1..=1024, "threads") as "Threads" = 1;
        /// Time reserved per move for GUI and network latency.
        move_overhead: int(0..=5000, "ms") as "Move Overhead" = 10;
    }

    /// Iterative deepening, aspiration windows, transposition table, draws.
    search: SearchConfig, search {
        /// Budget that each iteration adds for both sides together; 8 is one ply.
        iteration_step: int(1..=32, "SX") = 8;
        /// Search each iteration in an aspiration window around the previous score.
        aspiration: switch() = true;
        /// Half-width of the initial aspiration window.
        aspiration_window: int(2..=200, "cp", step 3) = 18;
        /// Center the window on the last score from a depth of the same parity.
        parity_aspiration: switch() = false;
        /// Reduce the root depth after each fail high, by at most three plies.
        aspiration_reduction: switch() = true;
        /// Allow transposition-table cutoffs.
        tt_cutoffs: switch() = true;
        /// Reduce the depth of nodes without a TT move (internal iterative reduction).
        iir: switch() = true;
        /// Minimum effective depth for internal iterative reduction.
        iir_depth: int(1..=12, "plies", step 1) = 6;
        /// Adjust the depth when static evals contradict the parent's reduction.
        hindsight: switch() = true;
        /// The parent's reduction from which on hindsight may make a node less deep.
        hindsight_least: int(0..=8, "plies", step 1) = 1;
        /// The most that the static evaluation is shifted in favor of the side that stands better
        /// at the root.
        optimism: int(0..=100, "cp", step 4) = 16;
        /// Mate-distance pruning: bound the window by the shortest mate still possible.
        mate_distance: switch() = true;
        /// Detect that the side to move can repeat a position with its next move.
        upcoming_repetition: switch() = true;
        /// Look for a static mate-in-one pattern at the horizon.
        mate_at_a_glance: switch() = false;
        /// Share of the nodes that a proof-number search for mates gets.
        mate_search: int(0..=90, "percent") = 0;
        /// Maximum difference in budget imbalance, weighted by the coupling, at which a TT entry
        /// may still cut off.
        transposition_tolerance: int(0..=254, "SX", step 2) = 8;
    }

    /// Prices of moves by category: 8 SX is nominal; less is an extension, more a reduction.
    extensions: ExtensionsConfig, search {
        /// Coupling of the two sides' budgets; 0 means one shared budget, and what is negative takes
        /// from a line what the same positive number would give.
        coupling: ratio(-1.0..=1.0, step 0.125) = 0.375;
        /// How an imbalance of the budgets extends a line.
        coupling_rule: choice(CouplingRule) = CouplingRule::Paper;
        /// Share of the forcing side's lead that is refunded for the opponent's non-forcing
        /// replies, under the rule "forcing".
        refund_ratio: ratio(0.0..=4.0, step 0.125) = 1.0;
        /// Which moves put their mover ahead in the budgets, or behind.
        lead: choice(Lead) = Lead::Initiative;
        /// Treat what a move costs above nominal as a reduction: search again at the nominal price
        /// what then beats alpha.
        verified: switch() = true;
        /// Extension credit along one line, as a share of the iteration's total budget; 256 is
        /// more than any line needs at prices like the paper's.
        line_credit: ratio(0.0..=256.0, step 0.125) = 0.5;
        /// Share of a discount that counts beyond the iteration's nominal depth.
        beyond_nominal: ratio(0.0..=1.0, step 0.125) = 0.5;
        /// The TT move or, if there is none, the first move searched.
        first: sx(-16.0..=64.0, step 0.5) = 8.0;
        /// A check that does not lose material by static exchange.
        check_safe: sx(-16.0..=64.0, step 0.5) = 7.0;
        /// A check that loses material by static exchange.
        check_unsafe: sx(-16.0..=64.0, step 0.5) = 8.0;
        /// A capture that wins material by static exchange.
        capture_winning: sx(-16.0..=64.0, step 0.5) = 7.0;
        /// A capture that trades evenly by static exchange.
        capture_equal: sx(-16.0..=64.0, step 0.5) = 8.0;
        /// A capture that loses material by static exchange.
        capture_losing: sx(-16.0..=64.0, step 0.5) = 9.5;
        /// A recapture: a capture on the square of the previous capture.
        recapture: sx(-16.0..=64.0, step 0.5) = 7.0;
        /// A promotion to a queen.
        promotion: sx(-16.0..=64.0, step 0.5) = 8.0;
        /// A promotion to any other piece.
        underpromotion: sx(-16.0..=64.0, step 0.5) = 8.0;
        /// A push of a passed pawn to its sixth or seventh rank.
        passed_pawn: sx(-16.0..=64.0, step 0.5) = 8.0;
        /// The only legal move out of check.
        only_reply: sx(-16.0..=64.0, step 0.5) = 8.0;
        /// A check evasion that is not the only legal move.
        evasion: sx(-16.0..=64.0, step 0.5) = 7.5;
        /// A killer move.
        killer: sx(-16.0..=64.0, step 0.5) = 7.5;
        /// The counter move: the move that last refuted the opponent's previous move.
        counter_move: sx(-16.0..=64.0, step 0.5) = 8.0;
        /// A quiet move forwards or sideways.
        quiet_forward: sx(-16.0..=64.0, step 0.5) = 7.75;
        /// A quiet move backwards.
        quiet_backward: sx(-16.0..=64.0, step 0.5) = 8.0;
        /// A move played while a null-move search shows a mate threat.
        mate_threat: sx(-16.0..=64.0, step 0.5) = 8.0;
        /// A move played while a static pattern shows a mate threat.
        mate_glance: sx(-16.0..=64.0, step 0.5) = 8.0;
        /// Added to every price by game phase, from the opening (0) to bare endings (7).
        phase: phases(-8.0..=8.0, step 0.25) = [0.0; 8];
        /// Singular extensions: test whether the TT move is far better than all others.
        singular_enabled: switch() = true;
        /// Price discount for a singular TT move.
        singular: sx(0.0..=16.0, step 0.5) = 8.0;
        /// Price discount for a TT move that is singular by a wide margin (double extension).
        singular_double: sx(0.0..=32.0, step 1.0) = 16.0;
        /// Minimum effective depth for the singular test.
        singular_depth: int(2..=16, "plies", step 1) = 6;
        /// Singular margin: distance below the TT score per ply of effective depth.
        singular_margin: int(0..=20, "cp/ply", step 1) = 2;
        /// How much further everything else must fail for the double extension.
        singular_double_margin: int(0..=200, "cp", step 4) = 12;
        /// A further ply for a TT move that is singular by so much more, quiet; 0 never.
        singular_triple: int(0..=400, "cp", step 10) = 80;
        /// Added to the price of a quiet move for each 100 points that its score is below that of
        /// the best quiet move.
        gap_weight: int(0..=1024, "SX/16", step 4) = 0;
        /// Which score the gap between quiet moves is measured in.
        gap_source: choice(GapSource) = GapSource::Order;
        /// Maximum price of a forward quiet move, score gap included.
        quiet_forward_max: sx(8.0..=64.0, step 0.5) = 21.0;
        /// Maximum price of a backward quiet move, score gap included.
        quiet_backward_max: sx(8.0..=64.0, step 0.5) = 24.0;
        /// Price moves by where their static score, without resolving exchanges, lies relative to
        /// the window.
        window_costs: switch() = false;
        /// A move whose static score is at or above beta (window costs).
        window_above: sx(-16.0..=64.0, step 0.5) = 8.0;
        /// A move whose static score is inside the window (window costs).
        window_inside: sx(-16.0..=64.0, step 0.5) = 8.0;
        /// A move whose static score is at or below alpha (window costs).
        window_below: sx(-16.0..=64.0, step 0.5) = 8.0;
    }

    /// Late-move reductions, taken from both sides' budgets.
    reductions: ReductionsConfig, search {
        /// Enable late-move reductions.
        enabled: switch() = true;
        /// Constant term of the reduction.
        base: int(-512..=512, "ply/128", step 16) = 77;
        /// Divisor of ln(depth) * ln(move number), in hundredths.
        log_scale: int(100..=800, "1/100", step 15) = 220;
        /// Reduce less by up to this much for good history, more for bad history.
        history: int(-512..=512, "ply/128", step 16) = 128;
        /// Reduce less in PV nodes.
        pv: int(-512..=512, "ply/128", step 16) = 128;
        /// Reduce more in expected cut nodes.
        cut_node: int(-512..=512, "ply/128", step 16) = 160;
        /// Reduce less while the static evaluation is improving.
        improving: int(-512..=512, "ply/128", step 16) = 64;
        /// Reduce more in nodes without a TT move.
        no_tt_move: int(-512..=512, "ply/128", step 16) = 64;
        /// Reduce moves that give check less.
        check: int(-512..=512, "ply/128", step 16) = 128;
        /// Reduce killer and counter moves less.
        killer: int(-512..=512, "ply/128", step 16) = 128;
        /// Reduce backward quiet moves more.
        backward: int(-512..=512, "ply/128", step 16) = 32;
        /// Reduce less where the TT entry was once part of a PV.
        tt_pv: int(-512..=512, "ply/128", step 16) = 144;
        /// Reduce more where the TT move is a capture.
        tt_capture: int(-512..=512, "ply/128", step 16) = 64;
        /// Reduce more where more than three child nodes failed high recently.
        cutoffs: int(-512..=512, "ply/128", step 16) = 128;
        /// Search again a ply deeper what beats the best move so far by this after a reduction; 0
        /// never does.
        deeper: int(0..=400, "cp", step 8) = 50;
        /// Search again a ply less deep what beats the best move so far by less than this after a
        /// reduction; 0 never does.
        shallower: int(0..=100, "cp", step 3) = 8;
        /// Reduce the remaining moves of a PV node once one has raised alpha.
        raised: int(0..=512, "ply/128", step 16) = 224;
        /// Number of moves searched at full depth before any reduction.
        min_moves: int(1..=16, "moves", step 1) = 2;
        /// Minimum effective depth for reductions.
        min_depth: int(1..=16, "plies", step 1) = 2;
    }

    /// Pruning of nodes and moves, all by effective depth.
    pruning: PruningConfig, search {
        /// Enable null-move pruning.
        null_move: switch() = true;
        /// Constant term of the null-move reduction.
        null_base: int(0..=1024, "ply/128", step 32) = 512;
        /// Effective depth per additional ply of null-move reduction.
        null_depth_div: int(1..=16, "plies", step 1) = 4;
        /// Static evaluation above beta per additional ply of null-move reduction.
        null_eval_div: int(50..=1000, "cp", step 20) = 120;
        /// Null move: how far above beta the static evaluation must be.
        null_lead: int(-400..=400, "cp", step 15) = -20;
        /// Minimum effective depth for null-move pruning.
        null_min_depth: int(1..=16, "plies", step 1) = 2;
        /// Reverse futility pruning: cut off nodes whose static evaluation is far above beta.
        reverse_futility: switch() = true;
        /// Reverse-futility margin per ply.
        rfp_margin: int(10..=400, "cp/ply", step 8) = 64;
        /// Reduction of the reverse-futility margin while improving.
        rfp_improving: int(0..=300, "cp", step 8) = 40;
        /// Reduction of the reverse-futility margin while the opponent's evaluation is worsening.
        rfp_worsening: int(0..=300, "cp", step 5) = 0;
        /// Share of the estimate in the score of a node that reverse futility cuts off; beta has the
        /// rest.
        rfp_share: int(0..=100, "percent", step 5) = 60;
        /// Maximum effective depth for reverse futility pruning.
        rfp_depth: int(1..=16, "plies", step 1) = 8;
        /// Razoring: drop into quiescence search at nodes far below alpha.
        razoring: switch() = true;
        /// Constant term of the razoring margin.
        razor_base: int(0..=1000, "cp", step 20) = 150;
        /// Razoring margin per ply.
        razor_margin: int(0..=1000, "cp/ply", step 20) = 120;
        /// Maximum effective depth for razoring.
        razor_depth: int(1..=10, "plies", step 1) = 3;
        /// Futility pruning of quiet moves at nodes below alpha.
        futility: switch() = true;
        /// Constant term of the futility margin.
        futility_base: int(0..=500, "cp", step 10) = 60;
        /// Futility margin per ply.
        futility_margin: int(10..=400, "cp/ply", step 10) = 54;
        /// Maximum effective depth for futility pruning.
        futility_depth: int(1..=16, "plies", step 1) = 7;
        /// Futility margin per ply of captures that lose material; 0 prunes none of them.
        futility_bad_noisy: int(0..=400, "cp/ply", step 8) = 70;
        /// Late-move pruning: prune quiet moves after a number of moves.
        late_moves: switch() = true;
        /// Constant term of the late-move-pruning count.
        late_base: int(1..=30, "moves", step 1) = 6;
        /// Share of the squared effective depth added to the late-move-pruning count.
        late_scale: int(10..=400, "percent", step 10) = 100;
        /// Maximum effective depth for late-move pruning.
        late_depth: int(1..=16, "plies", step 1) = 8;
        /// SEE pruning: prune moves that lose too much material by static exchange.
        see_pruning: switch() = true;
        /// Material a quiet move may lose per ply (SEE pruning).
        see_quiet: int(0..=400, "cp/ply", step 8) = 60;
        /// Material a capture may lose per ply (SEE pruning).
        see_capture: int(0..=400, "cp/ply", step 8) = 90;
        /// Maximum effective depth for SEE pruning.
        see_depth: int(1..=16, "plies", step 1) = 8;
        /// History pruning: prune quiet moves with a bad history score.
        history_pruning: switch() = true;
        /// How negative the history score must be, per ply.
        history_margin: int(0..=16_384, "points/ply", step 250) = 1800;
        /// Maximum effective depth for history pruning.
        history_depth: int(1..=16, "plies", step 1) = 4;
        /// ProbCut: cut off expected cut nodes when a reduced search fails high well above beta.
        probcut: switch() = true;
        /// ProbCut margin above beta.
        probcut_margin: int(20..=600, "cp", step 12) = 110;
        /// Reduction of the ProbCut margin while improving.
        probcut_improving: int(0..=300, "cp", step 8) = 35;
        /// Minimum effective depth for ProbCut.
        probcut_depth: int(2..=16, "plies", step 1) = 5;
        /// Multi-cut: cut off when the singular test finds a second move above beta.
        multicut: switch() = true;
        /// Shift the futility margins by which side moves last before the horizon.
        parity: switch() = false;
        /// Margin shift where the side to move also makes the last move.
        parity_own: int(-100..=100, "cp", step 5) = 0;
        /// Margin shift where the opponent makes the last move.
        parity_their: int(-100..=100, "cp", step 5) = 0;
        /// Halve late-move and SEE pruning for a side that has been forcing.
        forcing_half: switch() = false;
    }

    /// History heuristics for move ordering and eval correction.
    history: HistoryConfig, search {
        /// Butterfly history: quiet moves by from square, to square and threats.
        butterfly: switch() = true;
        /// Capture history: by piece, to square and captured piece.
        capture: switch() = true;
        /// Pawn history: quiet moves by pawn structure.
        pawn: switch() = true;
        /// Continuation history: quiet moves by the moves 1, 2, 4 and 6 plies earlier.
        continuation: switch() = true;
        /// Correction history: adjust the static evaluation by the results of similar positions.
        correction: switch() = true;
        /// Counter moves: remember the last refutation of each move.
        counter_moves: switch() = true;
        /// Killer moves: remember two refutations per ply.
        killers: switch() = true;
        /// Give the previous move a bonus where every reply to it failed low.
        replies: switch() = true;
        /// Give a quiet TT move a bonus when it causes a TT cutoff.
        table_moves: switch() = true;
        /// History bonus per ply for a move that fails high.
        bonus_scale: int(10..=600, "points/ply", step 15) = 150;
        /// Maximum history bonus.
        bonus_max: int(100..=4000, "points", step 100) = 1500;
        /// History malus per ply for a move that fails low.
        malus_scale: int(10..=600, "points/ply", step 15) = 300;
        /// How much less of the malus each further move gets that failed.
        malus_falls: int(0..=30, "percent", step 1) = 5;
        /// Tries good captures that lose up to this share of their score in the order.
        see_by_score: int(0..=100, "percent", step 2) = 25;
        /// Share of the butterfly history that the next search of a game begins with.
        kept_percent: int(0..=100, "percent", step 5) = 60;
        /// Maximum history malus.
        malus_max: int(100..=4000, "points", step 100) = 1200;
    }

    /// Quiescence search.
    quiescence: QuiescenceConfig, search {
        /// Search captures beyond the horizon; when off, the static evaluation is used there.
        enabled: switch() = true;
        /// Where quiescence tries a quiet move before the captures.
        quiet_first: choice(QuietFirst) = QuietFirst::Off;
        /// How far stand pat may be below alpha for a quiet move at a leaf.
        leaf_margin: int(0..=400, "cp", step 10) = 50;
        /// Number of quiescence plies that include quiet checks.
        checks_plies: int(0..=8, "plies", step 1) = 1;
        /// Skip captures that lose material by static exchange.
        see_pruning: switch() = true;
        /// Delta pruning: skip captures that cannot reach alpha.
        delta: switch() = true;
        /// Safety margin of delta pruning.
        delta_margin: int(0..=600, "cp", step 12) = 300;
        /// Share of its exchange value that a captured piece counts for in delta pruning.
        delta_percent: int(50..=300, "percent", step 10) = 180;
    }

    /// Bonuses for root moves; they are never seen below the root.
    root_bonus: RootBonusConfig, search {
        /// Maximum bonus for developing moves.
        development: int(0..=500, "cp") = 0;
        /// Maximum random bonus or penalty.
        random: int(0..=500, "cp") = 0;
        /// Seed of the random bonus; 0 takes one from the system clock.
        seed: int(0..=2_147_483_647, "") = 0;
        /// Bonus for promoting to a lesser piece than a queen; negative is a penalty.
        underpromoting: int(-500..=500, "cp") = 0;
        /// Bonus for a capture in an ending that is trivially drawn, such as rook against rook.
        capturing_in_trivial_draw: int(-500..=500, "cp") = 0;
        /// Bonus for giving material away in a position that the tables call drawn, if it stays
        /// drawn; negative is a penalty.
        sacrificing_in_tabled_draw: int(-500..=500, "cp") = 0;
    }

    /// Repetition detection.
    repetition: RepetitionConfig, search {
        /// Binary logarithm of the number of counters in the Bloom filter.
        filter_bits: int(2..=16, "bits") = 14;
    }

    /// Syzygy endgame tablebases.
    syzygy: SyzygyConfig, search {
        /// Folders with tablebase files, separated like a search path.
        path: folders() as "SyzygyPath" = "";
        /// Which decoder reads the tables.
        backend: choice(SyzygyBackend) = SyzygyBackend::Native;
        /// Check the checksum of each table at its first use, and refuse the damaged ones.
        verify: switch() as "SyzygyVerify" = false;
        /// Minimum effective depth for probing positions with as many men as the largest table.
        probe_depth: int(1..=100, "plies") as "SyzygyProbeDepth" = 1;
        /// Maximum number of men to probe with; 0 disables the tables.
        probe_limit: int(0..=7, "men") as "SyzygyProbeLimit" = 7;
        /// Treat wins that the fifty-move rule prevents as draws.
        fifty_move_rule: switch() as "Syzygy50MoveRule" = true;
    }

    /// Time management.
    time: TimeConfig, host {
        /// Predict the time of the next iteration with separate growth factors for odd and even
        /// depths.
        parity_prediction: switch() = true;
        /// Stop earlier while the best move is stable.
        stability: switch() = true;
        /// Think longer after a score drop.
        score_drop: switch() = true;
        /// Stop earlier when the best move takes most of the nodes.
        node_share: switch() = true;
        /// Scale of the planned time per move.
        base_percent: int(10..=400, "percent", step 5) = 100;
        /// Share of its plan that the first move of a game gets; it grows evenly to the whole plan
        /// at move 21.
        first_move_percent: int(10..=100, "percent", step 5) = 60;
        /// Share of the increment added to the planned time.
        increment_percent: int(0..=100, "percent", step 5) = 75;
        /// Maximum share of the remaining time for one move.
        max_percent: int(5..=95, "percent", step 3) = 60;
    }

    /// Static evaluation.
    eval: EvalConfig, search {
        /// Which evaluation function is used.
        kind: choice(EvalKind) = EvalKind::Nnue;
        /// Bonus for the side to move in the classical evaluation.
        tempo: int(-100..=100, "cp", step 3) = 16;
        /// Network file to use instead of the embedded network.
        file: file() as "EvalFile" = "";
    }

    /// Playing strength limits.
    level: LevelConfig, search {
        /// Limit the playing strength to `elo`.
        limit_strength: switch() as "UCI_LimitStrength" = false;
        /// Playing strength when limited.
        elo: int(500..=2700, "Elo") as "UCI_Elo" = 1500;
        /// Playing strength as a level; 20 is full strength.
        skill: int(0..=20, "") as "Skill Level" = 20;
    }
}
