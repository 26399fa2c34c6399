//! The result of a match, as text and as JSON.

use std::time::Duration;

use serde_json::{Value, json};
use sextant_play::{Effort, Ending, Pentanomial, Plan, Sprt, SprtModel, SprtResult, Tally};
use sextant_search::Limits;

use super::{
    Args,
    players::{NamedSetup, Players},
};

/// Differences between the configs that the text lists.
const MOST_DIFFERENCES: usize = 12;

/// Why the match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    AllPlayed,
    Decided(SprtResult),
    NoMoreOpenings,
    Interrupted,
    Failed,
}

/// All that is known at the end.
pub(super) struct Summary<'a> {
    pub(super) args: &'a Args,
    pub(super) players: &'a Players,
    pub(super) plan: &'a Plan,
    pub(super) limits: &'a Limits,
    pub(super) tally: Tally,
    pub(super) time: Duration,
    pub(super) end: End,
}

impl End {
    /// How a match ended that `failed`, or that was `stopped` from outside.
    pub(super) fn new(failed: bool, plan: &Plan, tally: &Tally, stopped: bool) -> End {
        let result = plan.sprt.and_then(|sprt| sprt.verdict(&tally.pairs));
        let all = plan.pairs.or(plan.openings.count());
        if failed {
            End::Failed
        } else if let Some(result) = result {
            End::Decided(result)
        } else if stopped && all.is_none_or(|all| tally.pairs.pairs() < all) {
            End::Interrupted
        } else if plan.pairs.is_some() {
            End::AllPlayed
        } else {
            End::NoMoreOpenings
        }
    }

    fn text(self) -> &'static str {
        match self {
            End::AllPlayed => "all games played",
            End::Decided(SprtResult::H0) => "H0 accepted",
            End::Decided(SprtResult::H1) => "H1 accepted",
            End::NoMoreOpenings => "undecided, no openings left",
            End::Interrupted => "interrupted",
            End::Failed => "failed",
        }
    }
}

impl Summary<'_> {
    /// The block of text.
    pub(super) fn text(&self) -> String {
        let mut lines = vec![("command", command())];
        for (label, player) in [("A", &self.players.first), ("B", &self.players.second)] {
            let hash = player.config().hash();
            lines.push((label, format!("{} (config {hash:016x})", player.name)));
        }
        lines.extend(self.differences().into_iter().map(|text| ("A -> B", text)));
        lines.push(("conditions", self.conditions()));
        lines.extend(self.results());
        lines.push(("end", self.end.text().to_owned()));
        let lines = lines
            .into_iter()
            .map(|(label, text)| format!("{label:<11} {text}"));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// What to do after Ctrl-C.
    pub(super) fn interrupted(&self) -> &'static str {
        match self.args.state {
            Some(_) => "interrupted; the same command resumes",
            None => "interrupted (--state FILE would keep the result, and resume from it)",
        }
    }

    fn differences(&self) -> Vec<String> {
        let all = self.players.differences();
        let mut lines: Vec<String> = all
            .iter()
            .take(MOST_DIFFERENCES)
            .map(ToString::to_string)
            .collect();
        if all.len() > MOST_DIFFERENCES {
            lines.push(format!("and {} more", all.len() - MOST_DIFFERENCES));
        }
        lines
    }

    fn conditions(&self) -> String {
        let Args {
            seed,
            concurrency,
            hash,
            ..
        } = self.args;
        let openings = match (&self.args.book, self.plan.openings.count()) {
            (Some(book), Some(count)) => format!("book {} ({count} openings)", book.display()),
            _ => "random openings".to_owned(),
        };
        let again = if self.is_reproducible() {
            "reproducible"
        } else {
            "not reproducible"
        };
        format!(
            "{}, Hash {hash} MB, {openings}, seed {seed}, concurrency {concurrency}, {again}",
            limits_text(self.limits)
        )
    }

    /// Does the seed alone decide all games?
    fn is_reproducible(&self) -> bool {
        self.limits.movetime.is_none() && self.players.are_deterministic()
    }

    fn results(&self) -> Vec<(&'static str, String)> {
        let tally = &self.tally;
        let (games, seconds) = (tally.games(), self.time.as_secs_f64());
        let mut lines = vec![
            (
                "games",
                format!(
                    "{games} in {seconds:.1} s, {:.2} a second",
                    rate(games, seconds)
                ),
            ),
            (
                "result",
                format!(
                    "+{} ={} -{}, score {}, draws {}",
                    tally.wins,
                    tally.draws,
                    tally.losses,
                    percent(tally.pairs.score()),
                    percent(share(tally.draws, games))
                ),
            ),
            ("pairs", format!("{:?} (A's points 0 to 2)", tally.pairs.0)),
            ("Elo", self.strength()),
        ];
        if let Some(sprt) = &self.plan.sprt {
            lines.push(("LLR", llr_text(sprt, &tally.pairs)));
        }
        lines.push((
            "White",
            format!(
                "won {} of the games",
                percent(share(tally.white_wins, games))
            ),
        ));
        if !tally.endings.is_empty() {
            lines.push(("endings", endings_text(tally)));
        }
        let efforts = ["A", "B"].into_iter().zip(&tally.efforts);
        for (label, effort) in efforts.filter(|(_, effort)| effort.moves > 0) {
            lines.push((label, effort_text(effort)));
        }
        lines
    }

    fn strength(&self) -> String {
        let pairs = &self.tally.pairs;
        let normalized = match (pairs.normalized_elo(), pairs.normalized_elo_error()) {
            (Some(elo), Some(error)) => format!("{elo:+.1} +- {error:.1}"),
            _ => "unknown".to_owned(),
        };
        format!(
            "{} (95 %), normalized {normalized}, LOS {}",
            elo_text(pairs),
            superiority_text(pairs)
        )
    }

    /// The same as one object. Numbers that do not exist, such as an infinite Elo, are null.
    pub(super) fn json(&self) -> Value {
        let tally = &self.tally;
        let pairs = &tally.pairs;
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
        let endings = Ending::ALL.into_iter().map(|ending| {
            (
                ending.text().to_owned(),
                json!(tally.endings.get(&ending).copied().unwrap_or(0)),
            )
        });
        json!({
            "command": command(),
            "a": player(&self.players.first, first),
            "b": player(&self.players.second, second),
            "limits": {
                "nodes": self.limits.nodes,
                "soft_nodes": self.limits.soft_nodes,
                "depth": self.limits.depth,
                "movetime_ms": self.limits.movetime.map(|time| time.as_millis() as u64),
            },
            "hash_mb": self.args.hash,
            "book": self.args.book.as_ref().map(|book| book.display().to_string()),
            "openings": self.plan.openings.count(),
            "seed": self.args.seed,
            "concurrency": self.args.concurrency,
            "reproducible": self.is_reproducible(),
            "seconds": self.time.as_secs_f64(),
            "games": tally.games(),
            "wins": tally.wins,
            "draws": tally.draws,
            "losses": tally.losses,
            "white_wins": tally.white_wins,
            "pentanomial": pairs.0,
            "score": pairs.score(),
            "elo": pairs.elo(),
            "elo_error": pairs.elo_error(),
            "normalized_elo": pairs.normalized_elo(),
            "normalized_elo_error": pairs.normalized_elo_error(),
            "los": pairs.superiority(),
            "sprt": self.plan.sprt.map(|sprt| sprt_json(&sprt, pairs)),
            "endings": endings.collect::<serde_json::Map<_, _>>(),
            "end": self.end.text(),
        })
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
        "verdict": sprt.verdict(pairs).map(|verdict| match verdict {
            SprtResult::H0 => "H0",
            SprtResult::H1 => "H1",
        }),
    })
}

