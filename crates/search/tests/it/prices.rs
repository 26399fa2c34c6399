//! Prices that look beyond the move itself: the score gap of a sorted list, threats of mate, and
//! forcing lines that no credit bounds.

use sextant_board::{MAX_PLY, Move, Score};
use sextant_config::Config;
use sextant_search::{
    MoveSearched, Node, NodeSnapshot, Observer, Stats,
    budget::{Category, Exchange, MoveToPrice, NodeFacts, Price, Prices},
};

use crate::common::{RICH, SPARSE, engine, game, set_price, to_depth, to_nodes};

/// What is known of a node before its moves are tried: each quiet move with its score, if it has
/// one; and the score of the last quiet move that was tried.
#[derive(Default)]
struct Quiets {
    scores: Vec<(Move, Score)>,
    last: Option<Score>,
}

/// Compares the price of each plain quiet move with its distance to the best of its node.
struct Gaps {
    config: Config,
    by_ply: Vec<Option<Quiets>>,
    seen: u32,
}

impl Observer for Gaps {
    fn wants_snapshot(&mut self, _: &Node<'_>) -> bool {
        true
    }

    fn snapshot(&mut self, snapshot: &NodeSnapshot<'_>) {
        let quiets = snapshot.moves.iter().filter(|one| one.facts.is_quiet());
        let quiets = Quiets {
            scores: quiets
                .filter_map(|one| Some((one.mv, one.score?)))
                .collect(),
            last: None,
        };
        let ply = snapshot.node.ply.index();
        self.by_ply
            .resize_with(self.by_ply.len().max(ply + 1), || None);
        self.by_ply[ply] = Some(quiets);
    }

    fn move_searched(&mut self, tried: &MoveSearched<'_>) {
        let e = &self.config.extensions;
        let (base, most) = match tried.category {
            Category::QuietForward => (e.quiet_forward, e.quiet_forward_max),
            Category::QuietBackward => (e.quiet_backward, e.quiet_backward_max),
            _ => return,
        };
        let ply = tried.ply.index();
        let Some(Some(quiets)) = self.by_ply.get_mut(ply) else {
            return;
        };
        let best = quiets.scores.iter().map(|&(_, score)| score).max();
        let own = quiets.scores.iter().find(|(mv, _)| *mv == tried.mv);
        let (best, own) = (best.expect("this move"), own.expect("this move").1);
        let gap = best - own;
        let price = (base + e.gap_weight * gap / 100).min(most);
        assert_eq!(tried.price, Price::from_raw(price), "{} {gap}", tried.mv);
        let is_sorted = quiets.last.is_none_or(|last| own <= last);
        assert!(is_sorted, "{} comes too late", tried.mv);
        quiets.last = Some(own);
        self.seen += 1;
    }
}

#[test]
fn quiet_moves_are_sorted_and_charged_by_their_distance_to_the_best() {
    let mut config = Config::preset("cyrus68k-single").expect("built in");
    // What is learned between the snapshot and the first quiet move would shift the scores.
    config.history.correction = false;
    let mut engine = engine(&config);
    let mut seen = 0;
    for fen in &RICH[..6] {
        engine.new_game();
        let gaps = Gaps {
            config: config.clone(),
            by_ply: Vec::new(),
            seen: 0,
        };
        engine.signals().arm(false);
        let observed = engine.observed(gaps);
        seen += observed.go(&game(fen), &to_depth(4), 1, &mut |_| ()).1.seen;
    }
    assert!(seen > 1_000, "{seen}");
}

#[test]
fn a_threat_of_mate_is_looked_for_without_null_move_pruning() {
    let mut config = Config::preset("cyrus68k").expect("built in");
    assert!(!config.pruning.null_move);
    let mut found = |weight| {
        config.extensions.mate_threat = weight;
        let mut engine = engine(&config);
        let count = |fen: &&str| {
            engine.signals().arm(false);
            let observed = engine.observed(Stats::default());
            let stats = observed.go(&game(fen), &to_nodes(20_000), 1, &mut |_| ()).1;
            stats.charged[Category::MateThreat as usize].moves
        };
        RICH.iter().chain(&SPARSE[..]).map(count).sum::<u64>()
    };
    let nominal = Price::NOMINAL.raw();
    let (cheap, dear) = (found(nominal / 2), found(4 * nominal));
    assert!(cheap > 100 && dear == 0, "{cheap} {dear}");
}

