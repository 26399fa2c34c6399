//! Sextant board.
