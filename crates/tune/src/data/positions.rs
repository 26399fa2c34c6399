//! New files of positions for a trainer, in `bulletformat`: 32 bytes a position, seen from the side
//! to move, score in centipawns, result of the game (0, 1, 2 half points), and in the first of the
//! bytes that the format leaves free what the score is of the value: itself, a lower or an upper
//! bound.
//!
//! Positions are scattered by a hash of their key and the seed, which shuffles them and brings equal
//! ones together; the first of them stays.

use std::path::PathBuf;

use bulletformat::{BulletFormat, ChessBoard};
use sextant_board::{Color, Move, Piece, Position, Random};
use sextant_cli::{
    failure::Failure,
    files::{NewFile, is_same},
};
use sextant_play::GameResult;
use sextant_search::Bound;

use super::{
    filter::{CAUSES, Filter},
    scatter::Scatter,
};
use crate::args;

/// Bytes of a position.
const RECORD: usize = 32;

/// What `data convert` and `data tree` write.
#[derive(clap::Args, Debug)]
pub(super) struct PositionsArgs {
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// A second file, of positions to validate with.
    #[arg(long, value_name = "FILE")]
    valid: Option<PathBuf>,
    /// Share of the games that go to --valid.
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = args::share::<f64>())]
    #[arg(requires = "valid")]
    valid_share: f64,
    /// Seed of the order, and of which games validate.
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    #[command(flatten)]
    filter: Filter,
}

/// What a position is worth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label {
    /// In centipawns, from White's view.
    pub(super) white_score: i16,
    /// Of the score from the view of the side to move.
    pub(super) bound: Bound,
    /// How the game ended.
    pub(super) result: GameResult,
}

impl Label {
    pub(super) fn exact(white_score: i16, result: GameResult) -> Label {
        Label {
            white_score,
            bound: Bound::Exact,
            result,
        }
    }

    fn record(self, position: &Position) -> ChessBoard {
        let board = position.board();
        let (white, black) = (board.colors(Color::White).0, board.colors(Color::Black).0);
        let [pawns, knights, bishops, rooks, queens, kings] =
            Piece::ALL.map(|piece| board.pieces(piece).0);
        let planes = [white, black, pawns, knights, bishops, rooks, queens, kings];
        let side = board.side_to_move() as usize;
        let white_result = self.result.half_points(Color::White) as f32 / 2.0;
        // The only error is a piece of no kind, which a board does not have.
        let record = ChessBoard::from_raw(planes, side, self.white_score, white_result);
        let mut record = record.unwrap_or_default();
        record.extra[0] = match self.bound {
            Bound::Exact => 0,
            Bound::Lower => 1,
            Bound::Upper => 2,
        };
        record
    }
}

/// The game of a position, for the split: positions of one game share its result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    validates: bool,
}

/// The files while they are being made.
pub(super) struct Positions<'a> {
    args: &'a PositionsArgs,
    train: NewFile,
    valid: Option<NewFile>,
    scatter: Scatter,
    seen: u64,
    /// Positions that the filter left out, by cause.
    lost: [u64; CAUSES.len()],
}

impl Positions<'_> {
    /// Begins the files; `bytes` is about how large they will be.
    pub(super) fn create(args: &PositionsArgs, bytes: u64) -> Result<Positions<'_>, Failure> {
        let out = &args.out;
        if args.valid.as_ref().is_some_and(|valid| is_same(valid, out)) {
            return Err(Failure::usage("--out and --valid are the same file"));
        }
        Ok(Positions {
            args,
            train: NewFile::new(out)?,
            valid: args.valid.as_deref().map(NewFile::new).transpose()?,
            scatter: Scatter::new(bytes, out)?,
            seen: 0,
            lost: [0; CAUSES.len()],
        })
    }

    /// Where the positions of game number `game` go.
    pub(super) fn group(&self, game: u64) -> Group {
        let drawn = Random::of_item(self.args.seed, game).next_u64() as f64 / 2_f64.powi(64);
        Group {
            validates: self.valid.is_some() && drawn < self.args.valid_share,
        }
    }

    /// Counts a position with its score from either side and its best move, if one is known. Does
    /// the filter keep it?
    pub(super) fn keeps(&mut self, position: &Position, score: i16, best: Option<Move>) -> bool {
        self.seen += 1;
        let cause = self.args.filter.cause(position, score, best);
        if let Some(cause) = cause {
            self.lost[cause] += 1;
        }
        cause.is_none()
    }

    pub(super) fn add(
        &mut self,
        position: &Position,
        label: Label,
        group: Group,
    ) -> Result<(), Failure> {
        let mut payload = [u8::from(group.validates); 1 + RECORD];
        payload[1..].copy_from_slice(ChessBoard::as_bytes_slice(&[label.record(position)]));
        let key = Random::new(self.args.seed ^ position.key()).next_u64();
        self.scatter.add(key, &payload)
    }

    /// Mixes the positions, leaves out what comes twice, and gives the files their names. What
    /// became of the positions that were seen, a line each.
    pub(super) fn finish(mut self) -> Result<String, Failure> {
        let (mut twice, mut trains, mut validates) = (0, 0, 0);
        let mut last = None;
        self.scatter.gather(|key, payload| {
            if last.replace(key) == Some(key) {
                twice += 1;
                return Ok(());
            }
            let (head, record) = payload.split_at(1);
            let (file, count) = match &mut self.valid {
                Some(valid) if head == [1] => (valid, &mut validates),
                _ => (&mut self.train, &mut trains),
            };
            *count += 1;
            Ok(file.write(record)?)
        })?;
        self.train.finish()?;
        self.valid.map_or(Ok(()), NewFile::finish)?;
        let lost = self.lost.iter().zip(CAUSES);
        let lost = lost.map(|(&count, cause)| ("left out", count, cause));
        let kept = [
            ("left out", twice, "seen before"),
            ("train", trains, ""),
            ("valid", validates, ""),
        ];
        let mut text = format!("positions  {:>12}\n", self.seen);
        for (name, count, note) in lost.chain(kept) {
            let share = 100.0 * count as f64 / self.seen.max(1) as f64;
            let line = format!("  {name:8} {count:>12}  {share:4.1} %  {note}");
            text.push_str(line.trim_end());
            text.push('\n');
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use sextant_board::parse_fen;

    use super::*;

    use GameResult::{BlackWins, Draw, WhiteWins};

    /// The crate reads its own text form of the same positions to the same record.
    #[test]
    fn records_are_seen_from_the_side_to_move() {
        let castling = "r3k2r/pp6/8/3pP3/8/8/6N1/R3K2B w Qkq - 3 9";
        let queens = "8/8/1k6/8/4q3/8/1K6/8 b - - 0 1";
        for (fen, white_score, result, points) in [
            (castling, 57, WhiteWins, "1.0"),
            (&castling.replace(" w ", " b "), 57, WhiteWins, "1.0"),
            (queens, -900, BlackWins, "0.0"),
            (&queens.replace(" b ", " w "), -900, Draw, "0.5"),
        ] {
            let known: ChessBoard = format!("{fen} | {white_score} | {points}").parse().unwrap();
            let position = parse_fen(fen).unwrap();
            let exact = Label::exact(white_score, result);
            let mut record = exact.record(&position);
            assert_eq!(record, known, "{fen}");
            record.extra[0] = 2;
            let bound = Bound::Upper;
            assert_eq!(Label { bound, ..exact }.record(&position), record);
        }
    }
}
