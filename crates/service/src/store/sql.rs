//! A SQL statement under construction, with its bound values.

use super::Tenant;
use super::db::{List, Param, Value};

/// The conditions of a statement. `?1` is always the workspace.
#[derive(Clone, Debug)]
pub(super) struct Conditions {
    text: String,
    values: Vec<Value>,
}

impl Conditions {
    /// Selects all rows of the workspace; `table` is the table's alias in the statement.
    pub(super) fn of(tenant: Tenant, table: &str) -> Self {
        Self {
            text: format!("{table}.tenant = ?1"),
            values: vec![Value::Integer(tenant.0)],
        }
    }

    /// Binds a value and returns its placeholder.
    pub(super) fn value(&mut self, value: impl Into<Value>) -> String {
        self.values.push(value.into());
        format!("?{}", self.values.len())
    }

    pub(super) fn and(&mut self, condition: &str) {
        self.text.push_str(" AND ");
        self.text.push_str(condition);
    }

    /// Returns the text for a WHERE clause.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the values in the order of their placeholders.
    pub(super) fn values(&self) -> Vec<&dyn Param> {
        self.values
            .iter()
            .map(|value| value as &dyn Param)
            .collect()
    }
}

/// Row numbers for `IN (SELECT value FROM json_each(…))`.
pub(super) fn numbers(ids: &[i64]) -> List {
    List::integers(ids.iter().copied())
}
