//! `data wdl`: how scores became results, as the model behind `UCI_ShowWDL`, fitted by Fisher's
//! scoring: Newton's method for the maximum likelihood, with the expected curvature.

use std::{collections::BTreeMap, f64::consts::LN_2, ops::RangeInclusive};

use sextant_board::Color;
use sextant_cli::{
    failure::Failure,
    output::{self, counted},
};
use sextant_search::{WdlModel, material};

use super::games::Inputs;
use crate::newton::{self, Point};

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    inputs: Inputs,
    /// Leave out positions with scores beyond this, from either side.
    #[arg(long, value_name = "CP", default_value_t = MAX_SCORE)]
    #[arg(value_parser = clap::value_parser!(i16).range(50..=10_000))]
    max_score: i16,
}

/// Equal observations: a score from the winner's (or, of a draw, White's) point of view, the
/// material, the result, and how often.
#[derive(Clone, Copy, Debug)]
struct Cell {
    cp: f64,
    material: u32,
    drawn: bool,
    count: f64,
}

/// Larger scores say little about the curve.
const MAX_SCORE: i16 = 1_000;
/// Width of a class of scores in centipawns.
const CLASS: i16 = 10;
/// The optimum is reached where the gradient of the mean cost of a position is below this.
const FLAT: f64 = 1e-9;

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let (games, cells) = observe(&args.inputs, args.max_score)?;
    let positions: f64 = cells.iter().map(|cell| cell.count).sum();
    let positions = counted(positions as u64, "position");
    let report = report(&cells, &fit(&cells)?);
    output::print(format_args!("{games}, {positions}\n{report}"))
}

/// The model that these games follow.
pub(super) fn of_games(inputs: &Inputs) -> Result<WdlModel, Failure> {
    fit(&observe(inputs, MAX_SCORE)?.1)
}

/// How many games there are, in words, and what became of their scores up to `max_score`.
fn observe(inputs: &Inputs, max_score: i16) -> Result<(String, Vec<Cell>), Failure> {
    let mut input = inputs.open("reading")?;
    let mut counts = BTreeMap::<(i16, u32, bool), f64>::new();
    let mut games = 0;
    while let Some(game) = input.next_game()? {
        games += 1;
        let white = game.result.half_points(Color::White);
        let sign = if white == 0 { -1.0 } else { 1.0 };
        for (position, turn) in game.positions() {
            if turn.white_score.unsigned_abs() <= max_score.unsigned_abs() {
                let class = sign * f32::from(turn.white_score) / f32::from(CLASS);
                let key = (class.round() as i16, material(position.board()), white == 1);
                *counts.entry(key).or_default() += 1.0;
            }
        }
    }
    let counts = counts.into_iter();
    let cells = counts.map(|((class, material, drawn), count)| Cell {
        cp: f64::from(class) * f64::from(CLASS),
        material,
        drawn,
        count,
    });
    let cells: Vec<Cell> = cells.collect();
    let games = counted(games, "game");
    if cells.is_empty() {
        return Err(Failure::usage(format!(
            "there is nothing to fit to: {games} in these files, none with a score within --max-score"
        )));
    }
    let decided = cells.iter().filter(|cell| !cell.drawn).count();
    if decided == 0 || decided == cells.len() {
        return Err(Failure::usage(
            "these games are all drawn or all won, so that nothing can be said about the other; \
             give more games",
        ));
    }
    Ok((games, cells))
}

fn report(cells: &[Cell], fitted: &WdlModel) -> String {
    let mut text = String::new();
    for (name, model) in [("engine's", &WdlModel::ENGINE), ("fitted", fitted)] {
        let ([middle, middle_slope], [spread, spread_slope]) = (model.middle, model.spread);
        let bits = -likelihood(cells, model) / LN_2;
        text += &format!(
            "{name:9} middle {middle:7.1} {middle_slope:+7.1} x material / 78   \
             spread {spread:6.1} {spread_slope:+6.1} x material / 78   {bits:.5} bits a position\n"
        );
    }
    text += "score   predicted (win draw loss, per cent) and seen, by material left\n";
    for cp in [0.0, 50.0, 100.0, 200.0, 400.0] {
        for materials in [0..=25, 26..=50, 51..=78] {
            text += &compare(cells, fitted, cp, materials);
        }
    }
    text
}

/// A line of what was predicted and what was seen near a score; empty if nothing was.
fn compare(cells: &[Cell], fitted: &WdlModel, cp: f64, materials: RangeInclusive<u32>) -> String {
    let (mut predicted, mut seen, mut positions) = ([0.0; 3], [0.0; 3], 0.0);
    let within = |score: f64| (score - cp).abs() <= 15.0;
    let of_material = |cell: &&Cell| materials.contains(&cell.material);
    for cell in cells.iter().filter(of_material) {
        // Seen from the other side the same position is another observation, but no other position.
        if within(cell.cp) || within(-cell.cp) {
            positions += cell.count;
        }
        let [winner, loser] = if cell.drawn { [1, 1] } else { [0, 2] };
        for (score, result) in [(cell.cp, winner), (-cell.cp, loser)] {
            if within(score) {
                let [win, loss] = fitted.win_and_loss(score, cell.material);
                seen[result] += cell.count;
                for (sum, chance) in predicted.iter_mut().zip([win, 1.0 - win - loss, loss]) {
                    *sum += cell.count * chance;
                }
            }
        }
    }
    let all: f64 = seen.iter().sum();
    if all == 0.0 {
        return String::new();
    }
    let per_cent = |values: [f64; 3]| {
        let values = values.map(|value| format!("{:5.1}", 100.0 * value / all));
        values.join(" ")
    };
    format!(
        "{cp:5.0}   {:2} to {:2}   {}   {}   ({positions:.0})\n",
        materials.start(),
        materials.end(),
        per_cent(predicted),
        per_cent(seen)
    )
}

