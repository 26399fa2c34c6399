//! Kappa: one factor on all prices of an arm, so that none wins by calling the same depth by
//! another name.

use sextant_config::{ExtensionsConfig, Parameter};
use sextant_search::budget::{Category, Price};

use crate::{experiments::prelude::*, stats::geometric_mean};

/// Between the smallest and the largest factor that is tried.
const RANGE: [f64; 2] = [0.2, 3.0];
/// Halvings of the range, in logarithms: to about 2 %.
const HALVINGS: u32 = 7;

/// The config with its prices, its gap and the caps of its quiet moves times `factor`, each cut to
/// its range.
pub(super) fn scaled(config: &Config, factor: f64) -> Config {
    let mut config = config.clone();
    let e = &mut config.extensions;
    let times = |value: i32| (f64::from(value) * factor).round() as i32;
    let price = |value: i32| Price::from_raw(times(value)).raw();
    for category in Category::ALL {
        let weight = category.weight_mut(e);
        *weight = price(*weight);
    }
    let ExtensionsConfig {
        gap_weight,
        quiet_forward_max,
        quiet_backward_max,
        phase,
        ..
    } = e;
    let range = Parameter::find("Extensions_Gap_Weight").and_then(|gap| gap.number());
    let range = range.expect("a number");
    *gap_weight = times(*gap_weight).clamp(range.min, range.max);
    for most in [quiet_forward_max, quiet_backward_max] {
        *most = price(*most).max(Price::NOMINAL.raw());
    }
    let eighth = Price::NOMINAL.raw();
    *phase = phase.map(|amount| times(amount).clamp(-eighth, eighth));
    config
}

/// The depth of the reference, and its nodes to there: the least depth that takes it at least
/// `nodes` a position, in the geometric mean.
pub(super) fn reference(
    config: &Config,
    positions: &[Position],
    nodes: f64,
) -> Result<(u32, f64), Failure> {
    let mut nominal = config.clone();
    for category in Category::ALL {
        *category.weight_mut(&mut nominal.extensions) = Price::NOMINAL.raw();
    }
    nominal.extensions.gap_weight = 0;
    nominal.extensions.phase = [0; 8];
    for depth in 1..40 {
        let found = nodes_to(&nominal, positions, depth)?;
        if found >= nodes {
            return Ok((depth, found));
        }
    }
    Err(Failure::work("the positions for kappa are too simple"))
}

/// The factor at which an arm needs as many nodes to a depth as the reference.
pub(super) fn fit(
    arm: &Config,
    positions: &[Position],
    (depth, nodes): (u32, f64),
) -> Result<f64, Failure> {
    let [mut low, mut high] = RANGE.map(f64::ln);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        // Dearer moves make smaller trees.
        if nodes_to(&scaled(arm, middle.exp()), positions, depth)? > nodes {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(f64::midpoint(low, high).exp())
}

/// Far beyond what the arm is compared with: cheap prices may make a depth endless.
const ENOUGH: u64 = 200_000;

fn nodes_to(config: &Config, positions: &[Position], depth: u32) -> Result<f64, Failure> {
    let mut engine = FreshEngine::new(config, HASH)?;
    let limits = sextant_search::Limits {
        nodes: Some(ENOUGH),
        ..to_depth(depth)
    };
    let nodes = positions
        .iter()
        .map(|position| engine.search(position, &limits).nodes as f64);
    Ok(geometric_mean(nodes).unwrap_or(0.0))
}

#[cfg(test)]
mod tests {
    use super::super::rungs::{Arm, Step};
    use super::*;

    #[test]
    fn with_kappa_two_budgets_take_the_nodes_of_the_reference() {
        let config = Step::all()[0].config().unwrap();
        let fens = ["r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"; 1];
        let positions = fens.map(|fen| sextant_board::parse_fen(fen).unwrap());
        let reference = reference(&config, &positions, 2_000.0).unwrap();
        let arm = Arm::Two.of(&config);
        let kappa = fit(&arm, &positions, reference).unwrap();
        let nodes = nodes_to(&scaled(&arm, kappa), &positions, reference.0).unwrap();
        let ratio = nodes / reference.1;
        assert!((0.5..2.0).contains(&ratio), "{kappa} {reference:?} {nodes}");
        // The caps go with the prices.
        let double = scaled(&config, 2.0).extensions;
        assert_eq!(double.recapture, 2 * config.extensions.recapture);
        let most = config.extensions.quiet_forward_max;
        assert_eq!(double.quiet_forward_max, 2 * most);
        let endless = scaled(&config, 10.0).extensions;
        assert_eq!(endless.quiet_forward_max, Price::MAX.raw());
    }
}
