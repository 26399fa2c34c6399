//! The picture of a run: every parameter's way, in its own steps.

use plotters::{
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

use super::state::State;

const WIDTH: u32 = 900;
const LEAST_HEIGHT: u32 = 420;
/// Room for the names, right of the lines.
const NAMES: u32 = 270;
const LINE: u32 = 15;
const FONT: (&str, i32) = ("sans-serif", 13);
/// What the plot has above and below the names.
const REST: u32 = 70;
const AXIS: u32 = 40;

/// Draws the distance of every parameter from its start, in perturbations at the end of the run,
/// with the names in the order of the distances.
///
/// # Errors
/// The drawing library's, in words.
pub(super) fn draw(state: &State) -> Result<String, String> {
    let mut svg = String::new();
    draw_into(state, &mut svg).map_err(|error| error.to_string())?;
    Ok(svg)
}

fn draw_into(state: &State, svg: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let lines = lines(state);
    let points = lines.iter().flat_map(|(_, line)| line);
    let (low, high) = points.fold((-0.1_f64, 0.1_f64), |(low, high), point| {
        (low.min(point.1), high.max(point.1))
    });
    let room = 0.05 * (high - low);
    let last = state.progress.iterations.max(1) as f64;

    let height = LEAST_HEIGHT.max(LINE * lines.len() as u32 + REST);
    let area = SVGBackend::with_string(svg, (WIDTH, height)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut plot = ChartBuilder::on(&area)
        .margin(10)
        .margin_right(NAMES)
        .x_label_area_size(AXIS)
        .y_label_area_size(50)
        .build_cartesian_2d(0.0..last, low - room..high + room)?;
    plot.configure_mesh()
        .x_desc("iterations")
        .y_desc("moved, in steps")
        .label_style(FONT)
        .axis_desc_style(FONT)
        .light_line_style(TRANSPARENT)
        .x_label_formatter(&|iteration| format!("{iteration:.0}"))
        .draw()?;
    let middle_left = Pos::new(HPos::Left, VPos::Center);
    for (index, (name, line)) in lines.iter().enumerate() {
        let colour = HSLColor(index as f64 / lines.len() as f64, 0.75, 0.42);
        plot.draw_series(LineSeries::new(
            line.iter().copied(),
            colour.stroke_width(1),
        ))?;
        let (x, y) = (
            (WIDTH - NAMES + 8) as i32,
            (LINE * (index as u32 + 1)) as i32,
        );
        area.draw(&PathElement::new(
            [(x, y), (x + 16, y)],
            colour.stroke_width(2),
        ))?;
        let moved = line.last().map_or(0.0, |point| point.1);
        let style = FONT.into_text_style(&area).pos(middle_left);
        area.draw_text(&format!("{moved:+.2} {name}"), &style, (x + 22, y))?;
    }
    area.present()?;
    drop(plot);
    Ok(())
}

type Line = Vec<(f64, f64)>;

/// The way of each parameter, the one that went furthest up first.
fn lines(state: &State) -> Vec<(String, Line)> {
    let trajectory = &state.trajectory;
    let mut lines: Vec<_> = (0..)
        .zip(&state.parameter)
        .map(|(index, one)| {
            let steps = |value: f64| (value - f64::from(one.start)) / f64::from(one.c_end);
            let noted = (0..).zip(&trajectory.points);
            let noted = noted.map(|(number, point): (u64, &Vec<f64>)| {
                ((number * trajectory.every) as f64, steps(point[index]))
            });
            let now = (state.progress.iterations as f64, one.steps());
            (one.key.clone(), noted.chain([now]).collect::<Line>())
        })
        .collect();
    let end = |line: &Line| line.last().map_or(0.0, |point| point.1);
    lines.sort_by(|(_, a), (_, b)| end(b).total_cmp(&end(a)));
    lines
}
