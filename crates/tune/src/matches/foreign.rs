//! Matches against other UCI engines: fastchess plays them, and what it tells of each game becomes
//! the same report. Clocks, engines that crash and engines that cheat are its business.

pub(super) mod engine;
mod games;

use std::{
    collections::VecDeque,
    env, fs,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        atomic::Ordering,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use sextant_board::{Position, to_fen};
use sextant_cli::{failure::Failure, files, output, progress::Progress, signals};
use sextant_play::{Plan, SprtModel};
use tempfile::TempDir;

use self::{
    engine::ForeignEngine,
    games::{Games, counts_text},
};
use super::{
    arguments::{Args, NamedSetup, Players},
    summary::{self, End},
};
use crate::args::Deadline;

/// Pairs of a test that has no end of its own.
const MOST_PAIRS: u64 = 50_000;
/// Lines of fastchess that are shown when it fails.
const LAST_LINES: usize = 12;
/// How often it is looked whether the match should end.
const LOOK: Duration = Duration::from_millis(200);
/// How to get the program that plays.
const GET_FASTCHESS: &str = "--engine plays through fastchess: take a binary from \
     https://github.com/Disservin/fastchess/releases (or `make` its source), put it on the PATH, \
     or name it with --fastchess FILE";

/// Plays each config against each engine and prints a report of each pairing.
pub(super) fn run(args: &Args, players: &Players, plan: &Plan) -> Result<(), Failure> {
    let version = version(&args.fastchess)?;
    let mut configs = vec![&players.first];
    configs.extend(args.second.is_some().then_some(&players.second));
    let deadline = Deadline::after(args.max_time);
    for config in configs {
        for engine in &args.engines {
            let pairing = Pairing {
                args,
                plan,
                config,
                engine,
            };
            pairing.run(&version, deadline)?;
            if deadline.is_past() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// What fastchess calls itself.
fn version(fastchess: &Path) -> Result<String, Failure> {
    let asked = Command::new(fastchess).arg("-version").output();
    let asked = asked.map_err(|error| {
        Failure::usage(format!("{}: {error}; {GET_FASTCHESS}", fastchess.display()))
    })?;
    let text = String::from_utf8_lossy(&asked.stdout);
    Ok(text.lines().next().unwrap_or_default().trim().to_owned())
}

/// One config against one engine.
struct Pairing<'a> {
    args: &'a Args,
    plan: &'a Plan,
    config: &'a NamedSetup,
    engine: &'a ForeignEngine,
}

impl Pairing<'_> {
    fn run(&self, version: &str, deadline: Deadline) -> Result<(), Failure> {
        let folder = tempfile::tempdir().map_err(Failure::work)?;
        let begun = Instant::now();
        let mut games = Games::default();
        let heard = self.play(&folder, &mut games, deadline)?;
        let stopped = match signals::is_interrupted() {
            true => Some(End::Interrupted),
            false => deadline.is_past().then_some(End::TimeIsUp),
        };
        let tally = &games.tally;
        let is_short = tally.pentanomial.pairs() < self.pairs();
        // Its own test may end by a hair before ours.
        let may_be_short = self.plan.is_decided(tally) || self.plan.sprt.is_some() && heard.is_well;
        let failed = stopped.is_none() && is_short && !may_be_short;
        if tally.games() == 0 && stopped.is_none() {
            let said = heard.text();
            let name = &self.engine.name;
            return Err(Failure::work(format!("no games with {name}; {said}")));
        }
        let end = End::new(failed, self.plan, tally, stopped);
        self.print(version, &games, begun.elapsed(), end)?;
        match end {
            End::Interrupted => Err(Failure::interrupted("interrupted")),
            End::Failed => Err(Failure::work(format!("ended early; {}", heard.text()))),
            _ => Ok(()),
        }
    }

    /// Lets fastchess play, and counts what it tells.
    fn play(
        &self,
        folder: &TempDir,
        games: &mut Games,
        deadline: Deadline,
    ) -> Result<Heard, Failure> {
        let stop = signals::flag();
        let mut command = self.command(folder.path())?;
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = child.spawn().map_err(Failure::work)?;
        let lines = lines(&mut child);
        let (mut heard, mut is_told) = (Heard::default(), false);
        let progress = Progress::new("games", self.plan.pairs.map(|pairs| 2 * pairs));
        loop {
            match lines.recv_timeout(LOOK) {
                Ok(line) if line.starts_with("Finished game ") => {
                    games.add(&line, &self.config.name);
                    let live = summary::live(self.plan, &games.tally, progress.rate());
                    progress.set(games.tally.games(), live);
                }
                Ok(line) if line.starts_with("Started game ") || line.is_empty() => {}
                Ok(line) => {
                    if line.starts_with("Warning") && games.warned(&line) {
                        progress.note(&line);
                    }
                    heard.add(line);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if !is_told && (stop.load(Ordering::Relaxed) || deadline.is_past()) {
                is_told = true;
                interrupt(&mut child);
            }
        }
        progress.finish();
        let status = child.wait().map_err(Failure::work)?;
        heard.is_well = status.success();
        heard.add(format!("fastchess: {status}"));
        Ok(heard)
    }

    fn command(&self, folder: &Path) -> Result<Command, Failure> {
        let (config, openings) = (folder.join("config.toml"), folder.join("openings.epd"));
        // Paths in it lead from the folder where it lies.
        let text = self
            .config
            .config()
            .write_into("version = 1\n", &config.to_string_lossy());
        files::write(&config, text.map_err(Failure::work)?)?;
        let (rounds, variant) = self.write_openings(&openings)?;
        let args = self.args;
        let limits = args.fastchess_limits();
        let mut command = Command::new(&args.fastchess);
        command.args(["-engine".to_owned(), format!("cmd={}", sextant().display())]);
        command.arg(format!("name={}", self.config.name));
        // fastchess splits these at blanks, unless they are quoted.
        command.arg(format!("args=--config \"{}\"", config.display()));
        command
            .args(&limits)
            .arg("-engine")
            .args(&self.engine.words);
        command.arg(format!("name={}", self.engine.name));
        if !self.engine.is_limited() {
            command.args(&limits);
        }
        let (concurrency, ends) = (args.concurrency, self.ends());
        let options = format!(
            "-variant {variant} -each proto=uci -games 2 -rounds {rounds} -concurrency {concurrency} \
             -force-concurrency -ratinginterval 0{ends} -openings format=epd order=sequential"
        );
        command.args(options.split(' '));
        command.arg(format!("file={}", openings.display()));
        let state = format!("outname={}", folder.join("state.json").display());
        command.args(["-config".to_owned(), state]);
        if let Some(pgn) = &args.pgn {
            command.args(["-pgnout".to_owned(), format!("file={}", pgn.display())]);
            command.args(["append=true", "nodes=true"]);
        }
        Ok(command)
    }

    /// Most pairs.
    fn pairs(&self) -> u64 {
        let pairs = self.plan.pairs.or(self.plan.openings.count());
        pairs.unwrap_or(MOST_PAIRS)
    }

    /// Writes the openings of the match in their order; how many there are, and their variant.
    fn write_openings(&self, file: &Path) -> Result<(u64, &'static str), Failure> {
        let openings = (0..self.pairs()).map_while(|i| self.plan.openings.get(i));
        let openings: Vec<_> = openings.collect();
        let is_chess960 = openings.iter().any(Position::is_chess960);
        let lines = openings
            .iter()
            .map(|opening| to_fen(opening, is_chess960) + "\n");
        fs::write(file, lines.collect::<String>()).map_err(Failure::work)?;
        let variant = ["standard", "fischerandom"][usize::from(is_chess960)];
        Ok((openings.len() as u64, variant))
    }

    /// When fastchess ends a game that is decided, and when the match.
    fn ends(&self) -> String {
        let mut text = String::new();
        if let Some(win) = self.plan.rules.win {
            let (moves, score) = (win.plies / 2, win.score.raw());
            text += &format!(" -resign movecount={moves} score={score} twosided=true");
        }
        if let Some(draw) = self.plan.rules.draw {
            let (from, moves, score) = (draw.from_ply / 2, draw.plies / 2, draw.score);
            text += &format!(" -draw movenumber={from} movecount={moves} score={score}");
        }
        if let Some(sprt) = &self.plan.sprt {
            let ((elo0, elo1), (alpha, beta)) = (sprt.hypotheses(), self.args.error_rates());
            let model = match sprt.model() {
                SprtModel::Logistic => "logistic",
                SprtModel::Normalized => "normalized",
            };
            text +=
                &format!(" -sprt elo0={elo0} elo1={elo1} alpha={alpha} beta={beta} model={model}");
        }
        text
    }

    fn print(&self, version: &str, games: &Games, time: Duration, end: End) -> Result<(), Failure> {
        let config = format!(
            "{} (config {:016x})",
            self.config.name,
            self.config.config().hash()
        );
        if self.args.json {
            let mut report = summary::result_json(self.plan, &games.tally, time);
            report.insert("a".to_owned(), self.config.name.clone().into());
            report.insert("b".to_owned(), self.engine.words.join(" ").into());
            report.insert("runner".to_owned(), version.into());
            report.insert("endings".to_owned(), serde_json::json!(games.endings));
            report.insert("warnings".to_owned(), serde_json::json!(games.warnings));
            report.insert("end".to_owned(), end.text().into());
            return output::print(format_args!("{}\n", serde_json::Value::from(report)));
        }
        let conditions = format!(
            "{}, {}, seed {}, concurrency {}, played by {version}",
            self.args.fastchess_limits().join(" "),
            summary::openings_text(self.args, self.plan),
            self.args.seed,
            self.args.concurrency
        );
        let mut rows = vec![
            ("command", summary::command()),
            ("A", config),
            ("B", self.engine.words.join(" ")),
            ("conditions", conditions),
        ];
        rows.extend(summary::result_rows(self.plan, &games.tally, time));
        rows.push(("endings", counts_text(&games.endings)));
        if !games.warnings.is_empty() {
            rows.push(("warnings", counts_text(&games.warnings)));
        }
        rows.push(("end", end.text().to_owned()));
        output::print(summary::table(rows))
    }
}

/// The engine beside this program, or the one on the PATH.
fn sextant() -> PathBuf {
    let name = format!("sextant{}", env::consts::EXE_SUFFIX);
    let here = env::current_exe().ok();
    let beside = here.map(|program| program.with_file_name(&name));
    let beside = beside.filter(|file| file.is_file());
    beside.unwrap_or_else(|| name.into())
}

/// All lines of both outputs; it ends when both do.
fn lines(child: &mut Child) -> mpsc::Receiver<String> {
    let (send, lines) = mpsc::channel();
    let outputs: [Option<Box<dyn Read + Send>>; 2] = [
        child.stdout.take().map(|out| Box::new(out) as _),
        child.stderr.take().map(|out| Box::new(out) as _),
    ];
    for output in outputs.into_iter().flatten() {
        let send = send.clone();
        thread::spawn(move || {
            let lines = BufReader::new(output).split(b'\n').map_while(Result::ok);
            let mut texts = lines.map(|line| String::from_utf8_lossy(&line).trim().to_owned());
            texts.all(|text| send.send(text).is_ok());
        });
    }
    lines
}

/// Asks fastchess to end, so that it also ends its engines and writes its games.
fn interrupt(child: &mut Child) {
    let id = child.id().to_string();
    let asked = Command::new("kill").args(["-INT", &id]).status();
    if !asked.is_ok_and(|status| status.success()) {
        // It has ended, or there are no signals here.
        let _ = child.kill();
    }
}

/// The last lines of fastchess that told of something else than games.
#[derive(Default)]
struct Heard {
    lines: VecDeque<String>,
    /// Did it end without an error?
    is_well: bool,
}

impl Heard {
    fn add(&mut self, line: String) {
        self.lines.push_back(line);
        if self.lines.len() > LAST_LINES {
            self.lines.pop_front();
        }
    }

    fn text(&self) -> String {
        let lines = self.lines.iter().map(|line| format!("\n  {line}"));
        format!("fastchess says:{}", lines.collect::<String>())
    }
}
