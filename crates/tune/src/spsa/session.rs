//! A run from its beginning, or from where it was left, to its end.

use std::{
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use sextant_cli::{
    failure::Failure,
    files::{self, Claim},
    journal::differences,
    output,
    progress::Progress,
    signals,
};
use sextant_config::{Config, Parameter, Preset};
use sextant_play::{Pair, Tally};
use sextant_search::{EngineSetup, bench};

use super::{
    games::{self, Games},
    keeper::Keeper,
    optimizer::{self, Gains, Tuned},
    show,
    state::{Options, Recipe, State, kept},
};
use crate::{
    args::Deadline,
    engine::{self, Base},
    hash::hex,
    keys,
    state_file::StateFile as _,
    viriformat,
};

/// How a tuned config came to be.
pub(super) const MADE: &str = "Tuned by games: `sextant-tune spsa`";
const CHART_EVERY: u64 = 10;
/// Depth of the bench that a tunable must change; deep enough for what only deeper nodes do.
const IDLE_DEPTH: u32 = 7;

#[derive(clap::Args, Debug)]
pub(super) struct NewRun {
    /// The tunables, as in 'pruning.*'; may be repeated. `*` and `?` are wildcards.
    #[arg(long, value_name = "PATTERN")]
    keys: Vec<String>,
    /// Tunables that are left out although --keys names them; may be repeated.
    #[arg(long, value_name = "PATTERN")]
    except: Vec<String>,
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    gains: Gains,
}

pub(super) struct Session {
    /// Two processes at one run would undo each other's work.
    _claim: Claim,
    state: State,
    base: Base,
    player: EngineSetup,
    games: Games,
    keeper: Keeper,
}

impl Session {
    /// Begins a run, and writes its first state.
    pub(super) fn begin(
        new: &NewRun,
        path: &Path,
        out: Option<&Path>,
        concurrency: u16,
    ) -> Result<Session, Failure> {
        if path.is_file() {
            return Err(Failure::usage(format!(
                "{0} holds a run already; go on with it (--resume {0}) or name another file",
                path.display()
            )));
        }
        let claim = Claim::new(path)?;
        let chosen = keys::choose(&new.keys, &new.except)?;
        let beside = path.with_extension("tuned.toml");
        let out = out.unwrap_or(&beside);
        let config = Config::load(&new.options.config).map_err(Failure::usage)?;
        let values = chosen.iter().filter_map(|one| tuned(one, &config));
        let recipe = recipe(&new.options, (path, out))?;
        let state = State::new(path, recipe, new.gains, values.collect());
        let (mut session, recipe) = Session::new(claim, state, concurrency)?;
        session.state.recipe = recipe;
        // What cannot be written at the end is better known now.
        session.base.text(&session.base.config, out, MADE)?;
        check_new(out, path, new.options.viriformat.as_deref())?;
        session.keeper = Keeper::open(&session.state)?;
        files::write(path, session.state.text()?)?;
        note_idle(&chosen, &session.player)?;
        Ok(session)
    }

    /// Goes on with a run, if its state, its config, its book and its engine are what they were.
    pub(super) fn resume(path: &Path, concurrency: u16) -> Result<Session, Failure> {
        let claim = Claim::new(path)?;
        let (mut session, now) = Session::new(claim, State::load(path)?, concurrency)?;
        let state = &session.state;
        files::check_writable(&state.found(&state.recipe.out))?;
        let differences = differences(&now, &state.recipe);
        if !differences.is_empty() {
            return Err(Failure::usage(format!(
                "{} began otherwise: {}; bring back the config, the book and the engine, or begin a \
                 new run from what --show says",
                path.display(),
                differences.join("; ")
            )));
        }
        state.tuned(&session.base.config)?;
        session.keeper = Keeper::open(&session.state)?;
        Ok(session)
    }

    /// Loads what a run needs, and tells the recipe with that as it is now.
    fn new(claim: Claim, state: State, concurrency: u16) -> Result<(Session, Recipe), Failure> {
        let then = &state.recipe;
        then.options.sprt()?;
        let config = state.found_config();
        let base = Base::load(&config)?;
        let player = engine::load(&config, then.options.hash)?;
        let book = then.options.book.as_ref().map(|book| state.found(book));
        let games = Games::new(&then.options, &player, book.as_deref(), concurrency)?;
        let recipe = Recipe {
            config_hash: hex(base.config.hash()),
            signature: player.signature().map_err(Failure::work)?,
            book_hash: games.book_hash.clone(),
            ..then.clone()
        };
        let session = Session {
            _claim: claim,
            state,
            base,
            player,
            games,
            keeper: Keeper::default(),
        };
        Ok((session, recipe))
    }

    /// Tunes, writes the tuned config, and plays it against the start; after the deadline it only
    /// says how far it is. Whatever fails or ends it, the state on the disk is that of the last
    /// whole iteration.
    pub(super) fn run(&mut self, stop: &AtomicBool, deadline: Deadline) -> Result<(), Failure> {
        output::note(format_args!(
            "{} parameters, {} iterations of {} game pairs; state in {}",
            self.state.parameter.len(),
            self.state.gains.iterations,
            self.state.recipe.options.pairs_per_iteration,
            self.state.path.display()
        ));
        self.tune(stop, deadline)?;
        if deadline.is_past() {
            let values = show::text(&self.state);
            let (done, path) = (self.state.progress.iterations, self.state.path.display());
            return output::print(format_args!(
                "{values}\n\ntime is up after {done} iterations; go on with `sextant-tune spsa \
                 --resume {path}`\n"
            ));
        }
        let tuned = self.state.tuned(&self.base.config)?;
        let mut written = self.write(&tuned)?;
        let is_changed = tuned != self.base.config;
        if !is_changed {
            written += "; give the run more iterations, or a larger --r-end";
        }
        let values = show::text(&self.state);
        output::print(format_args!("{values}\n\n{written}\n"))?;
        if is_changed {
            self.verify(stop)
        } else {
            Ok(())
        }
    }

    /// Writes the tuned config, unless somebody has changed it since an earlier end of the run;
    /// what to say of that.
    fn write(&self, tuned: &Config) -> Result<String, Failure> {
        let out = &self.state.found(&self.state.recipe.out);
        let text = self.base.text(tuned, out, MADE)?;
        let old = files::read(out, files::MIB);
        if old.is_ok_and(|old| old != text.as_bytes()) {
            return Ok(format!(
                "{} is not what this run wrote, and stays as it is; --show with --out writes the \
                 tuned values elsewhere",
                out.display()
            ));
        }
        self.base.write(tuned, out, MADE)
    }

    fn tune(&mut self, stop: &AtomicBool, deadline: Deadline) -> Result<(), Failure> {
        let (begun_with, all) = (self.state.progress.iterations, self.state.gains.iterations);
        let progress = Progress::new("iterations", Some(all)).starting_at(begun_with);
        // From now on the signal asks.
        signals::is_asked();
        while !self.state.is_done() && !deadline.is_past() {
            if !self.step(stop)? {
                progress.finish();
                return Err(self.interrupted("iterations", self.state.progress.iterations));
            }
            let done = self.state.progress.iterations;
            if done.is_multiple_of(CHART_EVERY) || self.state.is_done() {
                self.draw(&progress);
            }
            progress.set(done, show::progress(&self.state));
            if signals::is_asked() {
                progress.note(show::text(&self.state));
            }
        }
        Ok(())
    }

    /// One iteration; `false` if it was stopped, and then nothing has happened.
    fn step(&mut self, stop: &AtomicBool) -> Result<bool, Failure> {
        let state = &mut self.state;
        let options = &state.recipe.options;
        let (index, pairs) = (state.progress.iterations, options.pairs_per_iteration);
        let probe = optimizer::probe(&state.parameter, &state.gains, options.seed, index);
        let player = |values: &[i32]| state.with_values(self.player.config(), values);
        let configs = [&player(&probe.plus)?, &player(&probe.minus)?];
        let plan = (
            &self.games.iteration(index * pairs, pairs),
            Tally::default(),
        );
        let mut games = Vec::new();
        let mut keep = |pair: &Pair, _: &Tally| {
            games.extend(viriformat::of_pair(pair));
            Ok(())
        };
        let tally = self.games.play(configs, plan, stop, &mut keep)?;
        if tally.pentanomial.pairs() < pairs {
            return Ok(false);
        }
        let result = tally.wins as f64 - tally.losses as f64;
        optimizer::learn(&mut state.parameter, &state.gains, index, &probe, result);
        state.count([tally.wins, tally.draws, tally.losses]);
        self.keeper.add(&games);
        self.keeper.save(state)?;
        Ok(true)
    }

    /// A chart that cannot be written is no reason to end a run of days.
    fn draw(&self, progress: &Progress) {
        let path = self.state.path.with_extension("svg");
        let svg = show::chart(&self.state).to_svg();
        let drawn = svg.and_then(|svg| Ok(files::write(&path, svg)?));
        if let Err(failure) = drawn {
            progress.note(format_args!("{failure}; the run goes on"));
        }
    }

    /// Plays the tuned values against those of the start.
    fn verify(&mut self, stop: &AtomicBool) -> Result<(), Failure> {
        let options = self.state.recipe.options.clone();
        if options.verify_pairs() == 0 {
            return Ok(());
        }
        let tuned = self.state.tuned(self.player.config())?;
        let plan = self.games.verification(&options)?;
        let so_far = Tally {
            pentanomial: self.state.verification(),
            ..Tally::default()
        };
        let progress = Progress::new("pairs", plan.pairs).starting_at(so_far.pentanomial.pairs());
        let (state, keeper) = (&mut self.state, &mut self.keeper);
        let mut note = |pair: &Pair, tally: &Tally| {
            state.progress.verification = tally.pentanomial.0;
            progress.set(
                tally.pentanomial.pairs(),
                games::verdict(&options, &tally.pentanomial),
            );
            if signals::is_asked() {
                progress.note(show::text(state));
            }
            keeper.add(&viriformat::of_pair(pair));
            keeper.save(state)
        };
        let configs = [&tuned, self.player.config()];
        let played = self.games.play(configs, (&plan, so_far), stop, &mut note);
        progress.finish();
        let pairs = played?.pentanomial;
        if !games::is_over(&plan, &pairs) {
            return Err(self.interrupted("verification pairs", pairs.pairs()));
        }
        output::print(format_args!("{}\n", games::verdict(&options, &pairs)))
    }

    fn interrupted(&self, what: &str, count: u64) -> Failure {
        Failure::interrupted(format!(
            "stopped after {count} {what}; go on with `sextant-tune spsa --resume {}`",
            self.state.path.display()
        ))
    }
}

/// A parameter where its way begins, if it is a number.
fn tuned(parameter: &Parameter, config: &Config) -> Option<Tuned> {
    let number = parameter.number()?;
    let start = parameter.get(config)?;
    Some(Tuned {
        key: keys::name(parameter),
        min: number.min,
        max: number.max,
        c_end: number.step,
        start,
        value: f64::from(start),
    })
}

/// What is known at first of a run that is kept in `state` and ends in `out`.
fn recipe(options: &Options, (state, out): (&Path, &Path)) -> Result<Recipe, Failure> {
    let mut options = options.clone();
    if Preset::find(&options.config).is_none() {
        let path = kept(Path::new(&options.config), state)?;
        options.config = path.to_string_lossy().into_owned();
    }
    let keep = |path: Option<PathBuf>| path.map(|path| kept(&path, state)).transpose();
    options.book = keep(options.book)?;
    options.viriformat = keep(options.viriformat)?;
    Ok(Recipe {
        options,
        out: kept(out, state)?,
        ..Recipe::default()
    })
}

/// Is there room for the tuned config, and nothing that it or the games would replace?
fn check_new(out: &Path, state: &Path, games: Option<&Path>) -> Result<(), Failure> {
    let of_run = [state, &state.with_extension("svg"), out];
    let apart = |path: &Path, others: &[&Path], option: &str| {
        let is_taken = others.iter().any(|other| files::is_same(path, other));
        let name = path.display();
        let message = format!("the run itself is kept in {name}; name another file with {option}");
        (!is_taken).then_some(()).ok_or(Failure::usage(message))
    };
    apart(out, &of_run[..2], "--out")?;
    games.map_or(Ok(()), |games| apart(games, &of_run, "--viriformat"))?;
    if out.is_file() {
        return Err(Failure::usage(format!(
            "{} is there already; name another file for the tuned config with --out, or move it away",
            out.display()
        )));
    }
    Ok(files::check_writable(out)?)
}

/// Names tunables that change nothing: what they belong to may be switched off, or may not matter
/// to games of so many nodes a move. Their extreme values leave all searches of a bench as they
/// are.
fn note_idle(chosen: &[Parameter], player: &EngineSetup) -> Result<(), Failure> {
    let nodes = |config: &Config| {
        let nodes = bench::nodes(&bench::short(IDLE_DEPTH), config, player.network().cloned());
        nodes.map_err(Failure::work)
    };
    let usual = nodes(player.config())?;
    let mut idle = Vec::new();
    for parameter in chosen {
        let Some(number) = parameter.number() else {
            continue;
        };
        let is_usual = |value| {
            let mut config = player.config().clone();
            parameter.set(&mut config, value).map_err(Failure::work)?;
            Ok::<_, Failure>(nodes(&config)? == usual)
        };
        if is_usual(number.max)? && is_usual(number.min)? {
            idle.push(keys::name(parameter));
        }
    }
    if !idle.is_empty() {
        output::note(format_args!(
            "note: a bench of depth {IDLE_DEPTH} is the same whatever the value of {}; if what that \
             belongs to is switched off, or a matter of the clock, games cannot tune it (--except \
             leaves it out)",
            idle.join(", ")
        ));
    }
    Ok(())
}
