//! A run from its beginning, or from where it was left, to its end.

use std::{
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use sextant_cli::{
    failure::Failure,
    files::{self, Claim},
    output,
    progress::Progress,
};
use sextant_config::{Config, Parameter};
use sextant_play::Tally;
use sextant_search::EngineSetup;

use super::{
    MADE,
    args::{Args, NewRun},
    gains::Gains,
    games::{Book, Games},
    idle,
    optimizer::{self, Tuned},
    paths, show,
    state::{Recipe, State},
    verify,
};
use crate::{base::Base, engine, hash::hex, keys};

/// Iterations from chart to chart.
const CHART_EVERY: u64 = 10;

/// A run at work.
pub(super) struct Session {
    path: PathBuf,
    /// Two processes at one run would undo each other's work.
    _claim: Claim,
    state: State,
    base: Base,
    player: EngineSetup,
    games: Games,
}

impl Session {
    /// Begins a run, and writes its first state.
    ///
    /// # Errors
    /// [`Failure`] if anything that the arguments name is wrong.
    pub(super) fn begin(args: &Args, path: &Path) -> Result<Session, Failure> {
        State::check_none(path)?;
        let claim = Claim::new(path)?;
        let new = &args.new;
        let chosen = keys::choose(&new.keys, &new.except).map_err(Failure::usage)?;
        let out = args
            .out
            .clone()
            .unwrap_or_else(|| path.with_extension("tuned.toml"));
        let base = Base::load(&new.config)?;
        let player = engine::load(&new.config, new.hash)?;
        let book = Book::read(new.book.as_deref().map(Path::new))?;
        let mut recipe = recipe(new, (path, &out))?;
        recipe.config_hash = hex(base.config.hash());
        recipe.signature = player.signature().map_err(Failure::work)?;
        recipe.book_hash = book.hash();
        recipe.sprt()?;
        // What cannot be written at the end is better known now.
        base.text(&base.config, &out, MADE)?;
        check_new(&out, path)?;
        let values = chosen.iter().filter_map(|one| tuned(one, &base.config));
        let gains = Gains {
            iterations: new.iterations,
            r_end: new.r_end,
        };
        let games = Games::new(&recipe, &player, &book, args.concurrency)?;
        let session = Session {
            path: path.to_owned(),
            _claim: claim,
            state: State::new(recipe, gains, values.collect()),
            base,
            player,
            games,
        };
        let begun = session.state.save(path);
        begun.map_err(|error| Failure::from(error).advise("nothing was begun"))?;
        idle::note(&chosen, &session.player)?;
        Ok(session)
    }

    /// Goes on with a run.
    ///
    /// # Errors
    /// [`Failure`] if its state, its config or its book is not what it was.
    pub(super) fn resume(path: &Path, concurrency: u16) -> Result<Session, Failure> {
        let claim = Claim::new(path)?;
        let state = State::load(path)?;
        let then = &state.recipe;
        let config = paths::found_config(&then.config, path);
        let base = Base::load(&config)?;
        let player = engine::load(&config, then.hash)?;
        let book = Some(&then.book).filter(|book| !book.is_empty());
        let book = book.map(|book| paths::found(Path::new(book), path));
        let book = Book::read(book.as_deref())?;
        files::check_writable(&paths::found(&then.out, path))?;
        let same = |what: &str, now: &str, then: &str| {
            if now == then {
                return Ok(());
            }
            Err(Failure::usage(format!(
                "{}: {what} is not what it was when the run began (now {now}, then {then}); bring \
                 it back, or begin a new run from what --show says",
                path.display()
            )))
        };
        let hash = hex(base.config.hash());
        same(&format!("the config {config}"), &hash, &then.config_hash)?;
        same(
            &format!("the book {}", then.book),
            &book.hash(),
            &then.book_hash,
        )?;
        let signature = player.signature().map_err(Failure::work)?.to_string();
        same("the engine", &signature, &then.signature.to_string())?;
        state.tuned(&base.config)?;
        let games = Games::new(then, &player, &book, concurrency)?;
        Ok(Session {
            path: path.to_owned(),
            _claim: claim,
            state,
            base,
            player,
            games,
        })
    }

    /// Tunes, writes the tuned config, and plays it against the start.
    ///
    /// # Errors
    /// [`Failure`] if a game fails, something cannot be written, or `stop` was set. The state on the
    /// disk is then that of the last whole iteration.
    pub(super) fn run(&mut self, stop: &AtomicBool) -> Result<(), Failure> {
        output::note(format_args!(
            "{} parameters, {} iterations of {} game pairs; state in {}",
            self.state.parameter.len(),
            self.state.gains.iterations,
            self.state.recipe.pairs_per_iteration,
            self.path.display()
        ));
        self.tune(stop)?;
        let values = show::text(&self.state);
        let tuned = self.state.tuned(&self.base.config)?;
        let out = paths::found(&self.state.recipe.out, &self.path);
        if tuned == self.base.config {
            return output::print(format_args!(
                "{values}\n\nnothing changed: every value rounds to where it began, so {} is not \
                 written; give the run more iterations, or a larger --r-end\n",
                out.display()
            ));
        }
        let written = self.write(&tuned, &out)?;
        output::print(format_args!("{values}\n\n{written}\n"))?;
        self.verify(stop)
    }

    /// Writes the tuned config, unless somebody has changed it since an earlier end of the run; what
    /// to say of that.
    fn write(&self, tuned: &Config, out: &Path) -> Result<String, Failure> {
        let text = self.base.text(tuned, out, MADE)?;
        let old = files::read(out, files::MIB);
        if old.is_ok_and(|old| old != text.as_bytes()) {
            return Ok(format!(
                "{} is not what this run wrote, and stays as it is; --show with --out writes the \
                 tuned values elsewhere",
                out.display()
            ));
        }
        self.base.write(tuned, out, MADE)?;
        Ok(format!("written: {}", out.display()))
    }

    fn tune(&mut self, stop: &AtomicBool) -> Result<(), Failure> {
        let (begun_with, all) = (self.state.progress.iterations, self.state.gains.iterations);
        let progress = Progress::new("iterations", Some(all)).starting_at(begun_with);
        while !self.state.is_done() {
            if !self.step(stop)? {
                progress.finish();
                return Err(self.interrupted("iterations", self.state.progress.iterations));
            }
            let done = self.state.progress.iterations;
            if done.is_multiple_of(CHART_EVERY) || self.state.is_done() {
                self.draw(&progress);
            }
            progress.set(done, show::games(&self.state));
        }
        Ok(())
    }

    /// One iteration; `false` if it was stopped, and then nothing has happened.
    fn step(&mut self, stop: &AtomicBool) -> Result<bool, Failure> {
        let state = &self.state;
        let (index, pairs) = (state.progress.iterations, state.recipe.pairs_per_iteration);
        let probe = optimizer::probe(&state.parameter, &state.gains, state.recipe.seed, index);
        let player = |values: &[i32]| state.with_values(self.player.config(), values);
        let [plus, minus] = [player(&probe.plus)?, player(&probe.minus)?];
        let plan = self.games.iteration(index * pairs, pairs);
        let (begin, configs) = (Tally::default(), [&plus, &minus]);
        let tally = self
            .games
            .play(configs, (&plan, begin), stop, &mut |_| Ok(()))?;
        if tally.pairs.pairs() < pairs {
            return Ok(false);
        }
        let result = tally.wins as f64 - tally.losses as f64;
        let gains = self.state.gains;
        optimizer::learn(&mut self.state.parameter, &gains, index, &probe, result);
        self.state.count([tally.wins, tally.draws, tally.losses]);
        save(&self.state, &self.path)?;
        Ok(true)
    }

    /// A chart that cannot be written is no reason to end a run of days.
    fn draw(&self, progress: &Progress) {
        let path = self.path.with_extension("svg");
        let svg = show::chart(&self.state).to_svg();
        let drawn = svg.and_then(|svg| Ok(files::write(&path, svg)?));
        if let Err(failure) = drawn {
            progress.note(format_args!("{failure}; the run goes on"));
        }
    }

    fn verify(&mut self, stop: &AtomicBool) -> Result<(), Failure> {
        let recipe = self.state.recipe.clone();
        if recipe.verify_pairs == 0 {
            return Ok(());
        }
        let tuned = self.state.tuned(self.player.config())?;
        let plan = self.games.verification(&recipe)?;
        let so_far = self.state.verification();
        let progress =
            Progress::new("pairs", Some(verify::most(&plan))).starting_at(so_far.pairs());
        let (state, path) = (&mut self.state, &self.path);
        let mut note = |tally: &Tally| {
            state.progress.verification = tally.pairs.0;
            progress.set(tally.pairs.pairs(), verify::text(&recipe, &tally.pairs));
            save(state, path)
        };
        let so_far = Tally {
            pairs: so_far,
            ..Tally::default()
        };
        let configs = [&tuned, self.player.config()];
        let played = self.games.play(configs, (&plan, so_far), stop, &mut note);
        progress.finish();
        let pairs = played?.pairs;
        if !verify::is_over(&plan, &pairs) {
            return Err(self.interrupted("verification pairs", pairs.pairs()));
        }
        output::print(format_args!("{}\n", verify::text(&recipe, &pairs)))
    }

    fn interrupted(&self, what: &str, count: u64) -> Failure {
        Failure::interrupted(format!(
            "stopped after {count} {what}; go on with `sextant-tune spsa --resume {}`",
            self.path.display()
        ))
    }
}

fn save(state: &State, path: &Path) -> Result<(), Failure> {
    state.save(path).map_err(|error| {
        Failure::work(format!(
            "{error}; what it holds is good, and --resume goes on from there once that is mended"
        ))
    })
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

/// What the arguments say of a run that is kept in `state` and ends in `out`.
fn recipe(new: &NewRun, (state, out): (&Path, &Path)) -> Result<Recipe, Failure> {
    let kept = |path: &Path| paths::kept(path, state).map_err(Failure::work);
    let book = new.book.as_ref().map(|book| kept(Path::new(book)));
    Ok(Recipe {
        config: paths::kept_config(&new.config, state).map_err(Failure::work)?,
        config_hash: String::new(),
        signature: 0,
        book: book
            .transpose()?
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        book_hash: String::new(),
        nodes: new.nodes,
        hash: new.hash,
        seed: new.seed,
        pairs_per_iteration: new.pairs_per_iteration,
        adjudication: !new.no_adjudication,
        verify_pairs: new.most_pairs(),
        verify_sprt: match new.verify_sprt.as_deref() {
            Some(&[elo0, elo1]) => Some([elo0, elo1]),
            _ => None,
        },
        out: kept(out)?,
    })
}

/// Is there room for the tuned config, and nothing that it would replace?
fn check_new(out: &Path, state: &Path) -> Result<(), Failure> {
    let of_run = [state, &state.with_extension("svg")];
    if of_run.into_iter().any(|path| files::is_same(out, path)) {
        return Err(Failure::usage(format!(
            "the run itself is kept in {}; name another file with --out",
            out.display()
        )));
    }
    if out.is_file() {
        return Err(Failure::usage(format!(
            "{} is there already; name another file for the tuned config with --out, or move it away",
            out.display()
        )));
    }
    Ok(files::check_writable(out)?)
}
