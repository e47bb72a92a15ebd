//! Demo data in a store or a file. The records come from [`lead_workspace_demo`], scored by
//! [`ScoredDemo`]; here they are written.

mod export;
mod fill;
mod rows;
mod write;

pub use export::{write_csv, write_jsonl};
pub use fill::fill;
pub use lead_workspace_demo::DEFAULT_SEED;
pub use lead_workspace_logic::demo::ScoredDemo;
