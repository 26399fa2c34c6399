//! Charts as SVG, drawn by `plotters`: lines and dots on linear or logarithmic axes. The legend stands
//! right of the plot, where it hides nothing.

mod axis;

use plotters::{
    coord::Shift,
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};
use serde::{Deserialize, Serialize};

pub use axis::Axis;
use axis::{Scale, range};

/// Colors of the series, mid-tones that read on a light and on a dark ground.
const PALETTE: [RGBColor; 6] = [
    RGBColor(0x2f, 0x7e, 0xd0),
    RGBColor(0xd9, 0x6d, 0x1a),
    RGBColor(0x2b, 0x96, 0x62),
    RGBColor(0xa8, 0x5c, 0xc9),
    RGBColor(0xd1, 0x47, 0x55),
    RGBColor(0x8a, 0x84, 0x2a),
];

/// Pixels of the plot with its axes; small, so that a phone can still show its letters.
const WIDTH: u32 = 560;
const HEIGHT: u32 = 380;
const FONT: (&str, i32) = ("sans-serif", 14);
/// Pixels of a title, of a line of the legend, of a letter about, and of a name's line with its room.
const TITLE: u32 = 24;
const LINE: u32 = 17;
const LETTER: u32 = 7;
const SAMPLE: u32 = 22;
const GRAY: RGBColor = RGBColor(0x80, 0x80, 0x80);

/// A chart, described rather than drawn.
///
/// ```
/// use sextant_cli::chart::{Axis, Chart, Series, Style};
///
/// let losses = vec![(1.0, 0.11), (2.0, 0.10), (3.0, 0.09)];
/// let chart = Chart {
///     title: "Loss".to_owned(),
///     x: Axis::linear("million positions"),
///     y: Axis::log("mean loss").between(0.05, 0.2),
///     series: vec![Series::new("training", Style::Line, losses)],
/// };
/// let file = chart.to_svg()?; // white ground, title and legend
/// let part_of_a_page = chart.to_inline_svg()?; // the page's colors; title and legend are its own
/// # assert!(file.starts_with("<svg") && part_of_a_page.starts_with("<svg"));
/// # Ok::<(), sextant_cli::chart::ChartError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chart {
    /// What it shows; may be empty.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// In the order of the legend.
    pub series: Vec<Series>,
}

/// One line or cloud of dots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Its name in the legend.
    pub label: String,
    /// How it is drawn.
    pub style: Style,
    /// Points, in drawing order. What an axis cannot show is left out.
    pub points: Vec<(f64, f64)>,
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

/// Why a chart cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[error("cannot draw \"{title}\": {cause}")]
pub struct ChartError {
    title: String,
    cause: String,
}

impl Series {
    /// A series of points.
    pub fn new(label: impl Into<String>, style: Style, points: Vec<(f64, f64)>) -> Series {
        Series {
            label: label.into(),
            style,
            points,
        }
    }
}

impl Chart {
    /// The chart as a file of its own.
    ///
    /// # Errors
    /// If there is no point, or the library fails.
    pub fn to_svg(&self) -> Result<String, ChartError> {
        let (rows, longest) = self.series.iter().fold((0, 0), |(rows, longest), series| {
            (rows + 1, longest.max(series.label.chars().count() as u32))
        });
        let legend = if longest > 0 {
            SAMPLE + LETTER * longest + 12
        } else {
            0
        };
        let height = HEIGHT.max(LINE * rows + 24) + TITLE;
        let mut svg = String::new();
        let drawn = self.draw(&mut svg, (WIDTH + legend, height), |area| {
            area.fill(&WHITE).map_err(text)?;
            let middle = (WIDTH as i32 / 2, TITLE as i32 / 2);
            label(area, &self.title, middle, HPos::Center)?;
            let area = area.margin(TITLE, 0, 0, 0);
            let (plot, side) = area.split_horizontally(WIDTH);
            if legend > 0 {
                self.draw_legend(&side)?;
            }
            Ok(plot)
        });
        self.failed(drawn)?;
        Ok(svg)
    }

    /// The chart as a part of an HTML page: text takes the page's color, so that it follows a dark
    /// mode, and readers of the page aloud get the title. The page shows title and legend itself, with
    /// [`color`].
    ///
    /// # Errors
    /// As [`Chart::to_svg`].
    pub fn to_inline_svg(&self) -> Result<String, ChartError> {
        let mut svg = String::new();
        let drawn = self.draw(&mut svg, (WIDTH, HEIGHT), |area| Ok(area.clone()));
        self.failed(drawn)?;
        Ok(inline(&svg, &self.title))
    }

