//! Figures as SVG, drawn by `plotters`.
//!
//! The text is drawn in black and then given `currentColor`, so that it follows the page into
//! dark mode; the colours of the series are mid-tones that read on both grounds.

use std::ops::Range;

use plotters::coord::Shift;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::error::LabError;
use crate::report::{Axis, Chart, Figure, Series, Stroke, TreeFigure, TreeNode};

/// Colours of the series, in order; after the last they begin again.
pub const PALETTE: [RGBColor; 6] = [
    RGBColor(0x2f, 0x7e, 0xd0),
    RGBColor(0xd9, 0x6d, 0x1a),
    RGBColor(0x2b, 0x96, 0x62),
    RGBColor(0xa8, 0x5c, 0xc9),
    RGBColor(0xd1, 0x47, 0x55),
    RGBColor(0x8a, 0x84, 0x2a),
];

/// Pixels; small, so that the letters stay readable when a phone shrinks the picture.
const CHART_SIZE: (u32, u32) = (560, 380);
const FONT: (&str, i32) = ("sans-serif", 14);
const GREY: RGBColor = RGBColor(0x80, 0x80, 0x80);

/// Draws a figure.
///
/// # Errors
/// When a chart has no points, or the library fails.
pub fn draw(figure: &Figure) -> Result<String, LabError> {
    let mut svg = String::new();
    let (title, drawn) = match figure {
        Figure::Chart(chart) => (&chart.title, draw_chart(chart, &mut svg)),
        Figure::Tree(tree) => (&tree.title, draw_tree(tree, &mut svg)),
    };
    drawn.map_err(|cause| LabError::Drawing {
        title: title.clone(),
        cause,
    })?;
    Ok(adapt(&svg, title))
}

/// Colour of series number `index` as HTML writes it.
#[must_use]
pub fn colour(index: usize) -> String {
    let RGBColor(red, green, blue) = PALETTE[index % PALETTE.len()];
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Black follows the page's text, the size follows the page's width, and readers of the page
/// aloud are told what the picture is.
fn adapt(svg: &str, title: &str) -> String {
    let body = svg.replace("\"#000000\"", "\"currentColor\"");
    let label = super::html::escape(title);
    body.replacen(
        "<svg ",
        &format!("<svg role=\"img\" aria-label=\"{label}\" "),
        1,
    )
}

fn draw_chart(chart: &Chart, svg: &mut String) -> Result<(), String> {
    let points = || chart.series.iter().flat_map(|series| shown(chart, series));
    let x = range(points().map(|point| point.0)).ok_or("it has no points")?;
    let y = range(points().map(|point| point.1)).ok_or("it has no points")?;
    let area = SVGBackend::with_string(svg, CHART_SIZE).into_drawing_area();
    let mut plot = ChartBuilder::on(&area)
        .margin(8)
        .margin_right(18)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(Scale::new(&chart.x, x, 8), Scale::new(&chart.y, y, 7))
        .map_err(|error| error.to_string())?;
    plot.configure_mesh()
        .x_desc(&chart.x.label)
        .y_desc(&chart.y.label)
        .label_style(FONT)
        .axis_desc_style(FONT)
        .x_label_formatter(&|&value| tick(&chart.x, value))
        .y_label_formatter(&|&value| tick(&chart.y, value))
        .bold_line_style(GREY.mix(0.35))
        .draw()
        .map_err(|error| error.to_string())?;
    for (index, series) in chart.series.iter().enumerate() {
        let colour = PALETTE[index % PALETTE.len()];
        let line = colour.stroke_width(2);
        let points: Vec<(f64, f64)> = shown(chart, series).collect();
        match series.stroke {
            Stroke::Solid => plot.draw_series(LineSeries::new(points, line)).map(drop),
            Stroke::Dashed => plot
                .draw_series(DashedLineSeries::new(points, 6, 4, line))
                .map(drop),
            Stroke::Dots => {
                let dots = points
                    .into_iter()
                    .map(|at| Circle::new(at, 3, colour.filled()));
                plot.draw_series(dots).map(drop)
            }
        }
        .map_err(|error| error.to_string())?;
    }
    drop(plot);
    area.present().map_err(|error| error.to_string())
}

/// The points that can be shown, in the coordinates of the drawing: logarithms on a log axis.
fn shown<'a>(chart: &'a Chart, series: &'a Series) -> impl Iterator<Item = (f64, f64)> + 'a {
    let scale = |axis: &Axis, value: f64| if axis.log { value.log10() } else { value };
    let mapped = series
        .points
        .iter()
        .map(move |&(x, y)| (scale(&chart.x, x), scale(&chart.y, y)));
    mapped.filter(|(x, y)| x.is_finite() && y.is_finite())
}

/// From the least to the greatest value, a little wider, never empty.
fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    if low > high {
        return None;
    }
    let room = if high > low { (high - low) * 0.04 } else { 0.5 };
    Some((low - room, high + room))
}

/// An axis with marks of our choice: the library's own are round in the logarithm, not in the value.
struct Scale {
    line: RangedCoordf64,
    marks: Vec<f64>,
}

