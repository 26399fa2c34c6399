//! The fuzz target `uci`: lines as a GUI might send them, to a session of their own. `scripts/fuzz`
//! builds it in place of `main`, with the whole program behind it.

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use sextant_config::Config;

use crate::{
    command::{self, Command, Immediate, Task},
    options::Settings,
    output::Output,
    session::Session,
};

/// Enough for whatever lines do to each other.
const MAX_LINES: usize = 16;

fuzz_target!(|text: &str| {
    let mut config = Config::default();
    config.engine.hash = 1;
    let settings = Settings::new(config);
    let mut session = Session::new(settings, true, Arc::new(Output::stdout())).expect("a session");
    for line in text.lines().take(MAX_LINES) {
        let done = match command::parse(line) {
            Ok(command) if is_harmless(&command) => session.run_line(line),
            Ok(Command::Task(Task::Go(_))) if !line.contains("perft") => {
                session.run_line(&bounded(line))
            }
            Ok(_) => continue,
            Err(error) => Err(error.into()),
        };
        if let Err(error) = done {
            assert!(
                error.to_string().len() < 4096,
                "an error is read by a person"
            );
        }
    }
});

/// Is it done soon, with little memory and without writing a file?
fn is_harmless(command: &Command) -> bool {
    match command {
        Command::Immediate(Immediate::SetOption { name, value }) => {
            let number = value.as_deref().unwrap_or_default().parse::<u32>();
            let is_large = number.is_ok_and(|number| number > 4);
            let is_resource = ["hash", "threads", "multipv"]
                .iter()
                .any(|it| name.eq_ignore_ascii_case(it));
            !name.to_ascii_lowercase().contains("file") && !(is_resource && is_large)
        }
        Command::Immediate(it) => !matches!(it, Immediate::ExportNet(_)),
        Command::Task(_) => false,
        _ => true,
    }
}

/// The same `go`, with an end: of two numbers for one word the last counts.
fn bounded(line: &str) -> String {
    let endless = |word: &&str| !matches!(*word, "infinite" | "ponder");
    let words: Vec<_> = line.split_whitespace().filter(endless).collect();
    format!("{} nodes 16", words.join(" "))
}
