//! Test-suite positions: is the choice of a search right, since when did it stay so, and is an
//! announced mate really one?

use std::time::Duration;

use sextant_board::{Epd, EpdError, Move, MoveSets, Position, Score};
use sextant_search::{Bound, Engine, Event, Game, Info, Limits, Outcome};
use thiserror::Error;

use crate::openings::numbered_lines;

/// A line of a test suite that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{line}: {source}")]
pub struct SuiteError {
    /// Line number, from 1.
    pub line: usize,
    pub source: EpdError,
}

/// The positions of a text that say what is right, one EPD a line. What has no name is called by
/// its place, as in `line 12`.
pub fn parse_suite(text: &str) -> Result<Vec<Epd>, SuiteError> {
    let mut positions = Vec::new();
    for (line, text) in numbered_lines(text) {
        let mut epd = Epd::parse(text).map_err(|source| SuiteError { line, source })?;
        if !epd.bm.is_empty() || !epd.am.is_empty() || epd.dm.is_some() {
            epd.id.get_or_insert_with(|| format!("line {line}"));
            positions.push(epd);
        }
    }
    Ok(positions)
}

/// Searches a position as in a new game, so that it does not matter what was searched before.
pub fn solve(engine: &mut Engine, epd: &Epd, limits: &Limits) -> Solved {
    engine.new_game();
    let mut judge = Judge::new(epd);
    let game = Game::new(epd.position.clone());
    engine.signals().arm(limits.ponder);
    let outcome = engine.go(&game, limits, 1, &mut |event| judge.hear(&event));
    judge.solved(&outcome)
}

struct Judge<'a> {
    epd: &'a Epd,
    since: Option<Since>,
}

/// The first of the right iterations since the last wrong one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Since {
    pub nodes: u64,
    pub depth: u32,
    pub time: Duration,
}

#[derive(Clone, Debug)]
pub struct Solved {
    /// Since when the choice was right and stayed so; `None` if the last one was wrong.
    pub since: Option<Since>,
    /// The mate that was announced where the suite asks for one.
    pub mate: Option<MateFound>,
    pub best: Option<Move>,
    pub score: Score,
    pub depth: u32,
    pub nodes: u64,
}

/// What a search said of a mate problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MateFound {
    /// The announced mate, in signed full moves.
    pub announced: i32,
    /// It is at most as long as the suite says.
    pub is_best: bool,
    /// The line, played out, is the mate that was announced.
    pub is_proved: bool,
}

impl Solved {
    pub fn is_solved(&self) -> bool {
        self.since.is_some()
    }
}

