//! The benchmark: signature and speed, with the operands that Stockfish's has, so that scripts made
//! for one work with the other; and the speed test, with the threads and the table that a user has
//! set.

use std::time::{Duration, Instant};

use clap::Parser as _;
use sextant_board::{Epd, Position, parse_fen};
use sextant_cli::files;
use sextant_config::{Config, clip};
use sextant_search::{Engine, Game, Limits, bench, per_second};

use crate::{error::Failure, go::MAX_PERFT, output::Output, perft};

/// Larger than any file of positions that could be searched.
const MAX_BYTES: u64 = 64 << 20;

/// Depth of a count that no depth was named for.
const PERFT_DEPTH: u64 = 5;

/// Seconds of a speed test that nobody asked otherwise for, and the most.
const DEFAULT_SPEEDTEST: u32 = 10;
pub(crate) const MAX_SPEEDTEST: u32 = 3600;

/// Positions of the speed test, from one game: opening, middlegame and ending in about the share
/// that games have.
const SPEEDTEST: &[&str] = &[
    "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R b KQkq - 2 5",
    "r1b2rk1/ppq1bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 6 10",
    "r2q1rk1/pp2bppp/2n1bn2/3p4/3N4/1PN1P3/PB2BPPP/R2Q1RK1 w - - 3 12",
    "4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19",
    "2r3k1/pp3ppp/2n1b3/3p4/3P4/P1N1B3/1P3PPP/4R1K1 w - - 0 22",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

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

#[derive(clap::Parser)]
#[command(no_binary_name = true)]
struct Operands {
    #[command(flatten)]
    request: Request,
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

impl Request {
    /// Reads what stands after `bench`.
    pub(crate) fn parse(text: &str) -> Result<Request, String> {
        // Old scripts name a sixth one, the evaluation.
        let words = text.split_whitespace().take(5);
        let operands = Operands::try_parse_from(words);
        operands.map(|operands| operands.request).map_err(|_| {
            format!(
                "bench: {:?} does not fit the form `bench [HASH] [THREADS] [LIMIT] [FILE] \
                 [depth|nodes|movetime|perft|eval]`; numbers are 1 or more",
                clip(text)
            )
        })
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

    fn positions(&self, current: &Position) -> Result<Vec<Position>, Failure> {
        match self.file.as_deref() {
            None | Some("default") => Ok(bench::positions()),
            Some("current") => Ok(vec![current.clone()]),
            Some(path) => read(path),
        }
    }

    /// What one position takes: nodes, and what to say of it.
    fn measure(&self, engine: &mut Engine, position: &Position) -> (u64, String) {
        let nodes = match self.kind.unwrap_or_default() {
            Kind::Depth | Kind::Nodes | Kind::Movetime => {
                let game = Game::new(position.clone());
                engine.go(&game, &self.limits(), 1, &mut |_| ()).nodes
            }
            Kind::Perft => {
                let depth = self.limit.unwrap_or(PERFT_DEPTH).min(MAX_PERFT.into());
                let signals = engine.signals();
                let counted = perft::count(position, depth as u32, &|| signals.is_stopped());
                counted.unwrap_or_default()
            }
            Kind::Eval => {
                let score = engine.evaluate(position).raw();
                return (0, format!("{score} cp for the side to move"));
            }
        };
        (nodes, format!("{nodes} nodes"))
    }
}

/// The positions of a file with a FEN or EPD a line.
fn read(path: &str) -> Result<Vec<Position>, Failure> {
    let text = files::read_positions(path.as_ref(), MAX_BYTES)
        .map_err(|error| format!("bench: {error}"))?;
    let mut positions = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if !line.trim().is_empty() {
            let epd = Epd::parse(line);
            let epd = epd.map_err(|error| format!("bench: {path}, line {number}: {error}"))?;
            positions.push(epd.position);
        }
    }
    Ok(positions)
}

/// Measures with an engine of [`Request::config`] and prints what it took; `begin` as in [`each`].
/// The last line is the one that testing tools read.
pub(crate) fn run(
    request: &Request,
    engine: &mut Engine,
    current: &Position,
    begin: &dyn Fn() -> bool,
    output: &Output,
) -> Result<(), Failure> {
    let positions = request.positions(current)?;
    let (nodes, time) = each("bench", &positions, begin, output, |position| {
        engine.new_game();
        let start = Instant::now();
        let (nodes, what) = request.measure(engine, position);
        (nodes, start.elapsed(), what)
    });
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

/// Measures one position after the other and prints what each took; all nodes and the time. `begin`
/// is called before each, arms the engine's signals and says whether to go on.
fn each(
    name: &str,
    positions: &[Position],
    begin: &dyn Fn() -> bool,
    output: &Output,
    mut measure: impl FnMut(&Position) -> (u64, Duration, String),
) -> (u64, Duration) {
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for (number, position) in (1..).zip(positions) {
        if !begin() {
            output.note(format_args!("{name} was stopped"));
            break;
        }
        let (more, took, what) = measure(position);
        nodes += more;
        time += took;
        output.line(format_args!(
            "position {number}/{}: {what}",
            positions.len()
        ));
    }
    (nodes, time)
}

/// Searches each position of the speed test for its share of the time and prints the speed; `begin`
/// as in [`each`].
pub(crate) fn speedtest(
    engine: &mut Engine,
    seconds: Option<u32>,
    begin: &dyn Fn() -> bool,
    output: &Output,
) {
    let seconds = Duration::from_secs(seconds.unwrap_or(DEFAULT_SPEEDTEST).into());
    let limits = Limits {
        movetime: Some(seconds / SPEEDTEST.len() as u32),
        ..Limits::default()
    };
    engine.new_game();
    let positions = SPEEDTEST.iter().filter_map(|fen| parse_fen(fen).ok());
    let positions: Vec<_> = positions.collect();
    let (nodes, time) = each("speedtest", &positions, begin, output, |position| {
        let outcome = engine.go(&Game::new(position.clone()), &limits, 1, &mut |_| ());
        let (nodes, time) = (outcome.nodes, outcome.time);
        let (depth, speed) = (outcome.depth(), per_second(nodes, time));
        let what = format!("depth {depth}, {nodes} nodes, {speed} nps");
        (nodes, time, what)
    });
    let config = engine.config();
    output.line(format_args!(
        "threads {}, hash {} MB, {} ms\n{nodes} nodes {} nps",
        config.engine.threads,
        config.engine.hash,
        time.as_millis(),
        per_second(nodes, time)
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_are_read_in_the_order_of_other_engines() {
        let parse = |text| Request::parse(text).unwrap();
        assert_eq!(parse(""), Request::default());
        let all = parse("128 2 5000 some.epd nodes");
        assert_eq!((all.hash, all.threads), (Some(128), Some(2)));
        assert_eq!(all.file.as_deref(), Some("some.epd"));
        assert_eq!(all.limits().nodes, Some(5000));
        assert_eq!(parse("16 1 7 default depth mixed").limits().depth, Some(7));
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
