//! From a line of text to a [`Command`]. Pure: nothing is changed by reading a line.

use crate::{
    bench,
    error::{CommandError, nearest, quote},
    genfens,
    go::GoRequest,
};

/// What a line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// Names the engine and its options.
    Uci,
    IsReady,
    /// What follows belongs to another game.
    NewGame,
    /// Sets up a position, by the text behind the word.
    Position(String),
    Go(GoRequest),
    Stop,
    /// The move that the engine ponders on was played.
    PonderHit,
    SetOption {
        /// The words before `value`.
        name: String,
        value: Option<String>,
    },
    Quit,
    /// Searches the benchmark positions.
    Bench(bench::Request),
    /// Measures speed for this many seconds.
    Speedtest(Option<u32>),
    /// Prints openings for data generation.
    GenFens(genfens::Request),
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
    /// `debug`, `register`: known to UCI, without meaning here.
    Accepted,
    /// An empty line or a comment.
    Nothing,
}

const WORDS: &[&str] = &[
    "uci",
    "isready",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "setoption",
    "quit",
    "bench",
    "genfens",
    "speedtest",
    "eval",
    "d",
    "flip",
    "compiler",
    "license",
    "export_net",
    "help",
    "debug",
    "register",
];

/// Longest speed test in seconds.
const MAX_SPEEDTEST: u32 = 3600;

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
/// [`CommandError`] says what was found and what is allowed. Odd words after `go` are no error of
/// the line: see [`GoRequest`].
pub(crate) fn parse(line: &str) -> Result<Command, CommandError> {
    let line = line.trim();
    if line.starts_with('#') {
        return Ok(Command::Nothing);
    }
    let (word, rest) = match line.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim()),
        None => (line, ""),
    };
    Ok(match word {
        "" => Command::Nothing,
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "position" => Command::Position(rest.to_owned()),
        "go" => Command::Go(GoRequest::parse(rest)),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "setoption" => set_option(rest)?,
        "quit" | "exit" => Command::Quit,
        "bench" => Command::Bench(bench::Request::parse(rest)?),
        "speedtest" => Command::Speedtest(number("speedtest", rest, MAX_SPEEDTEST)?),
        "genfens" => Command::GenFens(genfens::Request::parse(rest).ok_or(CommandError::GenFens)?),
        "eval" => Command::Eval,
        "d" => Command::Display,
        "flip" => Command::Flip,
        "compiler" => Command::Compiler,
        "license" => Command::License,
        "export_net" => Command::ExportNet((!rest.is_empty()).then(|| rest.to_owned())),
        "help" => Command::Help,
        "debug" | "register" => Command::Accepted,
        _ => {
            let nearest = nearest(word, WORDS.iter().copied());
            return Err(CommandError::Unknown {
                found: quote(word),
                nearest,
            });
        }
    })
}

impl Command {
    /// May it last, so that `stop` has to end it and `isready` be answered meanwhile?
    pub(crate) fn is_task(&self) -> bool {
        matches!(
            self,
            Command::Go(_) | Command::Bench(_) | Command::Speedtest(_) | Command::GenFens(_)
        )
    }
}

/// The words up to `value` are the name, all the rest is the value: paths may hold spaces.
fn set_option(text: &str) -> Result<Command, CommandError> {
    let text = text
        .strip_prefix("name")
        .filter(|rest| rest.starts_with(char::is_whitespace));
    let text = text.ok_or(CommandError::SetOption)?;
    let (name, value) = match find_word(text, "value") {
        Some((name, value)) => (name, Some(value.trim().to_owned())),
        None => (text, None),
    };
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        return Err(CommandError::SetOption);
    }
    Ok(Command::SetOption { name, value })
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

fn number(command: &'static str, text: &str, max: u32) -> Result<Option<u32>, CommandError> {
    if text.is_empty() {
        return Ok(None);
    }
    match text.parse() {
        Ok(number) if (1..=max).contains(&number) => Ok(Some(number)),
        _ => Err(CommandError::Number {
            command,
            found: quote(text),
            max,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(line: &str) -> (String, Option<String>) {
        match parse(line) {
            Ok(Command::SetOption { name, value }) => (name, value),
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn words_up_to_value_are_the_name_and_all_the_rest_is_the_value() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(
            option("setoption name Hash value 64"),
            ("Hash".into(), some("64"))
        );
        assert_eq!(
            option("setoption name Clear Hash"),
            ("Clear Hash".into(), None)
        );
        assert_eq!(
            option("setoption  name  Move   Overhead  value  20 "),
            ("Move Overhead".into(), some("20"))
        );
        assert_eq!(
            option("setoption name SyzygyPath value C:\\my  tables;D:\\value 5"),
            ("SyzygyPath".into(), some("C:\\my  tables;D:\\value 5"))
        );
        assert_eq!(
            option("setoption name SyzygyPath value"),
            ("SyzygyPath".into(), some(""))
        );
        assert_eq!(
            option("setoption name valued value x"),
            ("valued".into(), some("x"))
        );
    }

    #[test]
    fn a_malformed_setoption_is_refused() {
        for line in [
            "setoption",
            "setoption Hash 5",
            "setoption name",
            "setoption name value 5",
        ] {
            assert_eq!(parse(line), Err(CommandError::SetOption), "{line}");
        }
    }

    #[test]
    fn comments_blank_lines_and_carriage_returns_do_not_matter() {
        for line in ["", "  \t ", "# go infinite", "\r", "#"] {
            assert_eq!(parse(line), Ok(Command::Nothing), "{line:?}");
        }
        assert_eq!(parse("isready\r"), Ok(Command::IsReady));
        assert_eq!(parse("\tucinewgame  "), Ok(Command::NewGame));
    }

    #[test]
    fn an_unknown_word_gets_the_likest_command() {
        let error = parse("ucinewgme").unwrap_err().to_string();
        assert!(error.contains("did you mean `ucinewgame`"), "{error}");
        let error = parse(&"x".repeat(100_000)).unwrap_err().to_string();
        assert!(error.len() < 300, "{}", error.len());
    }
}
