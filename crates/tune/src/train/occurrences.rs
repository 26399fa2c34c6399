//! Which features occur where.

use super::record::Sample;

/// Where each feature occurs in a chunk of positions.
#[derive(Clone, Debug, Default)]
pub(super) struct Occurrences {
    /// The end of each feature's places in the list, behind a first 0.
    ends: Vec<u32>,
    /// Twice a position's number, and one more for the other side's perspective.
    places: Vec<u16>,
}

impl Occurrences {
    /// The places of each feature.
    #[inline(always)]
    pub(super) fn by_feature(&self) -> impl Iterator<Item = &[u16]> {
        let ends = self.ends.windows(2);
        ends.map(|ends| &self.places[ends[0] as usize..ends[1] as usize])
    }

    /// Finds them by counting; there are `features` features, and no more than 32,768 positions.
    pub(super) fn find(&mut self, positions: &[(Sample, f32)], features: usize) {
        let perspectives = || {
            let both = positions
                .iter()
                .flat_map(|(sample, _)| [sample.own(), sample.other()]);
            (0..=u16::MAX).zip(both)
        };
        // A feature's count stands two further on; so that, as places are filled in, its beginning
        // becomes its end.
        self.ends.clear();
        self.ends.resize(features + 2, 0);
        for (_, features) in perspectives() {
            for &feature in features {
                self.ends[usize::from(feature) + 2] += 1;
            }
        }
        let mut sum = 0;
        for end in &mut self.ends {
            sum += *end;
            *end = sum;
        }
        self.places.clear();
        self.places.resize(sum as usize, 0);
        for (place, features) in perspectives() {
            for &feature in features {
                let end = &mut self.ends[usize::from(feature) + 1];
                self.places[*end as usize] = place;
                *end += 1;
            }
        }
        self.ends.pop();
    }
}

#[cfg(test)]
mod tests {
    use sextant_eval::nnue::{Architecture, FEATURES};

    use super::*;
    use crate::train::fixture;

    #[test]
    fn every_feature_has_its_places_in_order() {
        let plain = Architecture::plain(32).unwrap();
        let records = fixture::positions(50, 1);
        let samples = records.iter().map(|record| Sample::read(record, &plain));
        let positions: Vec<_> = samples.map(|sample| (sample.unwrap(), 0.0)).collect();
        let mut expected = vec![Vec::new(); FEATURES];
        for (place, (sample, _)) in (0..).step_by(2).zip(&positions) {
            for (place, features) in [(place, sample.own()), (place + 1, sample.other())] {
                for &feature in features {
                    expected[usize::from(feature)].push(place);
                }
            }
        }
        let mut occurrences = Occurrences::default();
        // What was there before is forgotten.
        for positions in [&positions[30..], &positions] {
            occurrences.find(positions, FEATURES);
        }
        let found: Vec<&[u16]> = occurrences.by_feature().collect();
        assert_eq!(found, expected);
    }
}
