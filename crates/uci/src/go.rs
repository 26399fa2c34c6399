//! The `go` command: words to a [`GoRequest`], and that to the [`Limits`] of a search.

use std::{collections::BTreeMap, time::Duration};

use sextant_board::{Color, Move, parse_uci_move};
use sextant_config::clip;
use sextant_search::{ClockLimit, Game, Limits};

/// A `go` command as it was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct GoRequest {
    /// By the word before each, as sent: clocks may be negative.
    numbers: BTreeMap<&'static str, i64>,
    searchmoves: Vec<String>,
    /// Search on the opponent's time.
    ponder: bool,
    /// No end before `stop`.
    infinite: bool,
    /// What could not be read, in words.
    complaints: Notes,
}

/// Sentences, the first few as they are and the rest as a number: a line may be long.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Notes {
    told: Vec<String>,
    more: usize,
}

impl Notes {
    fn push(&mut self, note: String) {
        if self.told.len() < MOST_NOTES {
            self.told.push(note);
        } else {
            self.more += 1;
        }
    }

    fn is_empty(&self) -> bool {
        self.told.is_empty()
    }

    fn told(mut self) -> Vec<String> {
        if self.more > 0 {
            let more = format!("go: {} more things were ignored", self.more);
            self.told.push(more);
        }
        self.told
    }
}

/// What a `go` asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    Search(Limits),
    /// Counting the legal lines of this many plies.
    Perft(u32),
    /// Nothing: every limit was wrong, and a search without an end was not meant.
    Refused,
}

/// The words that a number follows.
const NUMBERS: [&str; 10] = [
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "perft",
];
/// So many sentences say what is wrong with a line.
const MOST_NOTES: usize = 8;
/// No position has so many moves.
const MOST_SEARCHMOVES: usize = 256;
/// The deepest count; deeper ones would take years.
pub(crate) const MAX_PERFT: u32 = 20;

impl GoRequest {
    /// Reads what stands after `go`, in any order. What makes no sense is put down in
    /// `complaints` and the rest is used, since a GUI that asks for a move needs one.
    pub(crate) fn parse(text: &str) -> GoRequest {
        let mut request = GoRequest::default();
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            let known = NUMBERS.iter().find(|known| **known == word);
            match (word, known) {
                ("ponder", _) => request.ponder = true,
                ("infinite", _) => request.infinite = true,
                ("searchmoves", _) => {
                    while let Some(mv) = words.next_if(|word| !is_keyword(word)) {
                        request.add_searchmove(mv);
                    }
                }
                (_, Some(known)) => {
                    let found = words.next_if(|word| !is_keyword(word)).unwrap_or("nothing");
                    match number(found) {
                        Some(number) => drop(request.numbers.insert(*known, number)),
                        None => request.complaints.push(format!(
                            "go: {word} needs a whole number, found {:?}; ignored",
                            clip(found)
                        )),
                    }
                }
                (_, None) => {
                    let text = format!("go: unknown word {:?} ignored", clip(word));
                    request.complaints.push(text);
                }
            }
        }
        request
    }

    fn add_searchmove(&mut self, mv: &str) {
        if self.searchmoves.len() < MOST_SEARCHMOVES {
            self.searchmoves.push(mv.to_owned());
        } else {
            let text = format!("go: searchmoves: {:?} is one too many; ignored", clip(mv));
            self.complaints.push(text);
        }
    }

    /// What is asked for in this game, and notes about what had to be changed. `nodes_per_ms` 0 is
    /// real time.
    pub(crate) fn asked(&self, game: &Game, nodes_per_ms: u64) -> (Asked, Vec<String>) {
        let mut notes = self.complaints.clone();
        if let Some(depth) = self.numbers.get("perft") {
            return (
                Asked::Perft((*depth).clamp(0, MAX_PERFT.into()) as u32),
                notes.told(),
            );
        }
        let mut at_least_one = |word| {
            let value = *self.numbers.get(word)?;
            if value < 1 {
                notes.push(format!("go: {word} {value} is less than 1; 1 is used"));
            }
            Some(value.max(1).unsigned_abs())
        };
        let mut limits = Limits {
            depth: at_least_one("depth").map(clamp_to_u32),
            nodes: at_least_one("nodes"),
            soft_nodes: None,
            movetime: at_least_one("movetime").map(Duration::from_millis),
            mate: at_least_one("mate").map(clamp_to_u32),
            clock: self.clock(game.position().side_to_move()),
            infinite: self.infinite,
            ponder: self.ponder,
            nodes_per_ms: (nodes_per_ms > 0).then_some(nodes_per_ms),
            searchmoves: Vec::new(),
        };
        limits.searchmoves = self.root_moves(game, &mut notes);
        let has_limit = ends_by_itself(&limits) || limits.mate.is_some();
        if !has_limit && !self.infinite && !self.ponder && !self.complaints.is_empty() {
            let mut told = notes.told();
            told.push("go: no limit is left, so no search was started".to_owned());
            return (Asked::Refused, told);
        }
        (Asked::Search(limits), notes.told())
    }

    /// The clock of the side to move. If only the other side's was sent, that one is the best
    /// guess; an increment without a clock is a clock that stands at zero.
    fn clock(&self, side: Color) -> Option<ClockLimit> {
        let of = |word| self.numbers.get(word).copied();
        let [own, other] = match side {
            Color::White => [("wtime", "winc"), ("btime", "binc")],
            Color::Black => [("btime", "binc"), ("wtime", "winc")],
        };
        let clocks = [own, other].map(|(time, increment)| (of(time), of(increment)));
        let mut sent = clocks.into_iter().filter(|clock| *clock != (None, None));
        let (time, increment) = sent.next()?;
        let milliseconds =
            |value: Option<i64>| Duration::from_millis(value.unwrap_or(0).max(0).unsigned_abs());
        Some(ClockLimit {
            remaining: milliseconds(time),
            increment: milliseconds(increment),
            moves_to_go: of("movestogo")
                .filter(|&moves| moves > 0)
                .map(|moves| clamp_to_u32(moves.unsigned_abs())),
        })
    }

    /// The legal ones of `searchmoves`; all moves if none of them is.
    fn root_moves(&self, game: &Game, notes: &mut Notes) -> Vec<Move> {
        let mut moves = Vec::new();
        for text in &self.searchmoves {
            match parse_uci_move(game.position(), text) {
                Ok(mv) if !moves.contains(&mv) => moves.push(mv),
                Ok(_) => {}
                Err(error) => notes.push(format!("go: searchmoves: {error}; ignored")),
            }
        }
        if moves.is_empty() && !self.searchmoves.is_empty() {
            notes.push("go: searchmoves holds no legal move, so all moves are searched".to_owned());
        }
        moves
    }
}

