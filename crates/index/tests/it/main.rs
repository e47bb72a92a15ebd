//! The index against an oracle that looks at one row after the other, on generated rows, changes and queries.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot go on fails"
)]

mod facets;
mod lists;
mod oracle;
mod queries;
mod records;
