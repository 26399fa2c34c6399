//! Which features occur where.

/// Where each feature occurs in a chunk's perspectives.
#[derive(Debug, Default)]
pub(super) struct Occurrences {
    /// The end of each feature's places in the list, behind a first 0.
    ends: Vec<u32>,
    /// The places of perspectives.
    places: Vec<u16>,
}

impl Occurrences {
    /// The places of each feature.
    #[inline(always)]
    pub(super) fn by_feature(&self) -> impl Iterator<Item = &[u16]> {
        let ends = self.ends.windows(2);
        ends.map(|ends| &self.places[ends[0] as usize..ends[1] as usize])
    }

    /// Finds them by counting, in these lists of features; there are `features` of them, and at most
    /// 65,536 lists.
    pub(super) fn find<'a>(
        &mut self,
        lists: impl Iterator<Item = &'a [u16]> + Clone,
        features: usize,
    ) {
        // A feature's count stands two further on; so that, as places are filled in, its beginning
        // becomes its end.
        self.ends.clear();
        self.ends.resize(features + 2, 0);
        for feature in lists.clone().flatten() {
            self.ends[usize::from(*feature) + 2] += 1;
        }
        let mut sum = 0;
        for end in &mut self.ends {
            sum += *end;
            *end = sum;
        }
        self.places.clear();
        self.places.resize(sum as usize, 0);
        for (place, features) in (0..=u16::MAX).zip(lists) {
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
    use super::*;

    #[test]
    fn every_feature_has_its_places_in_order() {
        let lists: [&[u16]; 4] = [&[3, 0], &[1, 3, 5], &[], &[0, 3]];
        let mut occurrences = Occurrences::default();
        // What was there before is forgotten.
        for lists in [&lists[1..2], &lists] {
            occurrences.find(lists.iter().copied(), 6);
        }
        let found: Vec<&[u16]> = occurrences.by_feature().collect();
        let expected: [&[u16]; 6] = [&[0, 3], &[1], &[], &[0, 1, 3], &[], &[1]];
        assert_eq!(found, expected);
    }
}
