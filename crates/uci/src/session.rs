//! The state between commands, and what each command does to it.
//!
//! Whatever can fail is built first and put in force as a whole: after an error all is as before.

use std::{sync::Arc, time::Instant};

use sextant_board::Position;
use sextant_config::Preset;
use sextant_search::{Engine, Event, Game, Limits, open_tables};

use crate::{
    about, bench,
    command::{self, Command, HELP, Immediate, Task},
    control::{Control, Ends, TaskId},
    error::{Failure, OptionError},
    format, genfens,
    go::{self, Asked, GoRequest},
    options::{self, Settings},
    output::Output,
    pace, perft, position,
    queue::Job,
    resources,
};

pub(crate) struct Session {
    engine: Engine,
    game: Game,
    /// The last `position` was refused.
    is_refused: bool,
    settings: Settings,
    control: Arc<Control>,
    output: Arc<Output>,
    /// `uci` lists the tunables too.
    tune: bool,
}

impl Session {
    /// A session at the initial position.
    pub(crate) fn new(
        settings: Settings,
        tune: bool,
        output: Arc<Output>,
    ) -> Result<Session, OptionError> {
        let engine = resources::engine(settings.config.clone())?;
        output.set_log(&settings.log_file)?;
        let control = Arc::new(Control::new(engine.signals()));
        let game = Game::new(Position::startpos());
        Ok(Session {
            engine,
            game,
            is_refused: false,
            settings,
            control,
            output,
            tune,
        })
    }

    /// What the input thread needs.
    pub(crate) fn control(&self) -> Arc<Control> {
        self.control.clone()
    }

    /// Works until there are no more jobs.
    pub(crate) fn run(&mut self, jobs: impl Iterator<Item = Job>) {
        for job in jobs {
            let done = match job {
                Job::Task(id, task) => self.do_task(id, task),
                Job::Immediate(immediate) => self.run_immediate(immediate),
            };
            if let Err(error) = done {
                self.output.note(error);
            }
        }
    }

    /// Does what the line says and comes back when it is done, for commands given as arguments.
    pub(crate) fn run_line(&mut self, line: &str) -> Result<(), Failure> {
        match command::parse(line)? {
            Command::Task(task) => self.run_task(task),
            Command::Immediate(immediate) => self.run_immediate(immediate),
            // Nothing runs that they could act on.
            Command::Stop | Command::PonderHit | Command::Quit | Command::Nothing => Ok(()),
        }
    }

    /// A task that nobody will stop.
    pub(crate) fn run_task(&mut self, task: Task) -> Result<(), Failure> {
        let id = self.control.issue();
        self.do_task(id, task)
    }

    /// A command that may last.
    fn do_task(&mut self, id: TaskId, task: Task) -> Result<(), Failure> {
        let control = self.control.clone();
        let begin = || control.begin(id, Ends::ByItself);
        let result = match task {
            Task::Go(request) => {
                self.go(id, &request);
                Ok(())
            }
            Task::Bench(request) => self.bench(&request, &begin),
            Task::Speedtest(seconds) => {
                bench::speedtest(&mut self.engine, seconds, &begin, &self.output);
                Ok(())
            }
            Task::GenFens(request) => {
                let is_stopped = || control.is_stopped(id);
                let config = &self.settings.config;
                let generated = genfens::run(&request, config, &is_stopped, &self.output);
                generated.map_err(|error| format!("genfens: {error}").into())
            }
        };
        self.control.finish(id);
        result
    }

    /// A command that is done at once.
    pub(crate) fn run_immediate(&mut self, immediate: Immediate) -> Result<(), Failure> {
        let (output, chess960) = (&self.output, self.settings.style.chess960);
        match immediate {
            Immediate::Uci => output.line(self.introduction()),
            Immediate::IsReady => output.line("readyok"),
            Immediate::NewGame => self.engine.new_game(),
            Immediate::Position(text) => self.set_position(&text)?,
            Immediate::SetOption { name, value } => self.set_option(&name, value.as_deref())?,
            Immediate::Eval => {
                output.line(position::evaluation(self.game.position(), &self.engine))
            }
            Immediate::Display => output.line(position::describe(self.game.position(), chess960)),
            Immediate::Flip => self.game = Game::new(self.game.position().mirrored()),
            Immediate::Compiler => output.line(about::describe()),
            Immediate::License => output.line(about::LICENSE),
            Immediate::ExportNet(path) => {
                output.note(resources::export(&self.engine, path.as_deref())?);
            }
            Immediate::Help => output.line(HELP),
        }
        Ok(())
    }

    /// The same at another position.
    pub(crate) fn at(mut self, position: Position) -> Session {
        self.game = Game::new(position);
        self
    }

