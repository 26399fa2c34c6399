//! The value that users hold: open it once, probe it from any number of threads.

use std::{collections::BTreeMap, ffi::OsStr, sync::Arc};

use cozy_chess::Board;

use crate::{
    error::{ProbeError, SyzygyError, TableError, TableId, TableKind},
    inventory::Inventory,
    mainline::MainLine,
    native::Store,
    probe::{Prober, check_board},
    pyrrhic::Pyrrhic,
    root::{Outlook, look_ahead},
    source::{Backend, FileSource, Options, TableSource},
    types::{Dtz, RootMove, Wdl},
};

/// A set of opened tables. `Send + Sync`: probe it from any number of threads. Several may live at
/// once.
pub struct Tablebase {
    inventory: Inventory,
    native: Prober,
    /// Answers [`Tablebase::wdl`] if there.
    pyrrhic: Option<Pyrrhic>,
}

impl Tablebase {
    /// Opens the folders of a list, separated by `:` or `;` (on Windows `;` alone). Spaces and
    /// non-ASCII letters are fine, empty entries are skipped.
    ///
    /// Only names, sizes and first bytes are read here; a table is read at its first use.
    ///
    /// # Errors
    /// An empty list, a NUL byte, or no folder of the list readable. Bad files are no error (see
    /// [`Inventory`]), except with [`Backend::Pyrrhic`], which would open them; that one can also
    /// be open only once in a process.
    pub fn open(paths: impl AsRef<OsStr>, backend: Backend) -> Result<Tablebase, SyzygyError> {
        let options = Options {
            backend,
            ..Options::default()
        };
        Tablebase::open_with(paths, &options)
    }

    /// Like [`Tablebase::open`], with all that can be chosen.
    ///
    /// # Errors
    /// As [`Tablebase::open`].
    pub fn open_with(
        paths: impl AsRef<OsStr>,
        options: &Options,
    ) -> Result<Tablebase, SyzygyError> {
        let mut inventory = Inventory::scan(paths.as_ref())?;
        if options.wdl_only {
            inventory.keep(TableKind::Wdl);
        }
        let files = inventory.tables().map(|(id, file)| {
            let source: Arc<dyn TableSource> = Arc::new(FileSource::new(&file.path));
            (id, source)
        });
        let store = Store::new(files, options);
        let pyrrhic = match options.backend {
            Backend::Native => None,
            Backend::Pyrrhic => Some(Pyrrhic::open(&inventory)?),
        };
        Ok(Tablebase {
            native: Prober { store },
            inventory,
            pyrrhic,
        })
    }

    /// Tables that are no files of this system, such as bytes in memory. [`Options::backend`] does
    /// not count, for only the native decoder reads them.
    pub fn of_sources(
        sources: impl IntoIterator<Item = (TableId, Arc<dyn TableSource>)>,
        options: &Options,
    ) -> Tablebase {
        let mut inventory = Inventory::default();
        let mut sound = BTreeMap::new();
        for (id, source) in sources {
            if inventory.add(id, &*source) {
                sound.insert(id, source);
            }
        }
        Tablebase {
            inventory,
            native: Prober {
                store: Store::new(sound, options),
            },
            pyrrhic: None,
        }
    }

    /// No tables at all: still knows bare kings and what [`Tablebase::look_ahead`] sees.
    pub fn empty() -> Tablebase {
        Tablebase::of_sources([], &Options::default())
    }

    /// What was found, and what was refused.
    pub fn inventory(&self) -> &Inventory {
        &self.inventory
    }

    /// Most men of any usable WDL table; 0 without one.
    pub fn max_men(&self) -> u32 {
        self.inventory.max_men()
    }

    /// Outcome for the side to move with the half-move clock taken as 0; `None` where the tables do
    /// not tell.
    ///
    /// Cheap enough for a search. No heap is touched once the tables concerned are open, but for
    /// pages of large ones.
    #[inline]
    pub fn wdl(&self, board: &Board) -> Option<Wdl> {
        self.probe_wdl(board).ok()
    }

