//! Parameters of statements.

use super::db::List;

/// Row numbers for `IN (SELECT value FROM json_each(…))`.
pub(super) fn numbers(ids: &[i64]) -> List {
    List::integers(ids.iter().copied())
}
