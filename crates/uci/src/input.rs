//! The thread that reads lines. What must act at once acts here; all else goes to the session.

use std::io::{self, BufRead, Read};

use crossbeam::channel::Sender;

use crate::{
    command::{self, Command, Immediate, Task},
    control::{Control, TaskId},
    output::Output,
};

/// Longest line. A game of 5,000 moves has a twentieth of it.
const LONGEST_LINE: usize = 1 << 20;

/// What the session has to do.
#[derive(Debug)]
pub(crate) enum Job {
    Task(TaskId, Task),
    Immediate(Immediate),
}

/// Reads until `quit`, which ends everything, or the end of the input, after which what was asked
/// for is still answered; then the channel is closed, and with it the session.
pub(crate) fn read_lines(
    mut input: impl BufRead,
    control: &Control,
    output: &Output,
    jobs: Sender<Job>,
) {
    while let Ok(Some(line)) = read_line(&mut input) {
        let command = line.map_or_else(
            |start| {
                output.note(format_args!(
                    "the line has more than {LONGEST_LINE} bytes; it was ignored"
                ));
                // No search may play from an older position.
                let refused = Command::Immediate(Immediate::Position(String::new()));
                Ok(if start.starts_with("position") {
                    refused
                } else {
                    Command::Nothing
                })
            },
            |line| {
                output.received(&line);
                command::parse(&line)
            },
        );
        match command {
            Ok(Command::Quit) => return control.stop(),
            Ok(command) => dispatch(command, control, output, &jobs),
            Err(error) => output.note(error),
        }
    }
    drop(jobs);
    control.end_of_input();
    output.exit_when_closed();
}

fn dispatch(command: Command, control: &Control, output: &Output, jobs: &Sender<Job>) {
    let job = match command {
        Command::Stop | Command::Quit => return control.stop(),
        Command::PonderHit => return control.ponderhit(),
        Command::Nothing => return,
        Command::Task(task) => Job::Task(control.issue(), task),
        Command::Immediate(Immediate::IsReady) if control.is_busy() => {
            return output.line("readyok");
        }
        Command::Immediate(immediate) => {
            if control.tell_once() {
                output.note("a search is running: this command waits until it has ended");
            }
            Job::Immediate(immediate)
        }
    };
    // The session only goes away with the whole process.
    let _ = jobs.send(job);
}

/// The next line without its end, `Err` with its beginning if it is too long; `None` at the end of
/// the input. Bytes that are no UTF-8 are replaced, since no command needs them.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Result<String, String>>> {
    let mut bytes = Vec::new();
    let read = input
        .take(LONGEST_LINE as u64)
        .read_until(b'\n', &mut bytes)?;
    if read == 0 {
        return Ok(None);
    }
    let line = String::from_utf8_lossy(&bytes).trim().to_owned();
    if read == LONGEST_LINE && !bytes.ends_with(b"\n") {
        input.skip_until(b'\n')?;
        return Ok(Some(Err(line)));
    }
    Ok(Some(Ok(line)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read_whole_or_refused() {
        let mut text = b"uci\r\nisready\n\n\xff\xfe\0go\n".to_vec();
        text.extend(vec![b'x'; 3 * LONGEST_LINE]);
        text.extend(b"\nquit");
        let mut input = &text[..];
        let read: Vec<_> = std::iter::from_fn(|| read_line(&mut input).unwrap()).collect();
        let first = ["uci", "isready", "", "\u{fffd}\u{fffd}\0go"].map(|line| Ok(line.to_owned()));
        assert_eq!(read[..4], first);
        assert!(read[4].is_err());
        assert_eq!(read[5..], [Ok("quit".to_owned())]);
    }
}
