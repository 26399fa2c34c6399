//! Experiment 6: Ronald de Man's bonuses at the root. That the search stays a black box, whose value
//! is the best of value and bonus inside the window and a bound outside, is a test of the crate
//! `search`; here is what the bonuses are good for.

mod games;
mod small_choices;

use std::collections::{HashMap, HashSet};

use sextant_search::Game;

use crate::experiments::prelude::*;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "root-bonus",
    title: "Bonuses for root moves",
    claim: "Root moves can be given bonuses without touching the search or its hash table: shift the \
            window by the bonus and add it to the result. The search is a black box whose answer is \
            exact inside its window and a bound outside. That serves development, randomness and \
            more (Ronald de Man, after the Chess Programming Wiki).",
    run,
};

fn run(context: &Context) -> Result<Report, Failure> {
    let variety = variety(context)?;
    let small = small_choices::ask(context)?;
    let costs = games::variety(context)?;
    let traps = games::traps(context)?;
    let mut findings = vec![noted!(
        "That the search is a black box, whose value is the best of value and bonus inside the \
         window and a bound outside, is a test of the crate search, for random bonuses and windows."
    )];
    findings.extend(variety_finding(&variety));
    findings.extend(small.findings());
    findings.extend(games::findings(&costs, &traps));
    Ok(Report {
        tables: vec![
            variety_table(&variety),
            opening_lines(context)?,
            games::table(&[costs, traps].concat()),
            small.table(),
        ],
        figures: vec![variety_chart(&variety)],
        summary: "The bonuses do what they are given for; what they cost is measured in games."
            .to_owned(),
        findings,
    })
}

/// An engine whose root moves get random bonuses of at most so many centipawns.
fn with_random(context: &Context, amplitude: i32, seed: i32) -> Result<FreshEngine, Failure> {
    let mut config = context.config.clone();
    config.root_bonus.random = amplitude;
    config.root_bonus.seed = seed;
    FreshEngine::new(&config, HASH)
}

/// First moves of the engine from the initial position, for one size of the random bonus.
struct Variety {
    amplitude: i32,
    games: usize,
    /// Different first moves, and how often the most frequent one was chosen.
    moves: usize,
    most_frequent: usize,
    /// Mean by which the chosen move's pure score fell short of the best one's, in centipawns.
    loss: f64,
}

fn variety(context: &Context) -> Result<Vec<Variety>, Failure> {
    let seeds = context.sized(8, 100);
    let limits = to_nodes(context.sized(2_000, 20_000));
    let mut rows: Vec<Variety> = Vec::new();
    let mut best = None;
    for amplitude in track("opening variety", [0, 10, 20, 40, 80, 160]) {
        let mut counts: HashMap<String, usize> = HashMap::new();
        let mut scores = 0.0;
        for seed in 1..=seeds {
            let mut engine = with_random(context, amplitude, seed)?;
            let outcome = engine.search(&Position::startpos(), &limits);
            scores += f64::from(outcome.score().raw());
            if let Some(mv) = outcome.best {
                *counts.entry(mv.to_string()).or_default() += 1;
            }
        }
        let mean = scores / f64::from(seeds);
        rows.push(Variety {
            amplitude,
            games: seeds as usize,
            moves: counts.len(),
            most_frequent: counts.into_values().max().unwrap_or(0),
            // Without a bonus the engine chooses the best.
            loss: *best.get_or_insert(mean) - mean,
        });
    }
    Ok(rows)
}

fn variety_finding(rows: &[Variety]) -> Option<Finding> {
    let (none, widest) = (rows.first()?, rows.last()?);
    let text = format!(
        "Random bonuses make variety: from the initial position the engine chose {} first move(s) \
         without and {} with the largest bonus, at {:.0} centipawns of pure score on average.",
        none.moves, widest.moves, widest.loss
    );
    Some(Finding::tested(widest.moves > none.moves, text))
}

fn variety_table(rows: &[Variety]) -> Table {
    let title =
        "The engine's first move from the initial position, by the size of the random bonus";
    table!("variety", title, rows, |row| {
        "bonus up to (cp)" => row.amplitude,
        "seeds" => row.games,
        "different moves" => row.moves,
        "most frequent (%)" => real(100.0 * (row.most_frequent as f64 / row.games as f64), 0),
        "score lost (cp)" => real(row.loss, 1),
    })
}

fn variety_chart(rows: &[Variety]) -> Figure {
    let points = rows.iter().map(|row| (row.moves as f64, row.loss));
    let (x, y) = ("different first moves", "pure score lost (centipawns)");
    Figure::new(
        "Opening variety and what it costs",
        Axis::linear(x),
        Axis::linear(y),
    )
    .series(Style::Dots, "amplitudes 0 to 160 centipawns", points)
}

/// Different positions after the first plies of self-play from the initial position.
fn opening_lines(context: &Context) -> Result<Table, Failure> {
    const PLIES: usize = 8;
    let games = context.sized(4, 40);
    let limits = to_nodes(context.sized(300, 2_000));
    let mut rows = Vec::new();
    for amplitude in track("openings with bonuses", [0, 10, 20, 40, 80]) {
        let mut ends = HashSet::new();
        for seed in 1..=games {
            let mut engine = with_random(context, amplitude, seed)?;
            let mut game = Game::new(Position::startpos());
            for _ in 0..PLIES {
                let outcome = engine.search(game.position(), &limits);
                let Some(mv) = outcome.best else { break };
                game.play(mv);
            }
            ends.insert(game.position().key());
        }
        rows.push((amplitude, games, ends.len()));
    }
    let title = "Self-play from the initial position: different positions after 8 plies";
    Ok(table!("opening-lines", title, rows, |row| {
        "bonus up to (cp)" => row.0,
        "games" => row.1,
        "different positions" => row.2,
    }))
}
