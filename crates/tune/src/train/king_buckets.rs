//! King buckets as the command line and checkpoints write them.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use sextant_eval::nnue::Architecture;

/// The set of feature weights for each square of the own king: rank by rank from the side's own
/// end, files a to d (see `Architecture::new`). Written as 32 digits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct KingBuckets(pub(super) [u8; 32]);

impl FromStr for KingBuckets {
    type Err = String;

    fn from_str(text: &str) -> Result<KingBuckets, String> {
        let digits = text.chars().map(|digit| digit.to_digit(10));
        let sets: Option<Vec<u8>> = digits.map(|digit| digit.map(|digit| digit as u8)).collect();
        let sets = sets.and_then(|sets| <[u8; 32]>::try_from(sets).ok());
        sets.map(KingBuckets).ok_or_else(|| {
            "wanted are 32 digits, the set of feature weights for the own king on a1 b1 c1 d1, \
             a2 b2 c2 d2, and so on"
                .to_owned()
        })
    }
}

impl TryFrom<String> for KingBuckets {
    type Error = String;

    fn try_from(text: String) -> Result<KingBuckets, String> {
        text.parse()
    }
}

impl From<KingBuckets> for String {
    fn from(buckets: KingBuckets) -> String {
        buckets.to_string()
    }
}

impl fmt::Display for KingBuckets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|set| write!(f, "{set}"))
    }
}

impl KingBuckets {
    pub(crate) fn of(architecture: &Architecture) -> KingBuckets {
        KingBuckets(*architecture.king_buckets())
    }

    /// For each set the one of `coarse` that has all its squares; `None` if one of them is divided.
    pub(super) fn origins(&self, coarse: &KingBuckets) -> Option<Vec<usize>> {
        let sets = self.0.iter().max().map_or(0, |&last| usize::from(last) + 1);
        let mut origins = vec![None; sets];
        for (&set, &origin) in self.0.iter().zip(&coarse.0) {
            let known = origins[usize::from(set)].get_or_insert(usize::from(origin));
            if *known != usize::from(origin) {
                return None;
            }
        }
        origins.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finer_division_knows_where_its_sets_come_from() {
        let [one, two, three, across] = [
            "00000000000000000000000000000000",
            "00001111111111111111111111111111",
            "11112222000000000000000000000000",
            "00000000111111111111111111111111",
        ]
        .map(|text| text.parse::<KingBuckets>().unwrap());
        for (fine, coarse, origins) in [
            (&two, &one, Some(vec![0, 0])),
            (&two, &two, Some(vec![0, 1])),
            (&three, &two, Some(vec![1, 0, 1])),
            (&one, &two, None),
            (&two, &across, None),
            (&across, &two, None),
        ] {
            assert_eq!(fine.origins(coarse), origins, "{fine} from {coarse}");
        }
    }

    #[test]
    fn digits_are_read_as_they_are_written_and_anything_else_is_refused() {
        let text = "01230123222233330000111122223333";
        let buckets: KingBuckets = text.parse().unwrap();
        assert_eq!(buckets.0[..8], [0, 1, 2, 3, 0, 1, 2, 3]);
        assert_eq!(buckets.to_string(), text);
        for text in ["", "0", &text[1..], &format!("{}x", &text[1..])] {
            assert!(text.parse::<KingBuckets>().is_err(), "{text}");
        }
    }
}
