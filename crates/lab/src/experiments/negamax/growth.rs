//! The notes' statements about real programs, measured in chess: branching factors, the cost of
//! iterative deepening, what it gives to move ordering, and how deep alpha-beta gets.

use cozy_chess::Move;

use crate::experiments::prelude::*;
use crate::{
    game::{Window, chess::Chess},
    stats::{effective_branching, geometric_mean},
    textbook::{AlphaBeta, as_generated, captures_first, deepen, evaluate, negamax},
};

/// From here on we call it twice as deep: 2 itself is a limit.
pub(super) const TWICE: f64 = 1.9;

/// The searches, as tables and charts call them; in iterative deepening captures come first too,
/// behind the best moves of earlier iterations.
const SEARCHES: [&str; 4] = [
    "negamax",
    "alpha-beta, as generated",
    "alpha-beta, captures first",
    "deepened, this iteration",
];
const NEGAMAX: usize = 0;
const UNORDERED: usize = 1;
const CAPTURES_FIRST: usize = 2;
const DEEPENED: usize = 3;

pub(super) struct Growth {
    positions: usize,
    /// Nodes of each search by depth (index 0 is depth 1), summed over the positions.
    nodes: [Vec<u64>; 4],
}

impl Growth {
    /// Measures all four searches on the context's positions.
    pub(super) fn measure(context: &Context) -> Result<Growth, Failure> {
        let depth = context.sized(5, 6);
        let whole = context.sized(3, 4);
        let positions = context.positions(context.sized(4, 20))?;
        let mut growth = Growth {
            positions: positions.len(),
            nodes: [whole, whole, depth, depth].map(|depth| vec![0; depth as usize]),
        };
        for position in track("branching in chess", positions) {
            let root = Chess::new(position.board().clone(), 0);
            let mut add = |search: usize, nodes: &dyn Fn(u32) -> u64| {
                let sums = growth.nodes[search].iter_mut();
                sums.zip(1..).for_each(|(sum, depth)| *sum += nodes(depth));
            };
            add(NEGAMAX, &|depth| {
                let mut nodes = 0;
                negamax(&root, depth, &mut nodes);
                nodes
            });
            add(UNORDERED, &|depth| nodes(&root, as_generated, depth));
            add(CAPTURES_FIRST, &|depth| nodes(&root, captures_first, depth));
            let iterations = deepen(&root, evaluate, depth);
            add(DEEPENED, &|depth| iterations[depth as usize - 1].1.nodes);
        }
        Ok(growth)
    }

    /// How many times as deep a search gets as negamax in the same time, by their effective
    /// branching factors.
    fn depth_ratio(&self, search: usize) -> f64 {
        self.effective(NEGAMAX).ln() / self.effective(search).ln()
    }

    /// The same for the best order of moves.
    pub(super) fn best_depth_ratio(&self) -> f64 {
        self.depth_ratio(DEEPENED)
    }

    fn last(&self, search: usize) -> u64 {
        self.nodes[search].last().copied().unwrap_or(0)
    }

    /// Effective branching factor at the deepest depth of a search.
    fn effective(&self, search: usize) -> f64 {
        let mean = self.last(search) as f64 / self.positions.max(1) as f64;
        effective_branching(mean, self.nodes[search].len() as u32)
    }

    pub(super) fn findings(&self) -> Vec<Finding> {
        let all = self.nodes[DEEPENED].iter().sum::<u64>() as f64;
        let [overhead, direct] =
            [DEEPENED, CAPTURES_FIRST].map(|search| all / self.last(search).max(1) as f64);
        let ratio = self.best_depth_ratio();
        let depths = format!(
            "In chess alpha-beta gets {:.2} times as deep as negamax with moves as generated, {:.2} \
             times with captures first and {ratio:.2} times with the best moves of earlier \
             iterations.",
            self.depth_ratio(UNORDERED),
            self.depth_ratio(CAPTURES_FIRST),
        );
        vec![
            tested!(
                overhead < 1.5,
                "In chess all iterations together cost {overhead:.2} times the last one; the \
                 effective branching factor is {:.1} for negamax and {:.1} for ordered alpha-beta.",
                self.effective(NEGAMAX),
                self.effective(CAPTURES_FIRST)
            ),
            tested!(
                direct < 1.0,
                "All iterations together took {direct:.2} times the nodes of one direct search to the \
                 same depth."
            ),
            Finding::in_part(ratio > TWICE, depths),
        ]
    }

    pub(super) fn table(&self) -> Table {
        let depths: Vec<usize> = (1..=self.nodes[DEEPENED].len()).collect();
        let title = "Chess: nodes by depth, summed over the positions";
        let table = table!("chess-growth", title, depths, |depth| { "depth" => *depth });
        let searches = self.nodes.iter().zip(SEARCHES);
        searches.fold(table, |table, (nodes, search)| {
            let nodes = depths.iter().map(|depth| nodes.get(depth - 1).copied());
            table.column(search, nodes)
        })
    }

    /// Branching factors and what a doubled speed gains with them.
    pub(super) fn branching_table(&self) -> Table {
        let growth = |search: usize| {
            let steps = self.nodes[search].windows(2);
            geometric_mean(steps.map(|step| step[1] as f64 / step[0] as f64))
        };
        let searches: Vec<_> = (0..).zip(SEARCHES).collect();
        let title = "Chess: effective branching factors, and plies gained by doubling the speed";
        table!("chess-branching", title, searches, |search| {
            "search" => search.1,
            "depth" => self.nodes[search.0].len(),
            "effective b" => real(self.effective(search.0), 2),
            "mean growth a ply" => real(growth(search.0), 2),
            "plies by 2 times" => real(plies_gained(2.0, self.effective(search.0)), 3),
        })
    }

    pub(super) fn chart(&self) -> Chart {
        let figure = Chart::new("Chess: nodes by depth", "depth", "nodes").log_y();
        let searches = self.nodes.iter().zip(SEARCHES);
        searches.fold(figure, |figure, (nodes, search)| {
            let points = (1..).zip(nodes);
            let points = points.map(|(depth, &nodes)| (f64::from(depth), nodes as f64));
            figure.line(search, points)
        })
    }
}

fn nodes(root: &Chess, order: fn(&Chess, &mut [Move]), depth: u32) -> u64 {
    let mut search = AlphaBeta::new(order, evaluate);
    search.search(root, Window::FULL, depth);
    search.tally.nodes
}

/// Plies gained by a machine `factor` times as fast, with branching factor `b`.
pub(super) fn plies_gained(factor: f64, b: f64) -> f64 {
    factor.ln() / b.ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::quick;

    #[test]
    fn better_order_means_fewer_nodes() {
        let growth = Growth::measure(&quick(1, "default")).unwrap();
        let [negamax, unordered, captures_first, deepened] = growth.nodes.map(|nodes| nodes[2]);
        assert!(negamax > unordered && unordered > captures_first);
        assert!(captures_first > deepened);
    }
}
