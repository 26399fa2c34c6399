//! What a tool says: its result on standard output, and notes beside it.

use std::{
    fmt::Display,
    io::{self, Write},
};

use crate::failure::Failure;

/// Prints a result, as it stands, to standard output. What took long to find is to be in its files
/// before: whoever reads along may be gone.
///
/// # Errors
/// [`Failure`] if it cannot be written, as on a full disk. That nobody reads it any more is none.
pub(crate) fn out(text: impl Display) -> Result<(), Failure> {
    print(&mut io::stdout().lock(), text)
}

fn print(sink: &mut impl Write, text: impl Display) -> Result<(), Failure> {
    match write!(sink, "{text}").and_then(|()| sink.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::work(format!(
            "cannot write to standard output: {error}"
        ))),
        _ => Ok(()),
    }
}

/// Prints a line to standard error. That it cannot be written is no reason to stop the work.
pub(crate) fn note(line: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// So many of something whose plural takes an `s`.
pub(crate) fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sink that fails when it is flushed, as a buffer before a full disk does.
    struct Sink(io::ErrorKind);

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
        print(&mut sink, format_args!("{} {}\n", 1, 2)).unwrap();
        assert_eq!(sink, b"1 2\n");
        print(&mut Sink(io::ErrorKind::BrokenPipe), "text").unwrap();
        let failure = print(&mut Sink(io::ErrorKind::StorageFull), "text").unwrap_err();
        assert!(
            failure
                .to_string()
                .starts_with("cannot write to standard output: ")
        );
    }
}
