//! `data convert`: quiet positions for a trainer, in `bulletformat`: 32 bytes a position, seen from
//! the side to move, score in centipawns and result of the game (0, 1, 2 half points).
//!
//! One pass over the games and one over what they left: positions are scattered by a hash of their
//! key and the seed, which shuffles them and brings equal ones together; the first of them stays.

use std::path::PathBuf;

use bulletformat::{BulletFormat, ChessBoard};
use sextant_board::{Color, Piece, Position, Random};
use sextant_cli::{
    failure::Failure,
    files::{NewFile, is_same},
    output,
};
use sextant_play::GameResult;

use super::{
    filter::{CAUSES, Filter},
    games::Files,
    scatter::Scatter,
};
use crate::{
    args,
    viriformat::{Game, Turn},
};

/// Bytes of a position.
const RECORD: usize = 32;
/// A move in a file of games has four bytes; the position that it becomes, scattered, about this
/// many times as many.
const GROWTH: u64 = 12;
/// No λ-return is farther from zero, whatever the expectation rounds to.
const FARTHEST: f64 = 10_000.0;

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    files: Files,
    /// A second file, of positions to validate with.
    #[arg(long, value_name = "FILE")]
    valid: Option<PathBuf>,
    /// Share of the games that go to --valid.
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = args::share::<f64>())]
    #[arg(requires = "valid")]
    valid_share: f64,
    /// Seed of the order, and of which games validate.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    filter: Filter,
    #[command(flatten)]
    returns: Returns,
}

/// λ-returns: scores that know what the rest of the game thought.
///
/// The score of a short search knows little of what only time shows; the result of the game knows
/// it, but is noisy. Between them lies the average of the scores of this position and of those
/// after it, each weighing λ times what the one before it weighs, and the result of the game the
/// rest: the return of TD(λ) (Sutton 1988; for chess KnightCap, Baxter, Tridgell and Weaver 1998).
/// The average is over expected points, not centipawns.
#[derive(clap::Args, Clone, Copy, Debug)]
struct Returns {
    /// Replace each score by its λ-return: the later scores and the result of its game count too,
    /// each ply less by this factor. 0 leaves the scores as they are, 1 leaves only the results.
    #[arg(long, value_name = "FACTOR", default_value_t = 0.0, value_parser = args::share::<f64>())]
    lambda: f64,
    /// Centipawns that make 73 % of the points, for --lambda: give the training's `--scale` the
    /// same number (its own default is another, 400).
    #[arg(long, value_name = "CP", default_value_t = 250)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=2_000))]
    scale: u16,
}

#[derive(Debug, Default)]
struct Counts {
    games: u64,
    seen: u64,
    lost: [u64; CAUSES.len()],
    twice: u64,
    train: u64,
    valid: u64,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let out = &args.files.out;
    if args.valid.as_ref().is_some_and(|valid| is_same(valid, out)) {
        return Err(Failure::usage("--out and --valid are the same file"));
    }
    let mut input = args.files.inputs.open("reading")?;
    let mut train = NewFile::new(out)?;
    let mut valid = args.valid.as_deref().map(NewFile::new).transpose()?;
    let mut counts = Counts::default();
    let mut scatter = Scatter::new(input.bytes() * GROWTH, out)?;
    while let Some(game) = input.next_game()? {
        let validates = valid.is_some() && validates(args, counts.games);
        scatter_game(&game, validates, args, &mut scatter, &mut counts)?;
        counts.games += 1;
    }
    let mut last = None;
    scatter.gather(|key, payload| {
        if last.replace(key) == Some(key) {
            counts.twice += 1;
            return Ok(());
        }
        let (head, record) = payload.split_at(1);
        let (file, count) = match &mut valid {
            Some(valid) if head == [1] => (valid, &mut counts.valid),
            _ => (&mut train, &mut counts.train),
        };
        *count += 1;
        Ok(file.write(record)?)
    })?;
    train.finish()?;
    valid.map_or(Ok(()), NewFile::finish)?;
    output::print(counts.text())
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
    for ((position, turn), taught) in game.positions().zip(args.returns.of(game)) {
        counts.seen += 1;
        if let Some(cause) = args.filter.cause(&position, turn) {
            counts.lost[cause] += 1;
            continue;
        }
        let mut payload = [u8::from(validates); 1 + RECORD];
        let record = record(&position, taught, game.result);
        payload[1..].copy_from_slice(ChessBoard::as_bytes_slice(&[record]));
        let key = Random::new(args.seed ^ position.key()).next_u64();
        scatter.add(key, &payload)?;
    }
    Ok(())
}

