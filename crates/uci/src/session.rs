//! The state between commands, and what each command does to it.
//!
//! Whatever can fail is built first and put in force as a whole: after an error all is as before.

use std::sync::Arc;

use crossbeam::channel::Receiver;
use sextant_board::Position;
use sextant_config::Preset;
use sextant_search::{Engine, Event, Game, Limits};

use crate::{
    bench,
    command::{Command, HELP},
    compiler,
    control::{Control, Ends, TaskId},
    count,
    error::{Failure, OptionError},
    format, genfens,
    go::{GoRequest, Task},
    input::Job,
    networks,
    options::{ButtonPress, Settings},
    output::Output,
    position, speedtest, tables, text,
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
    ///
    /// # Errors
    /// [`OptionError`] if the config cannot be put in force.
    pub(crate) fn new(
        settings: Settings,
        tune: bool,
        output: Arc<Output>,
    ) -> Result<Session, OptionError> {
        let engine = tables::engine(settings.config.clone())?;
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

    /// Works until the other end of the channel is closed.
    pub(crate) fn run(&mut self, jobs: &Receiver<Job>) {
        for Job { task, command } in jobs {
            if let Err(error) = self.execute(task, command) {
                self.output.note(error);
            }
        }
    }

    /// Does what the line says and comes back when it is done, for commands given as arguments.
    ///
    /// # Errors
    /// The line is no command, or one that fails.
    pub(crate) fn run_line(&mut self, line: &str) -> Result<(), Failure> {
        let command = crate::command::parse(line)?;
        let task = command.is_task().then(|| self.control.issue());
        self.execute(task, command)
    }

    fn execute(&mut self, task: Option<TaskId>, command: Command) -> Result<(), Failure> {
        match task {
            Some(id) => {
                let result = self.work(id, command);
                self.control.finish(id);
                result
            }
            None => self.obey(command),
        }
    }

    /// A command that may last.
    fn work(&mut self, id: TaskId, command: Command) -> Result<(), Failure> {
        let control = self.control.clone();
        let begin = || control.begin(id, Ends::ByItself);
        match command {
            Command::Go(request) => self.go(id, &request),
            Command::Bench(request) => self.bench(&request, &begin)?,
            Command::Speedtest(seconds) => {
                speedtest::run(&mut self.engine, seconds, &begin, &self.output);
            }
            Command::GenFens(request) => {
                let is_stopped = || control.is_stopped(id);
                genfens::run(&request, &self.settings.config, &is_stopped, &self.output)?;
            }
            other => self.obey(other)?,
        }
        Ok(())
    }

    /// A command that is done at once.
    fn obey(&mut self, command: Command) -> Result<(), Failure> {
        match command {
            Command::Uci => self.reply_uci(),
            Command::IsReady => self.output.line("readyok"),
            Command::NewGame => self.engine.new_game(),
            Command::Position(text) => self.set_position(&text)?,
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref())?,
            Command::Eval => {
                let position = self.game.position();
                self.output.line(text::evaluation(position, &self.engine));
            }
            Command::Display => {
                let chess960 = self.settings.style.chess960;
                self.output
                    .line(text::describe(self.game.position(), chess960));
            }
            Command::Flip => {
                if let Some(flipped) = text::flip(self.game.position()) {
                    self.game = Game::new(flipped);
                }
            }
            Command::Compiler => self.output.line(compiler::describe()),
            Command::License => self.output.line(compiler::LICENSE),
            Command::ExportNet(path) => {
                let written = networks::export(&self.engine, path.as_deref())?;
                self.output.note(written);
            }
            Command::Help => self.output.line(HELP),
            // The input thread deals with these; as an argument they find nothing to do. Tasks come
            // with a number.
            Command::Go(_)
            | Command::Bench(_)
            | Command::Speedtest(_)
            | Command::GenFens(_)
            | Command::Stop
            | Command::PonderHit
            | Command::Quit
            | Command::Accepted
            | Command::Nothing => {}
        }
        Ok(())
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
        let config = request.config(&self.settings.config);
        self.engine.configure(config).map_err(OptionError::from)?;
        let current = self.game.position();
        let result = bench::run(request, &mut self.engine, current, begin, &self.output);
        let config = self.settings.config.clone();
        self.engine.configure(config).map_err(OptionError::from)?;
        Ok(result?)
    }

    fn reply_uci(&self) {
        let mut lines = vec![
            format!("id name {}", compiler::name()),
            format!("id author {}", env!("CARGO_PKG_AUTHORS")),
        ];
        lines.extend(self.settings.declarations(self.tune));
        lines.push("uciok".to_owned());
        self.output.line(lines.join("\n"));
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        let (settings, press) = self.settings.with(name, value)?;
        if press == ButtonPress::ClearHash {
            self.engine.clear_hash();
            return Ok(());
        }
        if settings.log_file != self.settings.log_file {
            self.output.set_log(&settings.log_file)?;
        }
        let (old, new) = (&self.settings.config, &settings.config);
        let other_tables = !tables::are_same(old, new);
        let tables = if other_tables {
            tables::open(new)?
        } else {
            None
        };
        if !networks::are_same(old, new) {
            let network = networks::open(new)?;
            self.engine.configure_with_network(new.clone(), network)?;
            self.output.note(networks::describe(&self.engine));
        } else if old != new {
            self.engine.configure(new.clone())?;
        }
        if other_tables {
            for line in tables::describe(tables.as_deref()) {
                self.output.note(line);
            }
            self.engine.set_tablebase(tables);
        }
        self.settings = settings;
        Ok(())
    }

    fn go(&mut self, id: TaskId, request: &GoRequest) {
        let (task, notes) = request.task(&self.game, self.settings.nodes_per_ms);
        for note in notes {
            self.output.note(note);
        }
        match task {
            Task::Refused => {}
            _ if self.is_refused => {
                self.control.finish(id);
                self.output
                    .note("the last position was refused: send another one first");
                self.output.line("bestmove 0000");
            }
            Task::Perft(depth) => self.perft(id, depth),
            Task::Search(limits) => self.search_as_asked(id, &limits),
        }
    }

    fn perft(&self, id: TaskId, depth: u32) {
        let (position, chess960) = (self.game.position(), self.settings.style.chess960);
        let is_stopped = || self.control.is_stopped(id);
        let total = count::divide(position, depth, chess960, &self.output, &is_stopped);
        self.control.finish(id);
        match total {
            Some(total) => self.output.line(total),
            None => self.output.note("perft was stopped"),
        }
    }

    /// A search, for mate (`go mate`) with the preset of that name laid over the config.
    fn search_as_asked(&mut self, id: TaskId, limits: &Limits) {
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
        self.control.begin(id, ends(limits));
        let mut report = |event| match event {
            Event::Info(info) => output.line(format::info(&info, root, style)),
            Event::Progress(progress) => output.line(format::progress(&progress, root, style)),
            Event::Note(text) => output.note(text),
        };
        let outcome = self
            .engine
            .go(&self.game, limits, self.settings.multipv, &mut report);
        self.control.finish(id);
        output.line(format::best_move(&outcome, root, style));
    }
}

/// What ends a search.
fn ends(limits: &Limits) -> Ends {
    let by_itself = limits.depth.is_some()
        || limits.nodes.is_some()
        || limits.movetime.is_some()
        || limits.clock.is_some();
    if limits.infinite || !by_itself {
        Ends::WhenStopped
    } else if limits.ponder {
        Ends::AfterPonderhit
    } else {
        Ends::ByItself
    }
}
