//! Filters that are wrong on purpose: the model check must catch every one of them.

/// What a broken filter does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing: the filter that ships.
    None,
    /// One key in eight is never counted on entering.
    DropsRaises,
    /// A counter at its cap runs over to zero.
    WrapsOver,
    /// A counter that reached its cap is lowered again, although it has lost count.
    ForgetsStuck,
    /// Leaving empties the counter, as if nobody shared it.
    LowersAll,
}

impl Fault {
    pub(crate) fn raised(self, count: u8, key: u64) -> Option<u8> {
        match self {
            Fault::DropsRaises if (key >> 32).is_multiple_of(8) => Some(count),
            Fault::WrapsOver => Some(count.wrapping_add(1)),
            _ => None,
        }
    }

    pub(crate) fn lowered(self, count: u8) -> Option<u8> {
        match self {
            Fault::DropsRaises | Fault::ForgetsStuck => Some(count.saturating_sub(1)),
            Fault::WrapsOver => Some(count.wrapping_sub(1)),
            Fault::LowersAll => Some(0),
            Fault::None => None,
        }
    }
}
