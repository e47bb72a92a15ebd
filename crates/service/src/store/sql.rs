//! A statement under construction, with its values kept apart from its text.

use rusqlite::types::Value;

use super::Tenant;

/// The conditions of a statement. `?1` is always the workspace.
///
/// They come in two forms that leave the same rows. The plain one is quick for few rows: it looks
/// at the row itself. The covered one is quick for many: it asks an index for all row numbers with
/// a property, and then only whether a number is among them.
#[derive(Clone, Debug)]
pub(super) struct Conditions {
    plain: String,
    covered: String,
    values: Vec<Value>,
}

impl Conditions {
    /// Only rows of the workspace; `table` is the name of the table in the statement.
    pub(super) fn of(tenant: Tenant, table: &str) -> Self {
        let workspace = format!("{table}.tenant = ?1");
        Self {
            plain: workspace.clone(),
            covered: workspace,
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
        self.and_either(condition, condition);
    }

    /// Adds a condition in both forms.
    pub(super) fn and_either(&mut self, plain: &str, covered: &str) {
        for (text, condition) in [(&mut self.plain, plain), (&mut self.covered, covered)] {
            text.push_str(" AND ");
            text.push_str(condition);
        }
    }

    /// The plain form, for after WHERE.
    pub(super) fn text(&self) -> &str {
        &self.plain
    }

    /// The covered form, for after WHERE.
    pub(super) fn covered(&self) -> &str {
        &self.covered
    }

    /// Whether there is any condition besides the workspace.
    pub(super) fn is_narrow(&self) -> bool {
        self.plain.contains(" AND ")
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
