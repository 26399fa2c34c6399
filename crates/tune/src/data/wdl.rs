//! `data wdl`: how scores became results, as the model behind `UCI_ShowWDL`.

use std::{collections::BTreeMap, path::PathBuf};

use nalgebra::{Matrix4, Vector4};
use sextant_board::Color;
use sextant_search::{WdlModel, material};

use super::input::Input;
use crate::{failure::Failure, games::Game, say};

/// The arguments of `data wdl`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Files of games; slow ones (5,000 nodes a move and more) say what a score is worth in play.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Leave out positions with scores beyond this, from either side.
    #[arg(long, value_name = "CP", default_value_t = 1_000)]
    #[arg(value_parser = clap::value_parser!(i16).range(50..=10_000))]
    max_score: i16,
}

/// Equal observations: a score from the winner's (or, of a draw, White's) view, the material, the
/// result, and how often.
#[derive(Clone, Copy, Debug)]
struct Cell {
    cp: f64,
    material: u32,
    drawn: bool,
    count: f64,
}

/// Width of a class of scores in centipawns.
const CLASS: i16 = 10;
/// Newton steps at most; a dozen are usual.
const STEPS: usize = 100;

/// Prints the model that fits the games best.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let mut input = Input::new(&args.files, "reading")?;
    let mut counts = BTreeMap::<(i16, u32, bool), f64>::new();
    let (mut games, mut positions) = (0_u64, 0_u64);
    while let Some(game) = input.next_game()? {
        games += 1;
        for key in observations(&game, args.max_score) {
            positions += 1;
            *counts.entry(key).or_default() += 1.0;
        }
    }
    let cells: Vec<Cell> = counts
        .into_iter()
        .map(|((class, material, drawn), count)| Cell {
            cp: f64::from(class) * f64::from(CLASS),
            material,
            drawn,
            count,
        })
        .collect();
    if cells.is_empty() {
        return Err(Failure::usage(format!(
            "there is nothing to fit to: {} in these files, none with a score within --max-score",
            say::counted(games, "game")
        )));
    }
    let decided = cells.iter().filter(|cell| !cell.drawn).count();
    if decided == 0 || decided == cells.len() {
        return Err(Failure::usage(
            "these games are all drawn or all won, so that nothing can be said about the other; \
             give more games",
        ));
    }
    let fitted = fit(&cells);
    say::out(text(games, positions, &cells, &fitted))?;
    Ok(())
}

/// Score class, material and whether it was drawn, of every position that is not decided yet.
fn observations(game: &Game, max_score: i16) -> Vec<(i16, u32, bool)> {
    let drawn = game.result.half_points(Color::White) == 1;
    let sign = if game.result.half_points(Color::White) == 0 {
        -1
    } else {
        1
    };
    let mut observations = Vec::with_capacity(game.turns.len());
    game.visit(|position, turn| {
        if turn.white_score.unsigned_abs() <= max_score.unsigned_abs() {
            let cp = f32::from(sign * turn.white_score);
            let class = (cp / f32::from(CLASS)).round() as i16;
            observations.push((class, material(position.board()), drawn));
        }
    });
    observations
}

/// The four numbers of a model in a row.
fn numbers(model: &WdlModel) -> Vector4<f64> {
    let WdlModel { middle, spread } = model;
    Vector4::new(middle[0], middle[1], spread[0], spread[1])
}

fn model(numbers: &Vector4<f64>) -> WdlModel {
    WdlModel {
        middle: [numbers[0], numbers[1]],
        spread: [numbers[2], numbers[3]],
    }
}

/// Whether a draw has a chance and more is better, with all men and with none.
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

/// Maximum likelihood by Fisher's scoring: Newton's method with the expected curvature, each step
/// halved until it gains.
fn fit(cells: &[Cell]) -> WdlModel {
    let mut best = WdlModel::ENGINE;
    let mut value = likelihood(cells, &best);
    for _ in 0..STEPS {
        let (slope, information) = derivatives(cells, &best);
        let Some(step) = information.cholesky().map(|root| root.solve(&slope)) else {
            break;
        };
        let halved =
            (0..30).map(|halvings| model(&(numbers(&best) + step / f64::from(1 << halvings))));
        let better = halved
            .filter(is_sound)
            .map(|next| (likelihood(cells, &next), next))
            .find(|(next, _)| *next > value);
        match better {
            Some((next, found)) if next - value > 1e-12 => (value, best) = (next, found),
            _ => break,
        }
    }
    best
}

