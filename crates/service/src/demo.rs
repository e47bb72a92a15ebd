//! Demo data in a store or a file. The records come from [`lead_workspace_demo`], scored by
//! [`ScoredDemo`]; here they are written.

mod export;
mod fill;
mod history;
mod write;

pub use export::{write_csv, write_jsonl};
pub use fill::fill;
pub use history::{add_decisions, add_name};
pub use lead_workspace_demo::{DEFAULT_SEED, EXAMPLE_NOW};
pub use lead_workspace_logic::demo::ScoredDemo;
