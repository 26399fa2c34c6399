//! `sextant analyse`: a position, searched and shown to a person or, with `--json`, to a program.

mod explain;
mod lines;
mod source;
mod stats;
mod why;

use std::{
    path::PathBuf,
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::Duration,
};

use serde_json::{Map, Value, json};
use sextant_board::{Move, MoveSets, Position, Score, display_uci_move, replay, to_fen, to_san};
use sextant_cli::{amount, files, signals};
use sextant_search::{Engine, Event, Game, Info, Limits, Outcome, Signals, Stats, per_second, wdl};

use self::lines::{Lines, Notation};
use crate::{
    error::Failure,
    format,
    html::{self, TREE},
    options::Settings,
    output::Output,
    position, resources,
};

/// Time of an analysis that no limit was named for.
const DEFAULT_TIME: Duration = Duration::from_secs(10);
/// How often Ctrl-C is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(20);

const EXAMPLES: &str = "\
Examples:
  sextant analyze startpos                       ten seconds, or until Ctrl-C
  sextant analyze r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4 --nodes 1M
  sextant analyze game.pgn --movetime 1m30 --multipv 3 --threads 4
  pbpaste | sextant analyze - --depth 20 --json";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The position: startpos, a FEN (quotation marks may be left out), - to read it from standard
    /// input, or a file of FENs or PGN (the last position of the last game).
    #[arg(required = true, num_args = 1.., value_name = "FEN|FILE|-")]
    fen: Vec<String>,
    /// Plies.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Nodes, such as 500k or 1M.
    #[arg(long, value_parser = amount::count)]
    nodes: Option<u64>,
    /// Time, such as 2s or 1m30; a number alone is milliseconds [default without a limit: 10s].
    #[arg(long, value_name = "TIME", value_parser = amount::time_or_ms)]
    movetime: Option<Duration>,
    /// Search threads [default: those of the config].
    #[arg(long, value_parser = clap::value_parser!(i32).range(1..=1024))]
    threads: Option<i32>,
    /// Transposition table in MB [default: that of the config].
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(i32).range(1..))]
    hash: Option<i32>,
    /// Show moves as g1f3, not as Nf3.
    #[arg(long)]
    uci: bool,
    /// Show this many lines.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=256))]
    multipv: Option<u64>,
    /// Count what the search does (one thread).
    #[arg(long)]
    stats: bool,
    /// Show what each root move costs: category, price, reduction and budgets (one thread).
    #[arg(long, conflicts_with = "stats")]
    explain: bool,
    /// Say in sentences why the engine plays MOVE (Nf3 or g1f3), or why not: three searches, one of
    /// all moves and one of each of two moves alone, with as many nodes.
    #[arg(long, value_name = "MOVE", conflicts_with_all = ["stats", "explain"])]
    why: Option<String>,
    /// Write the search as a tree to walk through, to a page that opens offline (one thread).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["stats", "explain"])]
    tree: Option<PathBuf>,
    /// Show the bonus that the config gives to each root move.
    #[arg(long)]
    bonus: bool,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// Something that is shown behind the search, by its name in JSON.
type Extra = (&'static str, Value, String);

impl Args {
    fn limits(&self) -> Limits {
        let has_limit = self.depth.is_some() || self.nodes.is_some();
        let default = (!has_limit).then_some(DEFAULT_TIME);
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.movetime.or(default),
            ..Limits::default()
        }
    }

    /// The settings with what has an argument of its own.
    fn settings(&self, mut settings: Settings) -> Result<Settings, Failure> {
        for (name, value) in [("Threads", self.threads), ("Hash", self.hash)] {
            if let Some(value) = value {
                settings = settings.with(name, Some(&value.to_string()))?;
            }
        }
        Ok(settings)
    }
}

/// Does the work, and stops the search that it does when Ctrl-C is pressed.
fn until_interrupted<T>(signals: &Signals, work: impl FnOnce() -> T) -> T {
    let (done, ended) = mpsc::channel::<()>();
    signals::flag();
    thread::scope(|scope| {
        scope.spawn(move || {
            while ended.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Timeout) {
                if signals::is_interrupted() {
                    return signals.stop();
                }
            }
        });
        let result = work();
        drop(done);
        result
    })
}

