//! Sextant config.
