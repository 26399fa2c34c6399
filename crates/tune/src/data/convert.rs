//! `data convert`: quiet positions for a trainer, in `bulletformat`: 32 bytes a position, seen from
//! the side to move, score in centipawns and result of the game (0, 1, 2 half points).
//!
//! One pass over the games and one over what they left: positions are scattered by a hash of their
//! key and the seed, which shuffles them and brings equal ones together; the first of them stays.

use std::path::PathBuf;

use bulletformat::ChessBoard;
use sextant_board::{Color, Piece, Position, Random};
use sextant_play::GameResult;

use super::{
    filter::{Cause, Filter},
    input::{self, Input},
    output::Output,
    returns::Returns,
    scatter::Scatter,
};
use crate::{
    failure::Failure,
    games::{Game, Turn},
    same_file::is_same,
    say,
};

/// Bytes of a position.
const RECORD: usize = 32;
/// A move in a file of games has four bytes; the position that it becomes, scattered, about this
/// many times as many.
const GROWTH: u64 = 12;

/// The arguments of `data convert`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Files of games.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The file of positions to train with.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The file of positions to validate with.
    #[arg(long, value_name = "FILE")]
    valid: Option<PathBuf>,
    /// Share of the games that go to --valid.
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = super::share)]
    #[arg(requires = "valid")]
    valid_share: f64,
    /// Decides the order, and which games validate.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    filter: Filter,
    #[command(flatten)]
    returns: Returns,
}

/// What became of the positions.
#[derive(Debug, Default)]
struct Counts {
    games: u64,
    seen: u64,
    lost: [u64; Cause::ALL.len()],
    twice: u64,
    train: u64,
    valid: u64,
}

/// Converts the files.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let is_out = |valid| is_same(valid, &args.out);
    if args.valid.as_deref().is_some_and(is_out) {
        return Err(Failure::usage("--out and --valid are the same file"));
    }
    let mut input = Input::new(&args.files, "reading")?;
    let mut train = Output::new(&args.out)?;
    let mut valid = args.valid.as_deref().map(Output::new).transpose()?;
    let mut counts = Counts::default();
    let mut scatter = Scatter::new(input.bytes() * GROWTH, &args.out)?;
    while let Some(game) = input.next_game()? {
        let validates = valid.is_some() && validates(args, counts.games);
        scatter_game(&game, validates, args, &mut scatter, &mut counts)?;
        counts.games += 1;
    }
    let mut last = None;
    scatter.gather(
        |bytes| input::bar(bytes, "writing"),
        |key, payload| {
            if last.replace(key) == Some(key) {
                counts.twice += 1;
                return Ok(());
            }
            match (payload.split_first(), &mut valid) {
                (Some((1, record)), Some(valid)) => {
                    counts.valid += 1;
                    valid.write(record)
                }
                (Some((_, record)), _) => {
                    counts.train += 1;
                    train.write(record)
                }
                (None, _) => Ok(()),
            }
        },
    )?;
    train.finish()?;
    valid.map_or(Ok(()), Output::finish)?;
    say::out(counts.text())?;
    Ok(())
}

/// Does game number `game` validate? Whole games are split off, since the positions of one game
/// share its result.
fn validates(args: &Args, game: u64) -> bool {
    let drawn = Random::of_item(args.seed, game).next_u64() as f64 / 2_f64.powi(64);
    drawn < args.valid_share
}

fn scatter_game(
    game: &Game,
    validates: bool,
    args: &Args,
    scatter: &mut Scatter,
    counts: &mut Counts,
) -> Result<(), Failure> {
    let mut result = Ok(());
    let mut taught = game.turns.clone();
    args.returns.replace(&mut taught, game.result);
    let mut taught = taught.into_iter();
    game.visit(|position, turn| {
        let taught = taught.next().unwrap_or(turn);
        counts.seen += 1;
        if let Some(cause) = args.filter.cause(position, turn) {
            counts.lost[cause as usize] += 1;
            return;
        }
        let mut payload = [u8::from(validates); 1 + RECORD];
        payload[1..].copy_from_slice(&bytes_of(&record(position, taught, game.result)));
        let key = Random::new(args.seed ^ position.key()).next_u64();
        let added = scatter.add(key, &payload);
        if result.is_ok() {
            result = added;
        }
    });
    result
}

