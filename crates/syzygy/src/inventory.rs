//! What the folders hold: every table that may be used, and every one that may not, with the
//! reason.
//!
//! Only names, sizes and the first four bytes are looked at, so that opening thousands of tables
//! stays quick.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    path::{Path, PathBuf},
};

use crate::{
    checksum::{CHECKSUM_BYTES, LINE_BYTES},
    error::{SyzygyError, TableError, TableId, TableKind},
    material::Material,
    source::{FileSource, TableSource},
};

/// A table file that passed the look from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableFile {
    /// Where the file lies, in one of the named folders.
    pub path: PathBuf,
    /// The length of the file in bytes.
    pub bytes: u64,
}

/// A file that is called like a table but cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Where the file lies, in one of the named folders.
    pub path: PathBuf,
    /// The table that it should be, if its name is that of one.
    pub id: Option<TableId>,
    /// Why the file is not used.
    pub reason: TableError,
}

/// The usable tables of some folders, the unusable ones with their reasons, and the folders that
/// could not be read.
#[derive(Clone, Debug, Default)]
pub struct Inventory {
    tables: BTreeMap<TableId, TableFile>,
    refused: Vec<Refused>,
    folders: Vec<PathBuf>,
    unreadable: Vec<(PathBuf, String)>,
}

impl Inventory {
    /// Looks through a list of folders, separated by `:` or `;`. Empty entries are skipped; where a
    /// table is found twice, the first usable one counts.
    pub fn scan(paths: &OsStr) -> Result<Inventory, SyzygyError> {
        let mut bytes = paths.as_encoded_bytes().iter();
        if let Some(at) = bytes.position(|&byte| byte == 0) {
            return Err(SyzygyError::NulInPath { at });
        }
        let mut inventory = Inventory::default();
        let mut first_error = None;
        for folder in split_paths(paths) {
            match inventory.add_folder(&folder) {
                Ok(()) => inventory.folders.push(folder),
                Err(source) => {
                    let unreadable = (folder.clone(), source.to_string());
                    inventory.unreadable.push(unreadable);
                    first_error.get_or_insert((folder, source));
                }
            }
        }
        match first_error {
            Some((folder, source)) if inventory.folders.is_empty() => {
                Err(SyzygyError::Folder { folder, source })
            }
            None if inventory.folders.is_empty() => Err(SyzygyError::EmptyPath),
            _ => Ok(inventory),
        }
    }

    /// Takes in a table that is no file of a folder; its name stands for the path.
    /// `false` if it is refused.
    pub(crate) fn add(&mut self, id: TableId, source: &dyn TableSource) -> bool {
        let path = PathBuf::from(id.to_string());
        match look(source, id.kind) {
            Ok(bytes) => {
                self.tables.insert(id, TableFile { path, bytes });
                true
            }
            Err(reason) => {
                let id = Some(id);
                self.refused.push(Refused { path, id, reason });
                false
            }
        }
    }

    /// Forgets the tables of the other kind.
    pub(crate) fn keep(&mut self, kind: TableKind) {
        self.tables.retain(|id, _| id.kind == kind);
        self.refused
            .retain(|file| file.id.is_none_or(|id| id.kind == kind));
    }