/// The command line, so that a result can be repeated.
fn command() -> String {
    let program = std::env::args_os().next().map(std::path::PathBuf::from);
    let program = program.as_deref().and_then(std::path::Path::file_stem);
    let program = program.map_or("sextant-tune".into(), std::ffi::OsStr::to_string_lossy);
    let words = std::env::args_os().skip(1).map(|word| {
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
    let parts = [
        limits.nodes.map(|nodes| format!("{nodes} nodes")),
        limits.soft_nodes.map(|nodes| format!("{nodes} soft nodes")),
        limits.depth.map(|depth| format!("depth {depth}")),
        limits
            .movetime
            .map(|time| format!("{} ms", time.as_millis())),
    ];
    format!(
        "{} a move",
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    )
}

fn llr_text(sprt: &Sprt, pairs: &Pentanomial) -> String {
    let ((elo0, elo1), (lower, upper)) = (sprt.hypotheses(), sprt.bounds());
    let (llr, model) = (sprt.llr(pairs), model_text(sprt.model()));
    format!("{llr:.2} in [{lower:.2}, {upper:.2}] for {model} Elo [{elo0}, {elo1}]")
}

fn model_text(model: SprtModel) -> &'static str {
    match model {
        SprtModel::Logistic => "logistic",
        SprtModel::Normalized => "normalized",
    }
}

fn endings_text(tally: &Tally) -> String {
    let counts = tally
        .endings
        .iter()
        .map(|(ending, count)| format!("{} {count}", ending.text()));
    let plies = share(tally.plies, tally.games());
    format!(
        "{}; {plies:.0} plies a game",
        counts.collect::<Vec<_>>().join(", ")
    )
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
        let (lower, upper) = sprt.bounds();
        let llr = sprt.llr(&tally.pairs);
        format!("  LLR {llr:.2} [{lower:.2}, {upper:.2}]")
    });
    format!(
        "+{} ={} -{}  draws {}  {:?}  Elo {}  LOS {}{}  {rate:.2} games/s",
        tally.wins,
        tally.draws,
        tally.losses,
        percent(share(tally.draws, tally.games())),
        tally.pairs.0,
        elo_text(&tally.pairs),
        superiority_text(&tally.pairs),
        llr.unwrap_or_default(),
    )
}

/// Elo with its error bar; `?` where there is none.
fn elo_text(pairs: &Pentanomial) -> String {
    let elo = pairs.elo();
    let elo = if elo.is_finite() {
        format!("{elo:+.1}")
    } else {
        format!("{elo:+}")
    };
    match pairs.elo_error() {
        Some(error) => format!("{elo} +- {error:.1}"),
        None => format!("{elo} +- ?"),
    }
}

/// The likelihood of superiority; `?` where there is none.
fn superiority_text(pairs: &Pentanomial) -> String {
    pairs.superiority().map_or_else(|| "?".to_owned(), percent)
}

/// A share as a percentage.
fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn share(part: u64, of: u64) -> f64 {
    part as f64 / of.max(1) as f64
}

fn rate(count: u64, seconds: f64) -> f64 {
    count as f64 / seconds.max(1e-3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_bars_that_do_not_exist_are_not_printed() {
        assert_eq!(
            elo_text(&Pentanomial([34, 54, 63, 64, 75])),
            "+55.6 +- 27.7"
        );
        assert_eq!(elo_text(&Pentanomial([0, 0, 0, 0, 3])), "+inf +- ?");
        assert_eq!(elo_text(&Pentanomial([3, 0, 0, 0, 0])), "-inf +- ?");
        assert_eq!(elo_text(&Pentanomial([0, 0, 3, 0, 0])), "+0.0 +- ?");
    }
}
