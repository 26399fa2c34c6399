//! What evaluations are judged by: positions with what deep searches, or games, expect of them.

use std::{error::Error, path::Path};

use serde::Deserialize;
use sextant_board::{Position, Square, parse_fen, piece_letter};
use sextant_cli::{
    failure::Failure,
    files::{self, MIB},
    output,
};
use sextant_search::Bound;

use super::promised;
use crate::train::{RECORD_BYTES, Record, RecordFault, known, placed};

/// Larger than any set of positions that games could not judge sooner.
const LARGEST: u64 = 256 * MIB;
/// Two million positions, of which half a gigabyte of boards is made.
const LARGEST_RECORDS: u64 = 64 * MIB;
/// Fewer positions of a kind say nothing.
pub(super) const FEWEST: usize = 20;

/// What is known of a position.
pub(super) struct Sample {
    pub(super) position: Position,
    /// The points that the side to move may expect, 0 to 1.
    pub(super) expected: f64,
    /// The same in centipawns.
    pub(super) cp: Option<f64>,
}

impl Sample {
    pub(super) fn pieces(&self) -> u32 {
        self.position.board().occupied().len()
    }

    pub(super) fn is_within(&self, least: f64, most: f64) -> bool {
        self.cp.is_some_and(|cp| (least..most).contains(&cp.abs()))
    }
}

/// The positions of a file: CSV if it is called so, else what `data convert` writes, whose scores
/// promise 73 % of the points at `scale` centipawns.
pub(super) fn read(path: &Path, scale: f64) -> Result<Vec<Sample>, Failure> {
    let is_csv = path.extension().is_some_and(|ending| ending == "csv");
    let samples = if is_csv {
        read_rows(path)?
    } else {
        read_records(path, scale)?
    };
    if samples.len() < FEWEST {
        let count = output::counted(samples.len() as u64, "position");
        return Err(Failure::usage(format!(
            "{}: {count} cannot judge an evaluation; give {FEWEST} or more",
            path.display()
        )));
    }
    Ok(samples)
}

/// A row of a CSV file.
#[derive(Debug, Deserialize)]
struct Row {
    fen: String,
    expected: f64,
    cp: Option<f64>,
}

fn read_rows(path: &Path) -> Result<Vec<Sample>, Failure> {
    let text = files::read_text(path, LARGEST)?;
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let refused = |line: usize, error: String| {
        Failure::usage(format!("{}, line {line}: {error}", path.display()))
    };
    let rows = reader.deserialize::<Row>().zip(2..);
    rows.map(|(row, line)| {
        let row = row.map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
        if !(0.0..=1.0).contains(&row.expected) {
            let message = format!("expected is {}, not a score from 0 to 1", row.expected);
            return Err(refused(line, message));
        }
        let position = parse_fen(&row.fen);
        Ok(Sample {
            position: position.map_err(|error| refused(line, format!("{}: {error}", row.fen)))?,
            expected: row.expected,
            cp: row.cp,
        })
    })
    .collect()
}

fn read_records(path: &Path, scale: f64) -> Result<Vec<Sample>, Failure> {
    let bytes = files::read(path, LARGEST_RECORDS)?;
    let (records, rest) = bytes.as_chunks::<RECORD_BYTES>();
    if !rest.is_empty() {
        return Err(Failure::usage(format!(
            "{}: neither CSV (NAME.csv) nor whole positions of `data convert`",
            path.display()
        )));
    }
    let mut samples = Vec::new();
    for (number, record) in records.iter().enumerate() {
        let sample = sample(record, scale).map_err(|error| {
            let number = number + 1;
            Failure::usage(format!("{}, position {number}: {error}", path.display()))
        })?;
        samples.extend(sample);
    }
    Ok(samples)
}

/// A record's position and value; `None` where only a bound of the value is known.
fn sample(record: &Record, scale: f64) -> Result<Option<Sample>, Box<dyn Error>> {
    let known = known(record)?;
    let score = f64::from(known.score);
    let expected = match known.bound {
        Some(Bound::Exact) => promised(score, scale),
        Some(Bound::Lower | Bound::Upper) => return Ok(None),
        None => known.result.into(),
    };
    let fen = format!("{} w - - 0 1", board(record)?);
    Ok(Some(Sample {
        position: parse_fen(&fen).map_err(|error| format!("{fen}: {error}"))?,
        expected,
        cp: Some(score),
    }))
}

/// The board of a record as in a FEN, the side to move with the white pieces.
fn board(record: &Record) -> Result<String, RecordFault> {
    let mut letters = ['1'; Square::NUM];
    for placed in placed(record)? {
        let placed = placed?;
        letters[placed.square as usize] = piece_letter(placed.color, placed.piece);
    }
    let ranks: Vec<String> = letters
        .chunks(8)
        .rev()
        .map(|rank| rank.iter().collect())
        .collect();
    Ok(ranks.join("/"))
}

#[cfg(test)]
mod tests {
    use bulletformat::{BulletFormat, ChessBoard};

    use super::*;

    #[test]
    fn records_are_the_positions_that_they_were_made_of_seen_from_the_side_to_move() {
        for (fen, turned) in [
            (
                "r3k3/8/2n5/8/4P3/8/5PPP/6K1 w - - 0 1",
                "r3k3/8/2n5/8/4P3/8/5PPP/6K1 w - - 0 1",
            ),
            (
                "r3k3/8/2n5/8/4P3/8/5PPP/6K1 b - - 0 1",
                "6k1/5ppp/8/4p3/8/2N5/8/R3K3 w - - 0 1",
            ),
        ] {
            // The format's own crate makes the record.
            let record: ChessBoard = format!("{fen} | 250 | 1.0").parse().unwrap();
            let mut record: Record = ChessBoard::as_bytes_slice(&[record]).try_into().unwrap();
            let white_moves = fen == turned;
            let found = sample(&record, 250.0).unwrap().unwrap();
            assert_eq!(found.position, parse_fen(turned).unwrap());
            let sign = if white_moves { 1.0 } else { -1.0 };
            assert_eq!(found.cp, Some(sign * 250.0));
            let promised = 1.0 / (1.0 + (-sign).exp());
            assert!((found.expected - promised).abs() < 1e-9);
            record[29] = 3;
            let by_result = sample(&record, 250.0).unwrap().unwrap();
            assert_eq!(by_result.expected, f64::from(u8::from(white_moves)));
            record[29] = 1;
            assert!(sample(&record, 250.0).unwrap().is_none());
            record[29] = 9;
            assert!(sample(&record, 250.0).is_err());
        }
        assert!(sample(&[0; RECORD_BYTES], 250.0).is_err());
    }
}
