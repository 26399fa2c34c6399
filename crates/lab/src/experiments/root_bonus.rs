//! Experiment 6: Ronald de Man's bonuses at the root. That the search stays a black box, whose
//! value is the best of value and bonus inside the window and a bound outside, is a test of the
//! crate `search`; here is what the bonuses are good for.

use std::collections::HashMap;

use cozy_chess::Piece;
use sextant_board::{Move, MoveSets, Random, parse_fen};

use crate::endings::endings;
use crate::experiments::prelude::*;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "root-bonus",
    title: "Bonuses for root moves",
    claim: "Root moves can be given bonuses without touching the search or its hash table: shift the \
            window by the bonus and add it to the result. The search is a black box whose answer is \
            exact inside its window and a bound outside. That serves development, randomness and \
            more (Ronald de Man, after the Chess Programming Wiki).",
    takes_hours: false,
    run,
};

fn run(context: &Context) -> Result<Report, Failure> {
    let variety = variety(context)?;
    let choices = choices(context)?;
    let mut findings = vec![
        noted!(
            "A test of the crate `search` holds that the search below the root is a black box, for \
             random bonuses and windows."
        ),
        variety_finding(&variety),
    ];
    findings.extend(choice_findings(&choices));
    // Settled by matches of `sextant-tune`, which are recorded there.
    findings.push(Finding::new(
        Outcome::Undecided,
        "A penalty for giving material away in drawn endings showed nothing in 2,400 games against \
         two weakened opponents; the evaluation keeps material by itself \
         (docs/log/measurements.md).",
    ));
    findings.push(noted!(
        "A large reward for it cost a third to two fifths of the wins (1,200 games, likewise)."
    ));
    Ok(Report {
        tables: vec![variety_table(&variety), choice_table(&choices)],
        figures: vec![variety_chart(&variety)],
        summary: "The bonuses do what they are given for, but games must say what they cost."
            .to_owned(),
        findings,
    })
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
            let mut config = context.config.clone();
            config.root_bonus.random = amplitude;
            config.root_bonus.seed = seed;
            let mut engine = FreshEngine::new(&config, HASH)?;
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

fn variety_finding(rows: &[Variety]) -> Finding {
    let (none, widest) = (&rows[0], &rows[rows.len() - 1]);
    tested!(
        widest.moves > none.moves,
        "Random bonuses raise the number of first moves chosen in the initial position from {} to \
         {}, at a mean cost of {:.0} centipawns of pure score.",
        none.moves,
        widest.moves,
        widest.loss
    )
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

fn variety_chart(rows: &[Variety]) -> Chart {
    let points = rows.iter().map(|row| (row.moves as f64, row.loss));
    let (x, y) = ("different first moves", "pure score lost (centipawns)");
    let figure = Chart::new("Opening variety and what it costs", x, y);
    figure.series(Style::Dots, "amplitudes 0 to 160 centipawns", points)
}

/// Positions that only an under-promotion wins: a queen would stalemate (at once, and after a check
/// in Saavedra's study), or a knight's check wins the queen.
const NEEDED: [&str; 4] = [
    "8/2P5/8/8/3r4/8/2K5/k7 w - - 0 1",
    "8/5P1k/5K2/8/8/8/8/8 w - - 0 1",
    "8/8/8/8/8/5k2/5p1K/8 b - - 0 1",
    "8/3P1k2/2q5/8/8/8/P7/K7 w - - 0 1",
];

/// How often a move was chosen, without and with a bonus or penalty.
struct Choice {
    question: &'static str,
    positions: usize,
    without: u64,
    with: u64,
}

/// De Man's two small uses: no needless under-promotion, and trades in trivially drawn endings.
fn choices(context: &Context) -> Result<[Choice; 3], Failure> {
    let mut random = Random::new(context.settings.seed);
    let count = context.sized(10, 200);
    let nodes = context.sized(300, 1_500);
    let mut scatter = |names: &[&str], accepted: fn(&Position) -> bool| {
        let mut found = Vec::new();
        for name in names {
            let each = count / names.len() + 1;
            found.extend(endings(&mut random, name, 20_000, accepted).take(each));
        }
        found
    };
    let doomed = scatter(&["KPvKR", "KPvKQ", "KPvKB", "KRPvKR"], doomed_promotion);
    let trades = scatter(&["KRvKR", "KQvKQ"], even_trade);
    let needed = NEEDED.iter().filter_map(|fen| parse_fen(fen).ok());
    let needed: Vec<Position> = needed.collect();
    let choice = |question, positions: &[Position], nodes, (set, is_chosen): (Set, Chosen)| {
        let count = |size| {
            let mut config = context.config.clone();
            set(&mut config, size);
            let chosen = |engine: &mut FreshEngine, position: &Position| {
                let best = engine.search(position, &to_nodes(nodes)).best;
                best.is_some_and(|mv| is_chosen(position, mv))
            };
            let run = Run::measure("small choices at the root", (), &config, positions, chosen)?;
            Ok::<_, Failure>(run.sum(|&chosen| chosen.into()))
        };
        Ok::<_, Failure>(Choice {
            question,
            positions: positions.len(),
            without: count(0)?,
            with: count(60)?,
        })
    };
    let promotion: (Set, Chosen) = (
        |config, size| config.root_bonus.underpromoting = -size,
        |_, mv| mv.promotion.is_some_and(|piece| piece != Piece::Queen),
    );
    let capture: (Set, Chosen) = (
        |config, size| config.root_bonus.capturing_in_trivial_draw = size,
        Position::is_capture,
    );
    let needless = "needless under-promotions (the new piece is taken at once)";
    let found = "needed under-promotions that were found";
    let taken = "even trades taken in KRvKR and KQvKQ";
    Ok([
        choice(needless, &doomed, nodes, promotion)?,
        choice(found, &needed, 20 * nodes, promotion)?,
        choice(taken, &trades, nodes, capture)?,
    ])
}

type Set = fn(&mut Config, i32);
/// Whether a move in this position is the one that is asked about.
type Chosen = fn(&Position, Move) -> bool;

/// What moves to the square of `mv` can be taken there on the next move.
fn is_answered(position: &Position, mv: Move) -> bool {
    let after = position.make(mv).0;
    MoveSets::generate(&after)
        .iter()
        .any(|reply| reply.to == mv.to)
}

fn doomed_promotion(position: &Position) -> bool {
    let moves = MoveSets::generate(position);
    let is_promotion = |mv: &Move| mv.promotion == Some(Piece::Queen);
    let promotions: Vec<Move> = moves.iter().filter(is_promotion).collect();
    !promotions.is_empty() && promotions.iter().all(|&mv| is_answered(position, mv))
}

/// The two equal pieces can be traded, and taking one for nothing is not on.
fn even_trade(position: &Position) -> bool {
    let moves = MoveSets::generate(position);
    let mut captures = moves.iter().filter(|&mv| position.is_capture(mv));
    let first = captures.next();
    first.is_some_and(|mv| is_answered(position, mv)) && captures.next().is_none()
}

fn choice_table(choices: &[Choice; 3]) -> Table {
    let title = "Choices at the root, without and with a bonus or penalty of 60 centipawns";
    table!("small-choices", title, choices, |choice| {
        "question" => choice.question,
        "positions" => choice.positions,
        "without" => choice.without,
        "with" => choice.with,
    })
}

fn choice_findings([needless, needed, trades]: &[Choice; 3]) -> [Finding; 2] {
    let text = format!(
        "In {} positions the engine under-promotes needlessly {} times without and {} times with a \
         penalty, and in {} it finds the needed one {} and {} times.",
        needless.positions,
        needless.without,
        needless.with,
        needed.positions,
        needed.without,
        needed.with
    );
    let promotion = match (needed.with >= needed.without, needless.with) {
        // Some of those that are left may be as good as a queen that is taken.
        (true, 1..) if needless.with < needless.without => Finding::new(Outcome::HoldsInPart, text),
        (is_harmless, left) => Finding::tested(is_harmless && left == 0, text),
    };
    let trade = tested!(
        trades.with > trades.without,
        "In KRvKR and KQvKQ the engine takes an even trade in {} of {} positions without and in {} \
         with a bonus for captures.",
        trades.without,
        trades.positions,
        trades.with
    );
    [promotion, trade]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::quick;

    #[test]
    fn a_penalty_makes_no_needed_underpromotion_impossible_and_a_bonus_makes_trades() {
        let [needless, needed, trades] = choices(&quick(1, "default")).unwrap();
        assert!(needless.positions >= 10 && trades.positions >= 10);
        assert!(needless.with < needless.without);
        assert!(needed.positions == NEEDED.len() && needed.with == NEEDED.len() as u64);
        assert!(trades.with > trades.without);
    }
}
