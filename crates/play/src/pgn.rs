//! Games as PGN text.

use std::fmt::Write as _;

use sextant_board::{Color, Score, to_fen, to_san};

use crate::game::{Record, Turn};

/// Columns of the movetext, as the PGN standard asks for.
const COLUMNS: usize = 80;

/// What a game's record does not know itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnTags {
    /// Name of the match.
    pub event: String,
    /// Number of pair and game, as in `12.1`.
    pub round: String,
    /// Who had White.
    pub white: String,
    /// Who had Black.
    pub black: String,
}

/// A game as PGN, with score, depth and nodes after every move (`{+0.31/11 10003n}`, from the
/// mover's view) and a blank line at the end. Dates and times are left out, so that the same games
/// give the same text.
#[must_use]
pub fn to_pgn(record: &Record, tags: &PgnTags) -> String {
    let shuffled = record.start.is_chess960();
    let mut text = String::with_capacity(64 * record.turns.len() + 512);
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    tag("Event", &tags.event);
    tag("Site", "?");
    tag("Date", "????.??.??");
    tag("Round", &tags.round);
    tag("White", &tags.white);
    tag("Black", &tags.black);
    tag("Result", record.result.text());
    if shuffled {
        tag("Variant", "Chess960");
    }
    tag("SetUp", "1");
    tag("FEN", &to_fen(&record.start, shuffled));
    tag("PlyCount", &record.turns.len().to_string());
    tag(
        "Termination",
        if record.ending.is_adjudicated() {
            "adjudication"
        } else {
            "normal"
        },
    );
    text.push('\n');
    write_moves(record, &mut Lines::new(&mut text));
    text.push_str("\n\n");
    text
}

fn write_moves(record: &Record, lines: &mut Lines<'_>) {
    let mut position = record.start.clone();
    for (index, turn) in record.turns.iter().enumerate() {
        let number = position.board().fullmove_number();
        match position.side_to_move() {
            Color::White => lines.word(&format!("{number}.")),
            Color::Black if index == 0 => lines.word(&format!("{number}...")),
            Color::Black => {}
        }
        lines.word(&to_san(&position, turn.mv));
        for word in comment(turn).split(' ') {
            lines.word(word);
        }
        position = position.make(turn.mv).0;
    }
    for word in format!("{{{}}} {}", record.ending.text(), record.result.text()).split(' ') {
        lines.word(word);
    }
}

fn comment(turn: &Turn) -> String {
    format!(
        "{{{}/{} {}n}}",
        score_text(turn.score),
        turn.depth,
        turn.nodes
    )
}

/// Pawns with a sign, or `+M3` for a mate in three.
fn score_text(score: Score) -> String {
    match score.mate_in() {
        Some(moves) if score.raw() > 0 => format!("+M{moves}"),
        Some(moves) => format!("-M{}", moves.abs()),
        None => format!("{:+.2}", f64::from(score.raw()) / 100.0),
    }
}

/// Words put into lines.
struct Lines<'a> {
    text: &'a mut String,
    column: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a mut String) -> Lines<'a> {
        Lines { text, column: 0 }
    }

    fn word(&mut self, word: &str) {
        if self.column + 1 + word.len() >= COLUMNS {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column += word.len();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sextant_board::{Ply, parse_fen, parse_san};

    use super::*;
    use crate::ending::{Ending, GameResult};

    fn record(fen: &str, moves: &str, result: GameResult, ending: Ending) -> Record {
        let start = parse_fen(fen).unwrap();
        let mut position = start.clone();
        let mut turns = Vec::new();
        for word in moves.split(' ') {
            let mv = parse_san(&position, word).unwrap();
            let score = Score::new(25);
            turns.push(Turn {
                mv,
                score,
                depth: 7,
                nodes: 1234,
                time: Duration::ZERO,
            });
            position = position.make(mv).0;
        }
        Record {
            start,
            turns,
            result,
            ending,
        }
    }

    #[test]
    fn a_short_game() {
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
        let mut record = record(fen, "Qh4#", GameResult::BlackWins, Ending::Checkmate);
        record.turns[0].score = Score::mates_at(Ply(1));
        let tags = PgnTags {
            event: "a \"test\"".into(),
            round: "3.2".into(),
            white: "x".into(),
            black: "y".into(),
        };
        let expected = r#"[Event "a \"test\""]
[Site "?"]
[Date "????.??.??"]
[Round "3.2"]
[White "x"]
[Black "y"]
[Result "0-1"]
[SetUp "1"]
[FEN "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"]
[PlyCount "1"]
[Termination "normal"]

2... Qh4# {+M1/7 1234n} {checkmate} 0-1

"#;
        assert_eq!(to_pgn(&record, &tags), expected);
    }

    #[test]
    fn lines_are_short_and_the_moves_come_back() {
        let moves = "Nf3 Nf6 Ng1 Ng8 e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6";
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let record = record(fen, moves, GameResult::Draw, Ending::DrawAdjudicated);
        let text = to_pgn(&record, &PgnTags::default());
        assert!(text.lines().all(|line| line.len() < COLUMNS));
        assert!(text.contains("[Termination \"adjudication\"]") && !text.contains("Variant"));
        let movetext = text.split("\n\n").nth(1).unwrap();
        let mut in_comment = false;
        let words = movetext.split_whitespace().filter(|word| {
            let skip = in_comment || word.starts_with('{');
            in_comment = skip && !word.ends_with('}');
            !skip && !word.ends_with('.') && *word != "1/2-1/2"
        });
        assert_eq!(words.collect::<Vec<_>>().join(" "), moves);
    }

    #[test]
    fn shuffled_starts_are_named() {
        let fen = "nqbrkrnb/pppppppp/8/8/8/8/PPPPPPPP/RKNBNQBR w HAfd - 0 1";
        let record = record(fen, "d4", GameResult::Draw, Ending::TooLong);
        let text = to_pgn(&record, &PgnTags::default());
        assert!(text.contains("[Variant \"Chess960\"]") && text.contains(" w HAfd - 0 1\"]"));
    }
}
