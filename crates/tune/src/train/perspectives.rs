//! Both perspectives of the positions of a chunk, in an order that the caches like.
//!
//! Those with their king in one bucket share their weights and need no others, and of these those
//! with as many pieces come together, so that the processor foresees how long their loops are.

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
    /// The place of each: the side to move's perspective of a position stands before the other's, and
    /// both behind those of the positions before it.
    places: Vec<u16>,
    occurrences: Occurrences,
}

impl Perspectives {
    /// Orders those of other positions, at most 32,768, which have `features` features.
    pub(super) fn find<'a>(&mut self, positions: &'a [(Sample, f32)], features: usize) {
        let sides = |(sample, _): &'a (Sample, f32)| [sample.own(), sample.other()];
        let all = positions.iter().flat_map(sides);
        self.occurrences.find(all.clone(), features);
        let mut all: Vec<(u16, &[u16])> = (0..).zip(all).collect();
        all.sort_by_key(|(_, features)| (usize::from(features[0]) / FEATURES, features.len()));
        self.features.clear();
        self.runs.clear();
        self.places.clear();
        for (place, features) in all {
            self.places.push(place);
            self.features.extend(features);
            match self.runs.last_mut() {
                Some((count, each)) if *each == features.len() => *count += 1,
                _ => self.runs.push((1, features.len())),
            }
        }
    }

    /// The place and the features of each.
    #[inline(always)]
    pub(super) fn each(&self) -> impl Iterator<Item = (usize, &[u16])> {
        let mut start = 0;
        let features = self.runs.iter().flat_map(move |&(count, each)| {
            let run: Range<usize> = start..start + count * each;
            start = run.end;
            self.features[run].chunks_exact(each)
        });
        let places = self.places.iter().map(|&place| usize::from(place));
        places.zip(features)
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
            let each: Vec<(usize, &[u16])> = perspectives.each().collect();
            let mut features = vec![&[][..]; 2 * positions.len()];
            for &(place, found) in &each {
                features[place] = found;
            }
            assert_eq!(each.len(), features.len());
            for ((sample, _), [own, other]) in positions.iter().zip(features.as_chunks().0) {
                assert_eq!((*own, *other), (sample.own(), sample.other()));
            }
            let key = |features: &[u16]| (usize::from(features[0]) / FEATURES, features.len());
            assert!(each.is_sorted_by_key(|(_, features)| key(features)));
            let by_feature = perspectives.occurrences().by_feature();
            for (feature, places) in by_feature.enumerate() {
                let holds = |&place: &u16| features[usize::from(place)].contains(&(feature as u16));
                assert!(places.iter().all(holds) && places.is_sorted());
            }
        }
    }
}
