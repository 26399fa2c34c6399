//! A run in words, and its chart.

use std::path::Path;

use sextant_cli::chart::Chart;
use sextant_play::Pentanomial;

use super::{
    games,
    state::{Recipe, State},
};
use crate::keys;

/// The whole run as a table, with one line for each parameter, as the file shows the values.
pub(super) fn text(state: &State) -> String {
    let Recipe {
        options,
        config_hash,
        ..
    } = &state.recipe;
    let book = options.book.as_deref().map(Path::to_string_lossy);
    let book = book.unwrap_or("random openings".into());
    let tuned = &state.parameter;
    let width = tuned.iter().map(|one| one.key.len()).max().unwrap_or(0);
    let mut text = format!(
        "config      {} (hash {})\n\
         games       {} nodes a move, Hash {} MB, {book}, seed {}\n\
         progress    iteration {} of {}, {}\n\n\
         {:width$} {:>10} {:>10} {:>10} {:>10} {:>8}  range",
        options.config,
        config_hash,
        options.nodes,
        options.hash,
        options.seed,
        state.progress.iterations,
        state.gains.iterations,
        progress(state),
        "key",
        "start",
        "now",
        "exactly",
        "step",
        "steps"
    );
    for one in tuned {
        let number = keys::find(&one.key).and_then(|parameter| parameter.number().copied());
        let per_unit = number.map_or(1.0, |number| f64::from(number.per_unit));
        let exact = |stored: i32| f64::from(stored) / per_unit;
        let mark = if one.rounded() == one.start { " " } else { "*" };
        text += &format!(
            "\n{:width$} {:>10} {:>9}{mark} {:>10.3} {:>10} {:>+8.2}  {} to {}",
            one.key,
            exact(one.start),
            exact(one.rounded()),
            one.value / per_unit,
            exact(one.c_end),
            one.steps(one.value),
            exact(one.min),
            exact(one.max)
        );
    }
    let verification = state.verification();
    if verification != Pentanomial::default() {
        text += &format!("\n\n{}", games::verdict(options, &verification));
    }
    text
}

/// What the games have come to.
pub(super) fn progress(state: &State) -> String {
    let [won, drawn, lost] = state.progress.results;
    let games = won + drawn + lost;
    let moved = state.parameter.iter().map(|one| one.steps(one.value).abs());
    format!(
        "{games} games (draws {:.1} %), moved {:.2} steps on average",
        100.0 * drawn as f64 / games.max(1) as f64,
        moved.sum::<f64>() / state.parameter.len().max(1) as f64
    )
}

/// The distance of every parameter from its start, in perturbations at the end of the run, with the
/// names in the order of the distances.
pub(super) fn chart(state: &State) -> Chart {
    let trajectory = &state.trajectory;
    let far = |index: usize| state.parameter[index].steps(state.parameter[index].value);
    let mut order: Vec<usize> = (0..state.parameter.len()).collect();
    order.sort_by(|&a, &b| far(b).total_cmp(&far(a)));
    let empty = Chart::new("", "iterations", "moved, in steps");
    order.into_iter().fold(empty, |chart, index| {
        let one = &state.parameter[index];
        let noted = (0..).zip(&trajectory.points).map(|(number, point)| {
            let iteration = number * trajectory.every;
            (iteration as f64, one.steps(point[index]))
        });
        let now = (state.progress.iterations as f64, far(index));
        let label = format!("{:+.2} {}", far(index), one.key);
        chart.line(&label, noted.chain([now]))
    })
}
