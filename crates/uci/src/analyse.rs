//! `sextant analyse`: a position, searched and shown to a person or, with `--json`, to a program.

mod explain;
mod lines;
mod source;
mod stats;
mod why;

use std::{path::PathBuf, time::Duration};

use serde_json::{Map, Value, json};
use sextant_board::{Move, MoveSets, Position, Score, display_uci_move, replay, to_fen, to_san};
use sextant_cli::{amount, files, signals};
use sextant_search::{Engine, Event, Game, Info, Limits, Outcome, Stats, per_second, wdl};

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

pub(crate) fn run(args: &Args, settings: Settings, output: &Output) -> Result<(), Failure> {
    let source::Found {
        position: root,
        note,
    } = source::position(&args.fen)?;
    let settings = args.settings(settings)?;
    let asked = args.why.as_deref().map(|text| why::parse(&root, text));
    let asked = asked.transpose()?;
    if let Some(path) = &args.tree {
        if MoveSets::generate(&root).is_empty() {
            let end = position::ending(&root);
            return Err(format!("--tree: this is {end}, and there is no move to search").into());
        }
        files::check_writable(path)?;
        // The page is worth the search, whether somebody reads the lines or not.
        output.outlive_the_reader();
    }
    let chess960 = settings.style.chess960;
    let mut analysis = Analysis {
        args,
        limits: args.limits(),
        multipv: args.multipv.unwrap_or(settings.multipv) as usize,
        game: Game::new(root.clone()),
        engine: resources::engine(settings.config)?,
        asked,
    };
    let notation = Notation {
        uci: args.uci,
        chess960,
    };
    let mut lines = Lines::new(&root, notation);
    if !args.json {
        note.iter().for_each(|note| output.line(note));
        output.line(lines.heading(&analysis.limits));
    }
    let mut report = |event| match event {
        Event::Info(info) if !args.json => {
            lines.line(&info).iter().for_each(|line| output.line(line));
        }
        Event::Note(note) if !args.json => output.line(note),
        Event::Info(_) | Event::Progress(_) | Event::Note(_) => {}
    };
    let (outcome, extras) = analysis.search(&mut report)?;
    if args.json {
        let mut object = outcome_json(&outcome, &root, chess960);
        let extras = extras.into_iter();
        object.extend(extras.map(|(key, value, _)| (key.to_owned(), value)));
        output.line(Value::Object(object));
        return Ok(());
    }
    output.line(lines.best(&outcome));
    for (_, _, text) in extras {
        output.line(format_args!("\n{text}"));
    }
    Ok(())
}

/// What is searched, and with what.
struct Analysis<'a> {
    args: &'a Args,
    limits: Limits,
    multipv: usize,
    game: Game,
    engine: Engine,
    /// The move of --why.
    asked: Option<Move>,
}

impl Analysis<'_> {
    /// Searches until a limit or Ctrl-C; what is shown behind that comes with the outcome.
    fn search(&mut self, report: &mut dyn FnMut(Event)) -> Result<(Outcome, Vec<Extra>), Failure> {
        let args = self.args;
        let Analysis {
            limits,
            game,
            engine,
            ..
        } = self;
        let signals = engine.signals();
        signals.ask(signals::is_interrupted);
        signals.arm(false);
        let mut extras: Vec<Extra> = Vec::new();
        let outcome = if args.stats {
            let engine = engine.observed(Stats::default());
            let (outcome, stats) = engine.go(game, limits, self.multipv, report);
            extras.push(("stats", stats::to_json(&stats), stats::to_text(&stats)));
            outcome
        } else if args.explain {
            let observed = engine.observed(explain::Watcher::default());
            let (outcome, watcher) = observed.go(game, limits, self.multipv, report);
            let (costs, root) = (watcher.costs(engine.config()), game.position());
            let text = explain::to_text(&costs, root);
            extras.push(("explain", explain::to_json(&costs, root), text));
            outcome
        } else if args.why.is_some() || args.tree.is_some() {
            self.watch(report, &mut extras)?
        } else {
            engine.go(game, limits, self.multipv, report)
        };
        if args.bonus {
            extras.push(bonuses(&self.engine, &self.game));
        }
        Ok((outcome, extras))
    }

    /// Searches, keeps the tree, and answers the question of --why unless Ctrl-C came before.
    fn watch(
        &mut self,
        report: &mut dyn FnMut(Event),
        extras: &mut Vec<Extra>,
    ) -> Result<Outcome, Failure> {
        let (game, engine) = (&self.game, &mut self.engine);
        let watched = why::watch(engine, game, &self.limits, self.multipv, report);
        if let Some(path) = &self.args.tree {
            let data = watched.recorder.data(game.position(), engine.config());
            files::write(path, html::page(TREE, &data))?;
            let path = path.display().to_string();
            extras.push(("tree", json!(path), format!("written: {path}")));
        }
        let answer = self
            .asked
            .and_then(|asked| why::answer(engine, game, (&watched, self.limits.depth), asked))
            .filter(|_| !signals::is_interrupted());
        extras.extend(answer.map(|answer| ("why", answer.to_json(), answer.to_text())));
        Ok(watched.outcome)
    }
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
