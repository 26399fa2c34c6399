//! The laboratory of Sextant: what the sources claim, run again.
