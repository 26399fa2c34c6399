//! `sextant annotate`: games in PGN with evaluations, marks, better lines and an accuracy for each
//! side.

mod judge;
mod page;
mod trees;
mod work;

use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
    time::Duration,
};

use sextant_board::{PgnError, PgnGame, PgnReader, decode_pgn};
use sextant_cli::{
    amount,
    failure::Failure,
    files::{self, FileError},
    output::{counted, note, print},
    signals,
};
use sextant_search::Limits;

use self::{judge::Judged, trees::Trees};
use crate::options::Settings;

/// Nodes for each position when no limit is named.
const DEFAULT_NODES: u64 = 200_000;
/// Larger than any collection that could be annotated.
const LARGEST: u64 = 1 << 30;

/// Annotate games: `sextant annotate games.pgn` writes `games.annotated.pgn`.
///
/// Every position is searched as in a new game, so that the same command writes the same file,
/// however often it was interrupted. Ctrl-C stops it, and the same command goes on from there.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  sextant annotate games.pgn --skip 8 --html games.html")]
pub(crate) struct Args {
    /// Games in PGN, whoever wrote them.
    file: PathBuf,
    /// Where the annotated games go [default: FILE.annotated.pgn beside FILE.pgn].
    #[arg(long)]
    out: Option<PathBuf>,
    /// Also write a page with board, graph, moves and the search trees of the worst moves, which a
    /// browser opens without a network.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Leave the first MOVES moves of each side alone: opening theory.
    #[arg(long, value_name = "MOVES", default_value_t = 0)]
    skip: u16,
    /// Plies for each position.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Nodes for each position, such as 500k or 1M [default: 200k, if no other limit is named].
    #[arg(long, value_parser = amount::count)]
    nodes: Option<u64>,
    /// Time for each position, such as 2s; a number alone is milliseconds.
    #[arg(long, value_name = "TIME", value_parser = amount::time_or_ms)]
    movetime: Option<Duration>,
    /// Positions searched at the same time, each with one thread.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Table of each of these searches in MB [default: the config's].
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(i32).range(1..=65_536))]
    hash: Option<i32>,
}

impl Args {
    fn limits(&self) -> Limits {
        let has_limit = self.depth.is_some() || self.movetime.is_some();
        Limits {
            depth: self.depth,
            nodes: self.nodes.or((!has_limit).then_some(DEFAULT_NODES)),
            movetime: self.movetime,
            ..Limits::default()
        }
    }

    fn out(&self) -> PathBuf {
        let beside = || self.file.with_extension("annotated.pgn");
        self.out.clone().unwrap_or_else(beside)
    }
}

pub(crate) fn run(args: &Args, settings: Settings) -> Result<(), Failure> {
    let bytes = files::read(&args.file, LARGEST)?;
    let (games, broken) = read(&bytes);
    let name = args.file.display();
    for error in &broken {
        note(format_args!("{name}: {error}; the game is left out"));
    }
    if games.is_empty() {
        let found = match broken.len() as u64 {
            0 => "no game".to_owned(),
            count => format!("{} and no other", counted(count, "broken game")),
        };
        let advice = "a game is tags such as [White \"A\"] and moves such as 1. e4 e5";
        return Err(Failure::usage(format!("{name} holds {found}: {advice}")));
    }
    let out = args.out();
    if args
        .html
        .as_ref()
        .is_some_and(|html| files::is_same(html, &out))
    {
        return Err(Failure::usage("--html and --out name the same file"));
    }
    for path in [Some(&out), args.html.as_ref()].into_iter().flatten() {
        refuse_existing(path)?;
    }
    let setup = work::setup(args, settings.config)?;
    let found = work::evaluate(args, &bytes, &games, &setup)?;
    let mut evaluations = found.iter();
    let judged: Vec<_> = games
        .into_iter()
        .map(|game| Judged::new(game, usize::from(args.skip), &mut evaluations))
        .collect();
    let page = args.html.as_ref().map(|html| {
        let trees = Trees::search(args, &judged, &setup)?;
        Ok::<_, Failure>((html, page::html(&judged, &trees)))
    });
    let page = page.transpose()?;
    let texts: Vec<_> = judged.iter().map(Judged::to_text).collect();
    files::write(&out, texts.join("\n"))?;
    if let Some((html, page)) = page {
        files::write(html, page)?;
    }
    work::forget(&out);
    for game in &judged {
        print(format_args!("{}\n", game.summary()))?;
    }
    print(format_args!("written: {}\n", out.display()))?;
    match broken.len() as u64 {
        0 => Ok(()),
        count => Err(Failure::work(format!(
            "{name}: {} could not be read and {} not in {}; mend what is named above and annotate \
             again",
            counted(count, "game"),
            if count == 1 { "is" } else { "are" },
            out.display()
        ))),
    }
}

/// The games with their numbers in the file, and what is wrong with those that cannot be read.
fn read(bytes: &[u8]) -> (Vec<(u64, PgnGame)>, Vec<PgnError>) {
    let text = decode_pgn(bytes);
    let mut reader = PgnReader::new(&text);
    let (mut games, mut broken) = (Vec::new(), Vec::new());
    loop {
        match reader.next_game() {
            Ok(Some(game)) => games.push((reader.number(), game)),
            Ok(None) => return (games, broken),
            Err(error) => broken.push(error),
        }
    }
}

/// What is there may be somebody's work.
fn refuse_existing(path: &Path) -> Result<(), Failure> {
    if path.is_file() {
        let message = "it is there already; name another file or remove it";
        let error = std::io::Error::new(ErrorKind::AlreadyExists, message);
        return Err(FileError::of("write", path)(error).into());
    }
    Ok(files::check_writable(path)?)
}

/// What to say to a person who interrupted.
fn interrupted(done: usize, total: usize, what: &str) -> Result<(), Failure> {
    if !signals::is_interrupted() {
        return Ok(());
    }
    Err(Failure::interrupted(format!(
        "stopped after {done} of {total} {what}; the same command goes on from here"
    )))
}
