//! What all threads read while they work on a batch.

use sextant_eval::nnue::Architecture;

use super::{rows::Row, target::Objective, tiles::Layout};

/// A network as positions meet it, and what it is to achieve.
#[derive(Debug)]
pub(super) struct Model {
    pub(super) architecture: Architecture,
    pub(super) layout: Layout,
    pub(super) objective: Objective,
    pub(super) weights: Vec<Row>,
}
