//! Panels and trays that any page shows: jobs, recent decisions, bulk results, running tasks, keys that can
//! follow.

pub mod bulk_results;
pub mod jobs_tray;
pub mod key_hint;
pub mod lead_names;
#[cfg(not(feature = "embed"))]
pub mod learning;
pub mod recent_panel;
pub mod task_panels;
