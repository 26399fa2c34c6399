//! The command line.

use std::{ffi::OsString, path::PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};
use sextant_cli::manual::{Completions, ManPages};

/// Asks Syzygy tablebases: who wins, with which move, how soon.
///
/// The tables are looked for in --path (repeatable), else in SYZYGY_PATH, else in TB_PATH, else in the
/// `syzygy.path` of the configuration. Several folders in one variable are separated by ':' or ';'
/// (on Windows by ';').
#[derive(Parser)]
#[command(name = "sextant-tb", version, after_long_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) tables: TablesArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples (the tables in crates/syzygy/testdata come with the sources):
  sextant-tb --path crates/syzygy/testdata probe \"8/3r4/8/8/8/2k5/8/K6Q w - - 0 1\"
  sextant-tb probe --json 4k3/8/8/8/8/8/8/KQ6 w        4-field and shorter FENs will do
  sextant-tb batch games.epd > verdicts.ndjson
  sextant-tb list --missing 4
  sextant-web --path DIR                               the same answers over HTTP, and a page

Words:
  WDL   win, draw or loss for the side to move
  DTZ   plies to the next capture or pawn move under best play; positive for the winner. The 50-move
        rule makes a win of more than 100 minus the half-move clock a \"cursed win\", a draw in truth;
        the other side has a \"blessed loss\". DTZ may be stored in full moves; then the truth may be
        one ply more, and a verdict on the edge reads \"maybe\".

Exit codes:
  0 answered   2 wrong usage   3 bad position   4 not covered, or a table missing   5 a table is damaged
  batch: 0 if every line was answered, else the highest of these";

#[derive(Args)]
pub(crate) struct TablesArgs {
    /// Folder with tables (.rtbw, .rtbz); may be given several times
    #[arg(long = "path", value_name = "FOLDER", global = true)]
    pub(crate) paths: Vec<OsString>,
    /// Ask WDL tables only: who wins, not how soon
    #[arg(long, global = true)]
    pub(crate) wdl_only: bool,
    /// Configuration file or preset whose `syzygy.path` is used when nothing else names a folder
    #[arg(long, value_name = "FILE|PRESET", global = true)]
    pub(crate) config: Option<OsString>,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Judge one position and each of its moves
    #[command(
        after_help = "Examples:\n  sextant-tb probe 8/3r4/8/8/8/2k5/8/K6Q w\n  sextant-tb --path /tables/3-4-5 --path /tables/6 probe --json \"8/3r4/8/8/8/2k5/8/K6Q w - - 0 1\""
    )]
    Probe(ProbeArgs),
    /// Judge many positions: FEN or EPD lines in, one verdict a line out, order kept
    #[command(
        after_help = "Examples:\n  sextant-tb batch positions.epd > verdicts.ndjson\n  echo 4k3/8/8/8/8/8/8/KQ6 w | sextant-tb batch - --format csv --moves"
    )]
    Batch(BatchArgs),
    /// Show which tables are installed, which are refused and why, and which are missing
    #[command(
        after_help = "Examples:\n  sextant-tb list\n  sextant-tb list --missing 6 --wdl-only"
    )]
    List(ListArgs),
    /// Check headers and checksums of all installed tables
    #[command(after_help = "Examples:\n  sextant-tb verify\n  sextant-tb verify krvkq")]
    Verify(VerifyArgs),
    /// Print the script by which a shell completes arguments
    #[command(after_help = "Example:\n  sextant-tb completions zsh > ~/.zfunc/_sextant-tb")]
    Completions(Completions),
    /// Write the man pages
    #[command(hide = true, after_help = "Example:\n  sextant-tb man target/man")]
    Man(ManPages),
    /// Moved: the server is sextant-web
    #[command(hide = true)]
    Serve {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
        rest: Vec<String>,
    },
}

#[derive(Args)]
pub(crate) struct ProbeArgs {
    /// The position; quotes are optional, the last fields may be left out
    #[arg(required = true, num_args = 1.., value_name = "FEN")]
    pub(crate) fen: Vec<String>,
    /// JSON in lila-tablebase's form
    #[arg(long, conflicts_with = "pgn")]
    pub(crate) json: bool,
    /// Only the main line, to mate where the tables reach so far
    #[arg(long, conflicts_with = "pgn")]
    pub(crate) mainline: bool,
    /// A PGN game with the main line and Fathom's headers
    #[arg(long)]
    pub(crate) pgn: bool,
}

/// What `batch` writes.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BatchFormat {
    /// One JSON object a line.
    Ndjson,
    /// line,fen,operations,category,dtz,precise_dtz,error
    Csv,
}

#[derive(Args)]
pub(crate) struct BatchArgs {
    /// FEN or EPD lines; - reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Output form
    #[arg(long, value_enum, default_value = "ndjson")]
    pub(crate) format: BatchFormat,
    /// Add every move: as probe --json does, in CSV with a row for each
    #[arg(long)]
    pub(crate) moves: bool,
    /// Stop at the first line without an answer
    #[arg(long)]
    pub(crate) strict: bool,
    /// Worker threads; 0 uses all cores
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) threads: usize,
}

#[derive(Args)]
pub(crate) struct ListArgs {
    /// Name every table of so many pieces that a complete set would have
    #[arg(long, value_name = "MEN", value_parser = clap::value_parser!(u32).range(3..=7))]
    pub(crate) missing: Option<u32>,
    /// JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct VerifyArgs {
    /// Only this material, for example KQvKR; sides, pieces and case in any order
    #[arg(value_name = "MATERIAL")]
    pub(crate) material: Option<String>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn every_help_shows_an_example() {
        let without = sextant_cli::manual::without_example(&super::Cli::command());
        assert!(without.is_empty(), "{without:?}");
    }
}
