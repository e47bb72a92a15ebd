//! Tests of the service, one module per subject.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail")]
#![allow(missing_docs, reason = "tests are named after what they show")]

mod common;
mod limits;
mod oracle;
mod query;
mod store;
mod walk;
