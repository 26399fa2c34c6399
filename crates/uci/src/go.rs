//! The `go` command: words to a [`GoRequest`], and that to the [`Limits`] of a search.

use std::time::Duration;

use sextant_board::{Color, Move, parse_uci_move};
use sextant_search::{ClockLimit, Game, Limits};

use crate::error::quote;

/// A `go` command as it was written. Numbers are as sent: clocks may be negative.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct GoRequest {
    searchmoves: Vec<String>,
    /// Search on the opponent's time.
    pub(crate) ponder: bool,
    wtime: Option<i64>,
    btime: Option<i64>,
    winc: Option<i64>,
    binc: Option<i64>,
    movestogo: Option<i64>,
    depth: Option<i64>,
    nodes: Option<i64>,
    mate: Option<i64>,
    movetime: Option<i64>,
    /// No end before `stop`.
    pub(crate) infinite: bool,
    perft: Option<i64>,
    /// What could not be read, in words.
    pub(crate) complaints: Vec<String>,
}

/// What a `go` asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    Search(Limits),
    /// Counting the legal lines of so many plies.
    Perft(u32),
    /// Nothing: every limit was wrong, and a search without an end was not meant.
    Refused,
}

/// The deepest count; deeper ones would take years.
pub(crate) const MAX_PERFT: u32 = 20;

