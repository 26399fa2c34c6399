//! The cost table of the config in the paper's terms: SXDEC by kind of move.

use sextant_config::{Config, SPECS, Spec};

use super::contenders::moderate_prices;
use crate::error::LabError;
use crate::report::{Cell, Table};

/// Keys of `[extensions]` that are prices of moves, in the paper's unit.
const PRICES: [&str; 20] = [
    "first",
    "check_safe",
    "check_unsafe",
    "capture_winning",
    "capture_equal",
    "capture_losing",
    "recapture",
    "promotion",
    "underpromotion",
    "passed_pawn",
    "only_reply",
    "evasion",
    "killer",
    "counter_move",
    "quiet_forward",
    "quiet_backward",
    "mate_threat",
    "mate_glance",
    "quiet_forward_max",
    "quiet_backward_max",
];

/// The prices of the run's config, of the moderate list and of the paper.
///
/// # Errors
/// When the preset is missing.
pub fn table(config: &Config) -> Result<Table, LabError> {
    let cyrus = Config::preset("cyrus68k").map_err(LabError::engine)?;
    let mut moderate = config.clone();
    moderate_prices(&mut moderate.extensions);
    let mut table = Table::new(
        "prices",
        "SXDEC: what a move takes from its side's SEX (8 is one nominal ply; the last column is the \
         config's price in plies)",
        &[
            "key",
            "move",
            "this config",
            "moderate prices",
            "Cyrus 68K",
            "plies",
        ],
    );
    for spec in price_specs() {
        // As the file shows it, in SX.
        let sx = |config: &Config| spec.text(config);
        let plies = sx(config)
            .parse::<f64>()
            .map_or(Cell::Empty, |sx| Cell::real(sx / 8.0, 2));
        table.row([
            spec.name.into(),
            spec.doc().into(),
            sx(config).into(),
            sx(&moderate).into(),
            sx(&cyrus).into(),
            plies,
        ]);
    }
    Ok(table)
}

fn price_specs() -> impl Iterator<Item = &'static Spec> {
    let is_price = |spec: &&Spec| spec.section == "extensions" && PRICES.contains(&spec.name);
    SPECS.iter().filter(is_price)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_price_is_known_and_cyrus_has_the_papers_range() {
        assert_eq!(price_specs().count(), PRICES.len());
        let table = table(&Config::default()).unwrap();
        let row = |key: &str| {
            let found = table.rows.iter().find(|row| row[0] == Cell::from(key));
            found.unwrap().clone()
        };
        assert_eq!(row("recapture")[4], Cell::from("3.0"));
        assert_eq!(row("quiet_backward_max")[4], Cell::from("24.0"));
        assert_eq!(row("check_safe")[3], Cell::from("4.0"));
        assert!(matches!(row("first")[5], Cell::Real(..)));
    }
}
