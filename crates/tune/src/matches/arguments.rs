//! The arguments of a match, and what they ask for: its plan and its two players.

use std::{path::PathBuf, time::Duration};

use sextant_cli::{amount, failure::Failure};
use sextant_config::{Config, Difference, diff};
use sextant_play::{EnginePlayer, Openings, Opponents, Plan, Rules, Sprt, SprtModel};
use sextant_search::{ClockLimit, EngineSetup, Limits};

use super::foreign::engine::ForeignEngine;
use crate::{
    args::{LimitArgs, Override, Side},
    engine,
};

/// Nodes a move when no limit is named: what the project's own tests are played with.
const DEFAULT_NODES: u64 = 10_000;
/// Games when neither a number nor a sequential test is asked for.
const DEFAULT_GAMES: u64 = 200;
/// The skill level at which nothing is left to chance.
const FULL_SKILL: i32 = 20;
/// The seed of the root bonuses that stands for a new one at every search.
const SEED_FROM_CLOCK: i32 = 0;

/// Play games between two configs, each opening with both colors.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The player whose results are counted: a preset or a TOML file.
    #[arg(value_name = "A")]
    pub(super) first: String,
    /// Its opponent: a preset or a TOML file.
    #[arg(value_name = "B", required_unless_present = "engines")]
    pub(super) second: Option<String>,
    /// Play A, and B if there is one, against this UCI engine instead, through fastchess: cmd=FILE
    /// and what else fastchess knows of an engine, such as name=N, args=A, option.NAME=VALUE, and
    /// nodes=N, depth=N, st=SECONDS or tc=TIME, else it gets the limits of A. May be repeated.
    #[arg(long = "engine", value_name = "'cmd=FILE ...'")]
    #[arg(conflicts_with_all = ["state", "viriformat", "data", "soft_nodes"])]
    pub(super) engines: Vec<ForeignEngine>,
    /// With --engine or --nodestime: the clock of each game, such as 8+0.08 (seconds a game and a
    /// move).
    #[arg(long, value_name = "TIME")]
    #[arg(conflicts_with_all = ["nodes", "soft_nodes", "depth", "movetime"])]
    pub(super) tc: Option<String>,
    /// With --tc, between two configs: this many nodes count as a millisecond, so that games on a
    /// clock can be repeated and other work does no harm.
    #[arg(
        long,
        value_name = "NODES",
        requires = "tc",
        conflicts_with = "engines"
    )]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(super) nodestime: Option<u64>,
    /// The program that plays against engines: a file, or a name on the PATH.
    #[arg(
        long,
        value_name = "FILE",
        default_value = "fastchess",
        requires = "engines"
    )]
    pub(super) fastchess: PathBuf,
    #[command(flatten)]
    pub(super) limits: LimitArgs,
    /// Most games; an odd number is rounded up to whole pairs [default: 200, with --sprt no end].
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: Option<u64>,
    /// End after this time, such as 30m or 8h, with the result so far.
    #[arg(long, value_name = "TIME", value_parser = amount::time)]
    pub(super) max_time: Option<Duration>,
    /// Play until it is clear whether A is stronger by ELO1 rather than by ELO0.
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// Rate at which a true ELO0 may pass the test.
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// Rate at which a true ELO1 may fail the test.
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// What ELO0 and ELO1 count: plain Elo, or standard deviations of a game.
    #[arg(long, default_value = "logistic", value_parser = ["logistic", "normalized"])]
    sprt_model: String,
    /// Openings, one FEN or EPD a line [default: eight random moves].
    #[arg(long, value_name = "FILE")]
    pub(super) book: Option<PathBuf>,
    /// Games at the same time.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) concurrency: u16,
    /// Order of the openings. With node or depth limits the same seed gives the same games.
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Table of each engine in MB; small ones are quickly cleared between games.
    #[arg(long, value_name = "MB", default_value_t = 8)]
    #[arg(value_parser = clap::value_parser!(i32).range(1..=65_536))]
    pub(super) hash: i32,
    /// Change a tunable, as in a:search.iir=false; without a: or b: for both. May be repeated.
    #[arg(long = "set", value_name = "[a:|b:]KEY=VALUE")]
    pub(super) overrides: Vec<Override>,
    /// Play on until the rules of chess end the game.
    #[arg(long)]
    pub(super) no_adjudication: bool,
    /// Keep the result in this file, and resume from it if it is there: the same command goes on
    /// after a crash as if nothing had happened. --games and --sprt may be others then.
    #[arg(long, value_name = "FILE")]
    pub(super) state: Option<PathBuf>,
    /// Append the games to this file.
    #[arg(long, value_name = "FILE")]
    pub(super) pgn: Option<PathBuf>,
    /// Append the games with their scores to this file, in the format of `datagen`.
    #[arg(long, value_name = "FILE")]
    pub(super) viriformat: Option<PathBuf>,
    /// Append quiet positions with the results of their games, as FEN;RESULT, to this file.
    #[arg(long, value_name = "FILE")]
    pub(super) data: Option<PathBuf>,
    /// Positions of each game that go to --data.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(super) data_per_game: usize,
    /// Print the result as one JSON object.
    #[arg(long)]
    pub(super) json: bool,
}