    fn add_folder(&mut self, folder: &Path) -> std::io::Result<()> {
        let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)?
            .map(|entry| Ok(entry?.path()))
            .collect::<std::io::Result<_>>()?;
        paths.sort();
        for path in paths {
            let kind = match path.extension().and_then(|ending| ending.to_str()) {
                Some("rtbw") => TableKind::Wdl,
                Some("rtbz") => TableKind::Dtz,
                _ => continue,
            };
            let named = id_of_name(&path, kind);
            let id = named.clone().ok();
            match named.and_then(|id| Ok((id, look(&FileSource::new(&path), kind)?))) {
                Ok((id, bytes)) => {
                    self.tables.entry(id).or_insert(TableFile { path, bytes });
                }
                Err(reason) => self.refused.push(Refused { path, id, reason }),
            }
        }
        Ok(())
    }

    /// The number of usable WDL tables.
    pub fn wdl_count(&self) -> usize {
        self.count(TableKind::Wdl)
    }

    /// The number of usable DTZ tables.
    pub fn dtz_count(&self) -> usize {
        self.count(TableKind::Dtz)
    }

    /// Folders that hold no table, each with those of its subfolders (and theirs) that do: these
    /// were meant.
    pub fn above_tables(&self) -> Vec<(&Path, Vec<PathBuf>)> {
        let of_table = |file: &TableFile, folder: &Path| file.path.parent() == Some(folder);
        let is_empty = |folder: &&PathBuf| !self.tables.values().any(|file| of_table(file, folder));
        let empty = self.folders.iter().filter(is_empty);
        let below = empty.map(|folder| (folder.as_path(), with_tables(folder, LEVELS_BELOW)));
        below.filter(|(_, found)| !found.is_empty()).collect()
    }

    /// What a person should be told before the answers: folders that cannot be read, that none of
    /// those that can holds a table, and where there are some.
    pub fn complaints(&self) -> Vec<String> {
        let unreadable = self.unreadable.iter();
        let mut told: Vec<String> = unreadable
            .map(|(folder, why)| format!("cannot read the folder {}: {why}", folder.display()))
            .collect();
        if self.tables.is_empty() {
            let folders = self.folders.iter().map(|it| it.display().to_string());
            let folders: Vec<_> = folders.collect();
            told.push(format!("there are no tables in {}", folders.join(", ")));
        }
        told.extend(self.above_tables().into_iter().map(|(folder, below)| {
            let below: Vec<_> = below.iter().map(|it| it.display().to_string()).collect();
            format!(
                "the tables below {} are in {}; name these folders",
                folder.display(),
                below.join(", ")
            )
        }));
        told
    }

    fn count(&self, kind: TableKind) -> usize {
        self.tables.keys().filter(|id| id.kind == kind).count()
    }

    /// Most men of any usable WDL table; 0 without one.
    pub fn max_men(&self) -> u32 {
        let wdl = self.tables.keys().filter(|id| id.kind == TableKind::Wdl);
        wdl.map(|id| id.material.men()).max().unwrap_or(0)
    }

    /// The usable tables in a fixed order.
    pub fn tables(&self) -> impl Iterator<Item = (TableId, &TableFile)> {
        self.tables.iter().map(|(&id, file)| (id, file))
    }

    /// The file of a table, if it is usable.
    pub fn get(&self, id: TableId) -> Option<&TableFile> {
        self.tables.get(&id)
    }

    /// Files with a table's ending that cannot be used.
    pub fn refused(&self) -> &[Refused] {
        &self.refused
    }

    /// The file that should be a table and cannot be used.
    pub fn refusal(&self, id: TableId) -> Option<&Refused> {
        self.refused.iter().find(|file| file.id == Some(id))
    }

    /// The folders that were read, in the order of the list.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Folders that could not be read, with the system's words.
    pub fn unreadable_folders(&self) -> &[(PathBuf, String)] {
        &self.unreadable
    }

    /// Tables of exactly `men` men (3 to 7) that a complete set would have and this one lacks.
    pub fn missing(&self, men: u32) -> Vec<TableId> {
        let all = Material::all(men).into_iter();
        all.flat_map(|material| TableKind::ALL.map(|kind| TableId { material, kind }))
            .filter(|id| !self.tables.contains_key(id))
            .collect()
    }
}

/// How far below a named folder tables are looked for, to tell where they are.
const LEVELS_BELOW: u32 = 2;

/// The folders below this one that hold table files.
fn with_tables(folder: &Path, levels: u32) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries
        .map(|it| it.path())
        .filter(|it| it.is_dir())
        .collect();
    folders.sort();
    let is_table = |it: &std::fs::DirEntry| {
        let path = it.path();
        path.extension()
            .is_some_and(|ending| ending == "rtbw" || ending == "rtbz")
    };
    let holds_one = |folder: &Path| {
        let mut entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.any(|entry| is_table(&entry))
    };
    let mut found = Vec::new();
    for folder in folders {
        let deeper = if levels > 1 {
            with_tables(&folder, levels - 1)
        } else {
            Vec::new()
        };
        if holds_one(&folder) {
            found.push(folder);
        }
        found.extend(deeper);
    }
    found
}

/// The folders of a list; on Windows a drive letter's colon separates nothing.
#[cfg(not(unix))]
fn split_paths(paths: &OsStr) -> Vec<PathBuf> {
    let separators: &[char] = if cfg!(windows) { &[';'] } else { &[':', ';'] };
    let paths = paths.to_string_lossy();
    let parts = paths.split(separators);
    let named = parts.filter(|part| !part.trim().is_empty());
    named.map(PathBuf::from).collect()
}

/// The folders of a list, whose names may be in any encoding.
#[cfg(unix)]
fn split_paths(paths: &OsStr) -> Vec<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    let parts = paths.as_bytes().split(|byte| b":;".contains(byte));
    let named = parts.filter(|part| !part.trim_ascii().is_empty());
    named.map(|part| OsStr::from_bytes(part).into()).collect()
}

/// Checks the length and the first bytes of a table; returns its length.
fn look(source: &dyn TableSource, kind: TableKind) -> Result<u64, TableError> {
    let bytes = source.size()?;
    if bytes % LINE_BYTES != CHECKSUM_BYTES || bytes < LINE_BYTES {
        return Err(TableError::Size { found: bytes });
    }
    let mut found = [0; 4];
    source.read_exact_at(&mut found, 0)?;
    if found == kind.magic() {
        Ok(bytes)
    } else {
        Err(TableError::Magic { found, kind })
    }
}

/// The table that a file's name promises.
fn id_of_name(path: &Path, kind: TableKind) -> Result<TableId, TableError> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let wrong = |expected: String| TableError::Name {
        found: format!("{stem}.{}", kind.extension()),
        expected,
    };
    let material = Material::parse(&stem)
        .filter(|material| material.men() > 2)
        .ok_or_else(|| wrong("something like KRPvKR, 3 to 7 men in the order KQRBNP".into()))?;
    let id = TableId::of(material, kind);
    match id.material == material {
        true => Ok(id),
        false => Err(wrong(id.to_string())),
    }
}
