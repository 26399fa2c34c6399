//! The result of a match, as text and as JSON.

use std::{env, ffi::OsStr, path::PathBuf, time::Duration};

use serde_json::{Map, Value, json};
use sextant_play::{Effort, Ending, Pentanomial, Plan, Sprt, SprtModel, SprtResult, Tally};
use sextant_search::Limits;

use super::{
    arguments::{Args, NamedSetup, Players},
    state::MatchState,
};

/// Differences between the configs that the text lists.
const MOST_DIFFERENCES: usize = 12;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    AllPlayed,
    Decided(SprtResult),
    NoMoreOpenings,
    TimeIsUp,
    Interrupted,
    Failed,
    /// It goes on.
    NotYet,
}

pub(super) struct Summary<'a> {
    args: &'a Args,
    players: &'a Players,
    plan: &'a Plan,
    limits: &'a Limits,
    tally: &'a Tally,
    time: Duration,
    end: End,
}

impl End {
    /// How a match ended that `failed`, or that was `stopped` before its end.
    pub(super) fn new(failed: bool, plan: &Plan, tally: &Tally, stopped: Option<End>) -> End {
        let result = plan.sprt.and_then(|sprt| sprt.verdict(&tally.pentanomial));
        let all = plan.pairs.or(plan.openings.count());
        if failed {
            End::Failed
        } else if let Some(result) = result {
            End::Decided(result)
        } else if let Some(stopped) = stopped
            && all.is_none_or(|all| tally.pentanomial.pairs() < all)
        {
            stopped
        } else if plan.pairs.is_some() {
            End::AllPlayed
        } else {
            End::NoMoreOpenings
        }
    }

    pub(super) fn text(self) -> &'static str {
        match self {
            End::AllPlayed => "all games played",
            End::Decided(SprtResult::H0) => "H0 accepted",
            End::Decided(SprtResult::H1) => "H1 accepted",
            End::NoMoreOpenings => "undecided, no openings left",
            End::TimeIsUp => "time is up",
            End::Interrupted => "interrupted",
            End::Failed => "failed",
            End::NotYet => "not yet",
        }
    }
}

impl<'a> Summary<'a> {
    pub(super) fn new(
        (args, players, plan, limits): (&'a Args, &'a Players, &'a Plan, &'a Limits),
        state: &'a MatchState,
        end: End,
    ) -> Summary<'a> {
        Summary {
            args,
            players,
            plan,
            limits,
            tally: state.tally(),
            time: state.time(),
            end,
        }
    }

    pub(super) fn text(&self) -> String {
        table(self.rows())
    }

    fn rows(&self) -> Vec<(&'static str, String)> {
        let tally = self.tally;
        let mut rows = vec![("command", command())];
        for (label, player) in [("A", &self.players.first), ("B", &self.players.second)] {
            let hash = player.config().hash();
            rows.push((label, format!("{} (config {hash:016x})", player.name)));
        }
        let differences = self.players.differences();
        let listed = differences.iter().take(MOST_DIFFERENCES);
        rows.extend(listed.map(|difference| ("A -> B", difference.to_string())));
        if let Some(more @ 1..) = differences.len().checked_sub(MOST_DIFFERENCES) {
            rows.push(("A -> B", format!("and {more} more")));
        }
        rows.push(("conditions", self.conditions()));
        rows.extend(result_rows(self.plan, tally, self.time));
        if !tally.endings.is_empty() {
            rows.push(("endings", endings_text(tally)));
        }
        let efforts = ["A", "B"].into_iter().zip(&tally.efforts);
        let efforts = efforts.filter(|(_, effort)| effort.moves > 0);
        rows.extend(efforts.map(|(label, effort)| (label, effort_text(effort))));
        rows.push(("end", self.end.text().to_owned()));
        rows
    }

    /// What to do after Ctrl-C.
    pub(super) fn interrupted(&self) -> &'static str {
        match self.args.state {
            Some(_) => "interrupted; the same command resumes",
            None => "interrupted (--state FILE would keep the result, and resume from it)",
        }
    }

    fn conditions(&self) -> String {
        let args = self.args;
        let openings = openings_text(args, self.plan);
        let not = if self.is_reproducible() { "" } else { "not " };
        format!(
            "{} a move, Hash {} MB, {openings}, seed {}, concurrency {}, {not}reproducible",
            limits_text(self.limits),
            args.hash,
            args.seed,
            args.concurrency
        )
    }

    /// Does the seed alone decide all games?
    fn is_reproducible(&self) -> bool {
        self.limits.movetime.is_none() && self.players.are_deterministic()
    }

    /// The same as one object. Numbers that do not exist, such as an infinite Elo, are null.
    pub(super) fn json(&self) -> Value {
        let tally = self.tally;
        let player = |one: &NamedSetup, effort: &Effort| {
            json!({
                "name": one.name,
                "config_hash": format!("{:016x}", one.config().hash()),
                "nodes_per_move": effort.nodes_per_move(),
                "depth": effort.mean_depth(),
                "nps": effort.nodes_per_second(),
            })
        };
        let [first, second] = &tally.efforts;
        let endings = Ending::ALL.map(|(ending, text)| {
            let count = tally.endings.get(&ending).copied().unwrap_or(0);
            (text.to_owned(), json!(count))
        });
        let mut object = json!({
            "command": command(),
            "a": player(&self.players.first, first),
            "b": player(&self.players.second, second),
            "limits": {
                "nodes": self.limits.nodes,
                "soft_nodes": self.limits.soft_nodes,
                "depth": self.limits.depth,
                "movetime_ms": self.limits.movetime.map(|time| time.as_millis() as u64),
                "tc": self.args.tc,
                "nodestime": self.args.nodestime,
            },
            "hash_mb": self.args.hash,
            "book": self.args.book.as_ref().map(|book| book.display().to_string()),
            "openings": self.plan.openings.count(),
            "seed": self.args.seed,
            "concurrency": self.args.concurrency,
            "reproducible": self.is_reproducible(),
            "endings": Map::from_iter(endings),
            "end": self.end.text(),
        });
        if let Value::Object(object) = &mut object {
            object.extend(result_json(self.plan, tally, self.time));
        }
        object
    }
}

