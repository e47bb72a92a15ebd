//! The text of statements.

#[cfg(debug_assertions)]
use super::one_workspace;

/// The text of a statement.
///
/// A `&'static str` is prepared once per connection. A `String` is built for one request: it is prepared each time, so that it does
/// not evict others from the cache. [`Fixed`] is for text that is built, but has few variants.
pub trait Sql {
    const IS_CACHED: bool;
    /// Whether it sees the rows of one workspace only. Debug builds check this.
    const IS_OF_ONE_WORKSPACE: bool = true;

    fn text(&self) -> &str;
}

impl Sql for &'static str {
    const IS_CACHED: bool = true;

    fn text(&self) -> &str {
        self
    }
}

impl Sql for &String {
    const IS_CACHED: bool = false;

    fn text(&self) -> &str {
        self
    }
}

/// A statement that is built from few variants, so it is prepared once per connection.
pub struct Fixed(pub String);

impl Sql for &Fixed {
    const IS_CACHED: bool = true;

    fn text(&self) -> &str {
        &self.0
    }
}

/// A statement that sees the rows of all workspaces.
pub struct AcrossWorkspaces<S>(pub S);

impl<S: Sql> Sql for AcrossWorkspaces<S> {
    const IS_CACHED: bool = S::IS_CACHED;
    const IS_OF_ONE_WORKSPACE: bool = false;

    fn text(&self) -> &str {
        self.0.text()
    }
}

/// Fails if a statement sees the rows of other workspaces.
#[cfg(debug_assertions)]
pub(super) fn check<S: Sql>(sql: &S) {
    if S::IS_OF_ONE_WORKSPACE {
        let table = one_workspace::unconstrained(sql.text());
        assert!(
            table.is_none(),
            "a statement sees {table:?} of all workspaces: {}",
            sql.text()
        );
    }
}
