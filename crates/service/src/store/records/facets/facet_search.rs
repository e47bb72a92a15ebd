//! The values of facets, with their counts and names. [`lead_workspace_index`] says which are counted, found and shown.

use std::collections::HashSet;

use lead_workspace_api::{
    FacetCounts, FacetItem, FacetSearch, FacetSearchResult, LeadFacetQuery, LeadField,
    custom_field_key,
};
use lead_workspace_index::{
    ColumnId, Columns, CountedValues, FacetContext, FacetsOfAccounts, FacetsOfView, ShownValue,
    ValueNames,
};
use lead_workspace_logic::custom::{self, have_custom_field};
use lead_workspace_logic::facets;
use lead_workspace_logic::filter::Value;

use crate::store::db::{Db, Fixed, List, numbers, params};
use crate::store::error::StoreError;
use crate::store::handle::Store;
use crate::store::index_host::Source;
use crate::store::tenant::Tenant;
use lead_workspace_logic::{fold, folded_contains};

impl Store {
    pub async fn search_lead_facet(
        &self,
        tenant: Tenant,
        search: FacetSearch,
    ) -> Result<FacetSearchResult, StoreError> {
        const LOC: [&str; 2] = ["query", "field"];
        let is_custom = custom_field_key(&search.field).is_some();
        let keys = self.custom_keys(tenant, is_custom).await?;
        let field = keys.facet_of_leads(&search.field, &LOC)?;
        facets::check_selected(&search)?;
        let index = self.index();
        self.read_in(tenant, move |db| {
            let context = FacetContext::from(&search);
            let columns = index.read(db, tenant, &context.columns(field))?;
            columns.check_facet(field, &search.field, &LOC)?;
            let facet = (field, search.field.as_str());
            let values = FacetValues::new(db, tenant, &columns, facet, &context);
            let text = search.selected.as_deref().unwrap_or_default();
            let selected = facets::selected::<StoreError>(text, |value| {
                Ok(values.counted.count(&values.counted_form(value)?) > 0)
            })?;
            values.search(&search.q, search.limit, selected)
        })
        .await
    }

    pub async fn query_lead_facets(
        &self,
        tenant: Tenant,
        query: LeadFacetQuery,
    ) -> Result<FacetCounts, StoreError> {
        let mut facets = query.facets.iter();
        let has_custom = have_custom_field(&query.filters)
            || facets.any(|facet| custom_field_key(&facet.field).is_some());
        let keys = self.custom_keys(tenant, has_custom).await?;
        let view = FacetsOfView::of(query, &keys)?;
        let index = self.index();
        self.read_in(tenant, move |db| {
            let columns = index.read(db, tenant, &view.columns())?;
            let contexts = view.contexts(&columns)?;
            let facets = view.facets.into_iter().zip(&contexts);
            let facets = facets.map(|(facet, context)| {
                let query = facet.query;
                let facet = (facet.field, query.field.as_str());
                let values = FacetValues::new(db, tenant, &columns, facet, context);
                values.search(&query.q, query.limit, query.selected)
            });
            Ok(FacetCounts {
                facets: Some(facets.collect::<Result<_, StoreError>>()?),
            })
        })
        .await
    }

    pub async fn query_account_facets(
        &self,
        tenant: Tenant,
        view: FacetsOfAccounts,
    ) -> Result<FacetCounts, StoreError> {
        let index = self.index();
        self.read_in(tenant, move |db| {
            Ok(view.counts(&index.read(db, tenant, &view.columns())?)?)
        })
        .await
    }
}

/// The values of one facet, and where their names are.
struct FacetValues<'a> {
    db: Db<'a>,
    tenant: Tenant,
    field: ColumnId,
    /// The name of the field.
    name: &'a str,
    counted: CountedValues<'a>,
}

