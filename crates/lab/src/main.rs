//! The binary `sextant-lab`: reads the command line, shows progress on standard error and
//! prints reports on standard output.

mod cli;
mod progress;
mod say;

use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say::tell(&format!("sextant-lab: {error}"));
            cli::exit_code(&error)
        }
    }
}
