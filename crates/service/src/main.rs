//! The workspace service.

fn main() {}
