//! The page that `serve` shows; it loads nothing from anywhere else.

/// The whole page.
pub(crate) const PAGE: &str = include_str!("page.html");
