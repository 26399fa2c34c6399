//! In the place of `pyrrhic` where that is not built.

use cozy_chess::Board;

use crate::{
    error::{ProbeError, SyzygyError},
    inventory::Inventory,
    native::Store,
    types::Wdl,
};

/// There is none.
pub(crate) enum Pyrrhic {}

impl Pyrrhic {
    pub(crate) fn open(_: &Inventory) -> Result<Pyrrhic, SyzygyError> {
        Err(SyzygyError::NoPyrrhic)
    }

    pub(crate) fn wdl(&self, _: &Store, _: &Board) -> Result<Wdl, ProbeError> {
        match *self {}
    }
}
