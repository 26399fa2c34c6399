//! Many positions: lines in, verdicts out, on all cores, in order.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

use rayon::prelude::*;
use serde::Serialize;
use sextant_board::{parse_loose_fen, split_loose_fen};
use sextant_cli::{
    failure::Failure,
    files::FileError,
    output::{self, is_read},
    progress::Progress,
};
use sextant_syzygy::{
    Dtz, Judged, Tablebase, Verdict,
    json::{Answer as JsonAnswer, Position},
};

use crate::cli::{BatchArgs, BatchFormat};
use crate::exit;

/// Lines judged together; enough to keep all cores busy between two writes.
const CHUNK: usize = 4_096;
/// Longest line that is looked at; no FEN or EPD comes near it.
const MAX_LINE_BYTES: u64 = 4_096;

/// A line of the input that is neither empty nor a comment.
struct Line {
    number: u64,
    text: String,
}

/// What became of a line.
struct Answer {
    text: String,
    /// 0, or the exit code that the line's failure stands for.
    code: u8,
    message: String,
}

#[derive(Serialize)]
struct Known<'a, T: Serialize> {
    line: u64,
    fen: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    operations: &'a str,
    #[serde(flatten)]
    verdict: T,
}

#[derive(Serialize)]
struct Unknown<'a> {
    line: u64,
    fen: &'a str,
    error: &'a str,
}

/// Bytes read at once: as many as a chunk has, about.
const BUFFER: usize = 1 << 18;

/// What lines are read from; numbers them as they come.
struct Lines<'a> {
    path: &'a Path,
    input: BufReader<Box<dyn Read>>,
    /// Bytes of the file, if it has an end that is known.
    length: Option<u64>,
    number: u64,
    bytes: u64,
}

impl<'a> Lines<'a> {
    /// Opens a file, or standard input for `-`.
    fn open(path: &'a Path) -> Result<Lines<'a>, FileError> {
        let (input, length): (Box<dyn Read>, _) = if path == Path::new("-") {
            (Box::new(io::stdin()), None)
        } else {
            let file = File::open(path).map_err(FileError::of("read", path))?;
            let found = file.metadata().map_err(FileError::of("read", path))?;
            (Box::new(file), found.is_file().then_some(found.len()))
        };
        Ok(Lines {
            path,
            input: BufReader::with_capacity(BUFFER, input),
            length,
            number: 0,
            bytes: 0,
        })
    }

    /// The next lines that are neither empty nor comments; none at the end.
    fn next_chunk(&mut self) -> Result<Vec<Line>, FileError> {
        let mut chunk = Vec::with_capacity(CHUNK);
        while chunk.len() < CHUNK
            && let Some(line) = self.next_line().map_err(FileError::of("read", self.path))?
        {
            chunk.push(line);
            if self.input.buffer().is_empty() {
                // Whoever writes a line may be waiting for its answer.
                break;
            }
        }
        Ok(chunk)
    }

    /// Bytes that are no UTF-8 are replaced, over-long lines are cut.
    fn next_line(&mut self) -> io::Result<Option<Line>> {
        loop {
            let mut bytes = Vec::new();
            let mut limited = Read::take(&mut self.input, MAX_LINE_BYTES);
            let mut read = limited.read_until(b'\n', &mut bytes)? as u64;
            if read == 0 {
                return Ok(None);
            }
            if read == MAX_LINE_BYTES && bytes.last() != Some(&b'\n') {
                read += self.input.skip_until(b'\n')? as u64;
            }
            self.number += 1;
            self.bytes += read;
            let text = String::from_utf8_lossy(&bytes);
            let text = text.trim().trim_start_matches('\u{feff}');
            if !text.is_empty() && !text.starts_with('#') {
                return Ok(Some(Line {
                    number: self.number,
                    text: text.to_owned(),
                }));
            }
        }
    }
}

pub(crate) fn run(tables: &Tablebase, args: &BatchArgs) -> Result<u8, Failure> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads)
        .build()
        .map_err(|error| Failure::usage(format!("cannot start threads: {error}")))?;
    let mut lines = Lines::open(&args.file)?;
    let progress = Progress::new("judging", lines.length).in_bytes();
    let mut out = BufWriter::new(io::stdout().lock());
    let mut worst = 0;
    if args.format == BatchFormat::Csv {
        let moves = if args.moves { MOVE_COLUMNS } else { "" };
        write(
            &mut out,
            &format!("line,fen,operations,category,dtz,precise_dtz,error{moves}"),
        )?;
    }
    loop {
        let chunk = lines.next_chunk()?;
        if chunk.is_empty() {
            break;
        }
        let answers: Vec<Answer> = pool.install(|| {
            chunk
                .par_iter()
                .map(|line| answer(tables, args, line))
                .collect()
        });
        for (answer, line) in answers.iter().zip(&chunk) {
            worst = worst.max(answer.code);
            if !write(&mut out, &answer.text)? {
                return Ok(worst);
            }
            if args.strict && answer.code > 0 {
                flush(&mut out)?;
                let message = format!("line {}: {}", line.number, answer.message);
                return Err(Failure::with_code(answer.code, message));
            }
        }
        if !flush(&mut out)? {
            return Ok(worst);
        }
        progress.set(lines.bytes, "");
    }
    Ok(worst)
}

