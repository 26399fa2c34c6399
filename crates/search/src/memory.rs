//! Memory for tables.

#[cfg_attr(target_family = "wasm", path = "memory/owned.rs")]
mod mapped;

pub(crate) use mapped::ZeroPages;

/// Types of which memory of zeros is a value, and which need no drop.
///
/// # Safety
/// Both must be true.
#[allow(unsafe_code)]
pub(crate) unsafe trait Zeroed: Default {}