    /// Like [`Tablebase::wdl`], with the reason where there is no answer.
    ///
    /// # Errors
    /// Castling rights, too many men, touching kings, a missing or damaged table.
    pub fn probe_wdl(&self, board: &Board) -> Result<Wdl, ProbeError> {
        self.ask(board, |native| match &self.pyrrhic {
            None => native.wdl(board),
            Some(pyrrhic) => pyrrhic.wdl(&native.store, board),
        })
    }

    /// Distance to zeroing for the side to move, the half-move clock ignored.
    ///
    /// # Errors
    /// As for [`Tablebase::probe_wdl`].
    pub fn dtz(&self, board: &Board) -> Result<Dtz, ProbeError> {
        self.ask(board, |native| native.dtz(board))
    }

    /// Judges every legal move, best rank first; empty if the game is over.
    ///
    /// `repeated`: a position has occurred twice since the last zeroing move. `fifty`: the 50-move
    /// rule counts, with the board's own half-move clock.
    ///
    /// Moves of equal rank keep the result equally well. Winning moves that come in time share the
    /// rank [`TOP_RANK`](crate::TOP_RANK), so that a search among them can find the shortest mate;
    /// once a position has been repeated, or the clock and the distance together pass 99, the
    /// nearest to zeroing ranks first and following the top rank makes progress. Cursed wins rank
    /// between wins and draws, blessed losses between draws and losses.
    ///
    /// Without the DTZ table of a move, all moves are ranked by WDL alone and the clock is ignored.
    ///
    /// # Errors
    /// As for [`Tablebase::probe_wdl`]; a missing WDL table of any move fails the whole probe.
    pub fn probe_root(
        &self,
        board: &Board,
        repeated: bool,
        fifty: bool,
    ) -> Result<Vec<RootMove>, ProbeError> {
        self.ask(board, |native| native.rank_moves(board, repeated, fifty))
    }

    /// Judges a position that no table holds (castling rights, too many men, a missing file) by its
    /// moves: a mating move or a capture into a tabled win decides, and so do moves that are all
    /// known. `None` if they leave it open.
    pub fn look_ahead(&self, board: &Board) -> Option<Outlook> {
        look_ahead(&self.native, board)
    }

    /// A best line of at most `max_plies`: the winner plays to the nearest zeroing move, the loser
    /// to the furthest, until mate or another stated end. The board's half-move clock counts.
    ///
    /// # Errors
    /// As for [`Tablebase::dtz`], for the first position only; later ones end the line.
    pub fn main_line(&self, board: &Board, max_plies: usize) -> Result<MainLine, ProbeError> {
        self.ask(board, |native| native.main_line(board, max_plies))
    }

    /// Asks about a board that tables can hold. A table that was refused is damaged, not missing.
    #[inline]
    fn ask<T>(
        &self,
        board: &Board,
        question: impl FnOnce(&Prober) -> Result<T, ProbeError>,
    ) -> Result<T, ProbeError> {
        check_board(board)?;
        question(&self.native).map_err(|error| match error {
            ProbeError::Missing(id) if self.inventory.refusal(id).is_some() => {
                ProbeError::Corrupt(id)
            }
            error => error,
        })
    }

    /// What is wrong with a table, as far as is known; `None` if it is in order or not installed.
    /// Opens the table if need be.
    pub fn table_error(&self, id: TableId) -> Option<&TableError> {
        match self.native.store.inspect(id) {
            Some(table) => table.err(),
            None => self.inventory.refusal(id).map(|file| &file.reason),
        }
    }

    /// The tables that were found to be damaged or unreadable in use since the last call, each
    /// once, as lines of text with the path and the reason. They answer no more.
    pub fn take_failures(&self) -> Vec<String> {
        let failures = self.native.store.take_failures();
        let line = |(id, error): (TableId, &TableError)| {
            let file = self.inventory.get(id)?;
            Some(format!("{}: {error}", file.path.display()))
        };
        failures.filter_map(line).collect()
    }

    /// Reads a whole table and checks its header, its length and its checksum.
    ///
    /// # Errors
    /// `None` if the table is not installed, else what is wrong with it.
    pub fn verify(&self, id: TableId) -> Option<Result<(), TableError>> {
        let table = self.native.store.inspect(id)?;
        Some(table.map_err(Clone::clone).and_then(|table| table.verify()))
    }
}