fn model(numbers: &[f64]) -> WdlModel {
    WdlModel {
        middle: [numbers[0], numbers[1]],
        spread: [numbers[2], numbers[3]],
    }
}

/// Whether a draw has a chance and more is better, with all pieces and with none.
fn is_sound(model: &WdlModel) -> bool {
    let ends = |line: [f64; 2]| line[0].min(line[0] + line[1]);
    ends(model.middle) >= 1.0 && ends(model.spread) >= 1.0
}

/// Mean log-likelihood of a position's result.
fn likelihood(cells: &[Cell], model: &WdlModel) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for cell in cells {
        let [win, loss] = model.win_and_loss(cell.cp, cell.material);
        let chance = if cell.drawn { 1.0 - win - loss } else { win };
        sum += cell.count * chance.max(1e-12).ln();
        count += cell.count;
    }
    sum / count
}

fn fit(cells: &[Cell]) -> Result<WdlModel, Failure> {
    let WdlModel { middle, spread } = WdlModel::ENGINE;
    let positions: f64 = cells.iter().map(|cell| cell.count).sum();
    let start = [middle, spread].concat();
    let fitted = newton::minimize(start, FLAT * positions, |numbers| at(cells, numbers));
    let (numbers, _) = fitted.map_err(|failure| match failure.code() {
        Failure::WORK => failure.advise("they must have positions with many pieces and with few"),
        _ => failure,
    })?;
    Ok(model(&numbers))
}

/// The negative log-likelihood with its gradient and its expected curvature.
fn at(cells: &[Cell], numbers: Vec<f64>) -> Point {
    let model = model(&numbers);
    let mut point = Point {
        weights: numbers,
        cost: if is_sound(&model) { 0.0 } else { f64::INFINITY },
        gradient: vec![0.0; 4],
        information: vec![vec![0.0; 4]; 4],
    };
    for cell in cells {
        let [win, loss] = model.win_and_loss(cell.cp, cell.material);
        let by_win = chance_gradient(&model, win, cell.cp, cell.material);
        let by_loss = chance_gradient(&model, loss, -cell.cp, cell.material);
        let by_draw = std::array::from_fn(|i| -(by_win[i] + by_loss[i]));
        let outcomes = [(win, by_win), (1.0 - win - loss, by_draw), (loss, by_loss)];
        for (outcome, (chance, by)) in outcomes.into_iter().enumerate() {
            let chance = chance.max(1e-12);
            let weight = cell.count / chance;
            if outcome == usize::from(cell.drawn) {
                point.cost -= cell.count * chance.ln();
                let gradient = point.gradient.iter_mut().zip(by);
                gradient.for_each(|(partial, by)| *partial -= weight * by);
            }
            for (i, row) in point.information.iter_mut().enumerate() {
                for (curve, other) in row.iter_mut().zip(by) {
                    *curve += weight * by[i] * other;
                }
            }
        }
    }
    point
}

/// How the chance that a score wins moves with the four numbers.
fn chance_gradient(at: &WdlModel, chance: f64, cp: f64, material: u32) -> [f64; 4] {
    let share = WdlModel::share(material);
    let [middle, spread] = at.curve(material);
    let on_curve = (cp - middle) / spread;
    let by = chance * (1.0 - chance) / spread;
    [-by, -by * share, -by * on_curve, -by * on_curve * share]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_counted_once() {
        let cell = |cp, count| Cell {
            cp,
            material: 40,
            drawn: true,
            count,
        };
        let cells = [cell(0.0, 7.0), cell(-10.0, 4.0), cell(200.0, 2.0)];
        for (cp, end) in [(0.0, "(11)\n"), (200.0, "(2)\n")] {
            let line = compare(&cells, &WdlModel::ENGINE, cp, 26..=50);
            assert!(line.ends_with(end), "{line}");
        }
    }

    #[test]
    fn planted_numbers_are_found_again() {
        let planted = model(&[150.0, 120.0, 60.0, 25.0]);
        let mut cells = Vec::new();
        for (material, class) in
            (0..14).flat_map(|step| (-60..=60).map(move |class| (6 * step, class)))
        {
            let cp = f64::from(class) * 10.0;
            let [win, loss] = planted.win_and_loss(cp, material);
            // Won games are entered from the winner's side.
            let drawn = (cp, true, 1.0 - win - loss);
            let results = [(cp, false, win), drawn, (-cp, false, loss)];
            cells.extend(results.map(|(cp, drawn, chance)| Cell {
                cp,
                material,
                drawn,
                count: 1000.0 * chance,
            }));
        }
        let found = fit(&cells).unwrap();
        let pairs = [
            (found.middle, planted.middle),
            (found.spread, planted.spread),
        ];
        for ([a, b], [c, d]) in pairs {
            assert!((a - c).abs() < 0.01 && (b - d).abs() < 0.01, "{found:?}");
        }
    }
}
