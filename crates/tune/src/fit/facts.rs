//! Which categories of the price list apply to a move: the rules of `sextant_search::budget`, with all
//! that apply noted and not only the cheapest.

use sextant_board::{PackedMove, Piece, Ply, to_fen};
use sextant_search::{
    Exchange, MoveSnapshot, Node, NodeSnapshot,
    budget::{Category, NodeFacts},
};

use super::sample::{
    BACKWARD, CHECK, IMPROVING, Label, NodeKind, QUIET, Row, Sample, TABLE_CAPTURE, TABLE_MOVE,
    Verdict, WAS_PV, bit,
};

/// The node as a sample, with a label still to be found.
pub(super) fn sample(frozen: &NodeSnapshot<'_>) -> Sample {
    let node = frozen.node;
    let flags = [
        (frozen.improving, IMPROVING),
        (frozen.tt_move, TABLE_MOVE),
        (frozen.tt_capture, TABLE_CAPTURE),
        (frozen.was_pv, WAS_PV),
    ];
    let Ply(ply) = node.ply;
    Sample {
        fen: to_fen(node.pos, true),
        ply,
        depth: node.depth.raw(),
        alpha: node.window.alpha.raw() as i16,
        beta: node.window.beta.raw() as i16,
        kind: kind(node),
        phase: frozen.facts.phase.index() as u8,
        flags: flags
            .iter()
            .filter(|(holds, _)| *holds)
            .fold(0, |flags, (_, flag)| flags | flag),
        moves: rows(frozen),
        label: Label {
            best: 0,
            enough: 0,
            verdict: Verdict::Fails,
            depth: 0,
        },
    }
}

fn kind(node: &Node<'_>) -> NodeKind {
    match (node.pv, node.cut_node) {
        (true, _) => NodeKind::Pv,
        (false, true) => NodeKind::Cut,
        (false, false) => NodeKind::All,
    }
}

fn rows(frozen: &NodeSnapshot<'_>) -> Vec<Row> {
    let mut best_eval: Option<i32> = None;
    let row = |mv: &MoveSnapshot| {
        let eval = mv.score.filter(|_| mv.facts.is_quiet());
        let eval_gap = eval.map_or(0, |score| {
            let best = best_eval.map_or(score.raw(), |best| best.max(score.raw()));
            best_eval = Some(best);
            best - score.raw()
        });
        Row {
            mv: PackedMove::from(mv.mv).to_bits(),
            marks: marks(mv, &frozen.facts),
            order_gap: mv.order.gap.clamp(0, i32::from(u16::MAX)) as u16,
            eval_gap: eval_gap.clamp(0, i32::from(u16::MAX)) as u16,
            history: mv.history.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16,
        }
    };
    frozen.moves.iter().map(row).collect()
}

fn marks(mv: &MoveSnapshot, node: &NodeFacts) -> u32 {
    let (facts, order) = (&mv.facts, &mv.order);
    let applying = [
        (order.first, bit(Category::First)),
        (order.killer, bit(Category::Killer)),
        (order.counter_move, bit(Category::CounterMove)),
        (node.only_reply, bit(Category::OnlyReply)),
        (node.in_check && !node.only_reply, bit(Category::Evasion)),
        (node.mate_threat, bit(Category::MateThreat)),
        (node.mate_glance, bit(Category::MateGlance)),
        (facts.is_quiet(), QUIET),
        (facts.gives_check, CHECK),
        (facts.backward, BACKWARD),
    ];
    let others = applying.iter().filter(|(applies, _)| *applies);
    others.fold(by_kind(mv), |marks, (_, mark)| marks | mark)
}

