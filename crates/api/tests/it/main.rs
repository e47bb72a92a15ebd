//! Tests of the contract crate, in one binary.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot go on fails"
)]

mod csv;
mod custom;
mod errors;
mod export;
mod import;
mod models;
mod pages;
mod parity;
mod paths;
mod requests;
mod shapes;
mod spec;