impl Scale {
    fn new(axis: &Axis, (low, high): (f64, f64), most: usize) -> Scale {
        Scale {
            line: (low..high).into(),
            marks: marks(axis, (low, high), most),
        }
    }
}

impl Ranged for Scale {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        self.line.map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, _hint: Hint) -> Vec<f64> {
        self.marks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.line.range()
    }
}

/// Where an axis is marked: at 1, 2 and 5 times powers of ten, as closely as `most` marks allow.
fn marks(axis: &Axis, (low, high): (f64, f64), most: usize) -> Vec<f64> {
    if axis.log {
        let decades = || low.floor() as i32..=high.ceil() as i32;
        let within = |factors: &[f64], every: i32| -> Vec<f64> {
            decades()
                .filter(|decade| decade % every == 0)
                .flat_map(|decade| {
                    let steps = factors.iter().map(move |factor| factor.log10());
                    steps.map(move |step| f64::from(decade) + step)
                })
                .filter(|at| (low..=high).contains(at))
                .collect()
        };
        let fine = [within(&[1.0, 2.0, 5.0], 1), within(&[1.0, 3.0], 1)];
        let coarse = (1..).map(|every| within(&[1.0], every));
        let mut all = fine.into_iter().chain(coarse);
        return all.find(|at| at.len() <= most).unwrap_or_default();
    }
    let mut steps = (-12..15).flat_map(|power| [1.0, 2.0, 5.0].map(|f| f * 10_f64.powi(power)));
    let step = steps.find(|step| (high - low) / step <= most as f64);
    let step = step.unwrap_or(high - low);
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    (first..=last).map(|n| n as f64 * step).collect()
}