impl Args {
    pub(super) fn move_limits(&self) -> Result<Limits, Failure> {
        let Some(tc) = self.tc.as_ref().filter(|_| self.engines.is_empty()) else {
            return Ok(self.limits.limits(DEFAULT_NODES));
        };
        let Some(nodes_per_ms) = self.nodestime else {
            return Err(Failure::usage(
                "--tc: two configs in one process have no clock but --nodestime, the nodes that \
                 count as a millisecond; on a real one --engine 'cmd=sextant' plays",
            ));
        };
        let clock = clock(tc).ok_or_else(|| {
            let wanted = "write 8+0.08, seconds a game and a move";
            Failure::usage(format!("--tc {tc}: with --nodestime {wanted}"))
        })?;
        Ok(Limits {
            clock: Some(clock),
            nodes_per_ms: Some(nodes_per_ms),
            ..Limits::default()
        })
    }

    /// The clock or the limits in the words of fastchess.
    pub(super) fn fastchess_limits(&self) -> Vec<String> {
        if let Some(clock) = &self.tc {
            return vec![format!("tc={clock}")];
        }
        let limits = self.limits.limits(DEFAULT_NODES);
        let time = limits.movetime.map(|time| time.as_secs_f64());
        let all = [
            limits.nodes.map(|nodes| format!("nodes={nodes}")),
            limits.depth.map(|depth| format!("depth={depth}")),
            time.map(|seconds| format!("st={seconds}")),
        ];
        all.into_iter().flatten().collect()
    }

    /// How often the sequential test may err, alpha and beta.
    pub(super) fn error_rates(&self) -> (f64, f64) {
        (self.alpha, self.beta)
    }

    /// The number of pairs, if there is one.
    fn pairs(&self) -> Option<u64> {
        let games = self.games.or(self.sprt.is_none().then_some(DEFAULT_GAMES));
        games.map(|games| games.div_ceil(2))
    }

    /// What is to be played, and a hash of the book.
    pub(super) fn plan(&self, players: &Players) -> Result<(Plan, Option<u64>), Failure> {
        let mut plan = Plan {
            openings: Openings::random(self.seed),
            pairs: self.pairs(),
            sprt: self.sprt()?,
            rules: self.rules(players),
        };
        let Some(path) = &self.book else {
            return Ok((plan, None));
        };
        let (openings, hash) = engine::read_book(path, self.seed)?;
        plan.openings = openings;
        if let (Some(pairs), Some(count)) = (plan.pairs, plan.openings.count())
            && pairs > count
        {
            return Err(Failure::usage(format!(
                "{} games need {pairs} openings, but {} has {count} different ones, and no \
                 opening is played twice because at fixed nodes it would repeat its games; ask for \
                 at most {} games or take a larger book",
                2 * pairs,
                path.display(),
                2 * count
            )));
        }
        Ok((plan, Some(hash)))
    }

    fn sprt(&self) -> Result<Option<Sprt>, Failure> {
        let Some(&[elo0, elo1]) = self.sprt.as_deref() else {
            return Ok(None);
        };
        let model = match &*self.sprt_model {
            "normalized" => SprtModel::Normalized,
            _ => SprtModel::Logistic,
        };
        let sprt = Sprt::new(elo0, elo1, self.alpha, self.beta, model);
        sprt.map(Some).map_err(Failure::usage)
    }

