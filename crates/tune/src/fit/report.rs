//! The report as files: all of it as JSON, the tables as CSV, the calibrations as pictures.

use std::{fs, path::Path};

use sextant::whole_file;

use super::{
    calibration::Bin,
    chart,
    contest::Entry,
    outcome::{Outcome, Prices},
    show,
};
use crate::failure::Failure;

/// Makes the folder, so that what cannot be written is known before the searches.
///
/// # Errors
/// [`Failure`] if the system does not allow it.
pub(super) fn prepare(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder)
        .map_err(|error| Failure::usage(format!("cannot make {}: {error}", folder.display())))?;
    check_writable(&folder.join("report.txt"))
}

/// Can a file be written here? Asked before the searches.
///
/// # Errors
/// [`Failure`] if not.
pub(super) fn check_writable(path: &Path) -> Result<(), Failure> {
    whole_file::check(path)
        .map_err(|error| Failure::usage(format!("cannot write {}: {error}", path.display())))
}

/// Writes all files of the report into a folder that is there.
///
/// # Errors
/// [`Failure`] names the first file that cannot be written.
pub(super) fn write(outcome: &Outcome, folder: &Path) -> Result<(), Failure> {
    let save = |name: &str, text: String| {
        let path = folder.join(name);
        whole_file::write(&path, text.as_bytes())
            .map_err(|error| Failure::work(format!("cannot write {}: {error}", path.display())))
    };
    let json = serde_json::to_string_pretty(outcome).map_err(Failure::work)?;
    save("report.json", json + "\n")?;
    save("report.txt", show::text(outcome))?;
    if let Some(prices) = &outcome.prices {
        save("categories.csv", categories(prices))?;
        save("prices-rivals.csv", rivals(&prices.rivals))?;
        save("prices-calibration.csv", bins(&prices.calibration))?;
        let title = "how often a move is best";
        save("prices-calibration.svg", draw(title, &prices.calibration)?)?;
    }
    if let Some(reductions) = &outcome.reductions {
        save("reductions-rivals.csv", rivals(&reductions.rivals))?;
        save("reductions-calibration.csv", bins(&reductions.calibration))?;
        let title = "how often a late move is the one";
        save(
            "reductions-calibration.svg",
            draw(title, &reductions.calibration)?,
        )?;
    }
    Ok(())
}

fn draw(title: &str, bins: &[Bin]) -> Result<String, Failure> {
    chart::draw(title, bins).map_err(Failure::work)
}

/// Names hold neither commas nor quotes.
fn csv(head: &str, rows: impl Iterator<Item = String>) -> String {
    let lines: Vec<String> = std::iter::once(head.to_owned()).chain(rows).collect();
    lines.join("\n") + "\n"
}

fn categories(prices: &Prices) -> String {
    let rows = prices.categories.iter().map(|c| {
        let known = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let (bits, percent) = (known(c.bits), known(c.percent()));
        format!(
            "{},{},{},{},{},{},{bits},{percent},{},{},{}",
            c.name, c.applies, c.counts, c.best, c.utility, c.error, c.before, c.after, c.paper
        )
    });
    csv(
        "category,applies,counts,best,utility,error,bits,percent,before_sx,after_sx,paper_sx",
        rows,
    )
}

fn rivals(entries: &[Entry]) -> String {
    let rows = entries.iter().map(|entry| {
        let gain = &entry.gain;
        format!(
            "{},{},{},{},{}",
            entry.name, entry.bits, gain.mean, gain.low, gain.high
        )
    });
    csv("model,bits,gain,low,high", rows)
}

fn bins(bins: &[Bin]) -> String {
    let rows = bins
        .iter()
        .map(|bin| format!("{},{},{}", bin.predicted, bin.observed, bin.count));
    csv("predicted,observed,count", rows)
}
