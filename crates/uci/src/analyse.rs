//! `sextant analyse`: a position, searched and shown to a person or, with `--json`, to a program.

mod explain;
mod page;
mod stats;
mod tree;
mod why;

use std::{path::PathBuf, time::Duration};

use serde_json::{Map, Value, json};
use sextant_board::{Move, Position, Score, display_uci_move, to_fen, to_san};
use sextant_cli::files;
use sextant_config::Config;
use sextant_search::{
    Bound, Engine, Event, Game, Info, Limits, Outcome, Stats,
    budget::{Category, Depth, Price},
    wdl,
};

use crate::{
    error::Failure,
    format::{self, per_second, replay},
    options::Settings,
    output::Output,
    position, resources,
};

/// Time of an analysis that no limit was named for.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The position, in quotation marks; `startpos` is the initial one.
    fen: String,
    /// Plies.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Nodes.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    movetime: Option<u64>,
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
            movetime: self.movetime.map(Duration::from_millis).or(default),
            ..Limits::default()
        }
    }
}

pub(crate) fn run(args: &Args, settings: Settings, output: &Output) -> Result<(), Failure> {
    let root = position::of(Some(&args.fen))?;
    let game = Game::new(root.clone());
    let asked = args.why.as_deref().map(|text| why::parse(&root, text));
    let asked = asked.transpose()?;
    args.tree
        .as_deref()
        .map(files::check_writable)
        .transpose()?;
    let chess960 = settings.style.chess960;
    let mut engine = resources::engine(settings.config)?;
    if !args.json {
        output.line(position::describe(&root, chess960));
    }
    let mut report = |event| match event {
        Event::Info(info) if !args.json && info.bound == Bound::Exact => {
            output.line(line_text(&info, &root));
        }
        Event::Note(note) if !args.json => output.line(note),
        Event::Info(_) | Event::Progress(_) | Event::Note(_) => {}
    };
    engine.signals().arm(false);
    let limits = args.limits();
    let multipv = args.multipv.unwrap_or(settings.multipv) as usize;
    let mut extras: Vec<Extra> = Vec::new();
    let outcome = if args.stats {
        let engine = engine.observed(Stats::default());
        let (outcome, stats) = engine.go(&game, &limits, multipv, &mut report);
        extras.push(("stats", stats::to_json(&stats), stats::to_text(&stats)));
        outcome
    } else if args.explain {
        let observed = engine.observed(explain::Watcher::default());
        let (outcome, watcher) = observed.go(&game, &limits, multipv, &mut report);
        let costs = watcher.costs(engine.config());
        let text = explain::to_text(&costs, &root);
        extras.push(("explain", explain::to_json(&costs, &root), text));
        outcome
    } else if args.why.is_some() || args.tree.is_some() {
        let watched = why::watch(&mut engine, &game, &limits, multipv, &mut report);
        let categories = has_categories(engine.config());
        if let Some(path) = &args.tree {
            files::write(path, page::html(&watched.recorder, &root, categories))?;
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
        engine.go(&game, &limits, multipv, &mut report)
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
    let best = outcome.best.map(|mv| to_san(&root, mv));
    output.line(format_args!(
        "Best move: {}",
        best.as_deref().unwrap_or("none")
    ));
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

/// A line of the search in algebraic notation.
fn line_text(info: &Info, root: &Position) -> String {
    let score = score_text(info.score);
    let moves = san(root, info).join(" ");
    format!(
        "{:>3}/{:<3} {score:>8} {:>11} nodes {:>7.2} s  {moves}",
        info.depth,
        info.seldepth,
        info.totals.nodes,
        info.totals.time.as_secs_f64()
    )
}

/// Pawns with a sign, or a mate in so many moves.
fn score_text(score: Score) -> String {
    match score.mate_in() {
        Some(moves) => format!("mate {moves}"),
        None => format!("{:+.2}", f64::from(score.raw()) / 100.0),
    }
}

/// From sixteenths, in which budgets and prices are counted.
fn sx(sixteenths: i32) -> f64 {
    f64::from(sixteenths) / stats::SX
}

/// Does the config price moves by category? If all cost the same none is looked up.
fn has_categories(config: &Config) -> bool {
    let nominal = Price::NOMINAL.raw();
    let mut categories = Category::ALL.iter();
    categories.any(|category| category.weight(&config.extensions) != nominal)
}

fn plies(depth: Depth) -> f64 {
    f64::from(depth.raw()) / stats::PLY
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
