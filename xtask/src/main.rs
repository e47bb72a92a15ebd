//! `cargo xtask`: set-up, build, start and test.

fn main() {}
