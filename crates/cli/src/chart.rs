//! Charts as SVG, drawn by `plotters`: lines and dots on linear or logarithmic axes. The legend
//! stands below the plot, where it hides nothing.

use std::{error::Error, ops::Range};

use plotters::{
    coord::{
        Shift,
        ranged1d::{AsRangedCoord, ValueFormatter},
    },
    element::{DynElement, IntoDynElement},
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// Colors of the series: mid-tones that read on a light and on a dark ground, and that color-blind
/// people tell apart (after Okabe and Ito).
const PALETTE: [RGBColor; 6] = [
    RGBColor(0x1f, 0x7a, 0xc4),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xb8, 0x5c, 0x9a),
    RGBColor(0x96, 0x7b, 0x00),
    RGBColor(0x6b, 0x78, 0x84),
];
/// Pixels of a dash and of the gap behind it, in turn: long, short and dotted lines.
const DASHES: [(i32, i32); 3] = [(8, 5), (5, 3), (2, 4)];
/// A line of at most so many points marks each one, so that lines differ without colors too.
const MARKED: usize = 40;

/// Pixels of the plot with its axes; small, so that a phone can still show its letters.
const WIDTH: u32 = 480;
const HEIGHT: u32 = 330;
const FONT: (&str, i32) = ("sans-serif", 14);
/// Pixels of a title, of a line of the legend, and left of the legend.
const TITLE: u32 = 24;
const LINE: u32 = 19;
const INDENT: i32 = 40;
const GRAY: RGBColor = RGBColor(0x80, 0x80, 0x80);

/// A chart, described rather than drawn, to be given its series one by one.
///
/// ```
/// use sextant_cli::chart::{Chart, Style};
///
/// let losses = [(1.0, 0.11), (2.0, 0.10), (3.0, 0.09)];
/// let chart = Chart::new("Loss", "million positions", "mean loss").line("training", losses);
/// let file = chart.to_svg()?; // white ground
/// let part_of_a_page = chart.to_inline_svg()?; // the page's colors
/// # assert!(file.starts_with("<svg") && part_of_a_page.starts_with("<svg"));
/// # Ok::<(), sextant_cli::failure::Failure>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chart {
    /// What it shows; may be empty.
    title: String,
    x: Axis,
    y: Axis,
    /// In the order of the legend.
    series: Vec<Series>,
}

/// One line or cloud of dots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Series {
    /// Its name in the legend.
    label: String,
    style: Style,
    /// In drawing order. What an axis cannot show is left out.
    points: Vec<(f64, f64)>,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Style {
    /// A line from point to point.
    Line,
    /// A dashed line.
    Dashed,
    /// Dots only.
    Dots,
}

/// What an axis counts, with its unit, and whether it counts in powers of ten: then values at or
/// below 0 are left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Axis {
    label: String,
    log: bool,
    /// The least and the greatest value shown; `None` for those of the points.
    between: Option<(f64, f64)>,
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Mark<'a> = DynElement<'static, SVGBackend<'a>, (i32, i32)>;
type Drawn = Result<(), Box<dyn Error + Send + Sync>>;

/// The points of a series.
pub trait Points: IntoIterator<Item = (f64, f64)> {}

impl<I: IntoIterator<Item = (f64, f64)>> Points for I {}

impl Chart {
    /// An empty chart and what its axes count, in equal steps.
    pub fn new(title: impl Into<String>, x: &str, y: &str) -> Chart {
        let [x, y] = [x, y].map(|label| Axis {
            label: label.to_owned(),
            log: false,
            between: None,
        });
        Chart {
            title: title.into(),
            x,
            y,
            series: Vec::new(),
        }
    }

    /// The vertical axis has equal factors.
    #[must_use]
    pub fn log_y(mut self) -> Chart {
        self.y.log = true;
        self
    }

    /// The vertical axis shows these values; what lies beyond stands at its end.
    #[must_use]
    pub fn y_between(mut self, least: f64, greatest: f64) -> Chart {
        self.y.between = Some((least, greatest));
        self
    }

    /// Adds a line.
    #[must_use]
    pub fn line(self, label: &str, points: impl Points) -> Chart {
        self.series(Style::Line, label, points)
    }

    /// Adds a dashed line.
    #[must_use]
    pub fn dashed(self, label: &str, points: impl Points) -> Chart {
        self.series(Style::Dashed, label, points)
    }