    /// After a position that is refused no search plays from an older one.
    fn set_position(&mut self, text: &str) -> Result<(), Failure> {
        let built = position::build(text);
        self.is_refused = built.is_err();
        let (game, note) = built?;
        self.game = game;
        if let Some(note) = note {
            self.output.note(note);
        }
        Ok(())
    }

    fn bench(&mut self, request: &bench::Request, begin: &dyn Fn() -> bool) -> Result<(), Failure> {
        let config = &self.settings.config;
        self.engine.configure(request.config(config))?;
        let current = self.game.position();
        let result = bench::run(request, &mut self.engine, current, begin, &self.output);
        self.engine.configure(config.clone())?;
        result
    }

    fn introduction(&self) -> String {
        format!(
            "id name {}\nid author {}\n{}\nuciok",
            about::name(),
            env!("CARGO_PKG_AUTHORS"),
            self.settings.declarations(self.tune).join("\n")
        )
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        if options::is_clear_hash(name) {
            self.engine.clear_hash();
            return Ok(());
        }
        let settings = self.settings.with(name, value)?;
        if settings.log_file != self.settings.log_file {
            self.output.set_log(&settings.log_file)?;
        }
        let (old, new) = (&self.settings.config, &settings.config);
        let tables = match resources::same_tables(old, new) {
            true => None,
            false => Some(open_tables(new)?),
        };
        if !resources::same_network(old, new) {
            let network = resources::network(new)?;
            self.engine.configure_with_network(new.clone(), network)?;
            self.output.note(resources::describe_network(&self.engine));
        } else if old != new {
            self.engine.configure(new.clone())?;
        }
        if let Some(tables) = tables {
            for line in resources::describe_tables(tables.as_deref()) {
                self.output.note(line);
            }
            self.engine.set_tablebase(tables);
        }
        self.settings = settings;
        Ok(())
    }

    fn go(&mut self, id: TaskId, request: &GoRequest) {
        let (asked, notes) = request.asked(&self.game, self.settings.nodes_per_ms);
        for note in notes {
            self.output.note(note);
        }
        match asked {
            Asked::Refused => {}
            _ if self.is_refused => {
                self.control.finish(id);
                self.output
                    .note("the last position was refused: send another one first");
                self.output.line("bestmove 0000");
            }
            Asked::Perft(depth) => self.perft(id, depth),
            Asked::Search(limits) => self.search_with_mate_preset(id, &limits),
        }
    }

    fn perft(&self, id: TaskId, depth: u32) {
        let (position, chess960) = (self.game.position(), self.settings.style.chess960);
        let is_stopped = || self.control.is_stopped(id);
        let print = |line| self.output.line(line);
        let counted = perft::divide((position, depth), chess960, &print, &is_stopped);
        self.control.finish(id);
        match counted {
            Some(counted) => self.output.line(counted.uci()),
            None => self.output.note("perft was stopped"),
        }
    }

    /// A search, for mate (`go mate`) with the preset of that name laid over the config.
    fn search_with_mate_preset(&mut self, id: TaskId, limits: &Limits) {
        let config = &self.settings.config;
        let for_mate = Preset::find("mate")
            .filter(|_| limits.mate.is_some())
            .map(|preset| config.overlaid(preset))
            .filter(|for_mate| for_mate != config);
        let Some(for_mate) = for_mate else {
            return self.search(id, limits);
        };
        if let Err(error) = self.engine.configure(for_mate) {
            self.output.note(error);
        }
        self.search(id, limits);
        if let Err(error) = self.engine.configure(self.settings.config.clone()) {
            self.output.note(error);
        }
    }

    fn search(&mut self, id: TaskId, limits: &Limits) {
        let (output, style) = (&self.output, self.settings.style);
        let root = self.game.position();
        let not_before = Instant::now() + pace::time(&self.settings.config.level, limits);
        self.control.begin(id, ends(limits));
        let mut report = |event| match event {
            Event::Info(info) => output.line(format::info(&info, root, style)),
            Event::Progress(progress) => output.line(format::progress(&progress, root, style)),
            Event::Note(text) => output.note(text),
        };
        let outcome = self.engine.go(
            &self.game,
            limits,
            self.settings.multipv as usize,
            &mut report,
        );
        pace::wait(not_before, || self.control.is_stopped(id));
        self.control.finish(id);
        output.line(format::best_move(&outcome, root, style));
    }
}

/// What ends a search.
fn ends(limits: &Limits) -> Ends {
    if limits.infinite || !go::ends_by_itself(limits) {
        Ends::WhenStopped
    } else if limits.ponder {
        Ends::AfterPonderhit
    } else {
        Ends::ByItself
    }
}
