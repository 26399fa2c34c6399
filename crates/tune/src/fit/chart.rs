//! The picture of a calibration: what was predicted against what happened, both as powers of two.

use plotters::prelude::*;

use super::calibration::Bin;

const SIZE: (u32, u32) = (640, 560);
const FONT: (&str, i32) = ("sans-serif", 14);

/// Draws the bins, with bars of two standard errors, against the diagonal.
///
/// # Errors
/// The drawing library's, in words.
pub(super) fn draw(title: &str, bins: &[Bin]) -> Result<String, String> {
    let mut svg = String::new();
    draw_into(title, bins, &mut svg).map_err(|error| error.to_string())?;
    Ok(svg)
}

fn draw_into(
    title: &str,
    bins: &[Bin],
    svg: &mut String,
) -> Result<(), Box<dyn std::error::Error>> {
    let log = |p: f64| p.max(1e-6).log2();
    let least = bins
        .iter()
        .flat_map(|bin| [bin.predicted, bin.observed])
        .filter(|p| *p > 0.0)
        .map(log)
        .fold(-1.0, f64::min)
        .floor();
    let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut plot = ChartBuilder::on(&area)
        .margin(12)
        // Half of the last label stands beside the axis.
        .margin_right(28)
        .caption(title, ("sans-serif", 16))
        .x_label_area_size(42)
        .y_label_area_size(60)
        .build_cartesian_2d(least..0.0, least..0.0)?;
    plot.configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc("predicted")
        .y_desc("observed")
        .x_label_formatter(&percent)
        .y_label_formatter(&percent)
        .label_style(FONT)
        .axis_desc_style(FONT)
        .draw()?;
    plot.draw_series(LineSeries::new(
        [(least, least), (0.0, 0.0)],
        BLACK.mix(0.4).stroke_width(1),
    ))?;
    for bin in bins {
        let count = bin.count as f64;
        let error = (bin.observed * (1.0 - bin.observed) / count).sqrt();
        let x = log(bin.predicted);
        let at = |p: f64| (x, log(p.clamp(1e-6, 1.0)).max(least));
        plot.draw_series(LineSeries::new(
            [
                at(bin.observed - 2.0 * error),
                at(bin.observed + 2.0 * error),
            ],
            BLUE.stroke_width(1),
        ))?;
        plot.draw_series([Circle::new(at(bin.observed), 4, BLUE.filled())])?;
    }
    area.present()?;
    drop(plot);
    Ok(())
}

/// A power of two in percent, with two significant digits.
fn percent(bits: &f64) -> String {
    let percent = 100.0 * bits.exp2();
    let decimals = (1.0 - percent.log10().floor()).max(0.0);
    format!("{percent:.0$}%", decimals as usize)
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn percents_have_two_digits_that_count() {
        let shown = [0.0, -2.0, -6.0, -10.0, -14.0].map(|bits| percent(&bits));
        assert_eq!(shown, ["100%", "25%", "1.6%", "0.098%", "0.0061%"]);
    }
}
