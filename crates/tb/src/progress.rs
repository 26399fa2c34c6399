//! Progress bars on stderr, silent where stderr is no terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar over `length` of `unit`; without a length it counts.
pub(crate) fn bar(length: Option<u64>, unit: &str) -> ProgressBar {
    let bar = match length {
        Some(length) => ProgressBar::new(length),
        None => ProgressBar::no_length(),
    };
    let template = match length {
        Some(_) => format!("{{bar:40}} {{pos}}/{{len}} {unit}, {{per_sec}}, {{eta}} left"),
        None => format!("{{spinner}} {{pos}} {unit}, {{per_sec}}"),
    };
    match ProgressStyle::with_template(&template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