/// Slope of the log-likelihood, and its expected negative curvature.
fn derivatives(cells: &[Cell], at: &WdlModel) -> (Vector4<f64>, Matrix4<f64>) {
    let mut slope = Vector4::zeros();
    let mut information = Matrix4::zeros();
    for cell in cells {
        let [win, loss] = at.win_and_loss(cell.cp, cell.material);
        let draw = 1.0 - win - loss;
        let by_win = chance_slope(at, win, cell.cp, cell.material);
        let by_loss = chance_slope(at, loss, -cell.cp, cell.material);
        let by_draw = -(by_win + by_loss);
        slope += cell.count
            * if cell.drawn {
                by_draw / draw.max(1e-12)
            } else {
                by_win / win.max(1e-12)
            };
        for (chance, by) in [(win, by_win), (draw, by_draw), (loss, by_loss)] {
            if chance > 1e-12 {
                information += (cell.count / chance) * by * by.transpose();
            }
        }
    }
    (slope, information)
}

/// How the chance that a score wins moves with the four numbers.
fn chance_slope(at: &WdlModel, chance: f64, cp: f64, material: u32) -> Vector4<f64> {
    let share = WdlModel::share(material);
    let [middle, spread] = at.curve(material);
    let on_curve = (cp - middle) / spread;
    let by = chance * (1.0 - chance) / spread;
    Vector4::new(-by, -by * share, -by * on_curve, -by * on_curve * share)
}

fn text(games: u64, positions: u64, cells: &[Cell], fitted: &WdlModel) -> String {
    let line = |name: &str, model: &WdlModel| {
        format!(
            "{name:9} middle {:7.1} {:+7.1} x material / 78   spread {:6.1} {:+6.1} x material / \
             78   {:.5} bits a position\n",
            model.middle[0],
            model.middle[1],
            model.spread[0],
            model.spread[1],
            -likelihood(cells, model) / std::f64::consts::LN_2
        )
    };
    let mut text = format!(
        "{}, {}\n",
        say::counted(games, "game"),
        say::counted(positions, "position")
    );
    text.push_str(&line("engine's", &WdlModel::ENGINE));
    text.push_str(&line("fitted", fitted));
    text.push_str("score   foreseen (win draw loss, per cent) and seen, by material left\n");
    for cp in [0.0, 50.0, 100.0, 200.0, 400.0] {
        for (low, high) in [(0, 25), (26, 50), (51, 78)] {
            text.push_str(&seen(cells, fitted, cp, low..=high));
        }
    }
    text
}

/// What was foreseen and what was seen near a score.
fn seen(
    cells: &[Cell],
    fitted: &WdlModel,
    cp: f64,
    materials: std::ops::RangeInclusive<u32>,
) -> String {
    let mut foreseen = [0.0; 3];
    let mut counts = [0.0; 3];
    let mut positions = 0.0;
    let within = |score: f64| (score - cp).abs() <= 15.0;
    for cell in cells
        .iter()
        .filter(|cell| materials.contains(&cell.material))
    {
        // Seen from the other side the same position is another observation, but no other position.
        if within(cell.cp) || within(-cell.cp) {
            positions += cell.count;
        }
        for (score, result) in [
            (cell.cp, if cell.drawn { 1 } else { 0 }),
            (-cell.cp, if cell.drawn { 1 } else { 2 }),
        ] {
            if within(score) {
                let [win, loss] = fitted.win_and_loss(score, cell.material);
                counts[result] += cell.count;
                for (sum, chance) in foreseen.iter_mut().zip([win, 1.0 - win - loss, loss]) {
                    *sum += cell.count * chance;
                }
            }
        }
    }
    let all: f64 = counts.iter().sum();
    if all == 0.0 {
        return String::new();
    }
    let per_cent = |values: [f64; 3]| {
        values
            .map(|value| format!("{:5.1}", 100.0 * value / all))
            .join(" ")
    };
    format!(
        "{cp:5.0}   {:2} to {:2}   {}   {}   ({positions:.0})\n",
        materials.start(),
        materials.end(),
        per_cent(foreseen),
        per_cent(counts)
    )
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
        let line = |cp| seen(&cells, &WdlModel::ENGINE, cp, 26..=50);
        assert!(line(0.0).ends_with("(11)\n"), "{}", line(0.0));
        assert!(line(200.0).ends_with("(2)\n"), "{}", line(200.0));
    }

    #[test]
    fn planted_numbers_are_found_again() {
        let planted = WdlModel {
            middle: [150.0, 120.0],
            spread: [60.0, 25.0],
        };
        let mut cells = Vec::new();
        for material in (0..=78).step_by(6) {
            for class in -60..=60 {
                let cp = f64::from(class) * 10.0;
                let [win, loss] = planted.win_and_loss(cp, material);
                // Won games are entered from the winner's side.
                for (cp, drawn, chance) in [
                    (cp, false, win),
                    (cp, true, 1.0 - win - loss),
                    (-cp, false, loss),
                ] {
                    let count = 1000.0 * chance;
                    cells.push(Cell {
                        cp,
                        material,
                        drawn,
                        count,
                    });
                }
            }
        }
        let found = fit(&cells);
        let error = (numbers(&found) - numbers(&planted)).amax();
        assert!(error < 0.01, "{found:?} is {error} from {planted:?}");
    }
}
