//! The rules of the workspace that need no database: how a request is validated, which rows a filter or a search
//! matches, how facets are named, how leads are scored, what a job reports.
//!
//! The service and the in-memory workspace of the npm package's `testing` entry share them. No I/O and no clock.

mod clean;
pub mod credentials;
pub mod custom;
pub mod demo;
pub mod facets;
pub mod filter;
mod fold;
pub mod jobs;
mod label;
pub mod messages;
pub mod params;
pub mod replies;
pub mod rows;
pub mod scoring;
pub mod search;
mod size;
mod time;
mod value;

pub use clean::clean;
pub use fold::{fold, folded_contains};
pub use label::label;
pub use size::{size_rank, staff_count_range};
pub use time::iso;