#[test]
fn only_a_coupling_changes_the_depth_of_nodes() {
    let coupled = |preset: &str| {
        let mut engine = engine(&Config::preset(preset).expect("built in"));
        engine.signals().arm(false);
        let observed = engine.observed(Stats::default());
        let stats = observed
            .go(&game(RICH[0]), &to_nodes(20_000), 1, &mut |_| ())
            .1;
        (stats.coupled, stats.expected.iter().sum::<u64>())
    };
    assert_eq!(coupled("cyrus68k-single").0, 0);
    let (changed, nodes) = coupled("cyrus68k");
    assert!(
        changed > nodes / 20 && changed < nodes,
        "{changed} of {nodes}"
    );
}

/// Compares prices that look at exchanges where they may decide with those of all exchanges known.
struct Exchanges<'a> {
    prices: &'a Prices,
    /// Moves of each outcome whose price differs from that of another outcome.
    decided: [u32; 3],
}

impl Observer for Exchanges<'_> {
    fn wants_snapshot(&mut self, _: &Node<'_>) -> bool {
        true
    }

    fn snapshot(&mut self, snapshot: &NodeSnapshot<'_>) {
        for one in snapshot.moves {
            let of = |exchange| MoveToPrice {
                facts: &one.facts,
                exchange,
                order: one.order,
                node: &snapshot.facts,
            };
            let known = self.prices.price(&of(one.exchange));
            for unknown in [Exchange::Loses, Exchange::Even, Exchange::Wins] {
                let (pos, facts) = (snapshot.node.pos, &snapshot.facts);
                let node = &NodeFacts {
                    mate_glance: false,
                    ..*facts
                };
                let asked = MoveToPrice {
                    node,
                    ..of(unknown)
                };
                let threat = || facts.mate_glance;
                let found = self.prices.price_in(pos, one.mv, &asked, threat);
                assert_eq!(found, known, "{}", one.mv);
                if self.prices.price(&of(unknown)) != known {
                    self.decided[one.exchange as usize] += 1;
                }
            }
        }
    }
}

/// Where the exchange cannot make a move cheaper it is not looked at, and the price is the same.
#[test]
fn exchanges_that_are_not_looked_at_change_no_price() {
    for spread in [0, 1, 5, 7, 11] {
        let mut config = Config::default();
        for category in Category::ALL {
            // All different, in several orders; with 0 all but the exchanges are alike.
            let own = category as i32;
            let exchange = i32::from((1..=5).contains(&own));
            let weight = 80 + 16 * (own * spread % 18) + exchange * (own - 3);
            set_price(&mut config, category, weight);
        }
        let prices = Prices::new(&config.extensions, false);
        let mut decided = [0; 3];
        for fen in RICH.iter() {
            let exchanges = Exchanges {
                prices: &prices,
                decided,
            };
            let mut engine = engine(&config);
            let observed = engine.observed(exchanges);
            decided = observed
                .go(&game(fen), &to_nodes(2_000), 1, &mut |_| ())
                .1
                .decided;
        }
        assert!(
            decided.iter().all(|&moves| moves > 100),
            "{spread}: {decided:?}"
        );
    }
}

/// The longest line, in plies, and the least credit that any had left.
struct Longest(usize, i32);

impl Observer for Longest {
    fn enter(&mut self, node: &Node<'_>) {
        self.0 = self.0.max(node.ply.index());
        self.1 = self.1.min(node.allowance.credit.raw());
    }
}

/// Positions of the suite `matetrack-504` in which cheap checks make the longest lines.
const CHECKS: &str = include_str!("checks.epd");

/// Every line goes on and on, if every move is a gain.
#[test]
fn without_a_bound_on_credit_plies_and_nodes_end_a_search() {
    let cyrus = Config::preset("cyrus68k").expect("built in");
    let mut endless = cyrus.clone();
    endless.extensions.gap_weight = 0;
    for category in Category::ALL {
        set_price(&mut endless, category, Price::MIN.raw());
    }
    let longest = |config: &Config, fens: &[&str]| {
        let mut engine = engine(config);
        let lines = fens.iter().map(|fen| {
            engine.new_game();
            engine.signals().arm(false);
            let observed = engine.observed(Longest(0, i32::MAX));
            let (outcome, longest) = observed.go(&game(fen), &to_nodes(30_000), 1, &mut |_| ());
            assert!(outcome.best.is_some() && outcome.nodes <= 30_000, "{fen}");
            longest
        });
        let all = |a: Longest, b: Longest| Longest(a.0.max(b.0), a.1.min(b.1));
        lines.reduce(all).expect("some positions")
    };
    let checks: Vec<&str> = CHECKS.lines().collect();
    let found = [longest(&cyrus, &checks), longest(&endless, &RICH)];
    let [cyrus, endless] = found.map(|Longest(plies, credit)| (plies, credit));
    assert!((20..MAX_PLY).contains(&cyrus.0) && cyrus.1 > 0, "{cyrus:?}");
    assert!((200..=MAX_PLY).contains(&endless.0), "{endless:?}");
}
