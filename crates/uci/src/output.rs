//! The one way out: a locked writer that sends each line at once, and the traffic log beside it.

use std::{
    fmt::Display,
    fs::File,
    io::{self, BufWriter, Stdout, Write},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use sextant_cli::{
    failure::Failure,
    files::{self, FileError},
    output::{is_read, unwritable},
};

/// Longest `info string`: a file with many errors must not flood a GUI.
const LONGEST_NOTE: usize = 1000;

/// The standard output of a UCI session.
pub(crate) struct Output {
    sinks: Mutex<Sinks>,
    start: Instant,
}

struct Sinks {
    out: BufWriter<Stdout>,
    log: Option<File>,
    /// The first error of `out`.
    failure: Option<io::Error>,
    /// The program has more to do than to be read.
    outlives_reader: bool,
}

impl Output {
    pub(crate) fn stdout() -> Output {
        let sinks = Sinks {
            out: BufWriter::new(io::stdout()),
            log: None,
            failure: None,
            outlives_reader: false,
        };
        Output {
            sinks: Mutex::new(sinks),
            start: Instant::now(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Sinks> {
        self.sinks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a line, or several that belong together.
    pub(crate) fn line(&self, text: impl Display) {
        let text = text.to_string();
        let mut sinks = self.lock();
        for line in text.lines() {
            self.log(&mut sinks, "<<", line);
        }
        let sent = writeln!(sinks.out, "{text}").and_then(|()| sinks.out.flush());
        match is_read(sent) {
            Ok(false) if !sinks.outlives_reader => std::process::exit(0),
            Ok(_) => {}
            Err(error) => drop(sinks.failure.get_or_insert(error)),
        }
    }

    /// From now on the process goes on when nobody reads what it prints.
    pub(crate) fn outlive_the_reader(&self) {
        self.lock().outlives_reader = true;
    }

    /// Waits for the end of the process and brings it about once nobody can read what it prints: a
    /// GUI that died leaves a closed pipe behind. Where the system cannot tell, the next line does.
    pub(crate) fn exit_when_closed(&self) {
        #[cfg(unix)]
        {
            use rustix::event::{PollFd, PollFlags, poll};
            let stdout = io::stdout();
            let mut watched = [PollFd::new(&stdout, PollFlags::empty())];
            while let Err(rustix::io::Errno::INTR) = poll(&mut watched, None) {}
            if watched[0]
                .revents()
                .intersects(PollFlags::ERR | PollFlags::HUP)
            {
                std::process::exit(0);
            }
        }
    }

    /// Did everything that was printed arrive? A game goes on all the same; a program that prints a
    /// result has failed.
    pub(crate) fn written(&self) -> Result<(), Failure> {
        let failure = self.lock().failure.take();
        failure.map_or(Ok(()), |error| Err(unwritable(&error)))
    }

    /// Tells a person something: one `info string`, whatever the text holds.
    pub(crate) fn note(&self, text: impl Display) {
        let text = text.to_string();
        let mut clean: String = text
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .take(LONGEST_NOTE)
            .collect();
        if clean.len() < text.len() {
            clean.push_str("...");
        }
        self.line(format_args!("info string {clean}"));
    }

    /// Notes a received line in the log.
    pub(crate) fn received(&self, line: &str) {
        let mut sinks = self.lock();
        self.log(&mut sinks, ">>", line);
    }

    /// Appends the traffic to the file from now on; the empty path ends that. A pipe is refused:
    /// the engine would wait for its reader.
    ///
    /// # Errors
    /// What the system says; the old log stays.
    pub(crate) fn set_log(&self, path: &str) -> Result<(), FileError> {
        let log = match path {
            "" => None,
            path => Some(files::open_append(path.as_ref())?),
        };
        self.lock().log = log;
        Ok(())
    }

    fn log(&self, sinks: &mut Sinks, direction: &str, line: &str) {
        let Some(log) = &mut sinks.log else { return };
        let time = self.start.elapsed().as_secs_f64();
        // A full disk must not end a game.
        let _ = writeln!(log, "{time:10.3} {direction} {line}");
    }
}
