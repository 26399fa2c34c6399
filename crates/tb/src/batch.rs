//! Many positions: lines in, verdicts out, on all cores, in order.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::process::ExitCode;

use rayon::prelude::*;
use serde::Serialize;
use sextant_syzygy::Tablebase;

use crate::cli::{BatchArgs, BatchFormat};
use crate::failure::{BAD_POSITION, Failure, probe_code};
use crate::{json, judge, position, progress};

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
    #[serde(flatten)]
    verdict: T,
}

#[derive(Serialize)]
struct Unknown<'a> {
    line: u64,
    error: &'a str,
}

/// Bytes read at once: as many as a chunk has, about.
const BUFFER: usize = 1 << 18;

/// What lines are read from.
pub(crate) type Input = BufReader<Box<dyn Read>>;

/// Opens a file, or standard input for `-`.
pub(crate) fn open(path: &Path) -> Result<(Input, Option<u64>), Failure> {
    let input = |from: Box<dyn Read>| BufReader::with_capacity(BUFFER, from);
    if path == Path::new("-") {
        return Ok((input(Box::new(io::stdin())), None));
    }
    let io = |source| Failure::Io {
        what: path.display().to_string(),
        source,
    };
    let file = File::open(path).map_err(io)?;
    let bytes = file.metadata().map_err(io)?.len();
    Ok((input(Box::new(file)), Some(bytes)))
}

/// Reads lines one by one: bytes that are no UTF-8 are replaced, over-long lines are cut.
pub(crate) struct Lines {
    input: Input,
    number: u64,
    pub(crate) bytes: u64,
}

impl Lines {
    pub(crate) fn new(input: Input) -> Lines {
        Lines {
            input,
            number: 0,
            bytes: 0,
        }
    }

    /// The next line with its number; `None` at the end.
    pub(crate) fn next_line(&mut self) -> io::Result<Option<(u64, String)>> {
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
                return Ok(Some((self.number, text.to_owned())));
            }
        }
    }
}

/// The `batch` command.
pub(crate) fn run(tables: &Tablebase, args: &BatchArgs) -> Result<ExitCode, Failure> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads)
        .build();
    let pool = pool.map_err(|error| Failure::Usage(format!("cannot start threads: {error}")))?;
    let (input, bytes) = open(&args.file)?;
    let mut lines = Lines::new(input);
    let bar = progress::bar(bytes, "bytes");
    let mut out = BufWriter::new(io::stdout().lock());
    let mut worst = 0;
    if args.format == BatchFormat::Csv {
        write(&mut out, "line,fen,category,dtz,precise_dtz,error")?;
    }
    loop {
        let chunk = read_chunk(&mut lines, &args.file)?;
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
                return Ok(ExitCode::from(worst));
            }
            if args.strict && answer.code > 0 {
                write_end(&mut out)?;
                let (line, message) = (line.number, answer.message.clone());
                return Err(Failure::Line {
                    line,
                    message,
                    code: answer.code,
                });
            }
        }
        write_end(&mut out)?;
        bar.set_position(lines.bytes);
    }
    bar.finish_and_clear();
    Ok(ExitCode::from(worst))
}

fn read_chunk(lines: &mut Lines, path: &Path) -> Result<Vec<Line>, Failure> {
    let io = |source| Failure::Io {
        what: path.display().to_string(),
        source,
    };
    let mut chunk = Vec::with_capacity(CHUNK);
    while chunk.len() < CHUNK
        && let Some((number, text)) = lines.next_line().map_err(io)?
    {
        chunk.push(Line { number, text });
        if lines.input.buffer().is_empty() {
            // Whoever writes a line may be waiting for its answer.
            break;
        }
    }
    Ok(chunk)
}

/// Writes a line; false if nobody reads any more.
fn write(out: &mut impl Write, text: &str) -> Result<bool, Failure> {
    match writeln!(out, "{text}") {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(source) => Err(Failure::Io {
            what: "stdout".into(),
            source,
        }),
    }
}

fn write_end(out: &mut impl Write) -> Result<(), Failure> {
    match out.flush() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Io {
            what: "stdout".into(),
            source: error,
        }),
        _ => Ok(()),
    }
}

/// Judges one line.
fn answer(tables: &Tablebase, args: &BatchArgs, line: &Line) -> Answer {
    let board = match position::parse(&line.text) {
        Ok(board) => board,
        Err(error) => return failed(args, line, error.to_string(), BAD_POSITION),
    };
    let verdict = judge::verdict(tables, &board);
    if let (false, Some(problem)) = (verdict.is_known(), verdict.problem) {
        return failed(args, line, problem.to_string(), probe_code(problem));
    }
    let (number, fen) = (line.number, line.text.as_str());
    let text = match (args.format, args.moves) {
        (BatchFormat::Csv, _) => {
            let plies = |plies: Option<i32>| plies.map_or(String::new(), |plies| plies.to_string());
            let dtz = plies(verdict.dtz.map(|dtz| dtz.plies));
            let precise = plies(verdict.dtz.filter(|dtz| !dtz.rounded).map(|dtz| dtz.plies));
            format!(
                "{number},{},{},{dtz},{precise},",
                quoted(fen),
                verdict.category_name()
            )
        }
        (BatchFormat::Ndjson, true) => {
            let verdict = json::response(&judge::judge(tables, &board));
            json::compact(&Known {
                line: number,
                fen,
                verdict,
            })
        }
        (BatchFormat::Ndjson, false) => json::compact(&Known {
            line: number,
            fen,
            verdict: json::position(&verdict),
        }),
    };
    Answer {
        text,
        code: 0,
        message: String::new(),
    }
}

fn failed(args: &BatchArgs, line: &Line, message: String, code: u8) -> Answer {
    let text = match args.format {
        BatchFormat::Ndjson => json::compact(&Unknown {
            line: line.number,
            error: &message,
        }),
        BatchFormat::Csv => format!(
            "{},{},,,,{}",
            line.number,
            quoted(&line.text),
            quoted(&message)
        ),
    };
    Answer {
        text,
        code,
        message,
    }
}

/// A CSV field.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}
