//! From a line of text to a [`Command`]. Pure: nothing is changed by reading a line.

use sextant_config::{clip, nearest};

use crate::{bench, error::hint, genfens, go::GoRequest};

/// What a line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// May last, so that `stop` has to end it and `isready` be answered meanwhile.
    Task(Task),
    /// Is done at once when its turn comes.
    Immediate(Immediate),
    /// Acts on the tasks that were asked for, at once.
    Stop,
    /// The move that the engine ponders on was played.
    PonderHit,
    Quit,
    /// An empty line, a comment, or `debug` and `register`: known to UCI, without meaning here.
    Nothing,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    Go(GoRequest),
    /// Searches the benchmark positions.
    Bench(bench::Request),
    /// Measures speed for this many seconds.
    Speedtest(Option<u32>),
    /// Prints openings for data generation.
    GenFens(genfens::Request),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Immediate {
    /// Names the engine and its options.
    Uci,
    IsReady,
    /// What follows belongs to another game.
    NewGame,
    /// Sets up a position, by the text behind the word.
    Position(String),
    SetOption {
        /// The words before `value`.
        name: String,
        value: Option<String>,
    },
    /// Shows the static evaluation.
    Eval,
    Display,
    Flip,
    /// Shows how the program was built.
    Compiler,
    /// Shows under which terms it may be used.
    License,
    /// Writes the network in use to a file.
    ExportNet(Option<String>),
    Help,
}

/// Reads what stands behind a command's word.
type Read = fn(&str) -> Result<Command, String>;

const COMMANDS: &[(&str, Read)] = &[
    ("uci", |_| immediate(Immediate::Uci)),
    ("isready", |_| immediate(Immediate::IsReady)),
    ("ucinewgame", |_| immediate(Immediate::NewGame)),
    ("position", |text| {
        immediate(Immediate::Position(text.to_owned()))
    }),
    ("go", |text| task(Task::Go(GoRequest::parse(text)))),
    ("stop", |_| Ok(Command::Stop)),
    ("ponderhit", |_| Ok(Command::PonderHit)),
    ("setoption", set_option),
    ("quit", |_| Ok(Command::Quit)),
    ("exit", |_| Ok(Command::Quit)),
    ("bench", |text| {
        task(Task::Bench(bench::Request::parse(text)?))
    }),
    ("speedtest", |text| task(Task::Speedtest(seconds(text)?))),
    ("genfens", |text| {
        let form = "genfens needs the form `genfens N seed S [book FILE|None]`";
        task(Task::GenFens(genfens::Request::parse(text).ok_or(form)?))
    }),
    ("eval", |_| immediate(Immediate::Eval)),
    ("d", |_| immediate(Immediate::Display)),
    ("flip", |_| immediate(Immediate::Flip)),
    ("compiler", |_| immediate(Immediate::Compiler)),
    ("license", |_| immediate(Immediate::License)),
    ("export_net", |text| {
        immediate(Immediate::ExportNet(
            (!text.is_empty()).then(|| text.to_owned()),
        ))
    }),
    ("help", |_| immediate(Immediate::Help)),
    ("debug", |_| Ok(Command::Nothing)),
    ("register", |_| Ok(Command::Nothing)),
];

fn immediate(immediate: Immediate) -> Result<Command, String> {
    Ok(Command::Immediate(immediate))
}

fn task(task: Task) -> Result<Command, String> {
    Ok(Command::Task(task))
}

pub(crate) const HELP: &str = "\
Sextant speaks UCI; a chess GUI does the talking. By hand:
  position startpos [moves e2e4 ...]   set up a position (or: position fen FEN [moves ...])
  d | flip | eval                      show the board; swap the colors; static evaluation
  go depth 12 | go movetime 1000       search (also: nodes, mate, infinite, perft, wtime ...)
  stop                                 end the search
  uci | setoption name N value V       list the options; set one
  bench | speedtest [seconds]          the benchmark; speed with the current Threads and Hash
  bench HASH THREADS LIMIT FILE KIND   the same with other settings; KIND is depth, nodes, movetime,
                                       perft or eval, FILE is default, current or a file of FENs
  export_net [file]                    write the network in use
  compiler | license | quit            how the program was built; its terms; leave
