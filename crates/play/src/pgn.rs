//! Games as PGN text.

use sextant_board::{Score, to_fen, write_pgn};

use crate::game::{Record, Turn};

/// What a game's record does not know itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnTags {
    pub event: String,
    /// Number of pair and game, as in `12.1`.
    pub round: String,
    pub white: String,
    pub black: String,
}

/// A game as PGN, with score, depth and nodes after every move (`{+0.31/11 10003n}`, from the
/// mover's view) and a blank line at the end. Dates and times are left out, so that the same games
/// give the same text.
pub fn to_pgn(record: &Record, tags: &PgnTags) -> String {
    let is_chess960 = record.start.is_chess960();
    let fen = to_fen(&record.start, is_chess960);
    let plies = record.turns.len().to_string();
    let result = record.result.text();
    let mut all = vec![
        ("Event", tags.event.as_str()),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", &tags.round),
        ("White", &tags.white),
        ("Black", &tags.black),
        ("Result", result),
    ];
    all.extend(is_chess960.then_some(("Variant", "Chess960")));
    let termination = if record.ending.is_adjudicated() {
        "adjudication"
    } else {
        "normal"
    };
    all.extend([
        ("SetUp", "1"),
        ("FEN", &fen),
        ("PlyCount", &plies),
        ("Termination", termination),
    ]);
    let moves = record.turns.iter().map(|turn| (turn.mv, comment(turn)));
    let end = format!("{{{}}} {result}", record.ending.text());
    write_pgn(&all, &record.start, moves, &end) + "\n"
}

fn comment(turn: &Turn) -> String {
    format!("{}/{} {}n", score_text(turn.score), turn.depth, turn.nodes)
}

/// Pawns with a sign, or `+M3` for a mate in three.
fn score_text(score: Score) -> String {
    match score.mate_in() {
        Some(moves) if score.raw() > 0 => format!("+M{moves}"),
        Some(moves) => format!("-M{}", moves.abs()),
        None => format!("{:+.2}", f64::from(score.raw()) / 100.0),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sextant_board::{Ply, parse_fen, parse_san};

    use super::*;
    use crate::ending::{Ending, GameResult};

    #[test]
    fn a_short_game_and_a_shuffled_start() {
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
        let start = parse_fen(fen).unwrap();
        let turn = Turn {
            mv: parse_san(&start, "Qh4#").unwrap(),
            score: Score::mates_at(Ply(1)),
            depth: 7,
            nodes: 1234,
            time: Duration::ZERO,
        };
        let record = Record {
            start,
            turns: vec![turn],
            result: GameResult::BlackWins,
            ending: Ending::Checkmate,
        };
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

        let fen = "nqbrkrnb/pppppppp/8/8/8/8/PPPPPPPP/RKNBNQBR w HAfd - 0 1";
        let shuffled = Record {
            start: parse_fen(fen).unwrap(),
            turns: Vec::new(),
            result: GameResult::Draw,
            ending: Ending::TooLong,
        };
        let text = to_pgn(&shuffled, &PgnTags::default());
        assert!(text.contains("[Termination \"adjudication\"]"));
        assert!(text.contains("[Variant \"Chess960\"]") && text.contains(" w HAfd - 0 1\"]"));
    }
}
