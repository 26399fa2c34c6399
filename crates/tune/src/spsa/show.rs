//! A run in words, and its chart.

use sextant_cli::chart::{Axis, Chart, Series, Style};
use sextant_play::Pentanomial;

use super::{optimizer::Tuned, state::State, verify};
use crate::keys;

/// The whole run as a table.
pub(super) fn text(state: &State) -> String {
    let recipe = &state.recipe;
    let book = match recipe.book.as_str() {
        "" => "random openings",
        book => book,
    };
    let mut lines = vec![
        format!(
            "config      {} (hash {})",
            recipe.config, recipe.config_hash
        ),
        format!(
            "games       {} nodes a move, Hash {} MB, {book}, seed {}",
            recipe.nodes, recipe.hash, recipe.seed
        ),
        format!("progress    {}", progress(state)),
        String::new(),
    ];
    lines.extend(table(&state.parameter));
    let verification = state.verification();
    if verification != Pentanomial::default() {
        lines.push(String::new());
        lines.push(verify::text(recipe, &verification));
    }
    lines.join("\n")
}

/// How far the run is.
fn progress(state: &State) -> String {
    let (done, all) = (state.progress.iterations, state.gains.iterations);
    format!("iteration {done} of {all}, {}", games(state))
}

/// What the games have come to.
pub(super) fn games(state: &State) -> String {
    let [won, drawn, lost] = state.progress.results;
    let games = won + drawn + lost;
    format!(
        "{games} games (draws {:.1} %), moved {:.2} steps on average",
        100.0 * drawn as f64 / games.max(1) as f64,
        mean_move(&state.parameter)
    )
}

fn mean_move(tuned: &[Tuned]) -> f64 {
    tuned.iter().map(|one| one.steps().abs()).sum::<f64>() / tuned.len().max(1) as f64
}

/// One line for each parameter, as the file shows the values.
fn table(tuned: &[Tuned]) -> Vec<String> {
    let width = tuned.iter().map(|one| one.key.len()).max().unwrap_or(0);
    let mut lines = vec![format!(
        "{:width$} {:>10} {:>10} {:>10} {:>10} {:>8}  range",
        "key", "start", "now", "exactly", "step", "steps"
    )];
    lines.extend(tuned.iter().map(|one| {
        let shown = |stored: f64| stored / per_unit(&one.key);
        let exact = |stored: i32| shown(f64::from(stored));
        let mark = if one.rounded() == one.start { " " } else { "*" };
        format!(
            "{:width$} {:>10} {:>9}{mark} {:>10.3} {:>10} {:>+8.2}  {} to {}",
            one.key,
            exact(one.start),
            exact(one.rounded()),
            shown(one.value),
            exact(one.c_end),
            one.steps(),
            exact(one.min),
            exact(one.max)
        )
    }));
    lines
}

/// Stored units of a key in one that the file shows.
fn per_unit(key: &str) -> f64 {
    let number = keys::find(key).and_then(|parameter| parameter.number().copied());
    number.map_or(1.0, |number| f64::from(number.per_unit))
}

/// The distance of every parameter from its start, in perturbations at the end of the run, with the
/// names in the order of the distances.
pub(super) fn chart(state: &State) -> Chart {
    let points = &state.trajectory.points;
    let every = state.trajectory.every;
    let mut series = Vec::new();
    for (index, one) in state.parameter.iter().enumerate() {
        let steps = |value: f64| (value - f64::from(one.start)) / f64::from(one.c_end);
        let noted = (0..).zip(points);
        let noted = noted.map(|(number, point)| ((number * every) as f64, steps(point[index])));
        let now = (state.progress.iterations as f64, one.steps());
        let label = format!("{:+.2} {}", one.steps(), one.key);
        let line = Series::new(label, Style::Line, noted.chain([now]).collect());
        series.push((one.steps(), line));
    }
    series.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    Chart {
        title: String::new(),
        x: Axis::linear("iterations"),
        y: Axis::linear("moved, in steps"),
        series: series.into_iter().map(|(_, line)| line).collect(),
    }
}
