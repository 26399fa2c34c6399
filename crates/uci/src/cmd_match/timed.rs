//! Matches with clocks: fastchess plays them with real processes, and its counts are taken over.

use std::{
    fmt,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    str::FromStr,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, RecvTimeoutError, channel},
    },
    thread,
    time::Duration,
};

use sextant_board::{Position, to_fen};
use sextant_play::{Pentanomial, Plan, Tally};

use super::{
    Args,
    contestants::{Contestant, Contestants},
};
use crate::{cli::Failure, error::Ended};

/// Openings written down for a match that has no end of its own.
const MOST_OPENINGS: u64 = 50_000;
/// How long the runner may be silent before it is looked whether the match should end.
const PATIENCE: Duration = Duration::from_millis(100);
/// Lines of the runner that a failure repeats.
const LAST_LINES: usize = 6;

/// A time control: seconds for a game, and more for every move.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Clock {
    base: f64,
    increment: f64,
}

impl FromStr for Clock {
    type Err = String;

    fn from_str(text: &str) -> Result<Clock, String> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let seconds = |text: &str| {
            text.parse()
                .ok()
                .filter(|s: &f64| s.is_finite() && *s >= 0.0)
        };
        match (seconds(base), seconds(increment)) {
            (Some(base), Some(increment)) if base > 0.0 => Ok(Clock { base, increment }),
            _ => Err(format!(
                "{text:?} is no time control; the form is 8+0.08, in seconds"
            )),
        }
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.base, self.increment)
    }
}

/// Plays on after `so_far` and reports every new count, until the plan is done, the report says no
/// or `stop` is set.
///
/// # Errors
/// If there is no runner or no engine, or if the runner fails, with its last words.
pub(super) fn play(
    args: &Args,
    clock: &Clock,
    contestants: &Contestants,
    plan: &Plan,
    so_far: Tally,
    stop: &AtomicBool,
    report: &mut dyn FnMut(&Tally) -> bool,
) -> Result<Tally, Failure> {
    let most = plan
        .pairs
        .or(plan.openings.count())
        .unwrap_or(MOST_OPENINGS);
    let done = so_far.pairs.pairs();
    let is_decided = |tally: &Tally| plan.sprt.is_some_and(|s| s.verdict(&tally.pairs).is_some());
    if done >= most || is_decided(&so_far) {
        return Ok(so_far);
    }
    // It goes away with its owner.
    let folder = tempfile::Builder::new()
        .prefix("sextant-match-")
        .tempdir()
        .map_err(|error| format!("cannot make a folder for the match: {error}"))?;
    let here = folder.path();
    let openings: Vec<_> = (done..most)
        .map_while(|pair| plan.openings.get(pair))
        .collect();
    let is_chess960 = openings.iter().any(Position::is_chess960);
    write(here, "book.epd", &book(&openings, is_chess960))?;
    let mut command = Command::new(program(&args.limits.fastchess)?);
    command.current_dir(here);
    for (name, contestant) in [("A", &contestants.first), ("B", &contestants.second)] {
        let text = config_text(contestant, here)?;
        let file = write(here, &format!("{name}.toml"), &text)?;
        command.arg("-engine").arg(format!("name={name}"));
        command.arg(format!("cmd={}", engine()?.display()));
        command.arg(format!("args=--config {}", file.display()));
    }
    command.args(["-each", "proto=uci", &format!("tc={clock}")]);
    command.args([
        "-openings",
        "file=book.epd",
        "format=epd",
        "order=sequential",
    ]);
    command.args([
        "-games",
        "2",
        "-repeat",
        "-rounds",
        &(most - done).to_string(),
    ]);
    command.args([
        "-concurrency",
        &args.concurrency.to_string(),
        "-ratinginterval",
        "1",
    ]);
    command.args(["-recover", "-report", "penta=true"]);
    if is_chess960 {
        command.args(["-variant", "fischerandom"]);
    }
    if !args.no_adjudication {
        command.args(["-resign", "movecount=4", "score=700", "twosided=true"]);
        command.args(["-draw", "movenumber=30", "movecount=8", "score=8"]);
    }
    if let Some(pgn) = &args.pgn {
        let pgn = std::path::absolute(pgn)?;
        command
            .arg("-pgnout")
            .arg(format!("file={}", pgn.display()));
    }
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(|error| {
        format!(
            "games with a clock need fastchess, and {:?} cannot be started: {error}; install it \
             (github.com/Disservin/fastchess), name it with --fastchess, or play at --nodes",
            args.limits.fastchess
        )
    })?;
    let watched = watch(&mut child, so_far, stop, report, &is_decided);
    // Its engines end by themselves when their input does.
    let _ = child.kill();
    child.wait()?;
    let (tally, last_words) = watched?;
    let (played, is_over) = (tally.pairs.pairs(), is_decided(&tally));
    if !is_over && !stop.load(Ordering::Relaxed) && played < most {
        let ended = format!(
            "fastchess ended after {} of {} pairs; its last words: {last_words}",
            played - done,
            most - done
        );
        return Err(Ended::work(ended).into());
    }
    Ok(tally)
}

