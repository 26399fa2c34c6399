//! The thread that reads lines. What must act at once acts here; all else goes to the session.

use std::io::{self, BufRead, Read};

use crossbeam::channel::Sender;

use crate::{
    command::{self, Command, Order, Task},
    control::{Control, TaskId},
    error::CommandError,
    output::Output,
};

/// Longest line. A game of 5,000 moves has a twentieth of it.
const LONGEST_LINE: usize = 1 << 20;

/// What the session has to do.
#[derive(Debug)]
pub(crate) enum Job {
    Task(TaskId, Task),
    Order(Order),
}

/// Reads until `quit`, which ends everything, or the end of the input, after which what was asked for
/// is still answered; then the channel is closed, and with it the session.
pub(crate) fn read_lines(
    mut input: impl BufRead,
    control: &Control,
    output: &Output,
    jobs: Sender<Job>,
) {
    while let Ok(Some(line)) = read_line(&mut input) {
        let command = line.and_then(|line| {
            output.received(&line);
            command::parse(&line)
        });
        match command {
            Ok(Command::Quit) => return control.stop(),
            Ok(command) => dispatch(command, control, output, &jobs),
            Err(error) => {
                output.note(&error);
                if error.is_position() {
                    let refused = Order::Position(String::new());
                    dispatch(Command::Order(refused), control, output, &jobs);
                }
            }
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
        Command::Order(Order::IsReady) if control.is_busy() => return output.line("readyok"),
        Command::Order(order) => {
            if control.tell_once() {
                output.note("a search is running: this command waits until it has ended");
            }
            Job::Order(order)
        }
    };
    // The session only goes away with the whole process.
    let _ = jobs.send(job);
}

/// The next line without its end; `None` at the end of the input. Bytes that are no UTF-8 are
/// replaced, since no command needs them.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Result<String, CommandError>>> {
    let mut bytes = Vec::new();
    let read = input
        .take(LONGEST_LINE as u64)
        .read_until(b'\n', &mut bytes)?;
    if read == 0 {
        return Ok(None);
    }
    if read == LONGEST_LINE && !bytes.ends_with(b"\n") {
        input.skip_until(b'\n')?;
        return Ok(Some(Err(CommandError::TooLong {
            limit: LONGEST_LINE,
            is_position: bytes.starts_with(b"position"),
        })));
    }
    Ok(Some(Ok(String::from_utf8_lossy(&bytes).trim().to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8]) -> Vec<Result<String, CommandError>> {
        let mut input = text;
        std::iter::from_fn(|| read_line(&mut input).unwrap()).collect()
    }

    #[test]
    fn every_kind_of_line_end_and_bytes_that_are_no_text_are_read() {
        let read = lines(b"uci\r\nisready\n\n\xff\xfe\0go\nquit");
        let read: Vec<_> = read.into_iter().map(Result::unwrap).collect();
        assert_eq!(read, ["uci", "isready", "", "\u{fffd}\u{fffd}\0go", "quit"]);
    }

    #[test]
    fn an_endless_line_is_refused_and_the_next_one_is_read() {
        let mut text = vec![b'x'; 3 * LONGEST_LINE];
        text.extend(b"\nisready\n");
        let read = lines(&text);
        assert!(matches!(read[0], Err(CommandError::TooLong { .. })));
        assert_eq!(read[1..], [Ok("isready".to_owned())]);
    }
}
