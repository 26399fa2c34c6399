//! What bonuses cost in games: variety of openings, and traps in drawn endings.

use std::sync::atomic::AtomicBool;

use sextant_board::to_fen;
use sextant_cli::progress::Progress;
use sextant_play::{EnginePlayer, MatchPlayers, Openings, Pair, Plan, Rules, Tally, play_match};
use sextant_search::Engine;
use sextant_syzygy::{Tablebase, Wdl};

use crate::experiments::prelude::*;
use crate::{engine::setup, random::Dice, stats::SignTest};

const AMPLITUDES: [i32; 2] = [20, 80];
/// Bonus for giving material away in drawn endings, in centipawns.
const SACRIFICE: i32 = 80;
/// Strength of the opponent that might fall into traps.
const LEVEL: i32 = 1100;
const DRAWN: [&str; 6] = ["KRvKR", "KQvKQ", "KQvKR", "KRvKB", "KRvKN", "KPvKP"];

#[derive(Clone)]
pub(super) struct Match {
    name: String,
    tally: Tally,
    /// Games that the first player won of each opening, in the order of the openings.
    wins: Vec<u64>,
}

impl Match {
    /// Plays `plan` between two engines on one thread.
    fn play(name: String, engines: [Engine; 2], nodes: u64, plan: &Plan) -> Result<Match, Failure> {
        let progress = Progress::new(name.as_str(), plan.pairs.or(plan.openings.count()));
        let [first, second] = engines.map(|engine| EnginePlayer::new(engine, to_nodes(nodes)));
        let players = vec![MatchPlayers { first, second }];
        let (mut wins, mut before) = (Vec::new(), 0);
        let mut report = |_: &Pair, tally: &Tally| {
            wins.push(tally.wins - before);
            before = tally.wins;
            progress.advance(1);
            true
        };
        let tally = play_match(
            players,
            plan,
            Tally::default(),
            &AtomicBool::new(false),
            &mut report,
        );
        let tally = tally.map_err(Failure::work)?;
        Ok(Match { name, tally, wins })
    }

    fn words(&self) -> String {
        let Match { name, tally, .. } = self;
        let elo = tally.pairs.elo_error().map_or_else(String::new, |error| {
            format!(", {:+.0} +- {error:.0} Elo", tally.pairs.elo())
        });
        let (wins, draws, losses) = (tally.wins, tally.draws, tally.losses);
        format!("{name}: +{wins} ={draws} -{losses}{elo}")
    }
}

fn engine(config: &Config, change: impl Fn(&mut Config)) -> Result<Engine, Failure> {
    let mut config = config.clone();
    change(&mut config);
    // A megabyte will do: the table is cleared before every game.
    setup(&config, 1)?.engine_on_caller().map_err(Failure::work)
}

pub(super) fn variety(context: &Context) -> Result<Vec<Match>, Failure> {
    let plan = Plan {
        openings: Openings::random(context.settings.seed),
        pairs: Some(context.sized(2, 60)),
        sprt: None,
        rules: Rules::default(),
    };
    let nodes = context.sized(300, 1_500);
    let against_none = |amplitude| {
        let with = engine(&context.config, |config| {
            config.root_bonus.random = amplitude;
            config.root_bonus.seed = 1;
        })?;
        let without = engine(&context.config, |_| {})?;
        let name = format!("random bonus up to {amplitude} cp against none");
        Match::play(name, [with, without], nodes, &plan)
    };
    AMPLITUDES.into_iter().map(against_none).collect()
}

