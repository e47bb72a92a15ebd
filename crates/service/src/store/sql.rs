//! A SQL statement under construction, with its bound values.

use rusqlite::types::Value;

use super::Tenant;

/// The conditions of a statement. `?1` is always the workspace.
///
/// There are two equivalent forms. The plain form is fast for few rows: it reads the row itself.
/// The covered form is fast for many rows: it gets all row numbers with a property from an index,
/// and then only checks membership.
#[derive(Clone, Debug)]
pub(super) struct Conditions {
    plain: String,
    covered: String,
    values: Vec<Value>,
}

impl Conditions {
    /// Selects all rows of the workspace; `table` is the table's alias in the statement.
    pub(super) fn of(tenant: Tenant, table: &str) -> Self {
        let workspace = format!("{table}.tenant = ?1");
        Self {
            plain: workspace.clone(),
            covered: workspace,
            values: vec![Value::Integer(tenant.0)],
        }
    }

    /// Binds a value and returns its placeholder.
    pub(super) fn value(&mut self, value: impl Into<Value>) -> String {
        self.values.push(value.into());
        format!("?{}", self.values.len())
    }

    pub(super) fn and(&mut self, condition: &str) {
        self.and_either(condition, condition);
    }

    /// Adds a condition in both forms.
    pub(super) fn and_either(&mut self, plain: &str, covered: &str) {
        for (text, condition) in [(&mut self.plain, plain), (&mut self.covered, covered)] {
            text.push_str(" AND ");
            text.push_str(condition);
        }
    }

    /// Returns the plain form for a WHERE clause.
    pub(super) fn text(&self) -> &str {
        &self.plain
    }

    /// Returns the covered form for a WHERE clause.
    pub(super) fn covered(&self) -> &str {
        &self.covered
    }

    /// Returns whether there is a condition besides the workspace.
    pub(super) fn is_narrow(&self) -> bool {
        self.plain.contains(" AND ")
    }

    /// Returns the values in the order of their placeholders.
    pub(super) fn values(&self) -> &[Value] {
        &self.values
    }
}

/// Formats row numbers as JSON for `IN (SELECT value FROM json_each(…))`: one statement for any
/// number of them.
pub(super) fn numbers(ids: &[i64]) -> String {
    let texts: Vec<String> = ids.iter().map(i64::to_string).collect();
    format!("[{}]", texts.join(","))
}
