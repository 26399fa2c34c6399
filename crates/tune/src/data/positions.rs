//! New files of positions for a trainer, in `bulletformat`: 32 bytes a position, seen from the side
//! to move, score in centipawns, result of the game (0, 1, 2 half points), and in the first of the
//! bytes that the format leaves free what is known of the value: the score is it, a lower or an
//! upper bound of it, or the result is it, because tables say so.
//!
//! Positions are scattered by a hash of their key and the seed, which shuffles them and brings equal
//! ones together; the first of them stays.

use std::{path::PathBuf, sync::Arc};

use bulletformat::{BulletFormat, ChessBoard};
use sextant_board::{Color, Move, MoveSets, Piece, Position, Random};
use sextant_cli::{
    failure::Failure,
    files::{NewFile, is_same},
    output,
};
use sextant_play::{GameResult, table_result};
use sextant_search::Bound;
use sextant_syzygy::Tablebase;

use super::{
    filter::{BEYOND, CAUSES, Filter},
    scatter::Scatter,
};
use crate::{args, engine, train::RECORD_BYTES, viriformat::Game};

/// Where a record says what is known of the value, and that the result is it.
const KNOWN: usize = 29;
const RESULT_IS_VALUE: u8 = 3;
/// A score so far from zero promises all points at any usual scale of a trainer.
pub(super) const FARTHEST: i16 = 10_000;

/// What `data convert`, `data tree` and `data distill` write.
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
    /// Folders of tablebases: a position that they cover gets their result in the place of the
    /// game's, and no score counts for it.
    #[arg(long, value_name = "FOLDERS")]
    syzygy: Option<String>,
    #[command(flatten)]
    filter: Filter,
}

/// What a position is worth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label {
    /// In centipawns, from White's view.
    pub(super) white_score: i16,
    /// What the score is of the value, from the view of the side to move; `None` if the result is
    /// the value.
    pub(super) bound: Option<Bound>,
    /// How the game ended, or by right ends.
    pub(super) result: GameResult,
}

impl Label {
    pub(super) fn exact(white_score: i16, result: GameResult) -> Label {
        Label {
            white_score,
            bound: Some(Bound::Exact),
            result,
        }
    }

    /// A result that is beyond doubt. Its score says the same to trainers that know scores only.
    fn by_tables(result: GameResult) -> Label {
        Label {
            white_score: (result.half_points(Color::White) as i16 - 1) * FARTHEST,
            bound: None,
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
            Some(Bound::Exact) => 0,
            Some(Bound::Lower) => 1,
            Some(Bound::Upper) => 2,
            None => RESULT_IS_VALUE,
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
    tables: Option<Arc<Tablebase>>,
    seen: u64,
    /// Positions that the filter left out, by cause.
    lost: [u64; CAUSES.len()],
    /// Positions without a quiet one in their place.
    ended: u64,
}

impl Positions<'_> {
    /// Begins the files; `bytes` is about how large they will be.
    pub(super) fn create(args: &PositionsArgs, bytes: u64) -> Result<Positions<'_>, Failure> {
        let out = &args.out;
        if args.valid.as_ref().is_some_and(|valid| is_same(valid, out)) {
            return Err(Failure::usage("--out and --valid are the same file"));
        }
        let folders = args.syzygy.as_deref();
        Ok(Positions {
            args,
            tables: folders.map(engine::open_tables).transpose()?,
            train: NewFile::new(out)?,
            valid: args.valid.as_deref().map(NewFile::new).transpose()?,
            scatter: Scatter::new(bytes, out)?,
            seen: 0,
            lost: [0; CAUSES.len()],
            ended: 0,
        })
    }

    /// Where the positions of the game with this key go: to the same side in every set that the game
    /// is in, so that no network learns what it is validated with later.
    pub(super) fn group(&self, game: u64) -> Group {
        let drawn = Random::of_item(self.args.seed, game).next_u64() as f64 / 2_f64.powi(64);
        Group {
            validates: self.valid.is_some() && drawn < self.args.valid_share,
        }
    }

    /// Counts a position, so many plies into its game, with its score from either side and its best
    /// move, if one is known. Does the filter keep it?
    pub(super) fn keeps(
        &mut self,
        position: &Position,
        ply: usize,
        score: i16,
        best: Option<Move>,
    ) -> bool {
        self.seen += 1;
        let cause = self.args.filter.cause(position, ply, score, best);
        let cause = cause.filter(|&cause| cause != BEYOND || self.tabled(position).is_none());
        if let Some(cause) = cause {
            self.lost[cause] += 1;
        }
        cause.is_none()
    }

