//! A run from its beginning, or from where it was left, to its end.

use std::{
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use sextant::whole_file::{self, Claim};
use sextant_config::Config;
use sextant_play::{Rules, Tally};
use sextant_search::Limits;

use super::{
    args::{Args, NewRun},
    book::Book,
    chart,
    gains::Gains,
    games::Hall,
    idle,
    optimiser::{self, Tuned},
    place, show,
    state::{Recipe, State},
    tuned, verify,
};
use crate::{
    base::Base, display::Display, engine::Mind, failure::Failure, hash::hex, keys,
    same_file::is_same, say,
};

/// Iterations from picture to picture.
const PICTURE_EVERY: u64 = 10;
/// Keeps the openings of the verification match apart from those of the run.
const VERIFYING: u64 = 0x5665_7269_6679;

/// A run at work.
pub(super) struct Session {
    path: PathBuf,
    _claim: Claim,
    state: State,
    base: Base,
    player: Mind,
    hall: Hall,
    book: Book,
}

impl Session {
    /// Begins a run, and writes its first state.
    ///
    /// # Errors
    /// [`Failure`] if anything that the arguments name is wrong.
    pub(super) fn begin(args: &Args, path: &Path) -> Result<Session, Failure> {
        State::check_none(path).map_err(Failure::usage)?;
        let claim = claim(path)?;
        let new = &args.new;
        let chosen = keys::choose(&new.keys, &new.except).map_err(Failure::usage)?;
        let out = args
            .out
            .clone()
            .unwrap_or_else(|| path.with_extension("tuned.toml"));
        let base = Base::load(&new.config)?;
        let player = Mind::load(&new.config, new.hash)?;
        let book = Book::read(new.book.as_deref().map(Path::new))?;
        let recipe = recipe(new, &base, &player, &book, (path, &out))?;
        verify::sprt(&recipe)?;
        // What cannot be written at the end is better known now.
        base.text(&base.config, &out, tuned::MADE)?;
        check_new(&out, path)?;
        let values = chosen.iter().filter_map(|parameter| {
            let number = parameter.number()?;
            let start = parameter.get(&base.config)?;
            Some(Tuned {
                key: keys::name(parameter),
                min: number.min,
                max: number.max,
                c_end: number.step,
                start,
                value: f64::from(start),
            })
        });
        let gains = Gains {
            iterations: new.iterations,
            r_end: new.r_end,
        };
        let state = State::new(recipe, gains, values.collect());
        let hall = hall(&state.recipe, &player, &book, args.concurrency)?;
        state.begin(path).map_err(Failure::usage)?;
        idle::note(&chosen, &player)?;
        Ok(Session {
            path: path.to_owned(),
            _claim: claim,
            state,
            base,
            player,
            hall,
            book,
        })
    }

    /// Goes on with a run.
    ///
    /// # Errors
    /// [`Failure`] if its state, its config or its book is not what it was.
    pub(super) fn resume(path: &Path, concurrency: u16) -> Result<Session, Failure> {
        let claim = claim(path)?;
        let state = State::load(path).map_err(Failure::usage)?;
        let then = &state.recipe;
        let config = place::found_config(&then.config, path);
        let base = Base::load(&config)?;
        let player = Mind::load(&config, then.hash)?;
        let book = Some(&then.book).filter(|book| !book.is_empty());
        let book = book.map(|book| place::found(Path::new(book), path));
        let book = Book::read(book.as_deref())?;
        check_writable(&place::found(&then.out, path))?;
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
        same(
            &format!("the config {config}"),
            &hex(base.config.hash()),
            &then.config_hash,
        )?;
        same(
            &format!("the book {}", then.book),
            &book.hash(),
            &then.book_hash,
        )?;
        let signature = player.signature()?.to_string();
        same("the engine", &signature, &then.signature.to_string())?;
        tuned::with_values(&base.config, &state.parameter, &rounded(&state.parameter))?;
        let hall = hall(then, &player, &book, concurrency)?;
        Ok(Session {
            path: path.to_owned(),
            _claim: claim,
            state,
            base,
            player,
            hall,
            book,
        })
    }

    /// Tunes, writes the tuned config, and plays it against the start.
    ///
    /// # Errors
    /// [`Failure`] if a game fails, something cannot be written, or `stop` was set. The state on the
    /// disk is then that of the last whole iteration.
    pub(super) fn run(&mut self, stop: &AtomicBool) -> Result<(), Failure> {
        say::note(format_args!(
            "{} parameters, {} iterations of {} game pairs; state in {}",
            self.state.parameter.len(),
            self.state.gains.iterations,
            self.state.recipe.pairs_per_iteration,
            self.path.display()
        ));
        self.tune(stop)?;
        let values = show::text(&self.state);
        let tuned = tuned::tuned(&self.base, &self.state.parameter)?;
        let out = place::found(&self.state.recipe.out, &self.path);
        if tuned == self.base.config {
            return say::out(format_args!(
                "{values}\n\nnothing changed: every value rounds to where it began, so {} is not \
                 written; give the run more iterations, or a larger --r-end\n",
                out.display()
            ));
        }
        let written = self.write(&tuned, &out)?;
        say::out(format_args!("{values}\n\n{written}\n"))?;
        self.verify(stop)
    }

    /// Writes the tuned config, unless somebody has changed it since an earlier end of the run; what
    /// to say of that.
    fn write(&self, tuned: &Config, out: &Path) -> Result<String, Failure> {
        let text = self.base.text(tuned, out, tuned::MADE)?;
        let old = whole_file::read(out).ok();
        if old.is_some_and(|old| old != text) {
            return Ok(format!(
                "{} is not what this run wrote, and stays as it is; --show with --out writes the \
                 tuned values elsewhere",
                out.display()
            ));
        }
        self.base.write(tuned, out, tuned::MADE)?;
        Ok(format!("written: {}", out.display()))
    }

    fn tune(&mut self, stop: &AtomicBool) -> Result<(), Failure> {
        let (begun_with, all) = (self.state.progress.iterations, self.state.gains.iterations);
        let mut display = Display::new("tuning", begun_with, all);
        while !self.state.is_done() {
            if !self.step(stop)? {
                display.finish();
                return Err(self.interrupted("iterations", self.state.progress.iterations));
            }
            let done = self.state.progress.iterations;
            if done.is_multiple_of(PICTURE_EVERY) || self.state.is_done() {
                self.draw();
            }
            display.show(done, &show::progress(&self.state));
        }
        display.finish();
        Ok(())
    }

    /// One iteration; `false` if it was stopped, and then nothing has happened.
    fn step(&mut self, stop: &AtomicBool) -> Result<bool, Failure> {
        let State {
            recipe,
            gains,
            progress,
            parameter,
            ..
        } = &self.state;
        let (index, pairs) = (progress.iterations, recipe.pairs_per_iteration);
        let probe = optimiser::probe(parameter, gains, recipe.seed, index);
        let player = |values| tuned::with_values(self.player.config(), parameter, values);
        let players = [player(&probe.plus)?, player(&probe.minus)?];
        let Some(results) = self.hall.play(players, index * pairs, pairs, stop)? else {
            return Ok(false);
        };
        let [won, _, lost] = results.map(|games| games as f64);
        let gains = *gains;
        optimiser::learn(&mut self.state.parameter, &gains, index, &probe, won - lost);
        self.state.count(results);
        self.save()?;
        Ok(true)
    }

    fn save(&self) -> Result<(), Failure> {
        self.state.save(&self.path).map_err(Failure::work)
    }

    /// A picture that cannot be written is no reason to end a run of days.
    fn draw(&self) {
        let path = self.path.with_extension("svg");
        let drawn = chart::draw(&self.state).map_err(std::io::Error::other);
        if let Err(error) = drawn.and_then(|svg| whole_file::write(&path, svg.as_bytes())) {
            say::note(format_args!(
                "cannot write {}: {error}; the run goes on",
                path.display()
            ));
        }
    }

    fn verify(&mut self, stop: &AtomicBool) -> Result<(), Failure> {
        let recipe = self.state.recipe.clone();
        let openings = self.book.openings(recipe.seed ^ VERIFYING)?;
        if recipe.verify_pairs == 0 {
            return Ok(());
        }
        let values = rounded(&self.state.parameter);
        let tuned = tuned::with_values(self.player.config(), &self.state.parameter, &values)?;
        let so_far = self.state.verification();
        let most = verify::most(&recipe, &openings);
        let mut display = Display::new("verifying", so_far.pairs(), most);
        let (state, path) = (&mut self.state, &self.path);
        let mut save = |tally: &Tally| {
            state.progress.verification = tally.pairs.0;
            display.show(tally.pairs.pairs(), &verify::text(&recipe, &tally.pairs));
            state.save(path).map_err(Failure::work)
        };
        let players = [&tuned, self.player.config()];
        let played = verify::play(
            &self.hall,
            openings.clone(),
            &recipe,
            players,
            so_far,
            stop,
            &mut save,
        );
        display.finish();
        let pairs = played?.pairs;
        if !verify::is_over(&recipe, &openings, &pairs) {
            return Err(self.interrupted("verification pairs", pairs.pairs()));
        }
        say::out(format_args!("{}\n", verify::text(&recipe, &pairs)))
    }

    fn interrupted(&self, what: &str, count: u64) -> Failure {
        Failure::interrupted(format!(
            "stopped after {count} {what}; go on with `sextant-tune spsa --resume {}`",
            self.path.display()
        ))
    }
}

fn rounded(tuned: &[Tuned]) -> Vec<i32> {
    tuned.iter().map(Tuned::rounded).collect()
}

/// The recipe of a run that is kept in `state` and ends in `out`.
fn recipe(
    new: &NewRun,
    base: &Base,
    player: &Mind,
    book: &Book,
    (state, out): (&Path, &Path),
) -> Result<Recipe, Failure> {
    let kept = |path: &Path| place::kept(path, state).map_err(Failure::work);
    let book_path = new.book.as_ref().map(|book| kept(Path::new(book)));
    let book_path = book_path.transpose()?.unwrap_or_default();
    Ok(Recipe {
        config: place::kept_config(&new.config, state).map_err(Failure::work)?,
        config_hash: hex(base.config.hash()),
        signature: player.signature()?,
        book: book_path.to_string_lossy().into_owned(),
        book_hash: book.hash(),
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

/// Two processes at one run would undo each other's work.
fn claim(path: &Path) -> Result<Claim, Failure> {
    Claim::new(path).map_err(|error| {
        Failure::usage(format!("cannot keep a run in {}: {error}", path.display()))
    })
}

/// Is there room for the tuned config, and nothing that it would replace?
fn check_new(out: &Path, state: &Path) -> Result<(), Failure> {
    let of_run = [state, &state.with_extension("svg")];
    if of_run.into_iter().any(|path| is_same(out, path)) {
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
    check_writable(out)
}

fn check_writable(out: &Path) -> Result<(), Failure> {
    whole_file::check(out)
        .map_err(|error| Failure::usage(format!("cannot write {}: {error}", out.display())))
}

fn hall(recipe: &Recipe, player: &Mind, book: &Book, threads: u16) -> Result<Hall, Failure> {
    Ok(Hall {
        openings: book.openings(recipe.seed)?,
        network: player.network().cloned(),
        limits: Limits {
            nodes: Some(recipe.nodes),
            ..Limits::default()
        },
        rules: if recipe.adjudication {
            Rules::default()
        } else {
            Rules::natural()
        },
        threads,
    })
}
