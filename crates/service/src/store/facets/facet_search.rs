//! Search in the values of one facet.
//!
//! spec: not shown; `q` matches a substring of the value or of its name, ignoring case, accents and invisible
//! characters.
//! The most frequent values come first. Values in `selected` come before all others, even if they
//! do not match or no lead has them any more. There are at most `limit` items in total, unless more
//! are selected. `total_distinct` counts all values that match `q`.

use std::collections::HashSet;

use lead_workspace_api::{ErrorEntry, FacetItem, FacetSearch, FacetSearchResult, LeadField};
use lead_workspace_index::{Columns, CountedValues, FacetContext, MatchingValues};
use lead_workspace_logic::filter::Value;
use lead_workspace_logic::{facets, label};

use super::in_sql::Counted;
use super::value_names::ValueNames;
use crate::fold;
use crate::store::db::{Db, List, Value as Sql, params};
use crate::store::sql::numbers;
use crate::store::{Store, StoreError, Tenant};

#[derive(Clone, Copy, Debug)]
pub struct FacetField(LeadField, ValueNames);

impl FacetField {
    /// Returns the facet with this name; see [`lead_workspace_logic::facets::field`].
    pub fn of(name: &str, loc: &[&str]) -> Result<Self, Vec<ErrorEntry>> {
        let field = facets::field(name, loc)?;
        // The values of every facet have names; see the test of `value_names`.
        let names = ValueNames::of(field).ok_or_else(Vec::new)?;
        Ok(Self(field, names))
    }

    pub(super) fn field(self) -> LeadField {
        self.0
    }
}

impl Store {
    pub async fn search_lead_facet(
        &self,
        tenant: Tenant,
        field: FacetField,
        search: FacetSearch,
    ) -> Result<FacetSearchResult, StoreError> {
        let columns = self.columns();
        self.read_in(tenant, move |db| {
            let context = FacetContext::from(&search);
            let columns = columns.read(db, tenant, &context.columns(field.field()))?;
            let reader = ValueReader::new(db, tenant, columns.as_ref(), field, context);
            let selected = reader.values(search.selected.as_deref().unwrap_or_default())?;
            reader.search(&search.q, search.limit, selected)
        })
        .await
    }
}

/// A value in the result.
struct ShownValue {
    value: Value,
    /// The value as text, as the caller wrote it if it was selected.
    text: String,
    count: u64,
}

pub(super) struct ValueReader<'a> {
    db: Db<'a>,
    tenant: Tenant,
    field: LeadField,
    names: ValueNames,
    context: FacetContext,
    /// The counts by the columns in memory; `None` on PostgreSQL.
    in_memory: Option<CountedValues<'a>>,
}

impl<'a> ValueReader<'a> {
    pub(super) fn new(
        db: Db<'a>,
        tenant: Tenant,
        columns: Option<&'a Columns>,
        FacetField(field, names): FacetField,
        context: FacetContext,
    ) -> Self {
        Self {
            in_memory: columns.map(|columns| CountedValues::of_leads(columns, field, &context)),
            db,
            tenant,
            field,
            names,
            context,
        }
    }

    pub(super) fn search(
        &self,
        q: &str,
        limit: u32,
        selected: Vec<String>,
    ) -> Result<FacetSearchResult, StoreError> {
        let mut shown = self.selected(selected)?;
        let matching = self.matching(fold(q).trim(), limit, &shown)?;
        let total_distinct = matching.total;
        let mut matching_shown = matching.selected;
        for (value, count) in matching.found {
            let is_known = shown.iter().any(|known| is_same(&known.value, &value));
            if !is_known && shown.len() < limit as usize {
                shown.push(ShownValue {
                    text: text_of(&value),
                    value,
                    count,
                });
                matching_shown += 1;
            }
        }
        Ok(FacetSearchResult {
            field: Some(self.field.as_str().to_owned()),
            items: Some(self.items(shown)?),
            total_distinct: Some(total_distinct),
            has_more: Some(matching_shown < total_distinct),
        })
    }

