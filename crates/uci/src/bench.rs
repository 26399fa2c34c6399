//! The benchmark: signature and speed, with the operands that Stockfish's has, so that scripts made
//! for one work with the other.

use std::time::{Duration, Instant};

use sextant_board::{Epd, EpdError, Position, perft};
use sextant_cli::files::{self, FileError};
use sextant_config::Config;
use sextant_search::{Engine, Game, Limits, bench};
use thiserror::Error;

use crate::{
    error::{CommandError, quote},
    format::per_second,
    go::MAX_PERFT,
    output::Output,
};

/// Larger than any file of positions that could be searched.
const MAX_BYTES: u64 = 64 << 20;

/// Depth of a count that no depth was named for.
const PERFT_DEPTH: u64 = 5;

/// What is to be measured. The form is `bench [hash] [threads] [limit] [file] [kind]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, clap::Args)]
pub(crate) struct Request {
    /// Table in MB [default: that of the config].
    #[arg(value_parser = clap::value_parser!(i32).range(1..))]
    hash: Option<i32>,
    /// Search threads [default: 1; with more the nodes differ from run to run].
    #[arg(value_parser = clap::value_parser!(i32).range(1..))]
    threads: Option<i32>,
    /// Depth, nodes or milliseconds of each position [default: the depth of the signature].
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// `default` for the built-in positions, `current` for the one that is set up, or a file with a
    /// FEN or EPD a line [default: default].
    file: Option<String>,
    /// What the limit counts, or what is measured instead of a search.
    #[arg(value_enum)]
    kind: Option<Kind>,
}

/// What is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    /// Searches to a depth in plies.
    #[default]
    Depth,
    /// Searches of a number of nodes.
    Nodes,
    /// Searches of a number of milliseconds.
    Movetime,
    /// Counts of the legal lines.
    Perft,
    /// Static evaluations.
    Eval,
}

/// Why there is no benchmark.
#[derive(Debug, Error)]
pub(crate) enum BenchError {
    /// The file cannot be read.
    #[error("bench: {0}")]
    File(#[from] FileError),
    /// A line of the file is no position.
    #[error("bench: {path}, line {line}: {source}")]
    Position {
        path: String,
        /// From 1.
        line: usize,
        source: EpdError,
    },
}

impl Request {
    /// Reads what stands after `bench`.
    ///
    /// # Errors
    /// [`CommandError::Bench`] names the operand that is wrong.
    pub(crate) fn parse(text: &str) -> Result<Request, CommandError> {
        let mut words = text.split_whitespace();
        let mut request = Request::default();
        let number = |word: &str| {
            let wrong = || CommandError::Bench { found: quote(word) };
            word.parse::<i32>()
                .ok()
                .filter(|&number| number > 0)
                .ok_or_else(wrong)
        };
        request.hash = words.next().map(number).transpose()?;
        request.threads = words.next().map(number).transpose()?;
        request.limit = words
            .next()
            .map(number)
            .transpose()?
            .map(i64::from)
            .map(i64::unsigned_abs);
        request.file = words.next().map(str::to_owned);
        if let Some(word) = words.next() {
            let kind = <Kind as clap::ValueEnum>::from_str(word, false);
            request.kind = Some(kind.map_err(|_| CommandError::Bench { found: quote(word) })?);
        }
        Ok(request)
    }

    /// The config of the engine that is measured.
    pub(crate) fn config(&self, config: &Config) -> Config {
        let mut config = config.clone();
        config.engine.hash = self.hash.unwrap_or(config.engine.hash);
        config.engine.threads = self.threads.unwrap_or(1);
        config
    }

    fn limits(&self) -> Limits {
        let kind = self.kind.unwrap_or_default();
        let limit = self.limit.unwrap_or(u64::from(bench::DEPTH));
        Limits {
            depth: (kind == Kind::Depth).then(|| u32::try_from(limit).unwrap_or(u32::MAX)),
            nodes: (kind == Kind::Nodes).then_some(limit),
            movetime: (kind == Kind::Movetime).then(|| Duration::from_millis(limit)),
            ..Limits::default()
        }
    }

    fn positions(&self, current: &Position) -> Result<Vec<Position>, BenchError> {
        match self.file.as_deref() {
            None | Some("default") => Ok(bench::positions()),
            Some("current") => Ok(vec![current.clone()]),
            Some(path) => read(path),
        }
    }
}

/// The positions of a file with a FEN or EPD a line.
fn read(path: &str) -> Result<Vec<Position>, BenchError> {
    let text = files::read_text(path.as_ref(), MAX_BYTES)?;
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(index, line)| {
            let epd = Epd::parse(line).map_err(|source| BenchError::Position {
                path: path.to_owned(),
                line: index + 1,
                source,
            })?;
            Ok(epd.position)
        })
        .collect()
}

/// Measures with an engine of [`Request::config`] and prints what it took. `begin` is called before
/// each position, arms the engine's signals and says whether to go on. The last line is the one that
/// testing tools read.
///
/// # Errors
/// [`BenchError`] if the positions cannot be had.
pub(crate) fn run(
    request: &Request,
    engine: &mut Engine,
    current: &Position,
    begin: &dyn Fn() -> bool,
    output: &Output,
) -> Result<(), BenchError> {
    let positions = request.positions(current)?;
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for (index, position) in positions.iter().enumerate() {
        if !begin() {
            output.note("bench was stopped");
            break;
        }
        engine.new_game();
        let start = Instant::now();
        let (count, what) = measure(request, engine, position);
        time += start.elapsed();
        nodes += count;
        let number = index + 1;
        output.line(format_args!(
            "position {number}/{}: {what}",
            positions.len()
        ));
    }
    let network = engine
        .network()
        .map(|network| format!(", network {:016x}", network.hash()));
    output.line(format_args!(
        "config {:016x}{}\nTotal time (ms) : {}\nNodes searched  : {nodes}\nNodes/second    : {speed}\n\
         {nodes} nodes {speed} nps",
        engine.config().hash(),
        network.unwrap_or_default(),
        time.as_millis(),
        speed = per_second(nodes, time)
    ));
    Ok(())
}

/// What one position takes: nodes, and what to say of it.
fn measure(request: &Request, engine: &mut Engine, position: &Position) -> (u64, String) {
    let nodes = match request.kind.unwrap_or_default() {
        Kind::Depth | Kind::Nodes | Kind::Movetime => {
            let game = Game::new(position.clone());
            engine.go(&game, &request.limits(), 1, &mut |_| ()).nodes
        }
        Kind::Perft => {
            let depth = request.limit.unwrap_or(PERFT_DEPTH).min(MAX_PERFT.into());
            perft(position, depth as u32)
        }
        Kind::Eval => {
            return (
                0,
                format!(
                    "{} cp for the side to move",
                    engine.evaluate(position).raw()
                ),
            );
        }
    };
    (nodes, format!("{nodes} nodes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_are_read_in_the_order_of_other_engines() {
        let parse = |text| Request::parse(text).unwrap();
        assert_eq!(parse(""), Request::default());
        let all = parse("128 2 5000 some.epd nodes");
        assert_eq!(
            (all.hash, all.threads, all.limit),
            (Some(128), Some(2), Some(5000))
        );
        assert_eq!(all.file.as_deref(), Some("some.epd"));
        assert_eq!(all.limits().nodes, Some(5000));
        assert_eq!(parse("16 1 7").limits().depth, Some(7));
        for text in [
            "0",
            "x",
            "-3",
            "16 1 99999999999999999999",
            "16 1 7 default plies",
        ] {
            assert!(Request::parse(text).is_err(), "{text}");
        }
    }
}
