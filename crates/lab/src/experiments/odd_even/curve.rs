//! Nodes and scores of iterative deepening, iteration by iteration, over many positions.

use std::{collections::HashMap, mem};

use cozy_chess::Board;
use sextant_search::{Event, Game, Stats};

use crate::experiments::prelude::*;
use crate::{
    game::chess::{Chess, MATE},
    stats::geometric_mean,
    textbook::{Horizon, deepen},
};

#[derive(Clone, Copy)]
pub(super) struct Point {
    pub(super) nodes: u64,
    /// Score in centipawns for the side to move at the root; none if it is decisive.
    pub(super) score: Option<i64>,
}

/// What one way of searching did on all positions: `positions[p][d - 1]` is iteration `d`.
pub(super) struct Curve {
    pub(super) name: String,
    pub(super) positions: Vec<Vec<Point>>,
}

/// First iteration whose growth is looked at: the first ones are too small to mean anything.
const FIRST: usize = 3;

impl Curve {
    /// Textbook alpha-beta with this horizon and tempo bonus.
    pub(super) fn textbook(
        name: &str,
        positions: &[Position],
        depth: u32,
        tempo: i32,
        horizon: Horizon<Chess>,
    ) -> Curve {
        let name = format!("{name}, tempo {tempo}");
        let search = |board: &Board| {
            let root = Chess::new(board.clone(), tempo);
            let iterations = deepen(&root, horizon, depth);
            let points = iterations.into_iter().map(|(value, tally)| Point {
                nodes: tally.nodes + tally.quiescence_nodes,
                score: Some(value.0).filter(|score| score.abs() < MATE / 2),
            });
            points.collect()
        };
        let positions = track(&name, positions).map(|position| search(position.board()));
        Curve {
            positions: positions.collect(),
            name,
        }
    }

    /// The engine with a config; every position gets an empty table and so many nodes.
    pub(super) fn engine(
        name: &str,
        config: &Config,
        positions: &[Position],
        nodes: u64,
    ) -> Result<Curve, Failure> {
        let mut engine = FreshEngine::new(config, 16)?;
        let limits = to_nodes(nodes);
        let search = |position: &Position| {
            let mut scores = HashMap::new();
            let mut note = |event: Event| {
                if let Event::Info(info) = event {
                    let score = (!info.score.is_decisive()).then(|| i64::from(info.score.raw()));
                    scores.insert(info.depth, score);
                }
            };
            let game = Game::new(position.clone());
            let (_, stats) = engine.watch_game(&game, &limits, Stats::default(), &mut note);
            let mut before = 0;
            let points = stats.iterations.iter().map(|iteration| Point {
                nodes: iteration.nodes - mem::replace(&mut before, iteration.nodes),
                score: scores.get(&iteration.depth).copied().flatten(),
            });
            points.collect()
        };
        Ok(Curve {
            name: name.to_owned(),
            positions: track(name, positions).map(search).collect(),
        })
    }

    /// The factor by which iterations grew, the geometric mean of all positions and of the steps to
    /// odd or even depths.
    pub(super) fn growth(&self, odd: bool) -> Option<f64> {
        let each = self.positions.iter().flat_map(|points| growths(points));
        let each = each.filter(|&(depth, _)| is_odd(depth) == odd);
        geometric_mean(each.map(|(_, growth)| growth))
    }

    /// Growth to odd depths over growth to even depths: 1 where there is no odd-even effect.
    pub(super) fn asymmetry(&self) -> Option<f64> {
        Some(self.growth(true)? / self.growth(false)?)
    }

    /// Effective branching factor: the mean growth over a step of each parity.
    pub(super) fn branching(&self) -> Option<f64> {
        Some((self.growth(true)? * self.growth(false)?).sqrt())
    }

    /// Nodes of iteration `depth`, summed over the positions that reached it.
    pub(super) fn nodes_at(&self, depth: usize) -> u64 {
        let reached = self.positions.iter().filter_map(|p| p.get(depth - 1));
        reached.map(|point| point.nodes).sum()
    }

    pub(super) fn depth(&self) -> usize {
        self.positions.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// By how much scores at odd depths lie above the mean of their even neighbors (and even ones
    /// below their odd neighbors), in centipawns, one number a position.
    pub(super) fn swings(&self) -> Vec<f64> {
        let positions = self.positions.iter();
        positions.filter_map(|points| swing(points)).collect()
    }

    /// The tempo bonus that takes the swing away: a bonus t for the side to move lifts scores at
    /// even depths by t and lowers them at odd depths by t, so the swing falls by 2t.
    pub(super) fn leveling_tempo(&self) -> i32 {
        let swings = self.swings();
        (swings.iter().sum::<f64>() / swings.len().max(1) as f64 / 2.0).round() as i32
    }

    pub(super) fn swing(&self) -> Option<TTest> {
        TTest::of(self.swings())
    }
}

fn is_odd(depth: usize) -> bool {
    depth % 2 == 1
}

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
        Some(if is_odd(depth) { above } else { -above })
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
        assert!(near(found.growth(false), 2.0) && near(found.growth(true), 10.0));
        assert!(near(found.asymmetry(), 5.0) && near(found.branching(), 20f64.sqrt()));
        assert_eq!(found.nodes_at(5), 800);
    }

    #[test]
    fn the_swing_is_what_odd_depths_are_above_even_ones() {
        assert_eq!(curve(&[1; 5], &[30, 10, 30, 10, 30]).swings(), [20.0, 20.0]);
        assert_eq!(curve(&[1; 4], &[10, 20, 30, 40]).swings(), [0.0, 0.0]);
    }
}
