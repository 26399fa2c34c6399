//! False alarms on random keys: the formula against the crate.

use sextant_repetition::{FilterBitsError, History};

use crate::error::LabError;
use crate::experiment::Context;
use crate::game::Dice;
use crate::report::{Axis, Cell, Chart, Series, Stroke, Table};

/// Probability that a key which is not there finds its counter taken, with `others` keys in a
/// filter of 2^`bits` counters.
#[must_use]
pub fn predicted(bits: u32, others: usize) -> f64 {
    1.0 - (1.0 - 0.5_f64.powi(bits as i32)).powf(others as f64)
}

/// Queries of one filling before the keys are drawn anew.
const QUERIES: u32 = 20;

/// Share of `fillings` times twenty queries for absent keys that the filter could not deny.
///
/// # Errors
/// When `bits` is outside what the filter accepts.
pub fn measured(
    bits: u32,
    others: u16,
    fillings: u32,
    dice: &mut Dice,
) -> Result<f64, FilterBitsError> {
    let mut history = History::new(bits)?;
    let (mut queries, mut maybes) = (0, 0);
    for _ in 0..fillings {
        history.set_game((0..others).map(|clock| (dice.bits(), clock)));
        for _ in 0..QUERIES {
            history.enter(dice.bits(), others);
            let repeated = history.is_repetition();
            debug_assert!(!repeated, "64 random bits do not collide");
            history.leave();
        }
        queries += history.alarms().queries;
        maybes += history.alarms().maybes;
    }
    Ok(maybes as f64 / queries.max(1) as f64)
}

/// The table, the largest deviation in standard errors, and the picture.
///
/// # Errors
/// Only if the filter refused a size that is on the list.
pub fn experiment(context: &Context<'_>) -> Result<(Table, f64, Chart), LabError> {
    let mut table = Table::new(
        "rates",
        "False alarms on random keys (%): measured, and 1 - (1 - 2^-bits)^n",
        &[
            "bits",
            "keys n",
            "measured",
            "formula",
            "standard errors off",
        ],
    );
    let fillings = context.sized(200, 5_000);
    let lengths = [8_u16, 16, 32, 64, 100, 250];
    let mut dice = Dice::new(context.seed);
    let mut worst = 0.0_f64;
    let mut series = Vec::new();
    let sizes = [4, 6, 8, 10, 12, 14];
    context
        .progress
        .begin(sizes.len() as u64, "false alarms on random keys");
    for bits in sizes {
        let mut points = Vec::new();
        for others in lengths {
            let found = measured(bits, others, fillings, &mut dice).map_err(refused)?;
            let formula = predicted(bits, others.into());
            let off = deviation(found, bits, others, fillings);
            worst = worst.max(off.abs());
            points.push((f64::from(others), 100.0 * found));
            table.row([
                bits.into(),
                u32::from(others).into(),
                Cell::real(100.0 * found, 3),
                Cell::real(100.0 * formula, 3),
                Cell::real(off, 2),
            ]);
        }
        let line = lengths.map(|n| (f64::from(n), 100.0 * predicted(bits, n.into())));
        if bits % 4 == 0 {
            series.push(Series::new(
                &format!("{bits} bits, formula"),
                Stroke::Dashed,
                line.into(),
            ));
            series.push(Series::new(
                &format!("{bits} bits, measured"),
                Stroke::Dots,
                points,
            ));
        }
        context.progress.step();
    }
    let chart = Chart {
        title: "False alarms by length of the line".to_owned(),
        x: Axis::log("reversible positions before this one"),
        y: Axis::log("false alarms (%)"),
        series,
    };
    Ok((table, worst, chart))
}

/// How many standard errors `found` is off the formula. Queries of one filling share its taken
/// counters, so the variance has a part between fillings too.
fn deviation(found: f64, bits: u32, others: u16, fillings: u32) -> f64 {
    let slots = 2_f64.powi(bits as i32);
    let n = f64::from(others);
    let rate = predicted(bits, others.into());
    // Variance of the share of empty slots after n keys: the occupancy problem.
    let two_empty = (1.0 - 2.0 / slots).max(0.0).powf(n);
    let empty = 1.0 - rate;
    let between = (empty / slots + (1.0 - 1.0 / slots) * two_empty - empty * empty).max(0.0);
    let within = (rate * empty - between).max(0.0) / f64::from(QUERIES);
    let error = ((between + within) / f64::from(fillings)).sqrt();
    if error > 0.0 {
        (found - rate) / error
    } else {
        0.0
    }
}

/// A filter size outside the crate's range; the lists here are inside it.
pub(super) fn refused(error: FilterBitsError) -> LabError {
    LabError::BadTable {
        table: "filter sizes",
        cause: error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_follows_the_formula() {
        let mut dice = Dice::new(5);
        for (bits, others) in [(4, 16), (8, 64), (10, 100), (12, 250)] {
            let found = measured(bits, others, 1_000, &mut dice).unwrap();
            let off = deviation(found, bits, others, 1_000);
            assert!(
                off.abs() < 4.5,
                "{bits} bits, {others} keys: {found}, {off} errors off"
            );
        }
    }

    #[test]
    fn more_counters_fewer_alarms() {
        assert!((predicted(14, 50) - 1.0 / 328.0).abs() < 1e-4);
        assert!(predicted(2, 100) > 0.999);
    }
}
