//! Nodes and scores of iterative deepening, iteration by iteration, over many positions.

use crate::report::Cell;
use crate::stats::{TTest, geometric_mean};

/// One iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Nodes of this iteration alone.
    pub nodes: u64,
    /// Score in centipawns for the side to move at the root; none if it is decisive.
    pub score: Option<i64>,
}

/// What one way of searching did on all positions: `positions[p][d - 1]` is iteration `d`.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Name in tables.
    pub name: String,
    /// Iterations of each position.
    pub positions: Vec<Vec<Point>>,
}

/// First iteration whose growth is looked at: the first ones are too small to mean anything.
const FIRST: usize = 3;

/// The parity of the depth that a step leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// From an odd depth to an even one.
    ToEven,
    /// From an even depth to an odd one.
    ToOdd,
}

impl Step {
    fn leads_to(self, depth: usize) -> bool {
        depth.is_multiple_of(2) == (self == Step::ToEven)
    }
}

impl Curve {
    /// The factors by which iterations grew, of all positions and depths with this parity.
    #[must_use]
    pub fn growths(&self, step: Step) -> Vec<f64> {
        let each = self.positions.iter().flat_map(|points| growths(points));
        each.filter(|&(depth, _)| step.leads_to(depth))
            .map(|(_, growth)| growth)
            .collect()
    }

    /// Geometric mean of the growth at steps of one parity.
    #[must_use]
    pub fn growth(&self, step: Step) -> Option<f64> {
        geometric_mean(&self.growths(step))
    }

    /// Growth to odd depths over growth to even depths: 1 where there is no odd-even effect.
    #[must_use]
    pub fn asymmetry(&self) -> Option<f64> {
        Some(self.growth(Step::ToOdd)? / self.growth(Step::ToEven)?)
    }

    /// Effective branching factor: the mean growth over a step of each parity.
    #[must_use]
    pub fn branching(&self) -> Option<f64> {
        Some((self.growth(Step::ToOdd)? * self.growth(Step::ToEven)?).sqrt())
    }

    /// Nodes of iteration `depth`, summed over the positions that reached it.
    #[must_use]
    pub fn nodes_at(&self, depth: usize) -> u64 {
        self.positions
            .iter()
            .filter_map(|p| p.get(depth - 1))
            .map(|p| p.nodes)
            .sum()
    }

    /// The deepest iteration of any position.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.positions.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// By how much scores at odd depths lie above the mean of their even neighbours (and even ones
    /// below their odd neighbours), in centipawns, one number a position.
    #[must_use]
    pub fn swings(&self) -> Vec<f64> {
        self.positions
            .iter()
            .filter_map(|points| swing(points))
            .collect()
    }

    /// For every position the mean error of predicting an iteration from the one before: by one
    /// growth factor, and by one for each parity. Errors are absolute logarithms. The factors are
    /// learned on the other half of the positions.
    #[must_use]
    pub fn prediction_errors(&self) -> Vec<(f64, f64)> {
        let halves = [0, 1].map(|half| Curve {
            name: self.name.clone(),
            positions: self
                .positions
                .iter()
                .skip(half)
                .step_by(2)
                .cloned()
                .collect(),
        });
        let mut errors = Vec::new();
        for (learn, test) in [(&halves[0], &halves[1]), (&halves[1], &halves[0])] {
            let (Some(even), Some(odd)) = (learn.growth(Step::ToEven), learn.growth(Step::ToOdd))
            else {
                continue;
            };
            let mut both = learn.growths(Step::ToEven);
            both.extend(learn.growths(Step::ToOdd));
            let one = geometric_mean(&both).unwrap_or(1.0);
            errors.extend(
                test.positions
                    .iter()
                    .filter_map(|p| position_errors(p, one, even, odd)),
            );
        }
        errors
    }

    /// Mean swing with its interval, as cells.
    #[must_use]
    pub fn swing_cells(&self) -> [Cell; 4] {
        match TTest::of(&self.swings()) {
            Ok(test) => [
                Cell::real(test.mean, 1),
                Cell::real(test.interval.0, 1),
                Cell::real(test.interval.1, 1),
                Cell::real(test.t, 2),
            ],
            Err(_) => [Cell::Empty, Cell::Empty, Cell::Empty, Cell::Empty],
        }
    }
}

fn growths(points: &[Point]) -> Vec<(usize, f64)> {
    (FIRST..=points.len())
        .filter(|&depth| points[depth - 2].nodes > 0 && points[depth - 1].nodes > 0)
        .map(|depth| {
            (
                depth,
                points[depth - 1].nodes as f64 / points[depth - 2].nodes as f64,
            )
        })
        .collect()
}

fn swing(points: &[Point]) -> Option<f64> {
    let mut swings = Vec::new();
    for depth in 2..points.len() {
        let at = |depth: usize| points[depth - 1].score.map(|score| score as f64);
        if let (Some(before), Some(here), Some(after)) = (at(depth - 1), at(depth), at(depth + 1)) {
            let above = here - f64::midpoint(before, after);
            swings.push(if depth.is_multiple_of(2) {
                -above
            } else {
                above
            });
        }
    }
    (!swings.is_empty()).then(|| swings.iter().sum::<f64>() / swings.len() as f64)
}

fn position_errors(points: &[Point], one: f64, even: f64, odd: f64) -> Option<(f64, f64)> {
    let steps = growths(points);
    let mean = |predict: &dyn Fn(usize) -> f64| {
        let error = |&(depth, growth): &(usize, f64)| (growth / predict(depth)).ln().abs();
        steps.iter().map(error).sum::<f64>() / steps.len() as f64
    };
    let by_parity = |depth: usize| if depth.is_multiple_of(2) { even } else { odd };
    (!steps.is_empty()).then(|| (mean(&|_| one), mean(&by_parity)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(nodes: &[u64], scores: &[i64]) -> Curve {
        let points: Vec<Point> = nodes
            .iter()
            .zip(scores)
            .map(|(&nodes, &s)| Point {
                nodes,
                score: Some(s),
            })
            .collect();
        Curve {
            name: "test".to_owned(),
            positions: vec![points.clone(), points],
        }
    }

    #[test]
    fn growth_is_told_apart_by_parity() {
        let found = curve(&[1, 2, 20, 40, 400], &[0; 5]);
        assert!((found.growth(Step::ToEven).unwrap() - 2.0).abs() < 1e-12);
        assert!((found.growth(Step::ToOdd).unwrap() - 10.0).abs() < 1e-12);
        assert!((found.asymmetry().unwrap() - 5.0).abs() < 1e-12);
        assert!((found.branching().unwrap() - 20f64.sqrt()).abs() < 1e-12);
        assert_eq!(found.nodes_at(5), 800);
    }

    #[test]
    fn the_swing_is_what_odd_depths_are_above_even_ones() {
        assert_eq!(curve(&[1; 5], &[30, 10, 30, 10, 30]).swings(), [20.0, 20.0]);
        assert_eq!(curve(&[1; 4], &[10, 20, 30, 40]).swings(), [0.0, 0.0]);
    }

    #[test]
    fn parity_predicts_a_perfect_odd_even_effect_without_error() {
        let errors = curve(&[1, 2, 20, 40, 400, 800], &[0; 6]).prediction_errors();
        assert_eq!(errors.len(), 2);
        assert!(
            errors
                .iter()
                .all(|&(one, parity)| one > 0.5 && parity < 1e-9),
            "{errors:?}"
        );
    }
}
