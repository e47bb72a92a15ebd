//! Search in the values of one facet.
//!
//! spec: not shown; `q` matches a substring of the value or of its name, ignoring case, accents and invisible
//! characters.
//! The most frequent values come first. Values in `selected` come before all others, even if they
//! do not match or no lead has them any more. There are at most `limit` items in total, unless more
//! are selected. `total_distinct` counts all values that match `q`.

use lead_workspace_api::{ErrorEntry, FacetItem, FacetSearch, FacetSearchResult, LeadField};
use lead_workspace_logic::{facets, label};

use super::context::Context;
use super::counted_values::CountedValues;
use super::facet_source::{self, FacetSource, ValueNames};
use crate::fold;
use crate::store::columns::Snapshot;
use crate::store::db::{Db, List, Value, params};
use crate::store::sql::numbers;
use crate::store::{Store, StoreError, Tenant};

#[derive(Clone, Copy, Debug)]
pub struct FacetField(LeadField, FacetSource);

impl FacetField {
    /// Returns the facet with this name; see [`lead_workspace_logic::facets::field`].
    pub fn of(name: &str, loc: &[&str]) -> Result<Self, Vec<ErrorEntry>> {
        let field = facets::field(name, loc)?;
        // Every facet has a source; see the test of `facet_source`.
        let source = facet_source::of(field).ok_or_else(Vec::new)?;
        Ok(Self(field, source))
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
            let snapshot = columns.snapshot(db, tenant)?;
            let context = Context::from(&search);
            let reader = ValueReader::new(db, tenant, snapshot.as_ref(), field, context)?;
            let selected = reader.values(search.selected.as_deref().unwrap_or_default())?;
            reader.search(&search.q, search.limit, selected)
        })
        .await
    }
}

#[derive(Default)]
pub(super) struct MatchingValues {
    pub(super) found: Vec<(Value, i64)>,
    /// Number of all matching values.
    pub(super) total: u64,
    /// Number of selected values that match.
    pub(super) selected: u64,
}

/// A value in the result.
struct ShownValue {
    value: Value,
    /// The value as text, as the caller wrote it if it was selected.
    text: String,
    count: i64,
}

pub(super) struct ValueReader<'a> {
    db: Db<'a>,
    tenant: Tenant,
    field: LeadField,
    source: FacetSource,
    context: Context,
    /// The counts by the column in memory, if it is there.
    in_memory: Option<CountedValues>,
}

impl<'a> ValueReader<'a> {
    pub(super) fn new(
        db: Db<'a>,
        tenant: Tenant,
        snapshot: Option<&Snapshot<'_>>,
        FacetField(field, source): FacetField,
        context: Context,
    ) -> Result<Self, StoreError> {
        let in_memory = snapshot.map(|snapshot| CountedValues::read(snapshot, &source, &context));
        Ok(Self {
            in_memory: in_memory.transpose()?.flatten(),
            db,
            tenant,
            field,
            source,
            context,
        })
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
            let is_known = shown.iter().any(|known| known.value == value);
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
            let holds = counted.holding(self.db, self.tenant, self.source.names, q)?;
            return Ok(counted.matching(&holds, limit as usize, selected));
        }
        let mut conditions = self.source.conditions(&self.context, self.tenant);
        let counted = self.source.counts(&conditions);
        let holds = if q.is_empty() {
            "TRUE".to_owned()
        } else {
            let q = conditions.value(q.to_owned());
            match self.source.names {
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
            matching.found.push((row.get(0)?, row.get(1)?));
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
            if selected.iter().all(|known| known.value != value) {
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
        Ok(match self.source.names {
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

    fn count(&self, counted: &Value) -> Result<i64, StoreError> {
        if let Some(in_memory) = &self.in_memory {
            return Ok(in_memory.count(counted));
        }
        // Other accounts than those that exist have no row number.
        if matches!(
            (self.source.names, counted),
            (ValueNames::Account, Value::Text(_))
        ) {
            return Ok(0);
        }
        let FacetSource {
            table,
            column,
            count,
            ..
        } = self.source;
        let mut conditions = self.source.conditions(&self.context, self.tenant);
        let value = conditions.value(counted.clone());
        let sql = format!(
            "SELECT {count} FROM {table} t WHERE {} AND t.{column} = {value}",
            conditions.text()
        );
        self.db.value(&sql, &conditions.values())
    }

    fn items(&self, shown: Vec<ShownValue>) -> Result<Vec<FacetItem>, StoreError> {
        let mut names = self.names(&shown)?;
        let items = shown.into_iter().map(|ShownValue { value, text, count }| {
            let named = names.iter().position(|(named, _)| *named == value);
            let named = named.map(|at| names.swap_remove(at).1);
            FacetItem {
                count: Some(count.unsigned_abs()),
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
        let (sql, of) = match self.source.names {
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
            Ok((row.get(0)?, item))
        })
    }

    /// The values as the counted column has them.
    fn list(&self, shown: &[ShownValue]) -> List {
        let values = shown.iter().map(|shown| &shown.value);
        if matches!(self.source.names, ValueNames::Account) {
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
            let values: Vec<&Value> = shown.iter().map(|shown| &shown.value).collect();
            let sql = format!(
                "{select} WHERE l.tenant = ?1 AND l.id IN (SELECT value FROM json_each(?2))"
            );
            return (sql, numbers(&in_memory.first_rows(&values)));
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
        _ => String::new(),
    }
}
