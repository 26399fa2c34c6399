//! Which squares of the own king share a set of feature weights, as the command line and
//! checkpoints write it.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_read_as_they_are_written() {
        let text = "01230123222233330000111122223333";
        let buckets: KingBuckets = text.parse().unwrap();
        assert_eq!(buckets.0[..8], [0, 1, 2, 3, 0, 1, 2, 3]);
        assert_eq!(buckets.to_string(), text);
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "0",
            "0123012322223333000011112222333",
            "0123012322223333000011112222333x",
        ] {
            assert!(text.parse::<KingBuckets>().is_err(), "{text}");
        }
    }
}
