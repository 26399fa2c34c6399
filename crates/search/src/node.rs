//! The search of one node. The steps are numbered as in `docs/search.md`.

mod alpha_beta;
mod depth_adjust;
mod move_loop;
mod move_pruning;
mod node_pruning;
mod probe;
mod qsearch;
mod root;
mod search_move;
mod singular;
mod snapshot;
mod state;
mod static_eval;
mod update;

pub use state::Node;