    fn rules(&self, players: &Players) -> Rules {
        if self.no_adjudication {
            return Rules::natural();
        }
        // The tables of the first player that has some.
        let tables = [&players.first, &players.second].map(|one| one.setup.tables());
        Rules {
            tablebase: tables.into_iter().flatten().next().cloned(),
            ..Rules::default()
        }
    }
}

/// A clock such as `8+0.08`: seconds at the start, and for each move.
fn clock(text: &str) -> Option<ClockLimit> {
    let (start, increment) = text.split_once('+').unwrap_or((text, "0"));
    let seconds = |text: &str| Duration::try_from_secs_f64(text.parse().ok()?).ok();
    Some(ClockLimit {
        remaining: seconds(start).filter(|start| !start.is_zero())?,
        increment: seconds(increment)?,
        moves_to_go: None,
    })
}

pub(super) struct Players {
    pub(super) first: NamedSetup,
    pub(super) second: NamedSetup,
}

/// One player: an engine's setup and its name.
pub(super) struct NamedSetup {
    /// `A` or `B` with the preset or file and what was changed, as in
    /// `A:default(search.iir=false)`.
    pub(super) name: String,
    pub(super) setup: EngineSetup,
}

impl NamedSetup {
    fn load(side: Side, name: &str, args: &Args) -> Result<NamedSetup, Failure> {
        let mut config = Config::load(name).map_err(Failure::usage)?;
        let changes = Override::apply_all(&args.overrides, side, &mut config);
        let changes = changes.map_err(|error| Failure::usage(format!("--set: {error}")))?;
        config.engine.hash = args.hash;
        if args.engines.is_empty() {
            // Nothing lies between the engine and the board that could take time.
            config.engine.move_overhead = 0;
        }
        let mut name = format!("{side:?}:{name}");
        if !changes.is_empty() {
            name.push_str(&format!("({})", changes.join(" ")));
        }
        let setup = engine::setup(config)?;
        Ok(NamedSetup { name, setup })
    }

    pub(super) fn config(&self) -> &Config {
        self.setup.config()
    }

    fn player(&self, limits: &Limits) -> Result<EnginePlayer, Failure> {
        let engine = if self.config().engine.threads == 1 {
            self.setup.engine_on_caller()
        } else {
            self.setup.engine()
        };
        let engine = engine.map_err(Failure::usage)?;
        Ok(EnginePlayer::new(engine, limits.clone()))
    }

    /// Does a search depend on nothing but position, history and limits?
    pub(super) fn is_deterministic(&self) -> bool {
        let config = self.config();
        let is_weakened = config.level.limit_strength || config.level.skill < FULL_SKILL;
        let is_random = is_weakened || config.root_bonus.random > 0;
        config.engine.threads == 1 && (!is_random || config.root_bonus.seed != SEED_FROM_CLOCK)
    }
}

impl Players {
    /// Loads both configs and applies what the command line changes.
    pub(super) fn load(args: &Args) -> Result<Players, Failure> {
        Ok(Players {
            first: NamedSetup::load(Side::A, &args.first, args)?,
            second: NamedSetup::load(Side::B, args.second.as_ref().unwrap_or(&args.first), args)?,
        })
    }

    /// Engines for `count` games at the same time.
    pub(super) fn opponents(
        &self,
        count: u16,
        limits: &Limits,
    ) -> Result<Vec<Opponents<EnginePlayer>>, Failure> {
        let opponents = |_| {
            Ok(Opponents {
                first: self.first.player(limits)?,
                second: self.second.player(limits)?,
            })
        };
        (0..count).map(opponents).collect()
    }

    pub(super) fn are_equal(&self) -> bool {
        let (a, b) = (self.first.config(), self.second.config());
        a.hash() == b.hash()
            && a.syzygy.path == b.syzygy.path
            && a.syzygy.backend == b.syzygy.backend
            && self.first.setup.network() == self.second.setup.network()
    }

    pub(super) fn are_deterministic(&self) -> bool {
        self.first.is_deterministic() && self.second.is_deterministic()
    }

    /// What the second has otherwise than the first.
    pub(super) fn differences(&self) -> Vec<Difference> {
        diff(self.first.config(), self.second.config())
    }
}