    /// The result by the tables, if they cover the position.
    fn tabled(&self, position: &Position) -> Option<GameResult> {
        let tables = self.tables.as_deref()?;
        table_result(tables, position)
    }

    /// Takes the position in which a game ended without a move, if tables know its result and it is
    /// quiet.
    pub(super) fn add_end(&mut self, game: &Game, group: Group) -> Result<(), Failure> {
        if self.tables.is_none() {
            return Ok(());
        }
        let position = &game.end();
        let Some(result) = self.tabled(position) else {
            return Ok(());
        };
        let moves = MoveSets::generate(position);
        let takes = |mv: Move| mv.promotion.is_some() || position.is_capture(mv);
        if position.in_check() || moves.is_empty() || moves.iter().any(takes) {
            return Ok(());
        }
        self.seen += 1;
        self.scatter(position, Label::by_tables(result), group)
    }

    /// Counts a position that the filter keeps, but whose quiescence ends the game.
    pub(super) fn leave_out(&mut self) {
        self.ended += 1;
    }

    /// Takes a position with its label, unless tables know better.
    pub(super) fn add(
        &mut self,
        position: &Position,
        label: Label,
        group: Group,
    ) -> Result<(), Failure> {
        let label = self.tabled(position).map_or(label, Label::by_tables);
        self.scatter(position, label, group)
    }

    fn scatter(&mut self, position: &Position, label: Label, group: Group) -> Result<(), Failure> {
        let mut payload = [u8::from(group.validates); 1 + RECORD_BYTES];
        payload[1..].copy_from_slice(ChessBoard::as_bytes_slice(&[label.record(position)]));
        let key = Random::new(self.args.seed ^ position.key()).next_u64();
        self.scatter.add(key, &payload)
    }

    /// Mixes the positions, leaves out what comes twice, and gives the files their names. What
    /// became of the positions that were seen, a line each.
    pub(super) fn finish(mut self) -> Result<String, Failure> {
        let (mut twice, mut trains, mut validates, mut tabled) = (0, 0, 0, 0);
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
            tabled += u64::from(record[KNOWN] == RESULT_IS_VALUE);
            Ok(file.write(record)?)
        })?;
        self.train.finish()?;
        self.valid.map_or(Ok(()), NewFile::finish)?;
        let tables = self.tables.as_deref();
        let failures = tables.map(Tablebase::take_failures).unwrap_or_default();
        for failure in failures {
            output::note(format_args!("tablebase no longer used: {failure}"));
        }
        let lost = self.lost.iter().zip(CAUSES);
        let lost = lost.map(|(&count, cause)| ("left out", count, cause));
        let kept = [
            ("left out", twice, "seen before"),
            ("train", trains, ""),
            ("valid", validates, ""),
        ];
        let ended = (self.ended > 0).then_some(("left out", self.ended, "captures end the game"));
        let tabled = tables.map(|_| ("exact", tabled, "by tables"));
        let rows = lost.chain(ended).chain(kept).chain(tabled);
        Ok(report(self.seen, rows))
    }
}

/// What became of so many positions: a name, how many, and why.
fn report<'a>(seen: u64, rows: impl Iterator<Item = (&'a str, u64, &'a str)>) -> String {
    let mut text = format!("positions  {seen:>12}\n");
    for (name, count, note) in rows {
        let share = 100.0 * count as f64 / seen.max(1) as f64;
        let line = format!("  {name:8} {count:>12}  {share:4.1} %  {note}");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use sextant_board::{parse_fen, to_fen};

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
            let bound = Some(Bound::Upper);
            assert_eq!(Label { bound, ..exact }.record(&position), record);
        }
    }

    #[test]
    fn what_tables_know_is_said_by_result_and_score() {
        let position = parse_fen("8/8/1k6/8/4q3/8/1K6/8 b - - 0 1").unwrap();
        for (result, text) in [
            (WhiteWins, "10000 | 1.0"),
            (Draw, "0 | 0.5"),
            (BlackWins, "-10000 | 0.0"),
        ] {
            let fen = to_fen(&position, false);
            let mut known: ChessBoard = format!("{fen} | {text}").parse().unwrap();
            known.extra[0] = RESULT_IS_VALUE;
            assert_eq!(Label::by_tables(result).record(&position), known, "{text}");
        }
    }
}