impl GoRequest {
    /// Reads what stands after `go`, in any order. What makes no sense is put down in
    /// `complaints` and the rest is used, since a GUI that asks for a move needs one.
    pub(crate) fn parse(text: &str) -> GoRequest {
        let mut request = GoRequest::default();
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            match word {
                "ponder" => request.ponder = true,
                "infinite" => request.infinite = true,
                "searchmoves" => {
                    while let Some(mv) = words.next_if(|word| !is_keyword(word)) {
                        request.searchmoves.push(mv.to_owned());
                    }
                }
                _ => match request.field(word) {
                    Some(field) => match words.next_if(|word| !is_keyword(word)) {
                        Some(text) => match number(text) {
                            Some(number) => *field = Some(number),
                            None => request.complain(word, text),
                        },
                        None => request.complain(word, "nothing"),
                    },
                    None => {
                        let text = format!("go: unknown word {:?} ignored", quote(word));
                        request.complaints.push(text);
                    }
                },
            }
        }
        request
    }

    fn complain(&mut self, word: &str, found: &str) {
        let found = quote(found);
        self.complaints.push(format!(
            "go: {word} needs a whole number, found {found:?}; ignored"
        ));
    }

    fn field(&mut self, word: &str) -> Option<&mut Option<i64>> {
        Some(match word {
            "wtime" => &mut self.wtime,
            "btime" => &mut self.btime,
            "winc" => &mut self.winc,
            "binc" => &mut self.binc,
            "movestogo" => &mut self.movestogo,
            "depth" => &mut self.depth,
            "nodes" => &mut self.nodes,
            "mate" => &mut self.mate,
            "movetime" => &mut self.movetime,
            "perft" => &mut self.perft,
            _ => return None,
        })
    }

    /// The task in this game, and notes about what had to be changed. `nodes_per_ms` 0 is real
    /// time.
    pub(crate) fn task(&self, game: &Game, nodes_per_ms: u64) -> (Task, Vec<String>) {
        let mut notes = self.complaints.clone();
        if let Some(depth) = self.perft {
            return (Task::Perft(depth.clamp(0, MAX_PERFT.into()) as u32), notes);
        }
        let limits = Limits {
            depth: at_least_one("depth", self.depth, &mut notes).map(clamp_to_u32),
            nodes: at_least_one("nodes", self.nodes, &mut notes),
            soft_nodes: None,
            movetime: at_least_one("movetime", self.movetime, &mut notes)
                .map(Duration::from_millis),
            mate: at_least_one("mate", self.mate, &mut notes).map(clamp_to_u32),
            clock: self.clock(game.position().side_to_move()),
            infinite: self.infinite,
            ponder: self.ponder,
            nodes_per_ms: (nodes_per_ms > 0).then_some(nodes_per_ms),
            searchmoves: self.root_moves(game, &mut notes),
        };
        let has_limit = limits.depth.is_some()
            || limits.nodes.is_some()
            || limits.movetime.is_some()
            || limits.mate.is_some()
            || limits.clock.is_some();
        if !has_limit && !self.infinite && !self.ponder && !self.complaints.is_empty() {
            notes.push("go: no limit is left, so no search was started".to_owned());
            return (Task::Refused, notes);
        }
        (Task::Search(limits), notes)
    }

    /// The clock of the side to move. If only the other side's was sent, that one is the best
    /// guess; an increment without a clock is a clock that stands at zero.
    fn clock(&self, side: Color) -> Option<ClockLimit> {
        let [own, other] = match side {
            Color::White => [(self.wtime, self.winc), (self.btime, self.binc)],
            Color::Black => [(self.btime, self.binc), (self.wtime, self.winc)],
        };
        let (time, increment) = if own == (None, None) { other } else { own };
        if (time, increment) == (None, None) {
            return None;
        }
        let milliseconds =
            |value: Option<i64>| Duration::from_millis(value.unwrap_or(0).max(0).unsigned_abs());
        Some(ClockLimit {
            remaining: milliseconds(time),
            increment: milliseconds(increment),
            moves_to_go: self
                .movestogo
                .filter(|&moves| moves > 0)
                .map(|moves| clamp_to_u32(moves.unsigned_abs())),
        })
    }

    /// The legal ones of `searchmoves`; all moves if none of them is.
    fn root_moves(&self, game: &Game, notes: &mut Vec<String>) -> Vec<Move> {
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

fn is_keyword(word: &str) -> bool {
    matches!(word, "ponder" | "infinite" | "searchmoves")
        || GoRequest::default().field(word).is_some()
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

fn at_least_one(word: &str, value: Option<i64>, notes: &mut Vec<String>) -> Option<u64> {
    let value = value?;
    if value < 1 {
        notes.push(format!("go: {word} {value} is less than 1; 1 is used"));
    }
    Some(value.max(1).unsigned_abs())
}

fn clamp_to_u32(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sextant_board::Position;

    fn start() -> Game {
        Game::new(Position::startpos())
    }

    fn limits(text: &str) -> Limits {
        match GoRequest::parse(text).task(&start(), 0) {
            (Task::Search(limits), _) => limits,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn limits_come_in_any_order() {
        let limits =
            limits("binc 7 depth 9 wtime 60000 nodes 500 movestogo 12 winc 100 btime 1 mate 3");
        assert_eq!(limits.depth, Some(9));
        assert_eq!(limits.nodes, Some(500));
        assert_eq!(limits.mate, Some(3));
        let clock = limits.clock.unwrap();
        assert_eq!(clock.remaining, Duration::from_secs(60));
        assert_eq!(clock.increment, Duration::from_millis(100));
        assert_eq!(clock.moves_to_go, Some(12));
        assert!(!limits.infinite && !limits.ponder);
    }

    #[test]
    fn a_partial_or_negative_clock_is_a_clock() {
        let clock = |text| limits(text).clock.unwrap();
        assert_eq!(clock("wtime 100").remaining, Duration::from_millis(100));
        assert_eq!(
            clock("btime 100").remaining,
            Duration::from_millis(100),
            "the other's clock"
        );
        assert_eq!(clock("wtime -5 btime 100").remaining, Duration::ZERO);
        assert_eq!(clock("winc 100").remaining, Duration::ZERO);
        assert_eq!(clock("wtime 5 movestogo 0").moves_to_go, None);
        assert_eq!(clock("wtime 5 movestogo -1").moves_to_go, None);
        assert!(clock("wtime 99999999999999999999999").remaining > Duration::from_secs(1 << 40));
    }

    #[test]
    fn a_bare_go_ends_at_the_greatest_depth_and_ponder_waits() {
        assert!(!limits("").infinite);
        assert!(limits("infinite").infinite);
        let limits = limits("ponder wtime 100");
        assert!(limits.ponder && !limits.infinite);
    }

    #[test]
    fn searchmoves_end_at_the_next_keyword() {
        let limits = limits("searchmoves e2e4 d2d4 e2e4 e2e5 depth 3");
        assert_eq!(limits.searchmoves.len(), 2);
        assert_eq!(limits.depth, Some(3));
        let (task, notes) = GoRequest::parse("depth 2 searchmoves e2e5 zz").task(&start(), 0);
        assert!(matches!(task, Task::Search(limits) if limits.searchmoves.is_empty()));
        assert_eq!(notes.len(), 3, "{notes:?}");
    }

    #[test]
    fn zero_and_negative_limits_become_one() {
        let limits = limits("nodes 0 depth -3 movetime 0 mate 0");
        assert_eq!(limits.nodes, Some(1));
        assert_eq!(limits.depth, Some(1));
        assert_eq!(limits.movetime, Some(Duration::from_millis(1)));
        assert_eq!(limits.mate, Some(1));
    }

    #[test]
    fn a_limit_that_is_no_number_is_told_and_the_rest_is_used() {
        let request = GoRequest::parse("wtime x btime 100 nonsense depth");
        assert_eq!(request.complaints.len(), 3, "{:?}", request.complaints);
        assert!(matches!(request.task(&start(), 0).0, Task::Search(l) if l.clock.is_some()));
        assert_eq!(
            GoRequest::parse("depth abc").task(&start(), 0).0,
            Task::Refused
        );
        assert_eq!(
            GoRequest::parse("depth 1e9").task(&start(), 0).0,
            Task::Refused
        );
    }

    #[test]
    fn perft_is_no_search() {
        assert_eq!(
            GoRequest::parse("perft 3").task(&start(), 0).0,
            Task::Perft(3)
        );
        assert_eq!(
            GoRequest::parse("perft -3").task(&start(), 0).0,
            Task::Perft(0)
        );
    }
}