/// Is there a limit that is always reached?
pub(crate) fn ends_by_itself(limits: &Limits) -> bool {
    limits.depth.is_some()
        || limits.nodes.is_some()
        || limits.movetime.is_some()
        || limits.clock.is_some()
}

fn is_keyword(word: &str) -> bool {
    NUMBERS.contains(&word) || matches!(word, "ponder" | "infinite" | "searchmoves")
}

/// A whole number; one that is too long for 64 bits means "very much".
fn number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let too_long = if text.starts_with('-') {
        i64::MIN
    } else {
        i64::MAX
    };
    Some(text.parse().unwrap_or(too_long))
}

fn clamp_to_u32(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sextant_board::Position;

    fn asked(text: &str) -> (Asked, Vec<String>) {
        GoRequest::parse(text).asked(&Game::new(Position::startpos()), 0)
    }

    /// The limits, and how many notes there are about them.
    fn limits(text: &str) -> (Limits, usize) {
        match asked(text) {
            (Asked::Search(limits), notes) => (limits, notes.len()),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn limits_come_in_any_order() {
        let text = "binc 7 depth 9 wtime 60000 nodes 500 movestogo 12 winc 100 btime 1 mate 3";
        let expected = Limits {
            depth: Some(9),
            nodes: Some(500),
            mate: Some(3),
            clock: Some(ClockLimit {
                remaining: Duration::from_secs(60),
                increment: Duration::from_millis(100),
                moves_to_go: Some(12),
            }),
            ..Limits::default()
        };
        assert_eq!(limits(text), (expected, 0));
        assert_eq!(limits(""), (Limits::default(), 0));
        assert!(limits("infinite").0.infinite);
        let (limits, _) = limits("ponder wtime 100");
        assert!(limits.ponder && !limits.infinite);
    }

    #[test]
    fn a_partial_or_negative_clock_is_a_clock() {
        for (text, remaining, moves_to_go) in [
            ("wtime 100", 100, None),
            // The other's clock.
            ("btime 100", 100, None),
            ("wtime -5 btime 100", 0, None),
            ("winc 100", 0, None),
            ("wtime 5 movestogo 0", 5, None),
            ("wtime 5 movestogo -1", 5, None),
            ("wtime 99999999999999999999999", i64::MAX as u64, None),
            ("wtime 5 movestogo 99999999999", 5, Some(u32::MAX)),
        ] {
            let clock = limits(text).0.clock.unwrap();
            assert_eq!(clock.remaining, Duration::from_millis(remaining), "{text}");
            assert_eq!(clock.moves_to_go, moves_to_go, "{text}");
        }
    }

    #[test]
    fn searchmoves_end_at_the_next_keyword() {
        let (limits, notes) = limits("searchmoves e2e4 d2d4 e2e4 e2e5 depth 3");
        assert_eq!(
            (limits.searchmoves.len(), limits.depth, notes),
            (2, Some(3), 1)
        );
        let (task, notes) = asked("depth 2 searchmoves e2e5 zz");
        assert!(matches!(task, Asked::Search(limits) if limits.searchmoves.is_empty()));
        assert_eq!(notes.len(), 3, "{notes:?}");
    }

    #[test]
    fn a_long_line_is_not_answered_at_length() {
        let many = format!(
            "depth 1 searchmoves {}",
            "e2e4 ".repeat(300) + &"a ".repeat(300)
        );
        let (found, notes) = limits(&many);
        assert_eq!((found.searchmoves.len(), notes), (1, MOST_NOTES + 1));
        let many = "x ".repeat(1000);
        assert_eq!(asked(&many).1.len(), MOST_NOTES + 2);
    }

    #[test]
    fn what_is_no_limit_is_told_and_the_rest_is_used() {
        let one = Limits {
            depth: Some(1),
            nodes: Some(1),
            movetime: Some(Duration::from_millis(1)),
            mate: Some(1),
            ..Limits::default()
        };
        assert_eq!(limits("nodes 0 depth -3 movetime 0 mate 0"), (one, 4));
        let (limits, notes) = limits("wtime x btime 100 nonsense depth");
        assert!(limits.clock.is_some() && notes == 3);
        for text in ["depth abc", "depth", "depth 1e9", "movetime \u{663}"] {
            assert_eq!(asked(text).0, Asked::Refused, "{text}");
        }
        assert_eq!(asked("perft 3").0, Asked::Perft(3));
        assert_eq!(asked("perft -3").0, Asked::Perft(0));
    }
}
