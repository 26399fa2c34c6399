//! What every caller of the search relies on, and what must stay true of the search model, which
//! `docs/search.md` and `docs/budgets.md` state.

mod common;
mod oracle;
mod watch;

mod bonus;
mod budgets;
mod determinism;
mod exact;
mod knobs_turn;
mod ledger;
mod levels;
mod mutants;
mod network;
mod prices;
mod root;
mod snapshot;
mod sound;
mod table;
mod tablebases;
mod walks;
