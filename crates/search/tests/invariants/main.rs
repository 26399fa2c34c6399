//! What must stay true of the search model: `docs/search.md` states it, these tests hold it.

#[path = "../common/mod.rs"]
mod common;
#[path = "../oracle/mod.rs"]
mod oracle;

mod bonus;
mod exact;
mod ledger;
mod mutants;
mod prices;
mod table;
mod walks;
