//! Maximum likelihood by Fisher's scoring: Newton's method with the expected curvature.

use nalgebra::{Matrix4, Vector4};
use sextant_search::WdlModel;

use super::Cell;

/// Newton steps at most; a dozen are usual.
const STEPS: usize = 100;

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

/// Whether a draw has a chance and more is better, with all pieces and with none.
fn is_sound(model: &WdlModel) -> bool {
    let ends = |line: [f64; 2]| line[0].min(line[0] + line[1]);
    ends(model.middle) >= 1.0 && ends(model.spread) >= 1.0
}

/// Mean log-likelihood of a position's result.
pub(super) fn likelihood(cells: &[Cell], model: &WdlModel) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for cell in cells {
        let [win, loss] = model.win_and_loss(cell.cp, cell.material);
        let chance = if cell.drawn { 1.0 - win - loss } else { win };
        sum += cell.count * chance.max(1e-12).ln();
        count += cell.count;
    }
    sum / count
}

/// The model of the greatest likelihood; each step is halved until it gains.
pub(super) fn fit(cells: &[Cell]) -> WdlModel {
    let mut best = WdlModel::ENGINE;
    let mut value = likelihood(cells, &best);
    for _ in 0..STEPS {
        let (gradient, information) = derivatives(cells, &best);
        let Some(step) = information.cholesky().map(|root| root.solve(&gradient)) else {
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

/// Gradient of the log-likelihood, and its expected negative curvature (the Fisher information).
fn derivatives(cells: &[Cell], at: &WdlModel) -> (Vector4<f64>, Matrix4<f64>) {
    let mut gradient = Vector4::zeros();
    let mut information = Matrix4::zeros();
    for cell in cells {
        let [win, loss] = at.win_and_loss(cell.cp, cell.material);
        let by_win = chance_gradient(at, win, cell.cp, cell.material);
        let by_loss = chance_gradient(at, loss, -cell.cp, cell.material);
        let (draw, by_draw) = (1.0 - win - loss, -(by_win + by_loss));
        let (chance, by) = if cell.drawn {
            (draw, by_draw)
        } else {
            (win, by_win)
        };
        gradient += cell.count * by / chance.max(1e-12);
        for (chance, by) in [(win, by_win), (draw, by_draw), (loss, by_loss)] {
            if chance > 1e-12 {
                information += (cell.count / chance) * by * by.transpose();
            }
        }
    }
    (gradient, information)
}

/// How the chance that a score wins moves with the four numbers.
fn chance_gradient(at: &WdlModel, chance: f64, cp: f64, material: u32) -> Vector4<f64> {
    let share = WdlModel::share(material);
    let [middle, spread] = at.curve(material);
    let on_curve = (cp - middle) / spread;
    let by = chance * (1.0 - chance) / spread;
    Vector4::new(-by, -by * share, -by * on_curve, -by * on_curve * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planted_numbers_are_found_again() {
        let planted = WdlModel {
            middle: [150.0, 120.0],
            spread: [60.0, 25.0],
        };
        let mut cells = Vec::new();
        for (material, class) in (0..=78)
            .step_by(6)
            .flat_map(|material| (-60..=60).map(move |class| (material, class)))
        {
            let cp = f64::from(class) * 10.0;
            let [win, loss] = planted.win_and_loss(cp, material);
            // Won games are entered from the winner's side.
            let results = [
                (cp, false, win),
                (cp, true, 1.0 - win - loss),
                (-cp, false, loss),
            ];
            cells.extend(results.map(|(cp, drawn, chance)| Cell {
                cp,
                material,
                drawn,
                count: 1000.0 * chance,
            }));
        }
        let found = fit(&cells);
        let error = (numbers(&found) - numbers(&planted)).amax();
        assert!(error < 0.01, "{found:?} is {error} from {planted:?}");
    }
}