    fn matching(
        &self,
        q: &str,
        limit: u32,
        selected: &[ShownValue],
    ) -> Result<MatchingValues, StoreError> {
        if let Some(counted) = &self.in_memory {
            let selected = selected.iter().map(|selected| &selected.value);
            let holds = self.holding(counted, q)?;
            return Ok(counted.matching(&holds, limit as usize, selected));
        }
        let counted = Counted::of(self.field, &self.context, self.tenant);
        let (mut conditions, counted) = (counted.conditions.clone(), counted.sql());
        let holds = if q.is_empty() {
            "TRUE".to_owned()
        } else {
            let q = conditions.value(q.to_owned());
            match self.names {
                ValueNames::Written(_) => format!("instr(value, {q}) > 0"),
                // Users see the label, but may have copied the value.
                ValueNames::Word => {
                    format!(
                        "(instr(fold(value), {q}) > 0 OR instr(replace(fold(value), '_', ' '), {q}) > 0)"
                    )
                }
                ValueNames::Table(table, id, name) => format!(
                    "(instr(fold(value), {q}) > 0 OR value IN
                      (SELECT {id} FROM {table} WHERE tenant = ?1 AND instr(fold({name}), {q}) > 0))"
                ),
                ValueNames::Account => format!(
                    "value IN (SELECT id FROM accounts WHERE tenant = ?1
                      AND (instr(name_key, {q}) > 0 OR instr(fold(account_id), {q}) > 0))"
                ),
            }
        };
        let limit = conditions.value(i64::from(limit));
        let selected = conditions.value(self.list(selected));
        let sql = format!(
            "WITH counted AS MATERIALIZED ({counted}),
             matching AS MATERIALIZED (SELECT value, leads FROM counted WHERE {holds})
             SELECT value, leads, (SELECT count(*) FROM matching),
               (SELECT count(*) FROM matching
                WHERE value IN (SELECT s.value FROM json_each({selected}) s))
             FROM matching
             ORDER BY leads DESC, value LIMIT {limit}"
        );
        let mut matching = MatchingValues::default();
        self.db.each(&sql, &conditions.values(), |row| {
            let count: i64 = row.get(1)?;
            matching
                .found
                .push((value_of(row.get(0)?), count.unsigned_abs()));
            matching.total = row.get::<i64>(2)?.unsigned_abs();
            matching.selected = row.get::<i64>(3)?.unsigned_abs();
            Ok::<_, StoreError>(())
        })?;
        Ok(matching)
    }

    fn selected(&self, texts: Vec<String>) -> Result<Vec<ShownValue>, StoreError> {
        let mut selected: Vec<ShownValue> = Vec::new();
        for text in texts {
            let value = self.counted(&text)?;
            if !selected.iter().any(|known| is_same(&known.value, &value)) {
                let count = self.count(&value)?;
                selected.push(ShownValue { value, text, count });
            }
        }
        Ok(selected)
    }

    fn values(&self, text: &str) -> Result<Vec<String>, StoreError> {
        facets::selected(text, |value| Ok(self.count(&self.counted(value)?)? > 0))
    }

    /// Converts a filter value to the form that is counted.
    fn counted(&self, value: &str) -> Result<Value, StoreError> {
        Ok(match self.names {
            ValueNames::Written(_) => Value::Text(fold(value)),
            ValueNames::Word | ValueNames::Table(..) => Value::Text(value.to_owned()),
            ValueNames::Account => {
                let sql = "SELECT id FROM accounts WHERE tenant = ?1 AND account_id = ?2";
                let found = self
                    .db
                    .row(sql, params![self.tenant.0, value], |row| row.get(0))?;
                found.map_or_else(|| Value::Text(value.to_owned()), Value::Integer)
            }
        })
    }

    fn count(&self, counted: &Value) -> Result<u64, StoreError> {
        if let Some(in_memory) = &self.in_memory {
            return Ok(in_memory.count(counted));
        }
        // Other accounts than those that exist have no row number.
        if matches!((self.names, counted), (ValueNames::Account, Value::Text(_))) {
            return Ok(0);
        }
        let Counted {
            table,
            column,
            count,
            mut conditions,
        } = Counted::of(self.field, &self.context, self.tenant);
        let value = conditions.value(sql_of(counted));
        let sql = format!(
            "SELECT {count} FROM {table} t WHERE {} AND t.{column} = {value}",
            conditions.text()
        );
        let count: i64 = self.db.value(&sql, &conditions.values())?;
        Ok(count.unsigned_abs())
    }

    /// Returns for each value whether it or its name contains `q`.
    fn holding(&self, counted: &CountedValues<'_>, q: &str) -> Result<Vec<bool>, StoreError> {
        let (db, tenant) = (self.db, self.tenant);
        if q.is_empty() {
            return Ok(counted.each(|_| true));
        }
        Ok(match self.names {
            ValueNames::Written(_) => counted.containing(q),
            // Users see the label, but may have copied the value.
            ValueNames::Word => counted.each(|value| {
                let text = fold(&text_of(value));
                text.contains(q) || text.replace('_', " ").contains(q)
            }),
            ValueNames::Table(table, id, name) => {
                let sql = format!(
                    "SELECT {id} FROM {table} WHERE tenant = ?1 AND instr(fold({name}), ?2) > 0"
                );
                let named: HashSet<String> =
                    db.rows(&sql, params![tenant.0, q], |row| row.get(0))?;
                counted.each(|value| {
                    let text = text_of(value);
                    named.contains(&text) || fold(&text).contains(q)
                })
            }
            ValueNames::Account => {
                let sql = "SELECT id FROM accounts WHERE tenant = ?1
                           AND (instr(name_key, ?2) > 0 OR instr(fold(account_id), ?2) > 0)";
                let named: HashSet<i64> = db.rows(sql, params![tenant.0, q], |row| row.get(0))?;
                counted.each(|value| matches!(value, Value::Integer(id) if named.contains(id)))
            }
        })
    }

    fn items(&self, shown: Vec<ShownValue>) -> Result<Vec<FacetItem>, StoreError> {
        let mut names = self.names(&shown)?;
        let items = shown.into_iter().map(|ShownValue { value, text, count }| {
            let named = names.iter().position(|(named, _)| is_same(named, &value));
            let named = named.map(|at| names.swap_remove(at).1);
            FacetItem {
                count: Some(count),
                ..named.unwrap_or_else(|| FacetItem {
                    label: Some(label(&text)),
                    value: Some(text),
                    ..FacetItem::default()
                })
            }
        });
        Ok(items.collect())
    }

    /// Returns counted values as filter values, with their labels, if they have a name.
    fn names(&self, shown: &[ShownValue]) -> Result<Vec<(Value, FacetItem)>, StoreError> {
        let values = self.list(shown);
        let (sql, of) = match self.names {
            ValueNames::Word => return Ok(Vec::new()),
            ValueNames::Written(column) => self.spellings(column, shown, values),
            ValueNames::Table(table, id, name) => {
                let sql = format!(
                    "SELECT {id}, {id}, {name}, NULL FROM {table}
                     WHERE tenant = ?1 AND {id} IN (SELECT value FROM json_each(?2))"
                );
                (sql, values)
            }
            ValueNames::Account => {
                let sql = "SELECT id, account_id, name, logo_url FROM accounts
                    WHERE tenant = ?1 AND id IN (SELECT value FROM json_each(?2))";
                (sql.to_owned(), values)
            }
        };
        self.db.rows(&sql, params![self.tenant.0, of], |row| {
            let (value, label): (Option<String>, Option<String>) = (row.get(1)?, row.get(2)?);
            let item = FacetItem {
                label: label.or_else(|| value.clone()),
                value,
                company_logo_url: row.get(3)?,
                count: None,
            };
            Ok((value_of(row.get(0)?), item))
        })
    }

    /// The values as the counted column has them.
    fn list(&self, shown: &[ShownValue]) -> List {
        let values = shown.iter().map(|shown| &shown.value);
        if matches!(self.names, ValueNames::Account) {
            let numbers = values.filter_map(|value| match value {
                Value::Integer(number) => Some(*number),
                _ => None,
            });
            return List::integers(numbers);
        }
        List::texts(values.map(text_of))
    }

    /// Returns the statement for the spellings of folded values, and its second parameter. The spelling
    /// of the oldest lead is used for all.
    fn spellings(&self, column: &str, shown: &[ShownValue], values: List) -> (String, List) {
        let logo = if column == "company" {
            "(SELECT logo_url FROM accounts WHERE tenant = ?1 AND name_key = l.company_key
              AND logo_url IS NOT NULL ORDER BY id LIMIT 1)"
        } else {
            "NULL"
        };
        let select = format!("SELECT l.{column}_key, l.{column}, l.{column}, {logo} FROM leads l");
        if let Some(in_memory) = &self.in_memory {
            let sql = format!(
                "{select} WHERE l.tenant = ?1 AND l.id IN (SELECT value FROM json_each(?2))"
            );
            return (
                sql,
                numbers(&in_memory.first_rows(shown.iter().map(|shown| &shown.value))),
            );
        }
        let sql = format!(
            "{select} WHERE l.tenant = ?1 AND l.id IN
               (SELECT min(id) FROM leads WHERE tenant = ?1
                AND {column}_key IN (SELECT value FROM json_each(?2)) GROUP BY {column}_key)"
        );
        (sql, values)
    }
}

fn text_of(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Real(_) => String::new(),
    }
}

fn is_same(one: &Value, other: &Value) -> bool {
    one.order(other).is_eq()
}

fn value_of(value: Sql) -> Value {
    match value {
        Sql::Integer(number) => Value::Integer(number),
        Sql::Real(number) => Value::Real(number),
        Sql::Text(text) => Value::Text(text),
        Sql::Null | Sql::Blob(_) | Sql::List(_) => Value::Text(String::new()),
    }
}

fn sql_of(value: &Value) -> Sql {
    match value {
        Value::Integer(number) => Sql::Integer(*number),
        Value::Real(number) => Sql::Real(*number),
        Value::Text(text) => Sql::Text(text.clone()),
    }
}
