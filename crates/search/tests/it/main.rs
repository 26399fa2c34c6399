//! What every caller of the search relies on, and what must stay true of the search model, which
//! `docs/explanation/search.md` and `docs/explanation/budgets.md` state.

mod bonus;
mod budgets;
mod common;
mod determinism;
mod exact;
mod games;
mod knobs_turn;
mod ledger;
mod mutants;
mod network;
mod oracle;
mod prices;
mod quiescence;
mod sound;
