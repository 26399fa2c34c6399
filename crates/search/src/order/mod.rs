//! Which move to try next.

mod list;
mod picker;
mod score;

pub(crate) use picker::{Kind, Picked, Picker};
pub(crate) use score::Ordering;
