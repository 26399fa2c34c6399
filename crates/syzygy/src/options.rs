//! How tables are opened and kept.

use std::str::FromStr;

/// Who decodes the WDL tables that [`crate::Tablebase::wdl`] reads; everything else is always
/// native.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Backend {
    /// This crate's own decoder: every read checked, any number of instances.
    #[default]
    Native,
    /// pyrrhic-rs, one instance a process. It maps files itself.
    Pyrrhic,
}

impl FromStr for Backend {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "native" => Ok(Backend::Native),
            "pyrrhic" => Ok(Backend::Pyrrhic),
            other => Err(format!(
                "unknown backend \"{other}\"; allowed: native, pyrrhic"
            )),
        }
    }
}

/// What [`crate::Tablebase::open_with`] may be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Who decodes WDL tables.
    pub backend: Backend,
    /// Checks the checksum of each table at its first use, for which all of it is read once; a
    /// table that does not carry the right one is refused.
    pub verify: bool,
    /// Tables of up to 16 MiB are kept in memory whole, as long as all of them together have no
    /// more than this many bytes. What has been decoded takes up to half as much again.
    pub whole_bytes: u64,
    /// Bytes of memory for the pages of all other tables; the pages least used go first.
    pub page_bytes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            backend: Backend::Native,
            verify: false,
            whole_bytes: 256 << 20,
            page_bytes: 64 << 20,
        }
    }
}