/// An engine with tables against a limited one without, in drawn endings; without and with the
/// bonus for sacrifices. Empty without tables.
pub(super) fn traps(context: &Context) -> Result<Vec<Match>, Failure> {
    let Some(tables) = context.tablebase()? else {
        return Ok(Vec::new());
    };
    let drawn = drawn_endings(&tables, context.sized(1, 12), context.settings.seed);
    let Ok(openings) = Openings::from_book(&drawn, context.settings.seed) else {
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
    let nodes = context.sized(200, 800);
    let with_bonus = |bonus| {
        let mut with = engine(&context.config, |config| {
            config.root_bonus.tablebase_draw_sacrifice = bonus;
        })?;
        with.set_tablebase(Some(tables.clone()));
        let without = engine(&context.config, |config| {
            config.level.limit_strength = true;
            config.level.elo = LEVEL;
        })?;
        let name = format!("drawn endings, bonus {bonus} cp, against level {LEVEL}");
        Match::play(name, [with, without], nodes, &plan)
    };
    [0, SACRIFICE].into_iter().map(with_bonus).collect()
}

/// `count` positions of each ending that the tables call drawn, one FEN a line.
fn drawn_endings(tables: &Tablebase, count: usize, seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let mut lines = String::new();
    let is_drawn = |position: &Position| tables.wdl(position.board()) == Some(Wdl::Draw);
    for name in DRAWN {
        for position in dice.endings(name, 200 * count, is_drawn).take(count) {
            lines += &format!("{}\n", to_fen(&position, false));
        }
    }
    lines
}

pub(super) fn table(matches: &[Match]) -> Table {
    let title = "Games in pairs with both colors, from the first player's view (Elo with its 95 % \
                 interval)";
    table!("games", title, matches, |game| {
        "match" => game.name.as_str(),
        "games" => game.tally.games(),
        "won" => game.tally.wins,
        "drawn" => game.tally.draws,
        "lost" => game.tally.losses,
        "Elo" => real(Some(game.tally.pairs.elo()).filter(|elo| elo.is_finite()), 1),
        "+-" => real(game.tally.pairs.elo_error(), 1),
    })
}

pub(super) fn findings(costs: &[Match], traps: &[Match]) -> Vec<Finding> {
    let price = |game: &Match| noted!("The price of variety: {}.", game.words());
    let mut findings: Vec<Finding> = costs.iter().map(price).collect();
    findings.push(match traps {
        [without, with] => trap_finding(without, with),
        _ => noted!(
            "The trap in drawn endings was skipped: there are no tables. Give their folder with \
             --tables."
        ),
    });
    findings
}

/// Both matches began from the same endings, so they are compared ending by ending.
fn trap_finding(without: &Match, with: &Match) -> Finding {
    let wins = SignTest::of(with.wins.iter().zip(&without.wins));
    let SignTest { more, less, .. } = wins;
    let text = format!(
        "Giving material away in drawn endings in the hope of a mistake: {}; {}; more wins with \
         the bonus from {more} endings and fewer from {less} ({}, sign test).",
        without.words(),
        with.words(),
        wins.p()
    );
    Finding::by_test(wins.significant(), more > less, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::quick;

    #[test]
    fn matches_are_played_to_their_end_and_counted() {
        let context = quick(2, "default");
        let matches = [variety(&context).unwrap(), traps(&context).unwrap()].concat();
        let games = matches.iter().map(|one| one.tally.games());
        assert!(games.eq([4, 4, matches[2].tally.games(), matches[2].tally.games()]));
        for one in &matches {
            assert_eq!(one.wins.len() as u64, one.tally.pairs.pairs());
            assert_eq!(one.wins.iter().sum::<u64>(), one.tally.wins);
        }
    }

    #[test]
    fn traps_are_judged_ending_by_ending() {
        let of_wins = |wins: [u64; 8]| Match {
            name: String::new(),
            tally: Tally::default(),
            wins: wins.to_vec(),
        };
        for (with, expected) in [
            ([2; 8], Outcome::Holds),
            ([0; 8], Outcome::Fails),
            ([0, 0, 2, 0, 1, 1, 1, 1], Outcome::Undecided),
        ] {
            let finding = trap_finding(&of_wins([1; 8]), &of_wins(with));
            assert_eq!(finding.outcome, Some(expected), "{with:?}");
        }
    }
}
