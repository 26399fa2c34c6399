//! Sextant eval.
