//! Is a position solved, since when, and is an announced mate really one?

use std::time::Duration;

use serde_json::{Value, json};
use sextant_board::{Epd, Move, MoveSets, Position, Score, to_san};
use sextant_search::{Bound, Event, Info, Outcome};

use crate::format::replay;

/// Does the line of the suite say what is right?
pub(super) fn has_answer(epd: &Epd) -> bool {
    !epd.bm.is_empty() || !epd.am.is_empty() || epd.dm.is_some()
}

/// Follows the iterations of a search.
pub(super) struct Judge<'a> {
    epd: &'a Epd,
    /// Nodes and time of the first of the right iterations since the last wrong one.
    since: Option<(u64, Duration)>,
}

/// How a position went.
#[derive(Clone, Debug)]
pub(super) struct Verdict {
    /// The last choice was right.
    pub(super) solved: bool,
    /// Nodes and time after which the choice was right and stayed so.
    since: Option<(u64, Duration)>,
    mate: Option<Mate>,
    best: Option<Move>,
    score: Score,
    depth: u32,
    nodes: u64,
}

/// What became of a mate problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mate {
    /// The announced mate, in signed full moves.
    announced: i32,
    /// At most as long as the suite says.
    is_best: bool,
    /// The line, played out, is the mate that was announced.
    is_proved: bool,
}

impl<'a> Judge<'a> {
    pub(super) fn new(epd: &'a Epd) -> Judge<'a> {
        Judge { epd, since: None }
    }

    /// Notes what an iteration says.
    pub(super) fn hear(&mut self, event: &Event) {
        let Event::Info(info) = event else { return };
        if info.multipv != 1 || info.bound != Bound::Exact {
            return;
        }
        let right = is_right(self.epd, info.pv.first().copied(), info.score);
        self.note(right, info.totals.nodes, info.totals.time);
    }

    fn note(&mut self, right: bool, nodes: u64, time: Duration) {
        if !right {
            self.since = None;
        } else if self.since.is_none() {
            self.since = Some((nodes, time));
        }
    }

    pub(super) fn verdict(mut self, outcome: &Outcome) -> Verdict {
        let solved = is_right(self.epd, outcome.best, outcome.score());
        self.note(solved, outcome.nodes, outcome.time);
        Verdict {
            solved,
            since: self.since,
            mate: self
                .epd
                .dm
                .and_then(|dm| mate(&self.epd.position, outcome.lines.first()?, dm)),
            best: outcome.best,
            score: outcome.score(),
            depth: outcome.depth(),
            nodes: outcome.nodes,
        }
    }
}

/// With named moves the move decides; with a mate alone its length does.
fn is_right(epd: &Epd, best: Option<Move>, score: Score) -> bool {
    let Some(best) = best else { return false };
    if epd.am.contains(&best) {
        return false;
    }
    if !epd.bm.is_empty() {
        return epd.bm.contains(&best);
    }
    match epd.dm {
        Some(dm) => score.mate_in().is_some_and(|found| is_as_good(found, dm)),
        None => true,
    }
}

/// For the winner a mate at least as short, for the loser the mate that is there.
fn is_as_good(found: i32, dm: i32) -> bool {
    found.signum() == dm.signum() && found.abs() <= dm.abs()
}

fn mate(root: &Position, line: &Info, dm: i32) -> Option<Mate> {
    let announced = line
        .score
        .mate_in()
        .filter(|found| found.signum() == dm.signum())?;
    Some(Mate {
        announced,
        is_best: is_as_good(announced, dm),
        is_proved: is_mating_line(root, &line.pv, announced),
    })
}

/// Does the line, played out, mate in exactly that many moves?
fn is_mating_line(root: &Position, line: &[Move], announced: i32) -> bool {
    let plies = if announced > 0 {
        2 * announced - 1
    } else {
        -2 * announced
    };
    if usize::try_from(plies) != Ok(line.len()) || replay(root, line).count() != line.len() {
        return false;
    }
    let end = replay(root, line)
        .last()
        .map(|(before, mv)| before.make(mv).0);
    end.is_some_and(|end| end.in_check() && MoveSets::generate(&end).is_empty())
}

impl Verdict {
    pub(super) fn to_text(&self, epd: &Epd) -> String {
        let best = self
            .best
            .map_or("none".to_owned(), |mv| to_san(&epd.position, mv));
        let mut text = match self.since {
            Some((nodes, time)) => {
                format!(
                    "solved {best:<8} after {nodes:>10} nodes, {:.2} s",
                    time.as_secs_f64()
                )
            }
            None => format!(
                "  -    {best:<8} depth {}, {} nodes",
                self.depth, self.nodes
            ),
        };
        if let Some(mate) = self.mate {
            let proof = if mate.is_proved {
                ""
            } else {
                ", line does not mate"
            };
            text.push_str(&format!("  mate in {}{proof}", mate.announced));
        }
        text
    }

