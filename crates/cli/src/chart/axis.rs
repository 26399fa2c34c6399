//! An axis of a chart: its range, where it is marked, and how numbers are written there.

use std::ops::Range;

use plotters::{
    coord::{
        ranged1d::{DefaultFormatting, KeyPointHint},
        types::RangedCoordf64,
    },
    prelude::*,
};
use serde::{Deserialize, Serialize};

/// What an axis counts, and whether it counts in powers of ten.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// What is counted, with its unit.
    pub label: String,
    /// Logarithmic scale; values at or below 0 are left out then.
    pub log: bool,
    /// The least and the greatest value shown; `None` for those of the points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub between: Option<(f64, f64)>,
}

impl Axis {
    /// An axis with equal steps.
    pub fn linear(label: impl Into<String>) -> Axis {
        Axis {
            label: label.into(),
            log: false,
            between: None,
        }
    }

    /// An axis with equal factors.
    pub fn log(label: impl Into<String>) -> Axis {
        Axis {
            log: true,
            ..Axis::linear(label)
        }
    }

    /// Shows these values and cuts off points beyond them.
    #[must_use]
    pub fn between(self, least: f64, greatest: f64) -> Axis {
        Axis {
            between: Some((least, greatest)),
            ..self
        }
    }

    /// A value in the coordinates of the drawing: its logarithm on a log axis. What lies beyond the
    /// axis stands at its end.
    pub(super) fn place(&self, value: f64) -> Option<f64> {
        let value = match self.between {
            Some((least, greatest)) if !value.is_nan() => value.max(least).min(greatest),
            _ => value,
        };
        let place = if self.log { value.log10() } else { value };
        place.is_finite().then_some(place)
    }

    /// The number at a mark, short: `25k`, `1M`, `0.05`.
    pub(super) fn tick(&self, place: f64) -> String {
        let value = if self.log { 10_f64.powf(place) } else { place };
        let (scaled, unit) = match value.abs() {
            size if size >= 1e12 => (value / 1e12, "T"),
            size if size >= 1e9 => (value / 1e9, "G"),
            size if size >= 1e6 => (value / 1e6, "M"),
            size if size >= 1e4 => (value / 1e3, "k"),
            size if size > 0.0 && size < 1e-3 => return format!("{value:.0e}"),
            _ => (value, ""),
        };
        let decimals = match scaled.abs() {
            size if size >= 100.0 || (size - size.round()).abs() < 1e-6 => 0,
            size if size >= 10.0 => 1,
            size if size >= 0.1 => 2,
            _ => 4,
        };
        let text = format!("{scaled:.decimals$}");
        let short = if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.')
        } else {
            &text
        };
        format!("{short}{unit}")
    }

    /// Where it is marked: at 1, 2 and 5 times powers of ten, as closely as `most` marks allow.
    fn marks(&self, (low, high): (f64, f64), most: usize) -> Vec<f64> {
        if self.log {
            return log_marks((low, high), most);
        }
        let mut steps = (-12..15).flat_map(|power| [1.0, 2.0, 5.0].map(|f| f * 10_f64.powi(power)));
        let step = steps.find(|step| (high - low) / step <= most as f64);
        let step = step.unwrap_or(high - low);
        let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
        (first..=last).map(|n| n as f64 * step).collect()
    }
}

fn log_marks((low, high): (f64, f64), most: usize) -> Vec<f64> {
    let within = |factors: &[f64], every: i32| -> Vec<f64> {
        let decades = low.floor() as i32..=high.ceil() as i32;
        decades
            .filter(|decade| decade % every == 0)
            .flat_map(|decade| factors.iter().map(move |f| f64::from(decade) + f.log10()))
            .filter(|at| (low..=high).contains(at))
            .collect()
    };
    let fine = [within(&[1.0, 2.0, 5.0], 1), within(&[1.0, 3.0], 1)];
    let coarse = (1..).map(|every| within(&[1.0], every));
    let mut all = fine.into_iter().chain(coarse);
    all.find(|at| at.len() <= most).unwrap_or_default()
}

/// From the least to the greatest place, a little wider, never empty; `None` without a place.
pub(super) fn range(axis: &Axis, places: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let ends = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), place| {
        (low.min(place), high.max(place))
    });
    let fixed = axis.between.and_then(|(least, greatest)| {
        Some((axis.place(least)?, axis.place(greatest)?)).filter(|(low, high)| low < high)
    });
    let (low, high) = Some(ends).filter(|(low, high)| low <= high)?;
    if fixed.is_some() {
        return fixed;
    }
    let room = if high > low { (high - low) * 0.04 } else { 0.5 };
    Some((low - room, high + room))
}

/// An axis with marks of our choice: the library's own are round in the logarithm, not in the value.
pub(super) struct Scale {
    line: RangedCoordf64,
    marks: Vec<f64>,
}

impl Scale {
    pub(super) fn new(axis: &Axis, (low, high): (f64, f64), most: usize) -> Scale {
        Scale {
            line: (low..high).into(),
            marks: axis.marks((low, high), most),
        }
    }
}

impl Ranged for Scale {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        self.line.map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.marks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.line.range()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_marked_at_round_values() {
        let linear = |range, most| {
            let marks = Axis::linear("").marks(range, most);
            let rounded = marks.iter().map(|x| (x * 1e6).round() / 1e6);
            rounded.collect::<Vec<_>>()
        };
        assert_eq!(linear((-0.3, 9.7), 5), [0.0, 2.0, 4.0, 6.0, 8.0]);
        assert_eq!(linear((0.11, 0.42), 8), [0.15, 0.2, 0.25, 0.3, 0.35, 0.4]);
        let labels = |range| {
            let axis = Axis::log("");
            let marks = axis.marks(range, 7);
            marks.iter().map(|&at| axis.tick(at)).collect::<Vec<_>>()
        };
        assert_eq!(labels((5.5, 6.5)), ["500k", "1M", "2M"]);
        assert_eq!(
            labels((0.0, 12.0)),
            ["1", "100", "10k", "1M", "100M", "10G", "1T"]
        );
    }

    #[test]
    fn ticks_are_short() {
        for (place, expected) in [(6.0, "1M"), (4.0, "10k"), (-5.0, "1e-5")] {
            assert_eq!(Axis::log("").tick(place), expected);
        }
        for (place, expected) in [(0.25, "0.25"), (40.0, "40"), (0.005, "0.005")] {
            assert_eq!(Axis::linear("").tick(place), expected);
        }
    }
}
