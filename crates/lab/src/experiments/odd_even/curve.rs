//! Nodes and scores of iterative deepening, iteration by iteration, over many positions.

use crate::experiments::prelude::*;
use crate::stats::geometric_mean;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    /// Nodes of this iteration alone.
    pub(super) nodes: u64,
    /// Score in centipawns for the side to move at the root; none if it is decisive.
    pub(super) score: Option<i64>,
}

/// What one way of searching did on all positions: `positions[p][d - 1]` is iteration `d`.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    pub(super) name: String,
    pub(super) positions: Vec<Vec<Point>>,
}

/// First iteration whose growth is looked at: the first ones are too small to mean anything.
const FIRST: usize = 3;

/// The parity of the depth that a step leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parity {
    Even,
    Odd,
}

impl Parity {
    fn of(depth: usize) -> Parity {
        if depth.is_multiple_of(2) {
            Parity::Even
        } else {
            Parity::Odd
        }
    }
}

impl Curve {
    /// The factors by which iterations grew, of all positions and depths with this parity.
    fn growths(&self, parity: Parity) -> Vec<f64> {
        let each = self.positions.iter().flat_map(|points| growths(points));
        each.filter(|&(depth, _)| Parity::of(depth) == parity)
            .map(|(_, growth)| growth)
            .collect()
    }

    /// Geometric mean of the growth at steps to one parity.
    pub(super) fn growth(&self, parity: Parity) -> Option<f64> {
        geometric_mean(&self.growths(parity))
    }

    /// Growth to odd depths over growth to even depths: 1 where there is no odd-even effect.
    pub(super) fn asymmetry(&self) -> Option<f64> {
        Some(self.growth(Parity::Odd)? / self.growth(Parity::Even)?)
    }

    /// Effective branching factor: the mean growth over a step of each parity.
    pub(super) fn branching(&self) -> Option<f64> {
        Some((self.growth(Parity::Odd)? * self.growth(Parity::Even)?).sqrt())
    }

    /// Nodes of iteration `depth`, summed over the positions that reached it.
    pub(super) fn nodes_at(&self, depth: usize) -> u64 {
        let reached = self.positions.iter().filter_map(|p| p.get(depth - 1));
        reached.map(|point| point.nodes).sum()
    }

    /// The deepest iteration of any position.
    pub(super) fn depth(&self) -> usize {
        self.positions.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// By how much scores at odd depths lie above the mean of their even neighbors (and even ones
    /// below their odd neighbors), in centipawns, one number a position.
    pub(super) fn swings(&self) -> Vec<f64> {
        self.positions
            .iter()
            .filter_map(|points| swing(points))
            .collect()
    }

    pub(super) fn swing(&self) -> Option<TTest> {
        TTest::of(self.swings())
    }
}

/// Depth and growth of each step.
fn growths(points: &[Point]) -> Vec<(usize, f64)> {
    let steps = points.windows(2).zip(2..).skip(FIRST - 2);
    steps
        .filter(|(step, _)| step[0].nodes > 0 && step[1].nodes > 0)
        .map(|(step, depth)| (depth, step[1].nodes as f64 / step[0].nodes as f64))
        .collect()
}

fn swing(points: &[Point]) -> Option<f64> {
    let swings = points.windows(3).zip(2..).filter_map(|(three, depth)| {
        let [before, here, after] = [0, 1, 2].map(|at| three[at].score.map(|score| score as f64));
        let above = here? - f64::midpoint(before?, after?);
        Some(match Parity::of(depth) {
            Parity::Even => -above,
            Parity::Odd => above,
        })
    });
    let swings: Vec<f64> = swings.collect();
    (!swings.is_empty()).then(|| swings.iter().sum::<f64>() / swings.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(nodes: &[u64], scores: &[i64]) -> Curve {
        let points = nodes.iter().zip(scores).map(|(&nodes, &score)| Point {
            nodes,
            score: Some(score),
        });
        Curve {
            name: "test".to_owned(),
            positions: vec![points.collect(); 2],
        }
    }

    #[test]
    fn growth_is_told_apart_by_parity() {
        let found = curve(&[1, 2, 20, 40, 400], &[0; 5]);
        let near = |found: Option<f64>, known: f64| (found.unwrap() - known).abs() < 1e-12;
        assert!(near(found.growth(Parity::Even), 2.0) && near(found.growth(Parity::Odd), 10.0));
        assert!(near(found.asymmetry(), 5.0) && near(found.branching(), 20f64.sqrt()));
        assert_eq!(found.nodes_at(5), 800);
    }

    #[test]
    fn the_swing_is_what_odd_depths_are_above_even_ones() {
        assert_eq!(curve(&[1; 5], &[30, 10, 30, 10, 30]).swings(), [20.0, 20.0]);
        assert_eq!(curve(&[1; 4], &[10, 20, 30, 40]).swings(), [0.0, 0.0]);
    }
}
