//! The number of a workspace.

/// A workspace, by its row number, which is never used again. Every statement on a workspace's data takes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tenant(pub(crate) i64);