pub(crate) fn run(args: &Args, settings: Settings, output: &Output) -> Result<(), Failure> {
    let source::Found {
        position: root,
        note,
    } = source::position(&args.fen)?;
    let settings = args.settings(settings)?;
    let game = Game::new(root.clone());
    let asked = args.why.as_deref().map(|text| why::parse(&root, text));
    let asked = asked.transpose()?;
    if args.tree.is_some() && MoveSets::generate(&root).is_empty() {
        let end = position::ending(&root);
        return Err(format!("--tree: this is {end}, and there is no move to search").into());
    }
    args.tree
        .as_deref()
        .map(files::check_writable)
        .transpose()?;
    let chess960 = settings.style.chess960;
    let mut engine = resources::engine(settings.config)?;
    let limits = args.limits();
    let notation = Notation {
        uci: args.uci,
        chess960,
    };
    let mut lines = Lines::new(&root, notation);
    if !args.json {
        note.iter().for_each(|note| output.line(note));
        output.line(lines.heading(&limits));
    }
    let mut report = |event| match event {
        Event::Info(info) if !args.json => {
            lines.line(&info).iter().for_each(|line| output.line(line));
        }
        Event::Note(note) if !args.json => output.line(note),
        Event::Info(_) | Event::Progress(_) | Event::Note(_) => {}
    };
    let signals = engine.signals();
    signals.arm(false);
    let multipv = args.multipv.unwrap_or(settings.multipv) as usize;
    let mut extras: Vec<Extra> = Vec::new();
    let outcome = if args.stats {
        let engine = engine.observed(Stats::default());
        let search = || engine.go(&game, &limits, multipv, &mut report);
        let (outcome, stats) = until_interrupted(&signals, search);
        extras.push(("stats", stats::to_json(&stats), stats::to_text(&stats)));
        outcome
    } else if args.explain {
        let observed = engine.observed(explain::Watcher::default());
        let search = || observed.go(&game, &limits, multipv, &mut report);
        let (outcome, watcher) = until_interrupted(&signals, search);
        let costs = watcher.costs(engine.config());
        let text = explain::to_text(&costs, &root);
        extras.push(("explain", explain::to_json(&costs, &root), text));
        outcome
    } else if args.why.is_some() || args.tree.is_some() {
        let watch = || why::watch(&mut engine, &game, &limits, multipv, &mut report);
        let watched = until_interrupted(&signals, watch);
        if let Some(path) = &args.tree {
            let data = watched.recorder.data(&root, engine.config());
            files::write(path, html::page(TREE, &data))?;
            let path = path.display().to_string();
            extras.push(("tree", json!(path), format!("written: {path}")));
        }
        let answer = asked.and_then(|asked| {
            let free = (&watched, &limits);
            why::answer(&mut engine, &game, free, asked)
        });
        extras.extend(answer.map(|answer| ("why", answer.to_json(), answer.to_text())));
        watched.outcome
    } else {
        let search = || engine.go(&game, &limits, multipv, &mut report);
        until_interrupted(&signals, search)
    };
    if args.bonus {
        extras.push(bonuses(&engine, &game));
    }
    if args.json {
        let mut object = outcome_json(&outcome, &root, chess960);
        object.extend(
            extras
                .into_iter()
                .map(|(key, value, _)| (key.to_owned(), value)),
        );
        output.line(Value::Object(object));
        return Ok(());
    }
    output.line(lines.best(&outcome));
    for (_, _, text) in extras {
        output.line(format_args!("\n{text}"));
    }
    Ok(())
}

fn bonuses(engine: &Engine, game: &Game) -> Extra {
    let mut text = "Root bonuses".to_owned();
    let mut json = Map::new();
    for (mv, bonus) in engine.root_bonuses(game) {
        let mv = to_san(game.position(), mv);
        text += &format!("\n{mv:>8} {bonus:+} cp");
        json.insert(mv, json!(bonus));
    }
    ("bonus", Value::Object(json), text)
}

/// Pawns with a sign, a mate in so many moves, or what the endgame tables say.
fn score_text(score: Score) -> String {
    match score.mate_in() {
        Some(moves) => format!("mate {moves}"),
        None if score.is_win() => "won by the tables".to_owned(),
        None if score.is_loss() => "lost by the tables".to_owned(),
        None => format!("{:+.2}", f64::from(score.raw()) / 100.0),
    }
}

fn san(root: &Position, info: &Info) -> Vec<String> {
    let moves = replay(root, &info.pv);
    moves.map(|(position, mv)| to_san(&position, mv)).collect()
}

fn outcome_json(outcome: &Outcome, root: &Position, chess960: bool) -> Map<String, Value> {
    let uci = |line: &[Move]| -> Vec<String> {
        let moves = replay(root, line);
        let texts = moves.map(|(before, mv)| display_uci_move(&before, mv, chess960).to_string());
        texts.collect()
    };
    let lines = outcome.lines.iter().map(|info| {
        let score = match info.score.mate_in() {
            Some(moves) => json!({ "mate": moves }),
            None => json!({ "cp": info.score.raw() }),
        };
        json!({
            "multipv": info.multipv,
            "depth": info.depth,
            "seldepth": info.seldepth,
            "score": score,
            "wdl": wdl(info.score, root),
            "pv": uci(&info.pv),
            "san": san(root, info),
        })
    });
    let fields = [
        ("fen", json!(to_fen(root, chess960))),
        ("bestmove", json!(uci(outcome.best.as_slice()).first())),
        ("nodes", json!(outcome.nodes)),
        ("time_ms", json!(outcome.time.as_millis() as u64)),
        ("nps", json!(per_second(outcome.nodes, outcome.time))),
        ("score", json!(format::score(outcome.score()))),
        ("lines", lines.collect()),
    ];
    fields
        .map(|(key, value)| (key.to_owned(), value))
        .into_iter()
        .collect()
}
