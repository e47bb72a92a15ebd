//! Counts of values in SQL, for PostgreSQL, where no column is in memory.

use lead_workspace_api::LeadField;
use lead_workspace_index::{ColumnId, FacetContext};

use crate::store::columns::Source;
use crate::store::sql::Conditions;
use crate::store::{Tenant, sql_query};

/// Where the values of a facet are counted.
pub(super) struct Counted {
    /// The table whose rows are counted; its alias is `t`.
    pub table: &'static str,
    /// The column to group by.
    pub column: &'static str,
    /// The aggregate expression.
    pub count: &'static str,
    /// The conditions on the counted rows.
    pub conditions: Conditions,
}

impl Counted {
    pub(super) fn of(field: LeadField, context: &FacetContext, tenant: Tenant) -> Self {
        let Source { table, key, column } = Source::of(ColumnId::Lead(field));
        let lead = format!("t.{key}");
        let mut conditions = Conditions::of(tenant, "t");
        for (of, value) in context.parameters_for(field) {
            let Source { table, key, column } = Source::of(ColumnId::Lead(*of));
            let value = conditions.value(value.clone());
            conditions.and(&format!(
                "{lead} IN (SELECT {key} FROM {table} WHERE tenant = ?1 AND {column} = {value})"
            ));
        }
        if let Some(leads) = context.view() {
            sql_query::add_rows(leads, &mut conditions, &lead);
        }
        Self {
            table,
            column,
            count: if table == "intents" {
                "count(DISTINCT t.lead)"
            } else {
                "count(*)"
            },
            conditions,
        }
    }

    /// Returns the SQL for the number of leads of each value, as `value` and `leads`.
    pub(super) fn sql(&self) -> String {
        let Self {
            table,
            column,
            count,
            conditions,
        } = self;
        format!(
            "SELECT t.{column} AS value, {count} AS leads FROM {table} t
             WHERE {} AND t.{column} IS NOT NULL GROUP BY t.{column}",
            conditions.text()
        )
    }
}
