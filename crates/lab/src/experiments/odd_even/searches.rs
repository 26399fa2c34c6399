//! The searches whose odd-even effect is compared: textbook ones and the engine's.

use cozy_chess::Board;
use sextant_board::Position;
use sextant_config::Config;
use sextant_search::{Engine, Event, Game, Limits};

use super::curve::{Curve, Point};
use crate::error::LabError;
use crate::experiment::Context;
use crate::game::chess::{Chess, MATE};
use crate::textbook::deepening::deepen;
use crate::textbook::ordering::{CapturesFirst, Remembering};
use crate::textbook::quiescence::{Evaluate, Horizon, Quiescence};

/// Textbook alpha-beta with static evaluation at the horizon.
#[must_use]
pub fn plain(boards: &[Board], depth: u32, tempo: i32, context: &Context<'_>) -> Curve {
    let name = format!("plain alpha-beta, tempo {tempo}");
    textbook(&name, boards, depth, tempo, &Evaluate, context)
}

/// Textbook alpha-beta with quiescence search.
#[must_use]
pub fn quiescent(boards: &[Board], depth: u32, tempo: i32, context: &Context<'_>) -> Curve {
    let name = format!("with quiescence, tempo {tempo}");
    let horizon = Quiescence {
        order: CapturesFirst,
    };
    textbook(&name, boards, depth, tempo, &horizon, context)
}

fn textbook<H: Horizon<Chess> + Clone>(
    name: &str,
    boards: &[Board],
    depth: u32,
    tempo: i32,
    horizon: &H,
    context: &Context<'_>,
) -> Curve {
    context.progress.begin(boards.len() as u64, name);
    let positions = boards.iter().map(|board| {
        let root = Chess::new(board.clone(), tempo);
        let order = Remembering::<CapturesFirst, _>::default();
        let points = deepen(&root, order, horizon.clone(), |done| done.depth < depth);
        context.progress.step();
        let point = |score: i64, nodes: u64| Point {
            nodes,
            score: (score.abs() < MATE / 2).then_some(score),
        };
        points
            .iter()
            .map(|it| point(it.value.0, it.tally.all_nodes()))
            .collect()
    });
    Curve {
        name: name.to_owned(),
        positions: positions.collect(),
    }
}

/// The engine with a config; every position gets an empty table and so many nodes.
///
/// # Errors
/// When the engine cannot be had.
pub fn engine(
    name: &str,
    config: Config,
    boards: &[Board],
    nodes: u64,
    context: &Context<'_>,
) -> Result<Curve, LabError> {
    context.progress.begin(boards.len() as u64, name);
    let mut engine = Engine::new(config).map_err(LabError::engine)?;
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let mut positions = Vec::new();
    for board in boards {
        engine.new_game();
        engine.signals().arm(false);
        let game = Game::new(Position::new(board.clone()));
        let mut scores = Vec::new();
        let mut note = |event: Event| {
            if let Event::Info(info) = event {
                scores.push((
                    info.depth,
                    (!info.score.is_decisive()).then(|| info.score.raw()),
                ));
            }
        };
        let (_, stats) = engine.go_with_stats(&game, &limits, 1, &mut note);
        let mut before = 0;
        let points = stats.iterations.iter().map(|iteration| {
            let score = scores
                .iter()
                .rev()
                .find(|(depth, _)| *depth == iteration.depth);
            let point = Point {
                nodes: iteration.nodes - before,
                score: score.and_then(|(_, score)| score.map(i64::from)),
            };
            before = iteration.nodes;
            point
        });
        positions.push(points.collect());
        context.progress.step();
    }
    Ok(Curve {
        name: name.to_owned(),
        positions,
    })
}