Lines that begin with # are ignored. Other uses: run `sextant --help` in a shell.";

/// Reads a line.
///
/// # Errors
/// Says what was found and what is allowed. Odd words after `go` are no error of the line: see
/// [`GoRequest`].
pub(crate) fn parse(line: &str) -> Result<Command, String> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(Command::Nothing);
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    match COMMANDS.iter().find(|(name, _)| *name == word) {
        Some((_, read)) => read(rest.trim()),
        None => Err(format!(
            "unknown command {:?}{}; `help` lists the commands",
            clip(word),
            hint(&nearest(word, names()))
        )),
    }
}

/// The words that begin a line.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|(name, _)| *name)
}

const SET_OPTION: &str =
    "setoption needs the form `setoption name NAME [value VALUE]`; nothing was changed";

/// The words up to `value` are the name, all the rest is the value: paths may hold spaces.
fn set_option(text: &str) -> Result<Command, String> {
    let text = text
        .strip_prefix("name")
        .filter(|rest| rest.starts_with(char::is_whitespace));
    let text = text.ok_or(SET_OPTION)?;
    let (name, value) = match find_word(text, "value") {
        Some((name, value)) => (name, Some(value.trim().to_owned())),
        None => (text, None),
    };
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        return Err(SET_OPTION.to_owned());
    }
    immediate(Immediate::SetOption { name, value })
}

/// The text before and after the first `word` that stands alone.
fn find_word<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    text.match_indices(word).find_map(|(at, _)| {
        let (before, rest) = text.split_at_checked(at)?;
        let after = rest.strip_prefix(word)?;
        let is_alone = before.ends_with(char::is_whitespace)
            && (after.is_empty() || after.starts_with(char::is_whitespace));
        is_alone.then_some((before, after))
    })
}

/// Seconds of a speed test.
fn seconds(text: &str) -> Result<Option<u32>, String> {
    let max = bench::MAX_SPEEDTEST;
    match text.parse() {
        _ if text.is_empty() => Ok(None),
        Ok(number) if (1..=max).contains(&number) => Ok(Some(number)),
        _ => Err(format!(
            "speedtest: {:?} is no whole number from 1 to {max}",
            clip(text)
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_up_to_value_are_the_name_and_all_the_rest_is_the_value() {
        for (text, name, value) in [
            ("name Hash value 64", "Hash", Some("64")),
            ("name Clear Hash", "Clear Hash", None),
            (
                " name  Move   Overhead  value  20 ",
                "Move Overhead",
                Some("20"),
            ),
            ("name SyzygyPath value", "SyzygyPath", Some("")),
            ("name valued value x", "valued", Some("x")),
            (
                "name SyzygyPath value C:\\my  tables;D:\\value 5",
                "SyzygyPath",
                Some("C:\\my  tables;D:\\value 5"),
            ),
        ] {
            let (name, value) = (name.to_owned(), value.map(str::to_owned));
            let expected = immediate(Immediate::SetOption { name, value });
            assert_eq!(parse(&format!("setoption {text}")), expected, "{text}");
        }
        for text in ["", " Hash 5", " name", " name value 5"] {
            let refused = parse(&format!("setoption{text}"));
            assert_eq!(refused, Err(SET_OPTION.to_owned()), "{text}");
        }
    }

    #[test]
    fn comments_blank_lines_and_carriage_returns_do_not_matter() {
        for line in ["", "  \t ", "# go infinite", "\r", "#"] {
            assert_eq!(parse(line), Ok(Command::Nothing), "{line:?}");
        }
        assert_eq!(parse("isready\r"), immediate(Immediate::IsReady));
        assert_eq!(parse("\tucinewgame  "), immediate(Immediate::NewGame));
    }

    #[test]
    fn an_unknown_word_gets_the_likest_command() {
        let error = parse("ucinewgme").unwrap_err();
        assert!(error.contains("did you mean `ucinewgame`"), "{error}");
        let error = parse(&"x".repeat(100_000)).unwrap_err();
        assert!(error.len() < 300, "{}", error.len());
    }
}
