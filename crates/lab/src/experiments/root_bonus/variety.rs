//! What random bonuses do to the engine's first move: variety against the score it costs.

use std::collections::HashMap;

use sextant_board::Position;
use sextant_search::{Engine, Game, Limits};

use crate::engine::small;
use crate::error::LabError;
use crate::experiment::Context;
use crate::report::{Axis, Cell, Chart, Series, Stroke, Table};

/// Largest random bonuses tried, in centipawns.
const AMPLITUDES: [i32; 6] = [0, 10, 20, 40, 80, 160];

/// What one amplitude gave.
#[derive(Clone, Debug)]
pub struct Variety {
    amplitude: i32,
    games: usize,
    /// Different first moves.
    pub moves: usize,
    /// Share of the most frequent one.
    most_frequent: f64,
    /// Mean by which the chosen move's pure score fell short of the best one's, in centipawns.
    pub loss: f64,
}

/// First moves from the initial position for many seeds and each amplitude.
///
/// # Errors
/// When the engine cannot be had.
pub fn measure(context: &Context<'_>) -> Result<Vec<Variety>, LabError> {
    let seeds = context.sized(8, 100);
    let limits = Limits {
        nodes: Some(context.sized(2_000, 20_000)),
        ..Limits::default()
    };
    context
        .progress
        .begin(AMPLITUDES.len() as u64, "opening variety");
    let mut rows: Vec<Variety> = Vec::new();
    let mut best = 0.0;
    for amplitude in AMPLITUDES {
        let mut counts: HashMap<String, usize> = HashMap::new();
        let mut scores = 0.0;
        for seed in 1..=seeds {
            let mut config = small(&context.config);
            config.root_bonus.random = amplitude;
            config.root_bonus.seed = seed;
            let mut engine = Engine::new(config).map_err(LabError::engine)?;
            let game = Game::new(Position::startpos());
            let outcome = engine.go_armed(&game, &limits, 1, &mut |_| {});
            scores += f64::from(outcome.score().raw());
            if let Some(mv) = outcome.best {
                *counts.entry(mv.to_string()).or_default() += 1;
            }
        }
        let mean = scores / f64::from(seeds);
        if amplitude == 0 {
            best = mean;
        }
        let most = counts.values().copied().max().unwrap_or(0);
        rows.push(Variety {
            amplitude,
            games: seeds as usize,
            moves: counts.len(),
            most_frequent: most as f64 / f64::from(seeds),
            loss: best - mean,
        });
        context.progress.step();
    }
    Ok(rows)
}

/// The rows as a table.
#[must_use]
pub fn table(rows: &[Variety]) -> Table {
    let mut table = Table::new(
        "variety",
        "The engine's first move from the initial position, by the size of the random bonus",
        &[
            "bonus up to (cp)",
            "seeds",
            "different moves",
            "most frequent (%)",
            "score lost (cp)",
        ],
    );
    for row in rows {
        table.row([
            i64::from(row.amplitude).into(),
            row.games.into(),
            row.moves.into(),
            Cell::real(100.0 * row.most_frequent, 0),
            Cell::real(row.loss, 1),
        ]);
    }
    table
}

/// Variety against its price.
#[must_use]
pub fn chart(rows: &[Variety]) -> Chart {
    let points = rows
        .iter()
        .map(|row| (row.moves as f64, row.loss))
        .collect();
    Chart {
        title: "Opening variety and what it costs".to_owned(),
        x: Axis::linear("different first moves"),
        y: Axis::linear("pure score lost (centipawns)"),
        series: vec![Series::new(
            "amplitudes 0 to 160 centipawns",
            Stroke::Dots,
            points,
        )],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sextant_config::Config;

    #[test]
    fn the_config_of_the_run_is_the_one_that_chooses() {
        let mut context = Context::quick(1);
        let shipped = table(&measure(&context).unwrap());
        context.config = Config::preset("integer-ply").unwrap();
        assert_ne!(table(&measure(&context).unwrap()), shipped);
    }
}