    /// Adds a series.
    #[must_use]
    pub fn series(mut self, style: Style, label: &str, points: impl Points) -> Chart {
        self.series.push(Series {
            label: label.to_owned(),
            style,
            points: points.into_iter().collect(),
        });
        self
    }

    /// The chart as a file of its own.
    ///
    /// # Errors
    /// If there is no point, or the library fails.
    pub fn to_svg(&self) -> Result<String, Failure> {
        self.draw(Some(&WHITE))
    }

    /// The chart as a part of an HTML page: text takes the page's color, so that it follows a dark
    /// mode, and readers of the page aloud get the title.
    ///
    /// # Errors
    /// As [`Chart::to_svg`].
    pub fn to_inline_svg(&self) -> Result<String, Failure> {
        let svg = self.draw(None)?;
        let title = self.title.replace('&', "&amp;").replace('<', "&lt;");
        let label = title.replace('"', "&quot;");
        let start = format!("<svg role=\"img\" aria-label=\"{label}\" ");
        let body = svg.replace("\"#000000\"", "\"currentColor\"");
        Ok(body.replacen("<svg ", &start, 1))
    }

    fn draw(&self, ground: Option<&RGBColor>) -> Result<String, Failure> {
        let mut svg = String::new();
        self.draw_in(&mut svg, ground)
            .map_err(|cause| Failure::work(format!("cannot draw \"{}\": {cause}", self.title)))?;
        Ok(svg)
    }

    /// Title, plot and legend, from top to bottom.
    fn draw_in(&self, svg: &mut String, ground: Option<&RGBColor>) -> Drawn {
        let height = TITLE + HEIGHT + LINE * self.series.len() as u32 + 8;
        let area = SVGBackend::with_string(svg, (WIDTH, height)).into_drawing_area();
        if let Some(ground) = ground {
            area.fill(ground)?;
        }
        let middle = (WIDTH as i32 / 2, TITLE as i32 / 2);
        draw_text(&area, &self.title, middle, HPos::Center)?;
        let (plot, legend) = area.margin(TITLE, 0, 0, 0).split_vertically(HEIGHT);
        self.draw_plot(&plot)?;
        self.draw_legend(&legend)?;
        Ok(area.present()?)
    }

    fn draw_plot(&self, area: &Area<'_>) -> Drawn {
        let points = || self.series.iter().flat_map(|series| self.shown(series));
        let x = self.x.range(points().map(|point| point.0));
        let y = self.y.range(points().map(|point| point.1));
        let (x, y) = x.zip(y).ok_or("it has no points")?;
        if !self.y.log {
            return self.draw_on(area, x, y);
        }
        let marks = log_marks(&y);
        self.draw_on(area, x, y.log_scale().with_key_points(marks))
    }

    /// Whether the horizontal axis counts something, so that half steps mean nothing.
    fn is_counted(&self) -> bool {
        let mut points = self.series.iter().flat_map(|series| &series.points);
        points.all(|point| point.0.fract() == 0.0)
    }