    fn failed(&self, drawn: Result<(), String>) -> Result<(), ChartError> {
        drawn.map_err(|cause| ChartError {
            title: self.title.clone(),
            cause,
        })
    }

    /// Draws what `prepare` draws, and the plot into the area that it leaves.
    fn draw(
        &self,
        svg: &mut String,
        size: (u32, u32),
        prepare: impl for<'a> Fn(&Area<'a>) -> Result<Area<'a>, String>,
    ) -> Result<(), String> {
        let area = SVGBackend::with_string(svg, size).into_drawing_area();
        self.draw_plot(&prepare(&area)?)?;
        area.present().map_err(text)
    }

    fn draw_plot(&self, area: &Area<'_>) -> Result<(), String> {
        let points = || self.series.iter().flat_map(|series| self.shown(series));
        let x = range(&self.x, points().map(|point| point.0)).ok_or("it has no points")?;
        let y = range(&self.y, points().map(|point| point.1)).ok_or("it has no points")?;
        let mut plot = ChartBuilder::on(area)
            .margin(8)
            .margin_right(18)
            .x_label_area_size(44)
            .y_label_area_size(64)
            .build_cartesian_2d(Scale::new(&self.x, x, 8), Scale::new(&self.y, y, 7))
            .map_err(text)?;
        plot.configure_mesh()
            .x_desc(&self.x.label)
            .y_desc(&self.y.label)
            .label_style(FONT)
            .axis_desc_style(FONT)
            .x_label_formatter(&|&value| self.x.tick(value))
            .y_label_formatter(&|&value| self.y.tick(value))
            .bold_line_style(GRAY.mix(0.35))
            .draw()
            .map_err(text)?;
        for (index, series) in self.series.iter().enumerate() {
            let color = rgb(index, self.series.len());
            let line = color.stroke_width(2);
            let points: Vec<_> = self.shown(series).collect();
            match series.style {
                Style::Line => plot.draw_series(LineSeries::new(points, line)).map(drop),
                Style::Dashed => plot
                    .draw_series(DashedLineSeries::new(points, 6, 4, line))
                    .map(drop),
                Style::Dots => plot
                    .draw_series(
                        points
                            .into_iter()
                            .map(|at| Circle::new(at, 3, color.filled())),
                    )
                    .map(drop),
            }
            .map_err(text)?;
        }
        Ok(())
    }

    fn draw_legend(&self, area: &Area<'_>) -> Result<(), String> {
        for (index, series) in self.series.iter().enumerate() {
            let color = rgb(index, self.series.len());
            let y = (LINE * index as u32 + 16) as i32;
            let line = |from, to| {
                area.draw(&PathElement::new(
                    [(from, y), (to, y)],
                    color.stroke_width(2),
                ))
            };
            match series.style {
                Style::Line => line(0, 16),
                Style::Dashed => line(0, 6).and_then(|()| line(10, 16)),
                Style::Dots => area.draw(&Circle::new((8, y), 3, color.filled())),
            }
            .map_err(text)?;
            label(area, &series.label, (SAMPLE as i32, y), HPos::Left)?;
        }
        Ok(())
    }

    /// The points that can be shown, in the coordinates of the drawing.
    fn shown<'a>(&'a self, series: &'a Series) -> impl Iterator<Item = (f64, f64)> + 'a {
        let points = series.points.iter();
        points.filter_map(|&(x, y)| Some((self.x.place(x)?, self.y.place(y)?)))
    }
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Color of a series among `count`, as HTML writes it: `#2f7ed0`.
pub fn color(index: usize, count: usize) -> String {
    let RGBColor(red, green, blue) = rgb(index, count);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn rgb(index: usize, count: usize) -> RGBColor {
    if count <= PALETTE.len() {
        return PALETTE[index % PALETTE.len()];
    }
    let (red, green, blue) = HSLColor(index as f64 / count as f64, 0.75, 0.42).rgb();
    RGBColor(red, green, blue)
}

/// Makes an SVG of black text a part of a page: black becomes the page's color, and the title a label
/// for readers aloud.
pub fn inline(svg: &str, title: &str) -> String {
    let label = title
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;");
    let body = svg.replace("\"#000000\"", "\"currentColor\"");
    body.replacen(
        "<svg ",
        &format!("<svg role=\"img\" aria-label=\"{label}\" "),
        1,
    )
}

fn label(area: &Area<'_>, label: &str, at: (i32, i32), side: HPos) -> Result<(), String> {
    let style = FONT.into_text_style(area).pos(Pos::new(side, VPos::Center));
    area.draw_text(label, &style, at).map_err(text)
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
