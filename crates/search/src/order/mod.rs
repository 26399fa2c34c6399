//! Which move to try next.

mod picker;
mod score;

pub(crate) use picker::{Kind, Picked, Picker};
pub(crate) use score::Ordering;