    fn draw_on<X, Y>(&self, area: &Area<'_>, x: X, y: Y) -> Drawn
    where
        X: AsRangedCoord<Value = f64, CoordDescType: ValueFormatter<f64>>,
        Y: AsRangedCoord<Value = f64, CoordDescType: ValueFormatter<f64>>,
    {
        let is_counted = self.is_counted();
        let mut plot = ChartBuilder::on(area)
            .margin(8)
            .margin_right(18)
            .x_label_area_size(44)
            .y_label_area_size(64)
            .build_cartesian_2d(x, y)?;
        plot.configure_mesh()
            .x_desc(&self.x.label)
            .y_desc(&self.y.label)
            .x_labels(8)
            .y_labels(7)
            .label_style(FONT)
            .axis_desc_style(FONT)
            .x_label_formatter(&|value| match is_counted && value.fract() != 0.0 {
                true => String::new(),
                false => tick(*value),
            })
            .y_label_formatter(&|value| tick(*value))
            .bold_line_style(GRAY.mix(0.35))
            .light_line_style(TRANSPARENT)
            .draw()?;
        for (index, series) in self.series.iter().enumerate() {
            let color = color(index, self.series.len());
            let line = color.stroke_width(2);
            let points = self.shown(series);
            if series.style == Style::Line {
                plot.draw_series(LineSeries::new(points.clone(), line))?;
            } else if series.style == Style::Dashed {
                let (dash, gap) = DASHES[index % DASHES.len()];
                plot.draw_series(DashedLineSeries::new(points.clone(), dash, gap, line))?;
            }
            if series.is_marked() {
                plot.draw_series(points.map(|at| EmptyElement::at(at) + mark(index, color)))?;
            }
        }
        Ok(())
    }

    fn draw_legend(&self, area: &Area<'_>) -> Drawn {
        for (index, series) in self.series.iter().enumerate() {
            let color = color(index, self.series.len());
            let y = LINE as i32 * index as i32 + 10;
            let pieces = match series.style {
                Style::Line => vec![(0, 28)],
                Style::Dashed => dashes(DASHES[index % DASHES.len()]),
                Style::Dots => Vec::new(),
            };
            for (from, to) in pieces {
                let ends = [(INDENT + from, y), (INDENT + to, y)];
                area.draw(&PathElement::new(ends, color.stroke_width(2)))?;
            }
            if series.is_marked() {
                area.draw(&(EmptyElement::at((INDENT + 14, y)) + mark(index, color)))?;
            }
            draw_text(area, &series.label, (INDENT + 36, y), HPos::Left)?;
        }
        Ok(())
    }

    /// The points that can be shown, in the coordinates of the drawing.
    fn shown<'a>(&'a self, series: &'a Series) -> impl Iterator<Item = (f64, f64)> + Clone + 'a {
        let points = series.points.iter();
        points.filter_map(|&(x, y)| Some((self.x.place(x)?, self.y.place(y)?)))
    }
}

impl Series {
    /// Whether each of its points has a mark.
    fn is_marked(&self) -> bool {
        self.style == Style::Dots || self.points.len() <= MARKED
    }
}

/// The dashes of a line of 28 pixels.
fn dashes((dash, gap): (i32, i32)) -> Vec<(i32, i32)> {
    let starts = (0..28).step_by((dash + gap) as usize);
    starts.map(|from| (from, (from + dash).min(28))).collect()
}

/// The mark of a series: dot, triangle, cross or square, by its place.
fn mark<'a>(index: usize, color: RGBColor) -> Mark<'a> {
    match index % 4 {
        0 => Circle::new((0, 0), 3, color.filled()).into_dyn(),
        1 => TriangleMarker::new((0, 0), 5, color.filled()).into_dyn(),
        2 => Cross::new((0, 0), 4, color.stroke_width(2)).into_dyn(),
        _ => Rectangle::new([(-3, -3), (3, 3)], color.filled()).into_dyn(),
    }
}

/// The color of a series among `count`.
fn color(index: usize, count: usize) -> RGBColor {
    if count <= PALETTE.len() {
        return PALETTE[index % PALETTE.len()];
    }
    let (red, green, blue) = HSLColor(index as f64 / count as f64, 0.75, 0.42).rgb();
    RGBColor(red, green, blue)
}

fn draw_text(area: &Area<'_>, text: &str, at: (i32, i32), side: HPos) -> Drawn {
    let style = FONT.into_text_style(area).pos(Pos::new(side, VPos::Center));
    Ok(area.draw_text(text, &style, at)?)
}

impl Axis {
    /// Where a value stands; what lies beyond the axis stands at its end.
    fn place(&self, value: f64) -> Option<f64> {
        let value = match self.between {
            Some((least, greatest)) if !value.is_nan() => value.max(least).min(greatest),
            _ => value,
        };
        (value.is_finite() && (value > 0.0 || !self.log)).then_some(value)
    }

    /// From the least to the greatest place, a little wider, never empty; `None` without a place.
    fn range(&self, places: impl Iterator<Item = f64>) -> Option<Range<f64>> {
        let (low, high) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), place| {
            (low.min(place), high.max(place))
        });
        if let Some((least, greatest)) = self.between.filter(|_| low <= high) {
            return Some(least..greatest);
        }
        let room = match self.log {
            true if high > low => (high / low).powf(0.04),
            true => 3.0,
            false if high > low => (high - low) * 0.04,
            false => 0.5,
        };
        let wider = match self.log {
            true => low / room..high * room,
            false => low - room..high + room,
        };
        (low <= high).then_some(wider)
    }
}

/// Powers of ten; twice and five times these too where they are few.
fn log_marks(range: &Range<f64>) -> Vec<f64> {
    let (low, high) = (range.start.log10(), range.end.log10());
    let all = [1.0, 2.0, 5.0];
    let factors = if high - low < 2.5 { &all } else { &all[..1] };
    let decades = low.floor() as i32..=high.ceil() as i32;
    decades
        .flat_map(|decade| factors.iter().map(move |f| f * 10_f64.powi(decade)))
        .filter(|mark| range.contains(mark))
        .collect()
}