/// What the move is by itself.
fn by_kind(mv: &MoveSnapshot) -> u32 {
    let facts = &mv.facts;
    if facts
        .promotion
        .is_some_and(|promoted| promoted != Piece::Queen)
    {
        return bit(Category::Underpromotion);
    }
    let mut marks = 0;
    if facts.victim.is_some() {
        marks |= bit(match mv.exchange {
            Exchange::Wins => Category::CaptureWinning,
            Exchange::Even => Category::CaptureEqual,
            Exchange::Loses => Category::CaptureLosing,
        });
        if facts.recapture {
            marks |= bit(Category::Recapture);
        }
    }
    if facts.gives_check {
        marks |= bit(match mv.exchange {
            Exchange::Loses => Category::CheckUnsafe,
            Exchange::Even | Exchange::Wins => Category::CheckSafe,
        });
    }
    if facts.promotion.is_some() {
        marks |= bit(Category::Promotion);
    }
    if facts.passed_push {
        marks |= bit(Category::PassedPawn);
    }
    match (marks, facts.backward) {
        (0, true) => bit(Category::QuietBackward),
        (0, false) => bit(Category::QuietForward),
        (marks, _) => marks,
    }
}

#[cfg(test)]
mod tests {
    use sextant_board::parse_fen;
    use sextant_config::{Config, Value};
    use sextant_search::{Engine, Game, Limits, Observer, budget::Prices};

    use super::*;
    use crate::fit::sample::{CATEGORIES, Row};

    const FENS: [&str; 5] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/P1k5/8/8/3pP3/8/1K4p1/8 b - e3 0 1",
        "6k1/5ppp/8/3r4/8/1B6/5PPP/R5K1 w - - 0 1",
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
        // A queen ahead, and mated if it passes.
        "3r2k1/5ppp/8/8/8/7P/1Q3PP1/1N4K1 b - - 0 1",
    ];

    /// The price by the marks alone: the cheapest category that applies.
    fn by_marks(row: &Row, weights: &[i32]) -> i32 {
        row.categories().map(|index| weights[index]).min().unwrap()
    }

    /// Compares every node with the engine's own price list.
    struct Checks {
        prices: Prices,
        weights: Vec<i32>,
        compared: u64,
        seen: u32,
    }

    impl Observer for Checks {
        fn wants_snapshot(&mut self, _: &Node<'_>) -> bool {
            true
        }

        fn snapshot(&mut self, frozen: &NodeSnapshot<'_>) {
            let pos = frozen.node.pos;
            for (mv, row) in frozen.moves.iter().zip(rows(frozen)) {
                let theirs = self
                    .prices
                    .price(pos, mv.mv, &mv.facts, mv.order, &frozen.facts);
                let ours = by_marks(&row, &self.weights);
                assert_eq!(ours, theirs.0.raw(), "{:?} in {}", mv.mv, to_fen(pos, true));
                self.seen |= row.marks & CATEGORIES;
                self.compared += 1;
            }
        }
    }

    #[test]
    fn marks_price_as_the_engine_does() {
        let mut config = Config::default();
        config.engine.hash = 1;
        // All different, so that every rule shows.
        let weights: Vec<i32> = (0..18).map(|i| 80 + 16 * ((i * 7) % 18) - i).collect();
        for (category, &weight) in Category::ALL.iter().zip(&weights) {
            let key = format!("extensions.{}", category.name());
            config.set(&key, Value::Number(weight)).unwrap();
        }
        let prices = Prices::new(&config.extensions, false);
        let mut engine = Engine::new(config).unwrap();
        let (mut compared, mut seen) = (0, 0);
        for fen in FENS {
            let checks = Checks {
                prices: prices.clone(),
                weights: weights.clone(),
                compared: 0,
                seen: 0,
            };
            let game = Game::new(parse_fen(fen).unwrap());
            let limits = Limits {
                nodes: Some(10_000),
                ..Limits::default()
            };
            let (_, checks) = engine.observe::<_, false>(&game, &limits, 1, checks, &mut |_| ());
            compared += checks.compared;
            seen |= checks.seen;
        }
        assert!(compared > 10_000, "{compared}");
        assert_eq!(seen, CATEGORIES, "every category came up");
    }
}