fn record(position: &Position, turn: Turn, result: GameResult) -> ChessBoard {
    let board = position.board();
    let (white, black) = (board.colors(Color::White).0, board.colors(Color::Black).0);
    let [pawns, knights, bishops, rooks, queens, kings] =
        Piece::ALL.map(|piece| board.pieces(piece).0);
    let planes = [white, black, pawns, knights, bishops, rooks, queens, kings];
    let white_result = result.half_points(Color::White) as f32 / 2.0;
    let side = board.side_to_move() as usize;
    // The only error is a piece of no kind, which a board does not have.
    ChessBoard::from_raw(planes, side, turn.white_score, white_result).unwrap_or_default()
}

impl Returns {
    /// The moves with returns in the place of the scores.
    fn of(&self, game: &Game) -> Vec<Turn> {
        let mut turns = game.turns.clone();
        if self.lambda == 0.0 {
            return turns;
        }
        let scale = f64::from(self.scale);
        let mut later = game.result.half_points(Color::White) as f64 / 2.0;
        for turn in turns.iter_mut().rev() {
            let now = 1.0 / (1.0 + (-f64::from(turn.white_score) / scale).exp());
            later += (1.0 - self.lambda) * (now - later);
            let score = scale * (later / (1.0 - later)).ln();
            turn.white_score = score.clamp(-FARTHEST, FARTHEST).round() as i16;
        }
        turns
    }
}

impl Counts {
    fn text(&self) -> String {
        let share = |count: u64| 100.0 * count as f64 / self.seen.max(1) as f64;
        let (games, seen) = (self.games, self.seen);
        let mut text = format!("games      {games:>12}\npositions  {seen:>12}\n");
        let lost = self.lost.into_iter().zip(CAUSES);
        let lost = lost.map(|(count, cause)| ("left out", count, cause));
        let kept = [
            ("left out", self.twice, "seen before"),
            ("train", self.train, ""),
            ("valid", self.valid, ""),
        ];
        for (name, count, note) in lost.chain(kept) {
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
            let mv = "a1a2".parse().unwrap();
            let known: ChessBoard = format!("{fen} | {white_score} | {points}").parse().unwrap();
            let mine = record(&parse_fen(fen).unwrap(), Turn { mv, white_score }, result);
            assert_eq!(mine, known, "{fen}");
            let is_black = fen.contains(" b ");
            assert_eq!(
                mine.score,
                if is_black { -white_score } else { white_score }
            );
        }
    }

    fn returns(lambda: f64, scores: &[i16], result: GameResult) -> Vec<i16> {
        let mv = "a1a2".parse().unwrap();
        let turns = scores.iter().map(|&white_score| Turn { mv, white_score });
        let game = Game {
            start: Position::startpos(),
            result,
            turns: turns.collect(),
        };
        let turns = Returns { lambda, scale: 250 }.of(&game);
        turns.iter().map(|turn| turn.white_score).collect()
    }

    #[test]
    fn without_lambda_nothing_changes_and_at_one_the_result_alone_is_left() {
        let scores = [12, -40, 3_000, -32_000];
        assert_eq!(returns(0.0, &scores, Draw), scores);
        assert_eq!(returns(1.0, &[500, -500], Draw), [0, 0]);
        assert_eq!(returns(1.0, &[0, 0], WhiteWins), [10_000, 10_000]);
        assert_eq!(returns(1.0, &[0, 0], BlackWins), [-10_000, -10_000]);
    }

    /// Half of what was thought then and half of what was known a ply later, in points.
    #[test]
    fn later_scores_count_by_points() {
        let points = |score: i16| 1.0 / (1.0 + (-f64::from(score) / 250.0).exp());
        let found = returns(0.5, &[100, 700, 0], Draw);
        assert_eq!(found[2], 0);
        assert!((points(found[1]) - (points(700) + 0.5) / 2.0).abs() < 1e-3);
        assert!((points(found[0]) - (points(100) + points(found[1])) / 2.0).abs() < 1e-3);
    }
}