impl<'a> FacetValues<'a> {
    fn new(
        db: Db<'a>,
        tenant: Tenant,
        columns: &'a Columns,
        (field, name): (ColumnId, &'a str),
        context: &FacetContext,
    ) -> Self {
        Self {
            db,
            tenant,
            field,
            name,
            counted: CountedValues::of_leads(columns, field, context),
        }
    }

    fn search(
        &self,
        q: &str,
        limit: u32,
        selected: Vec<String>,
    ) -> Result<FacetSearchResult, StoreError> {
        let selected = selected.into_iter();
        let selected = selected.map(|text| Ok((self.counted_form(&text)?, text)));
        let selected: Vec<(Value, String)> = selected.collect::<Result<_, StoreError>>()?;
        let holds = self.found_by(fold(q).trim())?;
        let shown = self.counted.shown(&holds, limit as usize, selected);
        let names = self.names(&shown.values)?;
        Ok(shown.into_result(self.name, |value| {
            let named = names.iter().find(|(named, _)| named.order(value).is_eq());
            named.map(|(_, item)| item.clone())
        }))
    }

    /// Converts a filter value to the form that is counted.
    fn counted_form(&self, value: &str) -> Result<Value, StoreError> {
        Ok(match ValueNames::of(self.field) {
            ValueNames::Written => Value::Text(fold(value)),
            ValueNames::Custom => custom::stored(value),
            ValueNames::Word | ValueNames::Object => Value::Text(value.to_owned()),
            ValueNames::Account => {
                let sql = "SELECT id FROM accounts WHERE tenant = ?1 AND account_id = ?2";
                let values = params![self.tenant.0, value];
                let found = self.db.row(sql, values, |row| row.get(0))?;
                found.map_or_else(|| Value::Text(value.to_owned()), Value::Integer)
            }
        })
    }

    fn found_by(&self, q: &str) -> Result<Vec<bool>, StoreError> {
        let mut named = HashSet::new();
        if !q.is_empty()
            && let Some(NamesOf { table, id, name }) = names_of(self.field)
        {
            let sql = Fixed(format!(
                "SELECT {id}, {name} FROM {table} WHERE tenant = ?1"
            ));
            self.db.each(&sql, params![self.tenant.0], |row| {
                let name: Option<String> = row.get(1)?;
                if name.is_some_and(|name| folded_contains(&name, q)) {
                    named.insert(row.get::<String>(0)?);
                }
                Ok::<_, StoreError>(())
            })?;
        }
        let is_named = |value: &Value| matches!(value, Value::Text(id) if named.contains(id));
        Ok(self
            .counted
            .found_by(q, ValueNames::of(self.field), is_named))
    }

    /// Returns counted values as filter values, with their labels, if they have a name.
    fn names(&self, shown: &[ShownValue]) -> Result<Vec<(Value, FacetItem)>, StoreError> {
        let values = || shown.iter().map(|shown| &shown.value);
        let (sql, of) = match (ValueNames::of(self.field), names_of(self.field)) {
            (ValueNames::Written, _) => {
                // The spelling of the oldest lead is used for all.
                let rows = self.counted.first_rows(values());
                (self.spellings(), numbers(&rows))
            }
            (ValueNames::Custom, _) => {
                return self.custom_values(&self.counted.first_rows(values()));
            }
            (_, Some(NamesOf { table, id, name })) => {
                let sql = format!(
                    "SELECT {id}, {id}, {name}, NULL FROM {table}
                     WHERE tenant = ?1 AND {id} IN (SELECT value FROM json_each(?2))"
                );
                let ids = values().filter_map(|value| match value {
                    Value::Text(id) => Some(id.clone()),
                    _ => None,
                });
                (sql, List::texts(ids))
            }
            (ValueNames::Account, None) => {
                let sql = "SELECT id, account_id, name, logo_url FROM accounts
                           WHERE tenant = ?1 AND id IN (SELECT value FROM json_each(?2))";
                let rows = values().filter_map(|value| match value {
                    Value::Integer(row) => Some(*row),
                    _ => None,
                });
                (sql.to_owned(), List::integers(rows))
            }
            _ => return Ok(Vec::new()),
        };
        self.db
            .rows(&Fixed(sql), params![self.tenant.0, of], |row| {
                let (value, label): (Option<String>, Option<String>) = (row.get(1)?, row.get(2)?);
                let item = FacetItem {
                    label: label.or_else(|| value.clone()),
                    value,
                    company_logo_url: row.get(3)?,
                    count: None,
                };
                let counted = match row.value(0)? {
                    rusqlite::types::ValueRef::Integer(row) => Value::Integer(row),
                    _ => Value::Text(row.get(0)?),
                };
                Ok((counted, item))
            })
    }

    /// Returns the values of a custom field that leads have, as they were written.
    fn custom_values(&self, rows: &[i64]) -> Result<Vec<(Value, FacetItem)>, StoreError> {
        let key = custom_field_key(self.name).unwrap_or_default();
        let sql = "SELECT l.custom_data FROM leads l
                   WHERE l.tenant = ?1 AND l.id IN (SELECT value FROM json_each(?2))";
        let mut found = Vec::new();
        self.db
            .each(sql, params![self.tenant.0, numbers(rows)], |row| {
                let json: Option<String> = row.get(0)?;
                found.extend(custom::written(json.as_deref().unwrap_or_default(), key));
                Ok::<_, StoreError>(())
            })?;
        let items = found.into_iter().map(|(value, text)| {
            let item = FacetItem {
                label: Some(text.clone()),
                value: Some(text),
                ..FacetItem::default()
            };
            (value, item)
        });
        Ok(items.collect())
    }

    fn spellings(&self) -> String {
        let (written, folded) = (self.name, Source::of(self.field).column);
        let logo = if self.field == ColumnId::Lead(LeadField::Company) {
            "(SELECT logo_url FROM accounts WHERE tenant = ?1 AND name_key = l.company_key
              AND logo_url IS NOT NULL ORDER BY id LIMIT 1)"
        } else {
            "NULL"
        };
        format!(
            "SELECT l.{folded}, l.{written}, l.{written}, {logo} FROM leads l
             WHERE l.tenant = ?1 AND l.id IN (SELECT value FROM json_each(?2))"
        )
    }
}

/// Where the names of a field's values are stored.
pub(super) struct NamesOf {
    pub table: &'static str,
    pub id: &'static str,
    pub name: &'static str,
}

/// Returns where the names of a field's values are; `None` if they are no objects with names.
pub(super) fn names_of(field: ColumnId) -> Option<NamesOf> {
    use LeadField as F;
    let ColumnId::Lead(field) = field else {
        return None;
    };
    let (table, id, name) = match field {
        F::ListId => ("lists", "list_id", "name"),
        F::CampaignId => ("campaigns", "campaign_id", "name"),
        F::SignalId => ("signals", "signal_id", "name"),
        F::SignalRunId => ("signal_runs", "signal_run_id", "name"),
        F::FeedPost => ("feed_posts", "feed_post_id", "label"),
        F::ImportJobId => ("import_jobs", "import_job_id", "file_name"),
        F::NetworkAccount => ("network_accounts", "network_account", "name"),
        _ => return None,
    };
    Some(NamesOf { table, id, name })
}
