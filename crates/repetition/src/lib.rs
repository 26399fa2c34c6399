//! Sextant repetition.
