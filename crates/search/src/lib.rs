//! Sextant search.
