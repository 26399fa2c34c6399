//! What a person sees on standard output: its width, and colors where a terminal shows them
//! (`NO_COLOR` and `CLICOLOR` are respected).

use console::{Style, Term};

/// Columns of the terminal; `None` where standard output is none, such as a file or a pipe.
pub fn width() -> Option<usize> {
    let terminal = Term::stdout();
    let (_, columns) = terminal.is_term().then(|| terminal.size_checked())??;
    Some(columns.into())
}

/// For headings and results.
pub fn bold(text: &str) -> String {
    Style::new().bold().apply_to(text).to_string()
}

/// For what is read less often.
pub fn dim(text: &str) -> String {
    Style::new().dim().apply_to(text).to_string()
}
