//! The thread that reads lines. What must act at once acts here; all else goes to the session.

use std::{
    io::{self, BufRead, Read},
    mem,
};

use crate::{
    command::{self, Command, Immediate},
    control::Control,
    output::Output,
    queue::{Job, Queue},
};

/// Longest line. A game of 5,000 moves has a twentieth of it.
const LONGEST_LINE: usize = 1 << 20;

/// Reads until `quit`, which ends everything, or the end of the input, after which what was asked
/// for is still answered; then the queue is closed, and with it the session.
pub(crate) fn read_lines(
    mut input: impl BufRead,
    control: &Control,
    output: &Output,
    queue: Queue,
) {
    let mut reader = Reader {
        control,
        output,
        queue,
        is_full: false,
    };
    while let Ok(Some(line)) = read_line(&mut input) {
        match line {
            Ok(line) => {
                output.received(&line);
                match command::parse(&line) {
                    Ok(Command::Quit) => return control.stop(),
                    Ok(command) => reader.dispatch(command, line.len()),
                    Err(error) => output.note(error),
                }
            }
            Err(start) => {
                output.note(format_args!(
                    "the line has more than {LONGEST_LINE} bytes; it was ignored"
                ));
                if start.starts_with("position") {
                    reader.refuse_position();
                }
            }
        }
    }
    drop(reader);
    control.end_of_input();
    output.exit_when_closed();
}

struct Reader<'a> {
    control: &'a Control,
    output: &'a Output,
    queue: Queue,
    /// The last line was ignored since too many wait.
    is_full: bool,
}

impl Reader<'_> {
    fn dispatch(&mut self, command: Command, bytes: usize) {
        let control = self.control;
        match command {
            Command::Stop | Command::Quit => control.stop(),
            Command::PonderHit => control.ponderhit(),
            Command::Nothing => {}
            Command::Immediate(Immediate::IsReady) if control.is_busy() => {
                self.output.line("readyok");
            }
            _ if !self.queue.has_room(bytes) => self.ignore(),
            Command::Task(task) => {
                self.is_full = false;
                self.queue.send(Job::Task(control.issue(), task), bytes);
            }
            Command::Immediate(immediate) => {
                self.is_full = false;
                if control.tell_once() {
                    let note = "a search is running: this command waits until it has ended";
                    self.output.note(note);
                }
                self.queue.send(Job::Immediate(immediate), bytes);
            }
        }
    }

    /// Of many ignored lines one is told of. The position may be among them.
    fn ignore(&mut self) {
        if !mem::replace(&mut self.is_full, true) {
            self.output.note(
                "too many commands wait: they are ignored until some are done; then send the position again",
            );
            self.refuse_position();
        }
    }

    /// No search may play from an older position.
    fn refuse_position(&self) {
        let refused = Immediate::Position(String::new());
        self.queue.send(Job::Immediate(refused), 0);
    }
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