/// Reads what the runner says to its end: the counts, and its last words.
fn watch(
    child: &mut Child,
    so_far: Tally,
    stop: &AtomicBool,
    report: &mut dyn FnMut(&Tally) -> bool,
    is_decided: &dyn Fn(&Tally) -> bool,
) -> Result<(Tally, String), Failure> {
    let lines = lines_of(child)?;
    let (mut tally, mut games, mut overruns) = (so_far.clone(), [0; 3], 0);
    let mut last = Vec::new();
    loop {
        let line = match lines.recv_timeout(PATIENCE) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) if !stop.load(Ordering::Relaxed) => continue,
            Err(_) => break,
        };
        overruns += u64::from(line.starts_with("Finished game") && line.contains("on time"));
        if let Some(counts) = game_counts(&line) {
            games = counts;
        }
        if let Some(pairs) = pair_counts(&line) {
            tally = sum(&so_far, games, pairs);
            if !report(&tally) || is_decided(&tally) {
                break;
            }
        }
        if last.len() == LAST_LINES {
            last.remove(0);
        }
        last.push(line);
    }
    if overruns > 0 {
        eprintln!("note: {overruns} games were lost on time; is the machine too busy for this?");
    }
    Ok((tally, last.join(" / ")))
}

fn lines_of(child: &mut Child) -> Result<Receiver<String>, Failure> {
    let output = child.stdout.take().ok_or("fastchess has no output")?;
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    Ok(lines)
}

fn sum(so_far: &Tally, [wins, losses, draws]: [u64; 3], pairs: [u64; 5]) -> Tally {
    let mut tally = so_far.clone();
    tally.wins += wins;
    tally.draws += draws;
    tally.losses += losses;
    tally.pairs += Pentanomial(pairs);
    tally
}

/// Wins, losses and draws from `Games: 6, Wins: 1, Losses: 2, Draws: 3, ...`.
fn game_counts(line: &str) -> Option<[u64; 3]> {
    line.strip_prefix("Games: ")?;
    let after = |word: &str| {
        let (_, rest) = line.split_once(word)?;
        rest.split(',').next()?.trim().parse().ok()
    };
    Some([after("Wins: ")?, after("Losses: ")?, after("Draws: ")?])
}

/// The counts from `Ptnml(0-2): [0, 1, 2, 0, 0], ...`.
fn pair_counts(line: &str) -> Option<[u64; 5]> {
    let (numbers, _) = line.strip_prefix("Ptnml(0-2): [")?.split_once(']')?;
    let numbers: Option<Vec<_>> = numbers.split(',').map(|n| n.trim().parse().ok()).collect();
    numbers?.try_into().ok()
}

/// Openings as the runner reads them; it plays all games by the rules of Chess960, or none.
fn book(openings: &[Position], is_chess960: bool) -> String {
    let lines = openings.iter();
    lines
        .map(|position| to_fen(position, is_chess960) + "\n")
        .collect()
}

/// The runner as it can be started from another folder: a path as a whole one, a bare name as it is.
fn program(name: &str) -> Result<PathBuf, Failure> {
    let path = Path::new(name);
    if path.components().count() < 2 {
        return Ok(path.to_owned());
    }
    Ok(std::path::absolute(path)?)
}

/// A file that says all of a config, wherever it lies.
fn config_text(contestant: &Contestant, folder: &Path) -> Result<String, Failure> {
    let origin = folder.join("any.toml");
    Ok(contestant
        .config
        .write_into("version = 1\n", &origin.to_string_lossy())?)
}

/// The engine that plays: this program, or the one beside it.
fn engine() -> Result<PathBuf, Failure> {
    let own = std::env::current_exe()?;
    let name = format!("sextant{}", std::env::consts::EXE_SUFFIX);
    let engine = own.with_file_name(name);
    if engine.is_file() {
        return Ok(engine);
    }
    Err(format!(
        "games with a clock need the engine, and {} is not there",
        engine.display()
    )
    .into())
}

/// Writes a file into the match's own folder.
fn write(folder: &Path, name: &str, text: &str) -> Result<PathBuf, Failure> {
    let path = folder.join(name);
    std::fs::write(&path, text)
        .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counts_of_the_runner_are_read() {
        let games = "Games: 600, Wins: 201, Losses: 191, Draws: 208, Points: 305.0 (50.83 %)";
        assert_eq!(game_counts(games), Some([201, 191, 208]));
        let pairs = "Ptnml(0-2): [23, 66, 130, 61, 20], WL/DD Ratio: 2.33";
        assert_eq!(pair_counts(pairs), Some([23, 66, 130, 61, 20]));
        assert_eq!(pair_counts("Ptnml(0-2): [23, 66]"), None);
        assert_eq!(game_counts("Finished game 1 (A vs B): 1-0"), None);
    }

    #[test]
    fn time_controls() {
        let clock = |text: &str| text.parse::<Clock>().map(|clock| clock.to_string());
        assert_eq!(clock("8+0.08").unwrap(), "8+0.08");
        assert_eq!(clock("60").unwrap(), "60+0");
        for text in ["", "8+", "0+1", "-3+1", "inf+1", "8+0.08+1", "40/60"] {
            assert!(
                clock(text).unwrap_err().contains("the form is 8+0.08"),
                "{text}"
            );
        }
    }
}
