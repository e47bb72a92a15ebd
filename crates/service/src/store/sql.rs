//! A statement under construction, with its values kept apart from its text.

use rusqlite::types::Value;

use super::Tenant;

/// The conditions of a statement. `?1` is always the workspace.
#[derive(Clone, Debug)]
pub(super) struct Conditions {
    text: String,
    values: Vec<Value>,
}

impl Conditions {
    /// Only rows of the workspace; `table` is the name of the table in the statement.
    pub(super) fn of(tenant: Tenant, table: &str) -> Self {
        Self {
            text: format!("{table}.tenant = ?1"),
            values: vec![Value::Integer(tenant.0)],
        }
    }

    /// Keeps a value, and gives the placeholder that stands for it.
    pub(super) fn value(&mut self, value: impl Into<Value>) -> String {
        self.values.push(value.into());
        format!("?{}", self.values.len())
    }

    /// Adds a condition that must hold as well.
    pub(super) fn and(&mut self, condition: &str) {
        self.text.push_str(" AND ");
        self.text.push_str(condition);
    }

    /// The conditions, for after WHERE.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The values, in the order of their placeholders.
    pub(super) fn values(&self) -> &[Value] {
        &self.values
    }
}

/// Row numbers as JSON, for `IN (SELECT value FROM json_each(…))`: one statement for any number.
pub(super) fn numbers(ids: &[i64]) -> String {
    let texts: Vec<String> = ids.iter().map(i64::to_string).collect();
    format!("[{}]", texts.join(","))
}
