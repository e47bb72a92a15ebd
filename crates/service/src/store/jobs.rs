//! Scoring jobs and imports that are under way.

pub(crate) mod import_jobs;
pub mod job_queue;
pub(crate) mod lease;
mod list;
