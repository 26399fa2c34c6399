//! `data wdl`: how scores became results, as the model behind `UCI_ShowWDL`, fitted by Fisher's
//! scoring: Newton's method for the maximum likelihood, with the expected curvature.

use std::{collections::BTreeMap, f64::consts::LN_2, ops::RangeInclusive, path::PathBuf};

use sextant_board::Color;
use sextant_cli::{
    failure::Failure,
    output::{self, counted},
};
use sextant_search::{Polynomial, WdlModel, material};

use super::games::{Input, Inputs};
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

/// Coefficients of the model: those of both polynomials.
const NUMBERS: usize = 2 * size_of::<Polynomial>() / size_of::<f64>();
/// Larger scores say little about the curve.
const MAX_SCORE: i16 = 1_000;
/// Width of a class of scores in centipawns.
const CLASS: i16 = 10;
/// The optimum is reached where the gradient of the mean cost of a position is below this.
const FLAT: f64 = 1e-9;

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let (games, cells) = observe(args.inputs.open("reading")?, args.max_score)?;
    let positions: f64 = cells.iter().map(|cell| cell.count).sum();
    let positions = counted(positions as u64, "position");
    let report = report(&cells, &fit(&cells)?);
    output::print(format_args!("{games}, {positions}\n{report}"))
}

/// The model that these games follow.
pub(super) fn of_games(files: &[PathBuf]) -> Result<WdlModel, Failure> {
    fit(&observe(Input::open(files, "fitting curves")?, MAX_SCORE)?.1)
}

/// How many games there are, in words, and what became of their scores up to `max_score`.
fn observe(mut input: Input<'_>, max_score: i16) -> Result<(String, Vec<Cell>), Failure> {
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
        let bits = -likelihood(cells, model) / LN_2;
        text += &format!(
            "{name:9} middle {:7.3?}   spread {:7.3?}   {bits:.5} bits a position\n",
            model.middle, model.spread
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

/// The model of the coefficients of both polynomials, one after the other.
fn model(numbers: &[f64]) -> WdlModel {
    let (middle, spread) = numbers.split_at(numbers.len() / 2);
    WdlModel {
        middle: std::array::from_fn(|power| middle[power]),
        spread: std::array::from_fn(|power| spread[power]),
    }
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
        cost: 0.0,
        gradient: vec![0.0; NUMBERS],
        information: vec![vec![0.0; NUMBERS]; NUMBERS],
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

/// How the chance that a score wins moves with the coefficients.
fn chance_gradient(at: &WdlModel, chance: f64, cp: f64, material: u32) -> [f64; NUMBERS] {
    let powers = WdlModel::powers(material);
    let [at_middle, at_spread] = at.curve(material);
    let on_curve = (cp - at_middle) / at_spread;
    let by = chance * (1.0 - chance) / at_spread;
    let mut gradient = [0.0; NUMBERS];
    let (of_middle, of_spread) = gradient.split_at_mut(powers.len());
    for ((middle, spread), power) in of_middle.iter_mut().zip(of_spread).zip(powers) {
        *middle = -by * power * at_middle;
        *spread = -by * on_curve * power * at_spread;
    }
    gradient
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
        let planted = model(&[5.0, 0.6, -0.3, 4.1, 0.2, -0.4]);
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
        for (found, planted) in pairs {
            let differences = found.iter().zip(planted).map(|(a, b)| (a - b).abs());
            assert!(differences.fold(0.0, f64::max) < 1e-4, "{found:?}");
        }
    }
}
