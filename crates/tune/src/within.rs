//! Fractions on the command line: clap has ranges for whole numbers only.

use std::str::FromStr;

/// A parser of numbers that `is_allowed` accepts; `allowed` names them in its message.
pub(crate) fn within<T: FromStr>(
    allowed: &'static str,
    is_allowed: fn(&T) -> bool,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(is_allowed);
        number.ok_or_else(|| format!("allowed: {allowed}"))
    }
}

/// A parser of shares, 0 to 1.
pub(crate) fn share<T>() -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + From<u8> + PartialOrd,
{
    let is_share = |share: &T| (T::from(0)..=T::from(1)).contains(share);
    within("0 to 1, as in 0.02", is_share)
}
