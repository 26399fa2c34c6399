//! What bonuses cost in games: variety of openings, and traps in drawn endings.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cozy_chess::Color;
use sextant_board::{Position, to_fen};
use sextant_config::Config;
use sextant_play::{
    EnginePlayer, GameResult, MatchError, MatchPlayers, Openings, Pair, Plan, Rules, Tally,
    play_match,
};
use sextant_search::{Engine, Game};
use sextant_syzygy::{Tablebase, Wdl};

use crate::engine::{Subject, small, to_nodes};
use crate::error::LabError;
use crate::experiment::Context;
use crate::experiments::syzygy::endings;
use crate::game::Dice;
use crate::report::{Cell, Table};
use crate::tables;

/// Largest random bonuses that play against none, in centipawns.
const AMPLITUDES: [i32; 2] = [20, 80];
/// Bonus for giving material away in drawn endings, in centipawns.
const SACRIFICE: i32 = 80;
/// Strength of the opponent that might fall into traps.
const LEVEL: i32 = 1100;
/// Drawn endings in which traps are set.
const DRAWN: [&str; 6] = ["KRvKR", "KQvKQ", "KQvKR", "KRvKB", "KRvKN", "KPvKP"];

/// A match, first player first.
pub struct Match {
    /// What plays what.
    name: String,
    /// The result.
    pub tally: Tally,
    /// Games that the first player won of each opening, in the order of the openings.
    wins: Vec<usize>,
}

impl Match {
    /// The result in words.
    #[must_use]
    pub fn words(&self) -> String {
        let Tally {
            pairs,
            wins,
            draws,
            losses,
            ..
        } = &self.tally;
        let elo = pairs.elo_error().map_or_else(String::new, |error| {
            format!(", {:+.0} +- {error:.0} Elo", pairs.elo())
        });
        format!("{}: +{wins} ={draws} -{losses}{elo}", self.name)
    }

    /// Of a match over the same openings: in how many of them this one's first player won more
    /// games, and in how many it won fewer.
    #[must_use]
    pub fn openings_against(&self, other: &Match) -> (u64, u64) {
        let pairs = self.wins.iter().zip(&other.wins);
        pairs.fold((0, 0), |(more, fewer), (ours, theirs)| {
            (
                more + u64::from(ours > theirs),
                fewer + u64::from(ours < theirs),
            )
        })
    }

    /// A match of which only the games won by opening are known.
    #[cfg(test)]
    pub(super) fn of_wins(wins: &[usize]) -> Match {
        Match {
            name: String::new(),
            tally: Tally::default(),
            wins: wins.to_vec(),
        }
    }
}

/// Games of the pair that the first player won.
fn wins(pair: &Pair) -> usize {
    let results = pair.games.iter().map(|game| game.result);
    let colors = [Color::White, Color::Black].map(GameResult::win);
    results
        .zip(colors)
        .filter(|(result, win)| result == win)
        .count()
}

/// Plays `plan` between two engines on one thread.
fn play(
    name: &str,
    engines: [Engine; 2],
    nodes: u64,
    plan: &Plan,
    context: &Context<'_>,
) -> Result<Match, LabError> {
    let pairs = plan.pairs.or(plan.openings.count()).unwrap_or(0);
    context.progress.begin(pairs, name);
    let [first, second] = engines.map(|engine| EnginePlayer::new(engine, to_nodes(nodes)));
    let teams = vec![MatchPlayers { first, second }];
    let mut won = Vec::new();
    let mut report = |pair: &Pair, _: &Tally| {
        won.push(wins(pair));
        context.progress.step();
        true
    };
    let refused = |error: MatchError| LabError::engine(error);
    let tally = play_match(teams, plan, &AtomicBool::new(false), &mut report).map_err(refused)?;
    Ok(Match {
        name: name.to_owned(),
        tally,
        wins: won,
    })
}

fn engine(config: &Config, change: impl Fn(&mut Config)) -> Result<Engine, LabError> {
    let mut config = small(config);
    config.engine.hash = 1; // It is cleared before every game.
    change(&mut config);
    Engine::new(config).map_err(LabError::engine)
}

/// Random bonuses of several sizes against none.
///
/// # Errors
/// When an engine cannot be had.
pub fn variety(context: &Context<'_>) -> Result<Vec<Match>, LabError> {
    let plan = Plan {
        openings: Openings::random(context.seed),
        pairs: Some(context.sized(2, 60)),
        sprt: None,
        rules: Rules::default(),
    };
    let nodes = context.sized(300, 1_500);
    AMPLITUDES
        .into_iter()
        .map(|amplitude| {
            let with = engine(&context.config, |config| {
                config.root_bonus.random = amplitude;
                config.root_bonus.seed = 1;
            })?;
            let without = engine(&context.config, |_| {})?;
            let name = format!("random bonus up to {amplitude} cp against none");
            play(&name, [with, without], nodes, &plan, context)
        })
        .collect()
}

