//! Both perspectives of the positions of a chunk, in an order that the caches like.
//!
//! Those with their king in one bucket share their weights and need no others, and of these those
//! with as many pieces stand together, so that the processor foresees how long their loops are.

use std::ops::Range;

use sextant_eval::nnue::FEATURES;

use super::{occurrences::Occurrences, record::Sample};

#[derive(Debug, Default)]
pub(super) struct Perspectives {
    /// The features of one after the other.
    features: Vec<u16>,
    /// Their numbers of features, a run of equal ones at a time: how many perspectives, and of how
    /// many features each.
    runs: Vec<(usize, usize)>,
    /// Where the side to move's perspective of each position stands, and where the other's.
    places: Vec<[u16; 2]>,
    occurrences: Occurrences,
}

impl Perspectives {
    /// Orders those of other positions, at most 32,768, which have `features` features.
    pub(super) fn find(&mut self, positions: &[(Sample, f32)], features: usize) {
        let all = (0_u16..).zip(positions).flat_map(|(number, (sample, _))| {
            [(number, 0, sample.own()), (number, 1, sample.other())]
        });
        let mut all: Vec<(u16, usize, &[u16])> = all.collect();
        all.sort_by_key(|(_, _, features)| (usize::from(features[0]) / FEATURES, features.len()));
        self.features.clear();
        self.runs.clear();
        self.places.clear();
        self.places.resize(positions.len(), [0; 2]);
        for (place, &(number, side, features)) in (0_u16..).zip(&all) {
            self.places[usize::from(number)][side] = place;
            self.features.extend(features);
            match self.runs.last_mut() {
                Some((count, each)) if *each == features.len() => *count += 1,
                _ => self.runs.push((1, features.len())),
            }
        }
        let all = all.iter().map(|&(_, _, features)| features);
        self.occurrences.find(all, features);
    }

    /// The features of each.
    #[inline(always)]
    pub(super) fn features(&self) -> impl Iterator<Item = &[u16]> {
        let mut start = 0;
        self.runs.iter().flat_map(move |&(count, each)| {
            let run: Range<usize> = start..start + count * each;
            start = run.end;
            self.features[run].chunks_exact(each)
        })
    }

    /// Where both perspectives of each position stand.
    pub(super) fn places(&self) -> impl Iterator<Item = [usize; 2]> {
        self.places.iter().map(|places| places.map(usize::from))
    }

    pub(super) const fn occurrences(&self) -> &Occurrences {
        &self.occurrences
    }
}

#[cfg(test)]
mod tests {
    use sextant_eval::nnue::Architecture;

    use super::*;
    use crate::train::fixture;

    #[test]
    fn each_position_finds_its_own_by_bucket_and_length() {
        let buckets = std::array::from_fn(|square| (square % 3) as u8);
        let architecture = Architecture::new(32, buckets, 1).unwrap();
        let records = fixture::positions(300, 4);
        let samples = records
            .iter()
            .map(|record| (Sample::read(record, &architecture).unwrap(), 0.0));
        let positions: Vec<_> = samples.collect();
        let mut perspectives = Perspectives::default();
        for positions in [&positions[..50], &positions] {
            perspectives.find(positions, 3 * FEATURES);
            let features: Vec<&[u16]> = perspectives.features().collect();
            assert_eq!(features.len(), 2 * positions.len());
            for ((sample, _), [own, other]) in positions.iter().zip(perspectives.places()) {
                assert_eq!(
                    (features[own], features[other]),
                    (sample.own(), sample.other())
                );
            }
            let key = |features: &[u16]| (usize::from(features[0]) / FEATURES, features.len());
            assert!(features.is_sorted_by_key(|features| key(features)));
            let by_feature = perspectives.occurrences().by_feature();
            for (feature, places) in by_feature.enumerate() {
                let holds = |&place: &u16| features[usize::from(place)].contains(&(feature as u16));
                assert!(places.iter().all(holds) && places.is_sorted());
            }
        }
    }
}
