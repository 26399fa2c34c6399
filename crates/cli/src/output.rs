//! Standard output and standard error. A result goes to standard output, everything else is a note
//! on standard error. A reader who leaves (`| head`) is no failure; a full disk is one.

use std::{
    fmt::Display,
    io::{self, ErrorKind, Write},
    process::ExitCode,
};

use crate::failure::Failure;

/// Prints a result, as it stands, to standard output. Whatever took long to compute must be in its
/// file before: the reader may be gone.
///
/// # Errors
/// [`Failure`] with exit code 1 if it cannot be written. That nobody reads it is no error.
pub fn print(text: impl Display) -> Result<(), Failure> {
    print_to(&mut io::stdout().lock(), text)
}

fn print_to(sink: &mut impl Write, text: impl Display) -> Result<(), Failure> {
    match is_read(write!(sink, "{text}").and_then(|()| sink.flush())) {
        Ok(_) => Ok(()),
        Err(error) => Err(unwritable(&error)),
    }
}

/// What to say if standard output takes no more.
pub fn unwritable(error: &io::Error) -> Failure {
    Failure::work(format!("cannot write to standard output: {error}"))
}

/// Does anybody still read? For a program that prints line by line and stops early.
///
/// # Errors
/// Any error of the write but a closed pipe.
pub fn is_read(written: io::Result<()>) -> io::Result<bool> {
    match written {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error),
    }
}

/// Prints a line to standard error. If it cannot be written the work goes on.
pub fn note(line: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// The end of `main`: tells of a failure on standard error, as `program: message`.
pub fn report(program: &str, result: Result<(), Failure>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            note(format_args!("{program}: {failure}"));
            ExitCode::from(failure.code())
        }
    }
}

/// A number with its noun, whose plural takes an `s`: `1 game`, `2 games`.
pub fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sink that fails when it is flushed, as a buffer before a full disk does.
    struct Sink(ErrorKind);

    impl Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(self.0.into())
        }
    }

    #[test]
    fn one_is_not_many() {
        assert_eq!(counted(1, "game"), "1 game");
        assert_eq!(counted(0, "game"), "0 games");
    }

    #[test]
    fn a_reader_may_leave_but_a_disk_must_hold() {
        let mut sink = Vec::new();
        print_to(&mut sink, format_args!("{} {}\n", 1, 2)).unwrap();
        assert_eq!(sink, b"1 2\n");
        print_to(&mut Sink(ErrorKind::BrokenPipe), "text").unwrap();
        let failure = print_to(&mut Sink(ErrorKind::StorageFull), "text").unwrap_err();
        assert_eq!(failure.code(), Failure::WORK);
        let message = failure.to_string();
        assert!(message.starts_with("cannot write to standard output: "));
    }
}
