//! The chess engine `sextant`.

fn main() -> std::process::ExitCode {
    sextant::run()
}
