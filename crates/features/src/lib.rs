//! Has no code: its manifest names the features of dependencies that several programs of this workspace share.
//!
//! `cargo xtask start` compiles xtask, `xtask-bindgen`, the UI and the service one after another, `cargo xtask test` all
//! programs and their tests at once. Cargo chooses the features for each of these builds alone, and compiles a package again
//! for each other choice, with all that depends on it. Every program depends on this crate, so that all have the same choice.
