//! Where pyrrhic-rs's root probe and ours disagree.

use std::fmt::Write;
use std::process::ExitCode;

use cozy_chess::Board;
use sextant_syzygy::Tablebase;

use crate::batch::{Lines, open};
use crate::cli::CompareArgs;
use crate::failure::{BAD_POSITION, Failure, probe_code};
use crate::{notation, position};

/// The `compare` command.
pub(crate) fn run(tables: &Tablebase, args: &CompareArgs) -> Result<ExitCode, Failure> {
    let (input, _) = open(&args.file)?;
    let mut lines = Lines::new(input);
    let (mut positions, mut moves, mut different, mut worst) = (0, 0, 0, 0);
    let io = |source| Failure::Io {
        what: args.file.display().to_string(),
        source,
    };
    while let Some((number, text)) = lines.next_line().map_err(io)? {
        let compared = position::parse(&text)
            .map_err(|error| (error.to_string(), BAD_POSITION))
            .and_then(|board| compare(tables, &board));
        match compared {
            Ok(found) => {
                positions += 1;
                moves += found.moves;
                different += found.differences.len();
                if !found.differences.is_empty() {
                    let differences = found.differences.join("");
                    crate::print_all(&format!("line {number}: {text}\n{differences}"))?;
                }
            }
            Err((message, code)) => {
                worst = worst.max(code);
                crate::print_all(&format!("line {number}: {message}\n"))?;
            }
        }
    }
    crate::print_all(&format!(
        "{positions} positions, {moves} moves compared, {different} judged differently\n"
    ))?;
    Ok(ExitCode::from(worst))
}

/// What comparing one position found.
struct Found {
    moves: usize,
    differences: Vec<String>,
}

fn compare(tables: &Tablebase, board: &Board) -> Result<Found, (String, u8)> {
    let failed = |error: sextant_syzygy::ProbeError| (error.to_string(), probe_code(error));
    let theirs = tables
        .pyrrhic_root(board)
        .unwrap_or(Ok(Vec::new()))
        .map_err(failed)?;
    let ours = tables.probe_root(board, false, true).map_err(failed)?;
    let mut differences = Vec::new();
    let mut moves = 0;
    for our in &ours {
        let Some(their) = theirs.iter().find(|their| their.mv == our.mv) else {
            continue;
        };
        moves += 1;
        let dtz = our.dtz.map_or(0, |dtz| dtz.plies.unsigned_abs());
        if their.wdl != our.wdl || u32::from(their.dtz) != dtz {
            let mut line = String::new();
            let _ = writeln!(
                line,
                "  {:8} native {} {dtz}, pyrrhic-rs {} {}",
                notation::san(board, our.mv),
                our.wdl,
                their.wdl,
                their.dtz
            );
            differences.push(line);
        }
    }
    Ok(Found { moves, differences })
}