    pub(super) fn to_json(&self, epd: &Epd) -> Value {
        json!({
            "solved": self.solved,
            "best": self.best.map(|mv| to_san(&epd.position, mv)),
            "score": crate::format::score(self.score),
            "nodes_to_solution": self.since.map(|(nodes, _)| nodes),
            "ms_to_solution": self.since.map(|(_, time)| time.as_millis() as u64),
            "depth": self.depth,
            "nodes": self.nodes,
            "mate": self.mate.map(|mate| json!({
                "announced": mate.announced,
                "best": mate.is_best,
                "proved": mate.is_proved,
            })),
        })
    }
}

/// The sums over a suite.
pub(super) fn totals(verdicts: &[Verdict]) -> Value {
    let mates = || verdicts.iter().filter_map(|verdict| verdict.mate);
    json!({
        "positions": verdicts.len(),
        "solved": verdicts.iter().filter(|verdict| verdict.solved).count(),
        "nodes": verdicts.iter().map(|verdict| verdict.nodes).sum::<u64>(),
        "nodes_to_solutions": verdicts.iter().filter_map(|v| v.since).map(|(n, _)| n).sum::<u64>(),
        "mates_found": mates().count(),
        "mates_best": mates().filter(|mate| mate.is_best).count(),
        "mates_proved": mates().filter(|mate| mate.is_proved).count(),
    })
}

/// The sums over a suite, for people.
pub(super) fn summary(name: &str, verdicts: &[Verdict]) -> String {
    let solved = verdicts.iter().filter(|verdict| verdict.solved).count();
    let mut text = format!("{name}: {solved} of {} solved", verdicts.len());
    let mates: Vec<Mate> = verdicts.iter().filter_map(|verdict| verdict.mate).collect();
    if !mates.is_empty() {
        let best = mates.iter().filter(|mate| mate.is_best).count();
        let proved = mates.iter().filter(|mate| mate.is_proved).count();
        text.push_str(&format!(
            "; mates: {} found, {best} best, {proved} with the whole line",
            mates.len()
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use sextant_board::{Ply, parse_san};
    use sextant_search::Totals;

    fn outcome(epd: &Epd, sans: &[&str], score: Score) -> Outcome {
        let mut position = epd.position.clone();
        let mut pv = Vec::new();
        for san in sans {
            let mv = parse_san(&position, san).unwrap();
            position = position.make(mv).0;
            pv.push(mv);
        }
        let info = Info {
            depth: 5,
            seldepth: 5,
            multipv: 1,
            score,
            bound: Bound::Exact,
            totals: Totals {
                nodes: 100,
                time: Duration::from_millis(3),
                ..Totals::default()
            },
            pv: pv.clone(),
        };
        Outcome {
            best: pv.first().copied(),
            ponder: None,
            lines: vec![info],
            nodes: 500,
            time: Duration::from_millis(9),
        }
    }

    const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm #1;";

    #[test]
    fn a_mate_counts_when_it_is_short_enough_and_its_line_mates() {
        let epd = Epd::parse(BACK_RANK).unwrap();
        let found = outcome(&epd, &["Ra8#"], Score::mates_at(Ply(1)));
        let verdict = Judge::new(&epd).verdict(&found);
        assert!(verdict.solved);
        assert_eq!(
            verdict.mate,
            Some(Mate {
                announced: 1,
                is_best: true,
                is_proved: true
            })
        );
        let late = outcome(&epd, &["Kd2", "Kf8", "Ra8+"], Score::mates_at(Ply(3)));
        let verdict = Judge::new(&epd).verdict(&late);
        assert!(!verdict.solved, "a mate in 2 is no mate in 1");
        assert_eq!(
            verdict.mate,
            Some(Mate {
                announced: 2,
                is_best: false,
                is_proved: false
            })
        );
    }

    #[test]
    fn only_the_last_stretch_of_right_choices_counts() {
        let epd = Epd::parse("6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8+;").unwrap();
        let right = outcome(&epd, &["Ra8+"], Score::new(1));
        let wrong = outcome(&epd, &["Kd2"], Score::new(1));
        let mut judge = Judge::new(&epd);
        for (outcome, nodes) in [(&right, 10), (&wrong, 20), (&right, 30), (&right, 40)] {
            let mut info = outcome.lines[0].clone();
            info.totals.nodes = nodes;
            judge.hear(&Event::Info(info));
        }
        assert_eq!(judge.verdict(&right).since.unwrap().0, 30);
        let judge = Judge::new(&epd);
        assert!(!judge.verdict(&wrong).solved);
    }

    #[test]
    fn a_move_to_avoid_is_avoided_by_any_other() {
        let epd = Epd::parse("6k1/5ppp/8/8/8/8/8/R3K3 w Q - am Kd2;").unwrap();
        assert!(
            Judge::new(&epd)
                .verdict(&outcome(&epd, &["Ra8+"], Score::DRAW))
                .solved
        );
        assert!(
            !Judge::new(&epd)
                .verdict(&outcome(&epd, &["Kd2"], Score::DRAW))
                .solved
        );
    }
}