/// A line for each row: a label of eleven columns and what it names.
pub(super) fn table(rows: Vec<(&'static str, String)>) -> String {
    let rows = rows.into_iter();
    rows.map(|(label, value)| format!("{label:<11} {value}\n"))
        .collect()
}

/// What was won, and what it proves.
pub(super) fn result_rows(
    plan: &Plan,
    tally: &Tally,
    time: Duration,
) -> Vec<(&'static str, String)> {
    let (games, seconds, pairs) = (tally.games(), time.as_secs_f64(), &tally.pentanomial);
    if games == 0 {
        return vec![("games", "none".to_owned())];
    }
    let speed = games as f64 / seconds.max(1e-3);
    let (score, draws) = (percent(pairs.score()), of_games(tally.draws, tally));
    let result = format!("{}, score {score}, draws {draws}", counts(tally));
    let games = format!("{games} in {seconds:.1} s, {speed:.2} a second");
    let mut rows = vec![
        ("games", games),
        ("result", result),
        ("Ptnml(0-2)", format!("{:?}", pairs.0)),
        ("Elo", strength(pairs)),
    ];
    if let Some(sprt) = &plan.sprt {
        let ((elo0, elo1), model) = (sprt.hypotheses(), model_text(sprt.model()));
        let (llr, bounds) = llr_text(sprt, pairs);
        let text = format!("{llr} in {bounds} for {model} Elo [{elo0}, {elo1}]");
        rows.push(("LLR", text));
    }
    let white = of_games(tally.white_wins, tally);
    rows.push(("White", format!("won {white} of the games")));
    rows
}

/// The same for programs. Numbers that do not exist, such as an infinite Elo, are null.
pub(super) fn result_json(plan: &Plan, tally: &Tally, time: Duration) -> Map<String, Value> {
    let pairs = &tally.pentanomial;
    Map::from_iter([
        ("seconds".to_owned(), json!(time.as_secs_f64())),
        ("games".to_owned(), json!(tally.games())),
        ("wins".to_owned(), json!(tally.wins)),
        ("draws".to_owned(), json!(tally.draws)),
        ("losses".to_owned(), json!(tally.losses)),
        ("white_wins".to_owned(), json!(tally.white_wins)),
        ("pentanomial".to_owned(), json!(pairs.0)),
        (
            "score".to_owned(),
            json!((pairs.pairs() > 0).then(|| pairs.score())),
        ),
        ("elo".to_owned(), json!(pairs.elo())),
        ("elo_error".to_owned(), json!(pairs.elo_error())),
        ("normalized_elo".to_owned(), json!(pairs.normalized_elo())),
        (
            "normalized_elo_error".to_owned(),
            json!(pairs.normalized_elo_error()),
        ),
        ("los".to_owned(), json!(pairs.superiority())),
        (
            "sprt".to_owned(),
            json!(plan.sprt.map(|sprt| sprt_json(&sprt, pairs))),
        ),
    ])
}

/// Where the games begin.
pub(super) fn openings_text(args: &Args, plan: &Plan) -> String {
    match (&args.book, plan.openings.count()) {
        (Some(book), Some(count)) => format!("book {} ({count} openings)", book.display()),
        _ => "random openings".to_owned(),
    }
}

fn sprt_json(sprt: &Sprt, pairs: &Pentanomial) -> Value {
    let ((elo0, elo1), (lower, upper)) = (sprt.hypotheses(), sprt.bounds());
    json!({
        "elo0": elo0,
        "elo1": elo1,
        "model": model_text(sprt.model()),
        "llr": sprt.llr(pairs),
        "lower": lower,
        "upper": upper,
        "verdict": sprt.verdict(pairs).map(|verdict| format!("{verdict:?}")),
    })
}

/// The command line, so that a result can be repeated.
pub(super) fn command() -> String {
    let program = env::args_os().next().map(PathBuf::from);
    let program = program.as_deref().and_then(|path| path.file_stem());
    let program = program.map_or("sextant-tune".into(), OsStr::to_string_lossy);
    let words = env::args_os().skip(1).map(|word| {
        let word = word.to_string_lossy().into_owned();
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+".contains(c);
        if !word.is_empty() && word.chars().all(plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    });
    format!("{program} {}", words.collect::<Vec<_>>().join(" "))
}

fn limits_text(limits: &Limits) -> String {
    let movetime = limits.movetime.map(|time| time.as_millis());
    let clock = limits.clock.zip(limits.nodes_per_ms);
    let parts = [
        clock.map(|(clock, nodes)| {
            let (start, more) = (clock.remaining.as_secs_f64(), clock.increment.as_secs_f64());
            format!("{start} s (of {nodes} nodes/ms) a game and {more} s")
        }),
        limits.nodes.map(|nodes| format!("{nodes} nodes")),
        limits.soft_nodes.map(|nodes| format!("{nodes} soft nodes")),
        limits.depth.map(|depth| format!("depth {depth}")),
        movetime.map(|time| format!("{time} ms")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn model_text(model: SprtModel) -> &'static str {
    match model {
        SprtModel::Logistic => "logistic",
        SprtModel::Normalized => "normalized",
    }
}

fn endings_text(tally: &Tally) -> String {
    let counts = tally.endings.iter();
    let counts = counts.map(|(ending, count)| format!("{} {count}", ending.text()));
    let counts = counts.collect::<Vec<_>>().join(", ");
    let plies = tally.plies as f64 / tally.games().max(1) as f64;
    format!("{counts}; {plies:.0} plies a game")
}

fn effort_text(effort: &Effort) -> String {
    format!(
        "{:.0} nodes a move, depth {:.1}, {:.0} nodes/s",
        effort.nodes_per_move(),
        effort.mean_depth(),
        effort.nodes_per_second()
    )
}

/// How a match goes, for the line of its progress.
pub(super) fn live(plan: &Plan, tally: &Tally, rate: f64) -> String {
    let llr = plan.sprt.map(|sprt| {
        let (llr, bounds) = llr_text(&sprt, &tally.pentanomial);
        format!("  LLR {llr} {bounds}")
    });
    format!(
        "{}  draws {}  {:?}  Elo {}  LOS {}{}  {rate:.2} games/s",
        counts(tally),
        of_games(tally.draws, tally),
        tally.pentanomial.0,
        elo_text(&tally.pentanomial),
        superiority_text(&tally.pentanomial),
        llr.unwrap_or_default(),
    )
}

fn counts(tally: &Tally) -> String {
    format!("+{} ={} -{}", tally.wins, tally.draws, tally.losses)
}

/// The ratio, and the bounds that end the test.
fn llr_text(sprt: &Sprt, pairs: &Pentanomial) -> (String, String) {
    let (lower, upper) = sprt.bounds();
    let bounds = format!("[{lower:.2}, {upper:.2}]");
    (format!("{:.2}", sprt.llr(pairs)), bounds)
}

fn strength(pairs: &Pentanomial) -> String {
    let normalized = match (pairs.normalized_elo(), pairs.normalized_elo_error()) {
        (Some(elo), Some(error)) => format!("{elo:+.1} +- {error:.1}"),
        _ => "unknown".to_owned(),
    };
    let (elo, superiority) = (elo_text(pairs), superiority_text(pairs));
    format!("{elo} (95 %), normalized {normalized}, LOS {superiority}")
}

/// Elo with its error bar; `?` where there is none.
fn elo_text(pairs: &Pentanomial) -> String {
    let error = pairs.elo_error().map(|error| format!("{error:.1}"));
    format!("{:+.1} +- {}", pairs.elo(), error.as_deref().unwrap_or("?"))
}

/// The likelihood of superiority; `?` where there is none.
fn superiority_text(pairs: &Pentanomial) -> String {
    pairs.superiority().map_or_else(|| "?".to_owned(), percent)
}

fn of_games(count: u64, tally: &Tally) -> String {
    percent(count as f64 / tally.games().max(1) as f64)
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_bars_that_do_not_exist_are_not_printed() {
        for (counts, text) in [
            ([34, 54, 63, 64, 75], "+55.6 +- 27.7"),
            ([0, 0, 0, 0, 3], "+inf +- ?"),
            ([3, 0, 0, 0, 0], "-inf +- ?"),
            ([0, 0, 3, 0, 0], "+0.0 +- ?"),
        ] {
            assert_eq!(elo_text(&Pentanomial(counts)), text);
        }
    }
}