/// A position as trainers read it.
fn record(position: &Position, turn: Turn, result: GameResult) -> ChessBoard {
    let board = position.board();
    let (white, black) = (board.colors(Color::White).0, board.colors(Color::Black).0);
    let [pawns, knights, bishops, rooks, queens, kings] =
        Piece::ALL.map(|piece| board.pieces(piece).0);
    let mut record = ChessBoard::default();
    let planes = [white, black, pawns, knights, bishops, rooks, queens, kings];
    let white_result = result.half_points(Color::White) as f32 / 2.0;
    let side = board.side_to_move() as usize;
    // The only error is a man of no kind, which a board does not have.
    if let Ok(packed) = ChessBoard::from_raw(planes, side, turn.white_score, white_result) {
        record = packed;
    }
    record
}

/// The record as it lies in the file, numbers little-endian.
fn bytes_of(record: &ChessBoard) -> [u8; RECORD] {
    let mut bytes = [0; RECORD];
    bytes[..8].copy_from_slice(&record.occ.to_le_bytes());
    bytes[8..24].copy_from_slice(&record.pcs);
    bytes[24..26].copy_from_slice(&record.score.to_le_bytes());
    bytes[26..29].copy_from_slice(&[record.result, record.ksq, record.opp_ksq]);
    bytes[29..].copy_from_slice(&record.extra);
    bytes
}

impl Counts {
    fn text(&self) -> String {
        let share = |count: u64| 100.0 * count as f64 / self.seen.max(1) as f64;
        let mut text = format!(
            "games      {:>12}\npositions  {:>12}\n",
            self.games, self.seen
        );
        for cause in Cause::ALL {
            let count = self.lost[cause as usize];
            text.push_str(&format!(
                "  left out {count:>12}  {:4.1} %  {}\n",
                share(count),
                cause.text()
            ));
        }
        for (name, count, note) in [
            ("left out", self.twice, "seen before"),
            ("train", self.train, ""),
            ("valid", self.valid, ""),
        ] {
            let line = format!("  {name:8} {count:>12}  {:4.1} %  {note}", share(count));
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use sextant_board::parse_fen;

    use super::*;

    fn record_of(fen: &str, white_score: i16, result: GameResult) -> ChessBoard {
        let turn = Turn {
            mv: "a1a2".parse().unwrap(),
            white_score,
        };
        record(&parse_fen(fen).unwrap(), turn, result)
    }

    /// The crate reads its own text form of the same positions to the same record.
    #[test]
    fn records_are_seen_from_the_side_to_move() {
        use GameResult::{BlackWins, Draw, WhiteWins};
        for (fen, score, result, text) in [
            (
                "r3k2r/pp6/8/3pP3/8/8/6N1/R3K2B w Qkq - 3 9",
                57,
                WhiteWins,
                "1.0",
            ),
            (
                "r3k2r/pp6/8/3pP3/8/8/6N1/R3K2B b Qkq - 3 9",
                57,
                WhiteWins,
                "1.0",
            ),
            ("8/8/1k6/8/4q3/8/1K6/8 b - - 0 1", -900, BlackWins, "0.0"),
            ("8/8/1k6/8/4q3/8/1K6/8 w - - 0 1", -900, Draw, "0.5"),
        ] {
            let known: ChessBoard = format!("{fen} | {score} | {text}").parse().unwrap();
            let mine = record_of(fen, score, result);
            assert_eq!(mine, known, "{fen}");
            let flipped = fen.contains(" b ");
            assert_eq!(mine.score, if flipped { -score } else { score });
        }
    }

    #[test]
    fn a_record_lies_in_the_file_as_in_memory() {
        use std::{fs, io::BufWriter};

        use bulletformat::BulletFormat;

        let record = record_of(
            "r3k2r/pp6/8/3pP3/8/8/6N1/R3K2B b Qkq - 3 9",
            -12,
            GameResult::Draw,
        );
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        let mut file = BufWriter::new(fs::File::create(&path).unwrap());
        ChessBoard::write_to_bin(&mut file, &[record]).unwrap();
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), bytes_of(&record));
    }
}
