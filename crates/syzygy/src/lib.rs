//! Sextant syzygy.