/// Writes a line; false if nobody reads any more.
fn write(out: &mut impl Write, text: &str) -> Result<bool, Failure> {
    is_read(writeln!(out, "{text}")).map_err(|error| output::unwritable(&error))
}

fn flush(out: &mut impl Write) -> Result<bool, Failure> {
    is_read(out.flush()).map_err(|error| output::unwritable(&error))
}

fn answer(tables: &Tablebase, args: &BatchArgs, line: &Line) -> Answer {
    let (fen, operations) = split_loose_fen(&line.text);
    let board = match parse_loose_fen(&line.text) {
        Ok(board) => board,
        Err(error) => return failed(args, line, error.to_string(), exit::BAD_POSITION),
    };
    let judged = args.moves.then(|| tables.judge(&board));
    let verdict = judged
        .as_ref()
        .map_or_else(|| tables.verdict(&board), |it| it.verdict);
    if let (false, Some(problem)) = (verdict.is_known(), verdict.problem) {
        return failed(args, line, problem.to_string(), exit::code(problem));
    }
    let number = line.number;
    let text = match (args.format, &judged) {
        (BatchFormat::Csv, _) => {
            let (dtz, precise) = distances(&verdict);
            let category = verdict.category_name();
            let (fen, operations) = (quoted(fen), quoted(operations));
            let start = format!("{number},{fen},{operations},{category},{dtz},{precise},");
            judged.map_or(start.clone(), |judged| move_rows(&start, &judged))
        }
        (BatchFormat::Ndjson, Some(judged)) => compact(&Known {
            line: number,
            fen,
            operations,
            verdict: JsonAnswer::from(judged),
        }),
        (BatchFormat::Ndjson, None) => compact(&Known {
            line: number,
            fen,
            operations,
            verdict: Position::from(&verdict),
        }),
    };
    Answer {
        text,
        code: 0,
        message: String::new(),
    }
}

/// What a row of a move has behind those of its position; the opponent's view after it.
const MOVE_COLUMNS: &str = ",uci,san,move_category,move_dtz,move_precise_dtz";

/// A row for each move, best first; one without a move where the game is over.
fn move_rows(start: &str, judged: &Judged) -> String {
    let rows = judged.moves.iter().map(|it| {
        let (dtz, precise) = distances(&it.after);
        let category = it.after.category_name();
        format!("{start},{},{},{category},{dtz},{precise}", it.uci, it.san)
    });
    match judged.moves.is_empty() {
        true => format!("{start},,,,,"),
        false => rows.collect::<Vec<_>>().join("\n"),
    }
}

/// DTZ, and DTZ where it is known to the ply; empty where there is none.
fn distances(verdict: &Verdict) -> (String, String) {
    let plies = |dtz: Option<Dtz>| dtz.map_or(String::new(), |dtz| dtz.plies.to_string());
    (
        plies(verdict.dtz),
        plies(verdict.dtz.filter(|dtz| !dtz.rounded)),
    )
}

fn failed(args: &BatchArgs, line: &Line, message: String, code: u8) -> Answer {
    let (fen, operations) = split_loose_fen(&line.text);
    let text = match args.format {
        BatchFormat::Ndjson => compact(&Unknown {
            line: line.number,
            fen,
            error: &message,
        }),
        BatchFormat::Csv => {
            let (fen, operations, error) = (quoted(fen), quoted(operations), quoted(&message));
            let moves = if args.moves { ",,,,," } else { "" };
            format!("{},{fen},{operations},,,,{error}{moves}", line.number)
        }
    };
    Answer {
        text,
        code,
        message,
    }
}

/// One line without the newline.
fn compact(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}
