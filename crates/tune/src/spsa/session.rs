//! A run from its beginning, or from where it was left, to its end.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use sextant::whole_file;
use sextant_search::{
    Limits, bench,
    play::{Openings, Rules, Tally},
};

use super::{
    args::{Args, NewRun},
    chart,
    gains::Gains,
    games::Hall,
    optimiser::{self, Tuned},
    show,
    state::{Recipe, State},
    tuned, verify,
};
use crate::{base::Base, display::Display, engine::Mind, failure::Failure, keys};

/// Depth of the bench that tells engines apart.
const SIGNATURE_DEPTH: u32 = 5;
/// Iterations from picture to picture.
const PICTURE_EVERY: u64 = 10;
/// Keeps the openings of the verification match apart from those of the run.
const VERIFYING: u64 = 0x5665_7269_6679;

/// A run at work.
pub(super) struct Session {
    path: PathBuf,
    state: State,
    base: Base,
    player: Mind,
    hall: Hall,
    book: Option<String>,
}

impl Session {
    /// Begins a run, and writes its first state.
    ///
    /// # Errors
    /// [`Failure`] if anything that the arguments name is wrong.
    pub(super) fn begin(args: &Args, path: &Path) -> Result<Session, Failure> {
        let new = &args.new;
        let chosen = keys::choose(&new.keys, &new.except).map_err(Failure::usage)?;
        let out = args
            .out
            .clone()
            .unwrap_or_else(|| path.with_extension("tuned.toml"));
        let base = Base::load(&new.config)?;
        let player = Mind::load(&new.config, new.hash)?;
        let book = read_book(new.book.as_deref())?;
        let recipe = recipe(new, &player, book.as_deref(), out.clone())?;
        verify::sprt(&recipe)?;
        // What cannot be written at the end is better known now.
        base.text(&base.config, &out, tuned::MADE)?;
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
        let hall = hall(&state.recipe, &player, book.as_deref(), args.concurrency)?;
        state.create(path).map_err(Failure::usage)?;
        Ok(Session {
            path: path.to_owned(),
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
        let state = State::load(path).map_err(Failure::usage)?;
        let then = &state.recipe;
        let base = Base::load(&then.config)?;
        let player = Mind::load(&then.config, then.hash)?;
        let book = read_book(Some(then.book.as_str()).filter(|book| !book.is_empty()))?;
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
            &format!("the config {}", then.config),
            &hex(base.config.hash()),
            &then.config_hash,
        )?;
        same(
            &format!("the book {}", then.book),
            &book_hash(book.as_deref()),
            &then.book_hash,
        )?;
        let signature = signature(&player)?.to_string();
        same("the engine", &signature, &then.signature.to_string())?;
        tuned::with_values(&base.config, &state.parameter, &rounded(&state.parameter))?;
        let hall = hall(then, &player, book.as_deref(), concurrency)?;
        Ok(Session {
            path: path.to_owned(),
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
        eprintln!(
            "{} parameters, {} iterations of {} game pairs; state in {}",
            self.state.parameter.len(),
            self.state.gains.iterations,
            self.state.recipe.pairs_per_iteration,
            self.path.display()
        );
        self.tune(stop)?;
        println!("{}", show::text(&self.state));
        let tuned = tuned::tuned(&self.base, &self.state.parameter)?;
        let out = self.state.recipe.out.clone();
        if tuned == self.base.config {
            println!(
                "\nnothing changed: every value rounds to where it began, so {} is not written; \
                 give the run more iterations, or a larger --r-end",
                out.display()
            );
            return Ok(());
        }
        self.base.write(&tuned, &out, tuned::MADE)?;
        println!("\nwritten: {}", out.display());
        self.verify(stop)
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
            eprintln!("cannot write {}: {error}; the run goes on", path.display());
        }
    }

    fn verify(&mut self, stop: &AtomicBool) -> Result<(), Failure> {
        let recipe = self.state.recipe.clone();
        let openings = openings(self.book.as_deref(), &recipe, recipe.seed ^ VERIFYING)?;
        if recipe.verify_pairs == 0 {
            return Ok(());
        }
        let values = rounded(&self.state.parameter);
        let tuned = tuned::with_values(self.player.config(), &self.state.parameter, &values)?;
        let so_far = self.state.verification();
        let mut display = Display::new("verifying", so_far.pairs(), recipe.verify_pairs);
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
        println!("{}", verify::text(&recipe, &pairs));
        Ok(())
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

fn recipe(
    new: &NewRun,
    player: &Mind,
    book: Option<&str>,
    out: PathBuf,
) -> Result<Recipe, Failure> {
    let base = Base::load(&new.config)?;
    Ok(Recipe {
        config: new.config.clone(),
        config_hash: hex(base.config.hash()),
        signature: signature(player)?,
        book: new.book.clone().unwrap_or_default(),
        book_hash: book_hash(book),
        nodes: new.nodes,
        hash: new.hash,
        seed: new.seed,
        pairs_per_iteration: new.pairs_per_iteration,
        adjudication: !new.no_adjudication,
        verify_pairs: new.verify_pairs,
        verify_sprt: match new.verify_sprt.as_deref() {
            Some(&[elo0, elo1]) => Some([elo0, elo1]),
            _ => None,
        },
        out,
    })
}

fn hall(recipe: &Recipe, player: &Mind, book: Option<&str>, threads: u16) -> Result<Hall, Failure> {
    Ok(Hall {
        openings: openings(book, recipe, recipe.seed)?,
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

fn read_book(path: Option<&str>) -> Result<Option<String>, Failure> {
    let read = |path: &str| {
        fs::read_to_string(path)
            .map_err(|error| Failure::usage(format!("cannot read the book {path}: {error}")))
    };
    path.map(read).transpose()
}

fn openings(book: Option<&str>, recipe: &Recipe, seed: u64) -> Result<Openings, Failure> {
    match book {
        Some(text) => Openings::from_book(text, seed)
            .map_err(|error| Failure::usage(format!("{}: {error}", recipe.book))),
        None => Ok(Openings::random(seed)),
    }
}

/// The nodes of a short bench.
fn signature(player: &Mind) -> Result<u64, Failure> {
    let network = player.network().cloned();
    bench::run(
        Some(SIGNATURE_DEPTH),
        player.config(),
        network,
        &mut |_, _, _| (),
    )
    .map(|result| result.nodes)
    .map_err(Failure::work)
}

fn book_hash(text: Option<&str>) -> String {
    text.map_or_else(String::new, |text| hex(fnv(text.as_bytes())))
}

/// FNV-1a (Fowler, Noll and Vo), whose values do not change with a library's version.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

fn hex(value: u64) -> String {
    format!("{value:016x}")
}