/// The number at a mark, short: `25k`, `1M`, `0.05`.
fn tick(value: f64) -> String {
    let (scaled, unit) = match value.abs() {
        size if size >= 1e12 => (value / 1e12, "T"),
        size if size >= 1e9 => (value / 1e9, "G"),
        size if size >= 1e6 => (value / 1e6, "M"),
        size if size >= 1e4 => (value / 1e3, "k"),
        size if size > 0.0 && size < 1e-3 => return format!("{value:.0e}"),
        _ => (value, ""),
    };
    let decimals = match scaled.abs() {
        size if size >= 100.0 => 1.0,
        size if size >= 10.0 => 10.0,
        size if size >= 0.1 => 100.0,
        _ => 1e4,
    };
    // Rounded: the shortest text of that number has no zeros to cut off.
    format!("{}{unit}", (scaled * decimals).round() / decimals)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(points: Vec<(f64, f64)>) -> Chart {
        Chart::new("a < \"b\"", "depth", "nodes")
            .log_y()
            .line("lines", points.clone())
            .dashed("dashes", points.clone())
            .series(Style::Dots, "dots", points)
    }

    #[test]
    fn a_file_has_title_axes_and_legend_and_a_part_of_a_page_its_colors() {
        let chart = chart(vec![(1.0, 10.0), (2.0, 1e6), (3.0, 0.0)]);
        let file = chart.to_svg().unwrap();
        let part = chart.to_inline_svg().unwrap();
        assert!(part.starts_with("<svg role=\"img\" aria-label=\"a &lt; &quot;b&quot;\""));
        for svg in [&file, &part] {
            for text in [
                "a &lt; ", "depth", "nodes", "lines", "dashes", "dots", "100k",
            ] {
                assert!(svg.contains(text), "{text} in {svg}");
            }
            let dots = svg.matches("<circle").count();
            assert_eq!(dots, 2 + 1, "two dots and the legend's");
        }
        for (text, is_in_file) in [
            ("FFFFFF", true),
            ("\"#000000", true),
            ("currentColor", false),
        ] {
            assert_eq!(file.contains(text), is_in_file, "{text}");
            assert_eq!(part.contains(text), !is_in_file, "{text}");
        }
    }

    #[test]
    fn a_chart_without_points_is_an_error_that_names_it() {
        for points in [vec![], vec![(1.0, 0.0)], vec![(f64::NAN, 1.0)]] {
            let error = chart(points).to_svg().unwrap_err().to_string();
            assert_eq!(error, "cannot draw \"a < \"b\"\": it has no points");
        }
        assert!(chart(vec![(1.0, 1.0)]).to_svg().is_ok(), "one is enough");
    }

    #[test]
    fn points_beyond_an_axis_stand_at_its_end() {
        let chart = Chart::new("", "", "").y_between(0.0, 2.5);
        let chart = chart.line("", [(1.0, 2.0), (2.0, 3.0)]);
        let svg = chart.to_svg().unwrap();
        let has = |mark: &str| svg.contains(&format!(">\n{mark}\n<"));
        assert!(has("2.5") && !has("3"), "{svg}");
    }

    #[test]
    fn a_long_legend_gets_room_and_colors_do_not_repeat() {
        let each = (0..100).map(|n| format!("parameter {n}"));
        let empty = Chart::new("", "", "");
        let chart = each.fold(empty, |chart, label| chart.line(&label, [(0.0, 1.0)]));
        assert!(chart.to_svg().unwrap().contains("height=\"2262\""));
        let colors = (0..100).map(|index| color(index, 100));
        let colors: std::collections::HashSet<_> = colors.map(|c| (c.0, c.1, c.2)).collect();
        assert_eq!(colors.len(), 100);
    }

    #[test]
    fn marks_are_round_and_short() {
        for (range, expected) in [
            (3e5..3e6, "500k 1M 2M"),
            (1e-5..3e-5, "1e-5 2e-5"),
            (15.0..2e4, "100 1000 10k"),
        ] {
            let ticks: Vec<_> = log_marks(&range).into_iter().map(tick).collect();
            assert_eq!(ticks.join(" "), expected);
        }
        for (value, expected) in [
            (0.25, "0.25"),
            (40.0, "40"),
            (0.005, "0.005"),
            (0.3 + 1e-12, "0.3"),
            (25_000.0, "25k"),
            (1e6, "1M"),
            (1e-5, "1e-5"),
        ] {
            assert_eq!(tick(value), expected);
        }
    }
}
