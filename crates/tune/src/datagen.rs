//! `datagen`: games of the engine against itself.
//!
//! A game is a function of the seed, its number, the config and the options: it begins with a fresh
//! search state, and everything random in it comes from its number. Games are written in their
//! order, so that a file is the same byte for byte whatever the number of threads, and goes on
//! where it ended.

mod args;
mod recipe;
mod setup;

use sextant_cli::{
    failure::Failure,
    journal::Journal,
    output::{self, counted},
    progress::Progress,
    signals,
};
use sextant_play::Record;
use sextant_search::Engine;

pub(crate) use self::args::Args;
use self::{
    recipe::{COMMENT, Recipe},
    setup::Setup,
};
use crate::{
    jobs,
    viriformat::{Game, Reader},
};

/// Plays and writes games until there are enough, or until Ctrl-C.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let path = args.out.display();
    let setup = Setup::new(args)?;
    let recipe = Recipe::new(args, &setup)?;
    let mut journal = Journal::open(&args.out)?;
    journal.settle_recipe(&recipe, COMMENT)?;
    let begun_with = drop_torn(args, &mut journal)?;
    if args.games.is_some_and(|games| begun_with >= games) {
        let games = counted(begun_with, "game");
        output::note(format_args!("{path}: holds {games} already"));
        return Ok(());
    }
    let progress = Progress::new("games", args.games).starting_at(begun_with);
    let mut games = begun_with;
    let mut work = Totals::default();
    let mut numbers = begun_with..args.games.unwrap_or(u64::MAX);
    let play = |engine: &mut Engine, number, is_over: &dyn Fn() -> bool| {
        setup.play(engine, number, is_over)
    };
    let mut take = |record: Record| {
        journal.append(&Game::of_record(&record).to_bytes())?;
        games += 1;
        work.add(&record);
        progress.set(games, work.rates(progress.rate()));
        Ok(())
    };
    let (engines, stop) = ((&setup.engine, args.search.threads), signals::flag());
    let played = jobs::run(engines, stop, &mut || Ok(numbers.next()), play, &mut take);
    let synced = journal.sync();
    progress.finish();
    output::note(format_args!(
        "{path}: {}, {}",
        counted(games, "game"),
        work.rates(progress.rate())
    ));
    played?;
    synced?;
    if signals::is_interrupted() {
        let games = counted(games, "game");
        return Err(Failure::interrupted(format!(
            "{path}: stopped with {games}; the same command goes on from here"
        )));
    }
    Ok(())
}

/// Counts the games in the file; a game that is not whole is dropped.
fn drop_torn(args: &Args, journal: &mut Journal) -> Result<u64, Failure> {
    let mut reader = Reader::new(journal.reader()?, &args.out);
    let mut games = 0;
    while reader.next_game()?.is_some() {
        games += 1;
    }
    let whole = reader.whole();
    let torn = journal.cut_behind(whole)?;
    if torn > 0 {
        output::note(format_args!(
            "{}: the last game was not whole; {torn} bytes of it are dropped and it is played again",
            args.out.display()
        ));
    }
    Ok(games)
}

#[derive(Default)]
struct Totals {
    games: u64,
    positions: u64,
    nodes: u64,
}

impl Totals {
    fn add(&mut self, game: &Record) {
        self.games += 1;
        self.positions += game.turns.len() as u64;
        self.nodes += game.turns.iter().map(|turn| turn.nodes).sum::<u64>();
    }

    /// The rates at so many games a second.
    fn rates(&self, games_per_second: f64) -> String {
        let per_game = self.positions as f64 / self.games.max(1) as f64;
        format!(
            "{} positions here, {:.0} positions/s, {:.0} nodes/position, {games_per_second:.2} games/s",
            self.positions,
            per_game * games_per_second,
            self.nodes as f64 / self.positions.max(1) as f64,
        )
    }
}