/// An engine with tables against a limited one without, in drawn endings; without and with the
/// bonus for sacrifices. Empty without tables.
///
/// # Errors
/// When an engine or the tables cannot be had.
pub fn traps(context: &Context<'_>) -> Result<Vec<Match>, LabError> {
    let Some(tables) = tables::open(context)? else {
        return Ok(Vec::new());
    };
    let drawn = drawn_endings(&tables, context.sized(1, 12), context.seed);
    let Ok(openings) = Openings::from_book(&drawn, context.seed) else {
        return Ok(Vec::new());
    };
    let plan = Plan {
        openings,
        pairs: None,
        sprt: None,
        rules: Rules {
            max_plies: context.sized(60, 200),
            ..Rules::natural()
        },
    };
    [0, SACRIFICE]
        .into_iter()
        .map(|bonus| {
            let mut with = engine(&context.config, |config| {
                config.root_bonus.tablebase_draw_sacrifice = bonus;
            })?;
            with.set_tablebase(Some(tables.clone()));
            let without = engine(&context.config, |config| {
                config.level.limit_strength = true;
                config.level.elo = LEVEL;
            })?;
            let name = format!("drawn endings, bonus {bonus} cp, against level {LEVEL}");
            play(
                &name,
                [with, without],
                context.sized(200, 800),
                &plan,
                context,
            )
        })
        .collect()
}

/// `count` positions of each ending that the tables call drawn, one FEN a line.
fn drawn_endings(tables: &Arc<Tablebase>, count: usize, seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let mut lines = String::new();
    for name in DRAWN {
        let is_drawn = |position: &Position| tables.wdl(position.board()) == Some(Wdl::Draw);
        let tries = (0..200 * count).filter_map(|_| endings::random(name, &mut dice));
        for position in tries.filter(is_drawn).take(count) {
            lines.push_str(&to_fen(&position, false));
            lines.push('\n');
        }
    }
    lines
}

/// Matches as a table.
#[must_use]
pub fn table(matches: &[Match]) -> Table {
    let mut table = Table::new(
        "games",
        "Games in pairs with both colours, from the first player's view (Elo with its 95 % interval)",
        &["match", "games", "won", "drawn", "lost", "Elo", "+-"],
    );
    for Match { name, tally, .. } in matches {
        let elo = tally.pairs.elo();
        table.row([
            name.as_str().into(),
            tally.games().into(),
            tally.wins.into(),
            tally.draws.into(),
            tally.losses.into(),
            if elo.is_finite() {
                Cell::real(elo, 1)
            } else {
                Cell::Empty
            },
            tally
                .pairs
                .elo_error()
                .map_or(Cell::Empty, |error| Cell::real(error, 1)),
        ]);
    }
    table
}

/// Different positions after the first plies of self-play from the initial position.
///
/// # Errors
/// When the engine cannot be had.
pub fn opening_lines(context: &Context<'_>) -> Result<Table, LabError> {
    const PLIES: usize = 8;
    let games = context.sized(4, 40);
    let mut table = Table::new(
        "opening-lines",
        "Self-play from the initial position: different positions after 8 plies",
        &["bonus up to (cp)", "games", "different positions"],
    );
    for amplitude in [0, 10, 20, 40, 80] {
        let name = format!("openings, bonus {amplitude}");
        context.progress.begin(games, &name);
        let mut ends = HashSet::new();
        for seed in 1..=games {
            let mut config = context.config.clone();
            config.root_bonus.random = amplitude;
            config.root_bonus.seed = seed as i32;
            let mut subject = Subject::new(&config)?;
            let mut game = Game::new(Position::startpos());
            for _ in 0..PLIES {
                let limits = to_nodes(context.sized(300, 2_000));
                let outcome = subject.search(game.position(), &limits, &mut |_| {});
                let Some(mv) = outcome.best else { break };
                game.play(mv);
            }
            ends.insert(game.position().key());
            context.progress.step();
        }
        table.row([i64::from(amplitude).into(), games.into(), ends.len().into()]);
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_are_played_to_their_end_and_counted() {
        let context = Context::quick(2);
        let matches = variety(&context).unwrap();
        assert!(matches.iter().all(|m| m.tally.games() == 4));
        let traps = traps(&context).unwrap();
        assert_eq!(traps.len(), 2);
        assert!(traps[0].tally.games() >= 6);
        for game in &traps {
            assert_eq!(game.wins.len() as u64, game.tally.pairs.pairs());
            assert_eq!(game.wins.iter().sum::<usize>() as u64, game.tally.wins);
        }
        assert_eq!(table(&matches).rows.len(), 2);
    }
}