impl<'a> Judge<'a> {
    fn new(epd: &'a Epd) -> Judge<'a> {
        Judge { epd, since: None }
    }

    /// Takes what an iteration says.
    fn hear(&mut self, event: &Event) {
        let Event::Info(info) = event else { return };
        if info.multipv == 1 && info.bound == Bound::Exact {
            let at = Since {
                nodes: info.totals.nodes,
                depth: info.depth,
                time: info.totals.time,
            };
            self.note(info.pv.first().copied(), info.score, at);
        }
    }

    fn note(&mut self, best: Option<Move>, score: Score, at: Since) {
        let is_right = best.is_some_and(|best| is_right(self.epd, best, score));
        self.since = is_right.then(|| self.since.unwrap_or(at));
    }

    /// How the search went that ended like this.
    fn solved(mut self, outcome: &Outcome) -> Solved {
        let at = Since {
            nodes: outcome.nodes,
            depth: outcome.depth(),
            time: outcome.time,
        };
        self.note(outcome.best, outcome.score(), at);
        let mate = self.epd.dm.zip(outcome.lines.first());
        Solved {
            since: self.since,
            mate: mate.and_then(|(dm, line)| mate_found(&self.epd.position, line, dm)),
            best: outcome.best,
            score: outcome.score(),
            depth: at.depth,
            nodes: at.nodes,
        }
    }
}

/// With named moves the move decides; with a mate alone its length does.
fn is_right(epd: &Epd, best: Move, score: Score) -> bool {
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

fn mate_found(root: &Position, line: &Info, dm: i32) -> Option<MateFound> {
    let mate = line.score.mate_in();
    let announced = mate.filter(|found| found.signum() == dm.signum())?;
    Some(MateFound {
        announced,
        is_best: is_as_good(announced, dm),
        is_proved: is_mating_line(root, &line.pv, announced),
    })
}

/// Does the line, played out, mate in exactly that many moves?
fn is_mating_line(root: &Position, line: &[Move], announced: i32) -> bool {
    let plies = 2 * announced.abs() - i32::from(announced > 0);
    let mut position = root.clone();
    for &mv in line {
        if !position.board().is_legal(mv) {
            return false;
        }
        position = position.make(mv).0;
    }
    usize::try_from(plies) == Ok(line.len())
        && position.in_check()
        && MoveSets::generate(&position).is_empty()
}

#[cfg(test)]
mod tests {
    use sextant_board::{Ply, parse_san};
    use sextant_search::Totals;

    use super::*;

    fn outcome(epd: &Epd, sans: &[&str], score: Score) -> Outcome {
        let mut position = epd.position.clone();
        let mut pv = Vec::new();
        for san in sans {
            let mv = parse_san(&position, san).unwrap();
            position = position.make(mv).0;
            pv.push(mv);
        }
        Outcome {
            best: pv.first().copied(),
            ponder: None,
            lines: vec![Info {
                depth: 5,
                seldepth: 5,
                multipv: 1,
                score,
                bound: Bound::Exact,
                totals: Totals::default(),
                pv,
            }],
            nodes: 500,
            time: Duration::from_millis(9),
        }
    }

    fn epd(operations: &str) -> Epd {
        Epd::parse(&format!("6k1/5ppp/8/8/8/8/8/R3K3 w Q - {operations}")).unwrap()
    }

    fn judged(epd: &Epd, outcome: &Outcome) -> Solved {
        Judge::new(epd).solved(outcome)
    }

    #[test]
    fn a_mate_counts_when_it_is_short_enough_and_its_line_mates() {
        let epd = epd("bm #1;");
        for (line, ply, is_solved, mate) in [
            (&["Ra8#"][..], 1, true, (1, true, true)),
            (&["Kd2", "Kf8", "Ra8+"], 3, false, (2, false, false)),
            (&["Kd2"], 1, true, (1, true, false)),
        ] {
            let solved = judged(&epd, &outcome(&epd, line, Score::mates_at(Ply(ply))));
            let found = solved.mate.unwrap();
            let found = (found.announced, found.is_best, found.is_proved);
            assert_eq!((solved.is_solved(), found), (is_solved, mate));
        }
    }

    #[test]
    fn only_the_last_stretch_of_right_choices_counts() {
        let epd = epd("bm Ra8+;");
        let right = outcome(&epd, &["Ra8+"], Score::new(1));
        let wrong = outcome(&epd, &["Kd2"], Score::new(1));
        let mut judge = Judge::new(&epd);
        for (outcome, nodes) in [(&right, 10), (&wrong, 20), (&right, 30), (&right, 40)] {
            let mut info = outcome.lines[0].clone();
            info.totals.nodes = nodes;
            judge.hear(&Event::Info(info));
        }
        let since = judge.solved(&right).since.unwrap();
        assert_eq!((since.nodes, since.depth), (30, 5));
        assert!(!judged(&epd, &wrong).is_solved());
        // A move to avoid is avoided by any other.
        let avoid = self::epd("am Kd2;");
        assert!(judged(&avoid, &right).is_solved());
        assert!(!judged(&avoid, &wrong).is_solved());
    }

    #[test]
    fn a_suite_names_what_has_no_name_and_leaves_out_what_asks_nothing() {
        let text = "\u{feff}# comment\n\n4k3/8/8/8/8/8/8/4K3 w - -\n\
            4k3/8/8/8/8/8/8/R3K3 w - - am Ra7;\n4k3/8/8/8/8/8/8/R3K3 w - - bm Ra8; id \"x\";\n";
        let suite = parse_suite(text).unwrap();
        let names = suite.iter().map(|epd| epd.id.as_deref());
        assert!(names.eq([Some("line 4"), Some("x")]));
        let wrong = parse_suite("\n4k3/8/8/8/8/8/8/R3K3 w - - bm Qa7;\n").unwrap_err();
        assert!(wrong.to_string().starts_with("2: in bm: "), "{wrong}");
    }
}
