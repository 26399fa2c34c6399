//! What a run leaves on the disk while it goes on: its state, and the games if they are kept.

use std::path::PathBuf;

use sextant_cli::{append_file::AppendFile, failure::Failure};

use super::state::State;
use crate::viriformat;

/// Games go into their file after the state has them, so that a run that was killed in between
/// finds there what it has still to append.
#[derive(Default)]
pub(super) struct Keeper {
    /// The file of the games and its path as the state keeps it; `None` if they are not kept.
    games: Option<(AppendFile, PathBuf)>,
}

impl Keeper {
    /// Opens the file of the games, if there is to be one, and completes it.
    pub(super) fn open(state: &State) -> Result<Keeper, Failure> {
        let Some(kept) = &state.recipe.options.viriformat else {
            return Ok(Keeper::default());
        };
        let path = state.found(kept);
        let known = state.games.clone().map(|mark| mark.at(&path));
        let file = viriformat::open_append(&path, known.as_ref())?;
        Ok(Keeper {
            games: Some((file, kept.clone())),
        })
    }

    /// Takes the bytes of games, which are written with the next state.
    pub(super) fn add(&mut self, games: &[u8]) {
        if let Some((file, _)) = &mut self.games {
            file.add(games);
        }
    }

    /// Writes the state and then the games that were taken.
    pub(super) fn save(&mut self, state: &mut State) -> Result<(), Failure> {
        let Some((file, kept)) = &mut self.games else {
            return state.save();
        };
        state.games = Some(file.mark()?.at(kept));
        state.save()?;
        Ok(file.flush()?)
    }
}
