//! Turns games in PGN into lines `FEN;result` for `eval_trace`.
//!
//! ```text
//! cargo run --release -p sextant-eval --example pgn_positions < games.pgn > positions.txt
//! ```
//!
//! Every position after a move is written, but those of games without a result. A game whose moves
//! cannot be read is given up at that move, with a word on stderr.

use std::{
    error::Error,
    io::{self, BufRead, BufWriter, Write},
};

use sextant_board::{Position, parse_fen, parse_san, to_fen};

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut game = Game::default();
    let mut games = 0;
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line.starts_with('[') && !game.moves.is_empty() {
            games += 1;
            std::mem::take(&mut game).write(games, &mut out)?;
        }
        game.read(&line);
    }
    games += 1;
    game.write(games, &mut out)?;
    out.flush()?;
    eprintln!("{games} games");
    Ok(())
}

#[derive(Default)]
struct Game {
    fen: Option<String>,
    result: Option<String>,
    moves: Vec<String>,
    in_comment: bool,
}

impl Game {
    fn read(&mut self, line: &str) {
        if !self.in_comment
            && let Some(tag) = line.strip_prefix('[')
        {
            let value = || tag.split('"').nth(1).map(str::to_owned);
            match tag.split(' ').next() {
                Some("FEN") => self.fen = value(),
                Some("Result") => self.result = value(),
                _ => {}
            }
            return;
        }
        // Comments may touch the words beside them.
        for word in line
            .replace('{', " { ")
            .replace('}', " } ")
            .split_whitespace()
        {
            match word {
                "{" => self.in_comment = true,
                "}" => self.in_comment = false,
                "1-0" | "0-1" | "1/2-1/2" | "*" => {}
                _ if self.in_comment || word.starts_with('$') => {}
                word => {
                    let san = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
                    if !san.is_empty() {
                        self.moves.push(san.to_owned());
                    }
                }
            }
        }
    }

    fn write(self, number: usize, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
        let Some(result) = self.result.filter(|result| result != "*") else {
            return Ok(());
        };
        let mut pos = match self.fen {
            Some(fen) => parse_fen(&fen)?,
            None => Position::startpos(),
        };
        for san in &self.moves {
            match parse_san(&pos, san) {
                Ok(mv) => pos = pos.make(mv).0,
                Err(error) => {
                    eprintln!("game {number}: {error}");
                    break;
                }
            }
            writeln!(out, "{};{result}", to_fen(&pos, true))?;
        }
        Ok(())
    }
}
