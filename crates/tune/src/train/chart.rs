//! The picture of the losses.

use plotters::prelude::*;

use super::log::{Log, Row};

const SIZE: (u32, u32) = (720, 420);
const FONT: (&str, i32) = ("sans-serif", 14);
/// The best constant is drawn where it belongs up to this many times the worst loss.
const FAR: f64 = 2.0;
const TRAIN: RGBColor = RGBColor(0x2f, 0x7e, 0xd0);
const VALID: RGBColor = RGBColor(0xd9, 0x6d, 0x1a);
const CONSTANT: RGBColor = RGBColor(0x80, 0x80, 0x80);

/// Draws training and validation loss over the positions seen, and the best constant's loss.
///
/// # Errors
/// The drawing library's, in words.
pub(super) fn draw(log: &Log) -> Result<String, String> {
    let mut svg = String::new();
    draw_into(log, &mut svg).map_err(|error| error.to_string())?;
    Ok(svg)
}

fn draw_into(log: &Log, svg: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let millions = |row: &Row| row.positions as f64 / 1e6;
    let last = log.rows.last().map_or(1.0, millions);
    let losses = || log.rows.iter().flat_map(|row| [row.train, row.valid]);
    let low = losses().fold(log.constant, f64::min);
    let worst = losses().fold(low, f64::max);
    // Losses worse than a constant are cut off: they would hide all the others. So is a constant that
    // a trained network left far behind; its name says how high it is.
    let constant_fits = log.constant <= FAR * worst;
    let top = if constant_fits { log.constant } else { worst };
    let room = (top - low).max(1e-4) * 0.08;
    let high = top + room;
    let constant = if constant_fits {
        "best constant".to_owned()
    } else {
        format!("best constant {:.3}, above", log.constant)
    };

    let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut plot = ChartBuilder::on(&area)
        .margin(10)
        .x_label_area_size(44)
        .y_label_area_size(70)
        .build_cartesian_2d(0.0..last * 1.02, low - room..high)?;
    plot.configure_mesh()
        .x_desc("million positions seen")
        .y_desc("mean loss")
        .label_style(FONT)
        .axis_desc_style(FONT)
        .light_line_style(TRANSPARENT)
        .draw()?;
    type Value = fn(&Log, &Row) -> f64;
    let lines: [(String, RGBColor, Value); 3] = [
        ("training".to_owned(), TRAIN, |_, row| row.train),
        ("validation".to_owned(), VALID, |_, row| row.valid),
        (constant, CONSTANT, |log, _| log.constant),
    ];
    for (name, colour, value) in lines {
        let points = log
            .rows
            .iter()
            .map(|row| (millions(row), value(log, row).min(high)));
        plot.draw_series(LineSeries::new(points, colour.stroke_width(2)))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], colour.stroke_width(2)));
    }
    plot.configure_series_labels()
        .background_style(WHITE.mix(0.8))
        .border_style(CONSTANT)
        .label_font(FONT)
        .draw()?;
    area.present()?;
    drop(plot);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_shows_three_named_lines() {
        let row = |superbatch: u64, train, valid| Row {
            superbatch,
            positions: superbatch * 1_000_000,
            rate: 0.001,
            train,
            valid,
        };
        let log = Log {
            constant: 0.15,
            rows: vec![row(1, 0.1, 0.11), row(2, 0.09, 0.1), row(3, 0.08, 0.1)],
        };
        let svg = draw(&log).unwrap();
        assert!(svg.starts_with("<svg"));
        for name in [
            "training",
            "validation",
            "best constant",
            "million positions seen",
        ] {
            assert!(svg.contains(name), "{name}");
        }
    }

    #[test]
    fn a_constant_far_above_is_said() {
        let row = Row {
            superbatch: 1,
            positions: 1_000_000,
            rate: 0.001,
            train: 0.016,
            valid: 0.017,
        };
        let log = Log {
            constant: 0.0836,
            rows: vec![row],
        };
        assert!(draw(&log).unwrap().contains("best constant 0.084, above"));
    }

    #[test]
    fn one_row_or_none_is_drawn_too() {
        assert!(draw(&Log::default()).is_ok());
    }
}