fn tick(axis: &Axis, value: f64) -> String {
    let value = if axis.log { 10_f64.powf(value) } else { value };
    let magnitude = value.abs();
    let (scaled, unit) = match magnitude {
        m if m >= 1e12 => (value / 1e12, "T"),
        m if m >= 1e9 => (value / 1e9, "G"),
        m if m >= 1e6 => (value / 1e6, "M"),
        m if m >= 1e4 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let decimals = match scaled.abs() {
        m if m >= 100.0 || (m - m.round()).abs() < 1e-6 => 0,
        m if m >= 10.0 => 1,
        m if m >= 0.1 => 2,
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

/// Pixels between levels of a tree, and between its leaves at least.
const LEVEL: i32 = 76;
const LEAF: i32 = 46;
/// Pixels that a letter of a tree's labels takes, roughly.
const LETTER: i32 = 7;

/// Pixels between the leaves of a tree: room for its longest label.
fn leaf_width(node: &TreeNode) -> i32 {
    let letters = node.label.chars().count().max(node.branch.chars().count());
    let below = node.children.iter().map(leaf_width).max().unwrap_or(0);
    LEAF.max(LETTER * letters as i32 + 6).max(below)
}

fn draw_tree(figure: &TreeFigure, svg: &mut String) -> Result<(), String> {
    let leaf = leaf_width(&figure.root);
    let width = (leaves(&figure.root) * leaf + 24).max(240);
    let height = (levels(&figure.root) - 1) * LEVEL + 60;
    let size = (width.unsigned_abs(), height.unsigned_abs());
    let area = SVGBackend::with_string(svg, size).into_drawing_area();
    let left = (width - leaves(&figure.root) * leaf) / 2;
    draw_node(&area, &figure.root, leaf, (left, 24))?;
    area.present().map_err(|error| error.to_string())
}

/// Leaves that need room, stubs included.
fn leaves(node: &TreeNode) -> i32 {
    let below: i32 = node.children.iter().map(leaves).sum();
    (below + node.skipped as i32).max(1)
}

fn levels(node: &TreeNode) -> i32 {
    let stub = i32::from(node.skipped > 0);
    1 + node
        .children
        .iter()
        .map(levels)
        .max()
        .unwrap_or(0)
        .max(stub)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Draws the subtree in the strip that begins at `left`, with `leaf` pixels for a leaf; returns where
/// its top stands.
fn draw_node(
    area: &Area<'_>,
    node: &TreeNode,
    leaf: i32,
    (left, y): (i32, i32),
) -> Result<(i32, i32), String> {
    let x = left + leaves(node) * leaf / 2;
    let mut edge = left;
    for child in &node.children {
        let at = draw_node(area, child, leaf, (edge, y + LEVEL))?;
        let (colour, stroke) = if child.heavy {
            (PALETTE[0], 3)
        } else {
            (GREY, 1)
        };
        line(
            area,
            (x, y + 10),
            (at.0, at.1 - 12),
            colour.stroke_width(stroke),
        )?;
        let middle = ((x + at.0) / 2, (y + at.1) / 2);
        label(area, &child.branch, middle, 11, &PALETTE[2])?;
        edge += leaves(child) * leaf;
    }
    for _ in 0..node.skipped {
        let end = (edge + leaf / 2, y + LEVEL - 22);
        dashes(area, (x, y + 10), end)?;
        label(area, "cut", (end.0, end.1 + 8), 11, &PALETTE[4])?;
        edge += leaf;
    }
    label(area, &node.label, (x, y), 14, &BLACK)?;
    Ok((x, y))
}

fn line(
    area: &Area<'_>,
    from: (i32, i32),
    to: (i32, i32),
    style: ShapeStyle,
) -> Result<(), String> {
    area.draw(&PathElement::new(vec![from, to], style))
        .map_err(|error| error.to_string())
}

fn dashes(area: &Area<'_>, from: (i32, i32), to: (i32, i32)) -> Result<(), String> {
    const PIECES: i32 = 7;
    let at = |part: i32| {
        (
            from.0 + (to.0 - from.0) * part / PIECES,
            from.1 + (to.1 - from.1) * part / PIECES,
        )
    };
    for part in (0..PIECES).step_by(2) {
        line(area, at(part), at(part + 1), PALETTE[4].stroke_width(1))?;
    }
    Ok(())
}

fn label(
    area: &Area<'_>,
    text: &str,
    at: (i32, i32),
    size: i32,
    colour: &RGBColor,
) -> Result<(), String> {
    if text.is_empty() {
        return Ok(());
    }
    let centred = Pos::new(HPos::Center, VPos::Center);
    let style = TextStyle::from(("sans-serif", size).into_font())
        .color(colour)
        .pos(centred);
    area.draw(&Text::new(text.to_owned(), at, style))
        .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(points: Vec<(f64, f64)>) -> Figure {
        Figure::Chart(Chart {
            title: "a < b".to_owned(),
            x: Axis::linear("depth"),
            y: Axis::log("nodes"),
            series: vec![Series::new("s", Stroke::Solid, points)],
        })
    }

    #[test]
    fn a_chart_becomes_svg_that_follows_the_page() {
        let svg = draw(&chart(vec![(1.0, 10.0), (2.0, 1e6), (3.0, 0.0)])).unwrap();
        assert!(
            svg.starts_with("<svg role=\"img\" aria-label=\"a &lt; b\""),
            "{svg}"
        );
        assert!(svg.contains("currentColor") && !svg.contains("\"#000000\""));
        assert!(svg.contains("polyline"));
    }

    #[test]
    fn a_chart_without_points_is_an_error_that_names_it() {
        let error = draw(&chart(vec![(1.0, 0.0)])).unwrap_err().to_string();
        assert_eq!(error, "cannot draw \"a < b\": it has no points");
    }

    #[test]
    fn a_tree_shows_its_labels_and_its_cuts() {
        let leaf = |text: &str| TreeNode {
            label: text.to_owned(),
            branch: String::new(),
            heavy: false,
            children: Vec::new(),
            skipped: 0,
        };
        let root = TreeNode {
            children: vec![leaf("7"), leaf("8")],
            skipped: 1,
            ..leaf("root")
        };
        let svg = draw(&Figure::Tree(TreeFigure {
            title: "t".to_owned(),
            root,
        }))
        .unwrap();
        for word in ["root", "7", "8", "cut"] {
            assert!(svg.contains(&format!("\n{word}\n")), "{word} in {svg}");
        }
    }

    #[test]
    fn long_labels_get_room() {
        let node = |label: &str, children| TreeNode {
            label: label.to_owned(),
            branch: String::new(),
            heavy: false,
            children,
            skipped: 0,
        };
        let wide = node("r", vec![node("12.5 / 7.25", Vec::new())]);
        assert_eq!(leaf_width(&wide), 11 * LETTER + 6);
        assert_eq!(leaf_width(&node("7", Vec::new())), LEAF);
    }

    #[test]
    fn axes_are_marked_at_round_values() {
        let rounded = |at: Vec<f64>| {
            at.iter()
                .map(|x| (x * 1e6).round() / 1e6)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            marks(&Axis::linear(""), (-0.3, 9.7), 5),
            [0.0, 2.0, 4.0, 6.0, 8.0]
        );
        assert_eq!(
            rounded(marks(&Axis::linear(""), (0.11, 0.42), 8)),
            [0.15, 0.2, 0.25, 0.3, 0.35, 0.4]
        );
        let labels = |range| {
            let axis = Axis::log("");
            let at = marks(&axis, range, 7);
            at.iter()
                .map(|&value| tick(&axis, value))
                .collect::<Vec<_>>()
        };
        assert_eq!(labels((5.5, 6.5)), ["500k", "1M", "2M"]);
        assert_eq!(
            labels((0.0, 12.0)),
            ["1", "100", "10k", "1M", "100M", "10G", "1T"]
        );
    }

    #[test]
    fn ticks_are_short() {
        let log = Axis::log("");
        assert_eq!(tick(&log, 6.0), "1M");
        assert_eq!(tick(&log, 4.0), "10k");
        assert_eq!(tick(&Axis::linear(""), 0.25), "0.25");
        assert_eq!(tick(&Axis::linear(""), 40.0), "40");
    }
}
