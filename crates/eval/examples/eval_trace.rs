//! Turns positions with game results into the counts of weights that a fit needs.
//!
//! ```text
//! cargo run --release -p sextant-eval --example eval_trace -- OUT_DIR < positions.txt
//! ```
//!
//! Each line is `FEN;result` with the result from White's view as `1-0`, `1/2-1/2`, `0-1` or `1.0`,
//! `0.5`, `0.0`; further fields are ignored, lines that do not parse are counted and skipped. A
//! position in check is skipped; any other is replaced by the quiet position at the end of its
//! best line of captures, because a static evaluation answers for quiet positions only.
//!
//! `OUT_DIR` gets little-endian columns: `head.u8` (phase, scale, result in half points, side to
//! move as 0 or 1), `start.u64` (first entry of each row, and the end), `index.u16` and
//! `count.i16` (the entries).

use std::{
    error::Error,
    fs::{self, File},
    io::{self, BufRead, BufWriter, Write},
    path::Path,
};

use sextant_board::{Color, Piece, Position, Score, parse_fen};
use sextant_eval::{Params, State, Trace};

fn main() -> Result<(), Box<dyn Error>> {
    let dir = std::env::args()
        .nth(1)
        .ok_or("usage: eval_trace OUT_DIR < positions.txt")?;
    let mut columns = Columns::create(Path::new(&dir))?;
    let mut quiet = Quiet::new();
    let (mut rows, mut skipped) = (0, 0);
    for line in io::stdin().lock().lines() {
        match trace(&line?, &mut quiet) {
            Some(row) => {
                columns.write(&row)?;
                rows += 1;
            }
            None => skipped += 1,
        }
    }
    columns.finish()?;
    eprintln!("{rows} positions traced, {skipped} lines skipped");
    Ok(())
}

struct Row {
    trace: Trace,
    half_points: u8,
    black_to_move: bool,
}

fn trace(line: &str, quiet: &mut Quiet) -> Option<Row> {
    let mut fields = line.split(';');
    let fen = fields.next()?.trim();
    let half_points = match fields.next()?.trim() {
        "1-0" | "1.0" | "1" => 2,
        "1/2-1/2" | "0.5" => 1,
        "0-1" | "0.0" | "0" => 0,
        _ => return None,
    };
    let leaf = quiet.leaf(&parse_fen(fen).ok()?)?;
    Some(Row {
        trace: Trace::of(leaf.board())?,
        half_points,
        black_to_move: leaf.side_to_move() == Color::Black,
    })
}

/// A search of captures and queen promotions that remembers where it ended.
struct Quiet {
    state: State,
}

impl Quiet {
    fn new() -> Quiet {
        Quiet {
            state: State::new(Params::default()),
        }
    }

    fn leaf(&mut self, root: &Position) -> Option<Position> {
        if root.in_check() {
            return None;
        }
        self.state.reset(root);
        let infinite = Score::INFINITE;
        Some(self.search(root, -infinite, infinite).1)
    }

    fn search(&mut self, pos: &Position, mut alpha: Score, beta: Score) -> (Score, Position) {
        let mut best = (self.state.evaluate(pos), pos.clone());
        alpha = alpha.max(best.0);
        if alpha >= beta {
            return best;
        }
        let theirs = pos.board().colors(!pos.side_to_move());
        let mut moves = Vec::new();
        pos.board().generate_moves(|mut set| {
            set.to &= theirs;
            moves.extend(
                set.into_iter()
                    .filter(|mv| matches!(mv.promotion, None | Some(Piece::Queen))),
            );
            false
        });
        // Most valuable victim first, least valuable attacker among them.
        let board = pos.board();
        moves.sort_by_key(|mv| {
            (
                std::cmp::Reverse(board.piece_on(mv.to)),
                board.piece_on(mv.from),
            )
        });
        for mv in moves {
            let (next, delta) = pos.make(mv);
            self.state.push(&delta);
            let (score, leaf) = self.search(&next, -beta, -alpha);
            self.state.pop();
            if -score > best.0 {
                best = (-score, leaf);
                alpha = alpha.max(best.0);
                if alpha >= beta {
                    break;
                }
            }
        }
        best
    }
}

/// The output files.
struct Columns {
    head: BufWriter<File>,
    start: BufWriter<File>,
    index: BufWriter<File>,
    count: BufWriter<File>,
    entries: u64,
}

impl Columns {
    fn create(dir: &Path) -> io::Result<Columns> {
        fs::create_dir_all(dir)?;
        let file = |name| Ok::<_, io::Error>(BufWriter::new(File::create(dir.join(name))?));
        Ok(Columns {
            head: file("head.u8")?,
            start: file("start.u64")?,
            index: file("index.u16")?,
            count: file("count.i16")?,
            entries: 0,
        })
    }

    fn write(&mut self, row: &Row) -> io::Result<()> {
        let trace = &row.trace;
        let side = u8::from(row.black_to_move);
        let byte = |n: i32| u8::try_from(n).expect("phase and scale are small");
        let head = [byte(trace.phase), byte(trace.scale), row.half_points, side];
        self.head.write_all(&head)?;
        self.start.write_all(&self.entries.to_le_bytes())?;
        for &(index, count) in &trace.counts {
            let index = u16::try_from(index).expect("few weights");
            let count = i16::try_from(count).expect("few men");
            self.index.write_all(&index.to_le_bytes())?;
            self.count.write_all(&count.to_le_bytes())?;
        }
        self.entries += trace.counts.len() as u64;
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        self.start.write_all(&self.entries.to_le_bytes())?;
        for file in [
            &mut self.head,
            &mut self.start,
            &mut self.index,
            &mut self.count,
        ] {
            file.flush()?;
        }
        Ok(())
    }
}
