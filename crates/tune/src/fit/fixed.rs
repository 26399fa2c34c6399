//! Prices that are not fitted: those that are to be kept, and those that the samples say nothing of.

use sextant_config::Parameter;
use sextant_search::budget::Category;

use super::{prices, sample::Sample, table::PriceList};
use crate::keys;

/// The prices that stay, in sixteenths of an SX.
#[derive(Clone, Debug, Default)]
pub(super) struct Fixed {
    weights: [Option<f64>; Category::COUNT],
    /// That of the gap, if it stays.
    pub(super) gap: Option<f64>,
    phases: [Option<f64>; 8],
}

impl Fixed {
    /// The prices of `base` that `kept` names, and those of categories that no move of the samples
    /// belongs to.
    pub(super) fn new(base: &PriceList, kept: &[Parameter], samples: &[&Sample]) -> Fixed {
        let names: Vec<String> = kept.iter().map(keys::name).collect();
        let is_kept = |name: &str| names.contains(&format!("extensions.{name}"));
        let counts = prices::counts(samples, base);
        Fixed {
            weights: Category::ALL.map(|category| {
                let index = category as usize;
                let stays = counts[index].applies == 0 || is_kept(category.name());
                stays.then_some(base.weights[index])
            }),
            gap: is_kept("gap_weight").then_some(base.gap),
            phases: std::array::from_fn(|phase| {
                is_kept(&format!("phase_{phase}")).then_some(base.phases[phase])
            }),
        }
    }

    /// Puts them into a price list.
    pub(super) fn put_into(&self, list: &mut PriceList) {
        let places = list.weights.iter_mut().chain(&mut list.phases);
        let values = self.weights.iter().chain(&self.phases);
        for (place, value) in places.zip(values) {
            *place = value.unwrap_or(*place);
        }
        list.gap = self.gap.unwrap_or(list.gap);
    }
}

#[cfg(test)]
mod tests {
    use sextant_config::{Config, parameters};

    use super::*;

    #[test]
    fn every_price_that_is_fitted_can_be_kept() {
        let base = PriceList {
            weights: [1.0; Category::COUNT],
            gap: 2.0,
            phases: [3.0; 8],
            ..PriceList::of(&Config::default())
        };
        let all: Vec<Parameter> = parameters().collect();
        let mut list = PriceList::of(&Config::default());
        Fixed::new(&base, &all, &[]).put_into(&mut list);
        assert_eq!(list, base);
    }
}
