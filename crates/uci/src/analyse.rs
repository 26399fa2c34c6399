//! `sextant analyse`: a position, searched and shown to a person or, with `--json`, to a program.

mod explain;
mod stats;

use std::time::Duration;

use serde_json::{Map, Value, json};
use sextant_board::{Position, to_fen, to_san};
use sextant_search::{Bound, Event, Game, Info, Limits, Outcome, wdl};

use crate::{
    error::Failure,
    format::{self, per_second, replay},
    options::Settings,
    output::Output,
    position, tables, text,
};

/// Time of an analysis that no limit was named for.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The position, in quotation marks; `startpos` is the initial one.
    fen: String,
    #[command(flatten)]
    limits: LimitArgs,
    /// Show this many lines.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    multipv: Option<u16>,
    /// Count what the search does (one thread).
    #[arg(long)]
    stats: bool,
    /// Show what each root move costs: category, price, reduction and budgets (one thread).
    #[arg(long, conflicts_with = "stats")]
    explain: bool,
    /// Show the bonus that the config gives to each root move.
    #[arg(long)]
    bonus: bool,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// Limits of a search, as arguments.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct LimitArgs {
    /// Plies.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,
    /// Nodes.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,
    /// Milliseconds.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) movetime: Option<u64>,
}

impl LimitArgs {
    /// The limits; `None` if there are none.
    pub(crate) fn limits(&self) -> Option<Limits> {
        if self.depth.is_none() && self.nodes.is_none() && self.movetime.is_none() {
            return None;
        }
        Some(Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.movetime.map(Duration::from_millis),
            ..Limits::default()
        })
    }
}

pub(crate) fn run(args: &Args, settings: Settings, output: &Output) -> Result<(), Failure> {
    let root = position::of(Some(&args.fen))?;
    let game = Game::new(root.clone());
    let chess960 = settings.style.chess960;
    let multipv = args.multipv.map_or(settings.multipv, usize::from);
    let default = || Limits {
        movetime: Some(DEFAULT_TIME),
        ..Limits::default()
    };
    let limits = args.limits.limits().unwrap_or_else(default);
    let mut engine = tables::engine(settings.config)?;
    if !args.json {
        output.line(text::describe(&root, chess960));
    }
    let mut report = |event| match event {
        Event::Info(info) if !args.json && info.bound == Bound::Exact => {
            output.line(line_text(&info, &root));
        }
        Event::Note(note) if !args.json => output.line(note),
        Event::Info(_) | Event::Progress(_) | Event::Note(_) => {}
    };
    engine.signals().arm(false);
    let mut extras: Vec<(&str, Value, String)> = Vec::new();
    let outcome = if args.stats {
        let (outcome, stats) = engine.observed(sextant_search::Stats::default()).go(
            &game,
            &limits,
            multipv,
            &mut report,
        );
        extras.push(("stats", stats::to_json(&stats), stats::to_text(&stats)));
        outcome
    } else if args.explain {
        let watcher = explain::Watcher::default();
        let (outcome, watcher) = engine
            .observed(watcher)
            .go(&game, &limits, multipv, &mut report);
        let costs = watcher.costs(engine.config());
        let text = explain::to_text(&costs, &root);
        extras.push(("explain", explain::to_json(&costs, &root), text));
        outcome
    } else {
        engine.go(&game, &limits, multipv, &mut report)
    };
    if args.bonus {
        let bonuses = engine.root_bonuses(&game);
        let text: Vec<String> = bonuses
            .iter()
            .map(|(mv, bonus)| format!("{:>8} {bonus:+} cp", to_san(&root, *mv)))
            .collect();
        let json = bonuses
            .iter()
            .map(|(mv, bonus)| (to_san(&root, *mv), json!(bonus)));
        extras.push((
            "bonus",
            Value::Object(json.collect()),
            format!("Root bonuses\n{}", text.join("\n")),
        ));
    }
    if args.json {
        let mut object = outcome_json(&outcome, &root, chess960);
        object.extend(
            extras
                .into_iter()
                .map(|(key, value, _)| (key.to_owned(), value)),
        );
        output.line(Value::Object(object));
    } else {
        let best = outcome
            .best
            .map_or("none".to_owned(), |mv| to_san(&root, mv));
        output.line(format_args!("Best move: {best}"));
        for (_, _, text) in extras {
            output.line(format_args!("\n{text}"));
        }
    }
    Ok(())
}

/// A line of the search in algebraic notation.
fn line_text(info: &Info, root: &Position) -> String {
    let score = match info.score.mate_in() {
        Some(moves) => format!("mate {moves}"),
        None => format!("{:+.2}", f64::from(info.score.raw()) / 100.0),
    };
    let moves = san(root, info).join(" ");
    format!(
        "{:>3}/{:<3} {score:>8} {:>11} nodes {:>7.2} s  {moves}",
        info.depth,
        info.seldepth,
        info.totals.nodes,
        info.totals.time.as_secs_f64()
    )
}

fn san(root: &Position, info: &Info) -> Vec<String> {
    replay(root, &info.pv)
        .map(|(position, mv)| to_san(&position, mv))
        .collect()
}

fn outcome_json(outcome: &Outcome, root: &Position, chess960: bool) -> Map<String, Value> {
    let mut object = Map::new();
    let uci = |line: &[sextant_board::Move]| -> Vec<String> {
        let moves = replay(root, line);
        moves
            .map(|(p, mv)| sextant_board::display_uci_move(&p, mv, chess960).to_string())
            .collect()
    };
    let lines: Vec<Value> = outcome
        .lines
        .iter()
        .map(|info| {
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
        })
        .collect();
    let best = outcome.best.map(|mv| vec![mv]).unwrap_or_default();
    object.insert("fen".into(), json!(to_fen(root, chess960)));
    object.insert("bestmove".into(), json!(uci(&best).first()));
    object.insert("nodes".into(), json!(outcome.nodes));
    object.insert("time_ms".into(), json!(outcome.time.as_millis() as u64));
    object.insert("nps".into(), json!(per_second(outcome.nodes, outcome.time)));
    object.insert("score".into(), json!(format::score(outcome.score())));
    object.insert("lines".into(), Value::Array(lines));
    object
}
