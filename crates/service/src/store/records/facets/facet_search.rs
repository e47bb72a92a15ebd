//! The values of facets, with their counts and names. [`lead_workspace_index`] says which are counted, found and shown.

use std::collections::HashSet;

use lead_workspace_api::{FacetCounts, FacetItem, FacetSearch, FacetSearchResult, LeadField};
use lead_workspace_index::{
    ColumnId, Columns, CountedValues, FacetContext, FacetsOfAccounts, FacetsOfView, ShownValue,
    ValueNames,
};
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
        field: LeadField,
        search: FacetSearch,
    ) -> Result<FacetSearchResult, StoreError> {
        let index = self.index();
        self.read_in(tenant, move |db| {
            let context = FacetContext::from(&search);
            let columns = index.read(db, tenant, &context.columns(field))?;
            let values = FacetValues::new(db, tenant, &columns, field, &context);
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
        view: FacetsOfView,
    ) -> Result<FacetCounts, StoreError> {
        let index = self.index();
        self.read_in(tenant, move |db| {
            let columns = index.read(db, tenant, &view.columns())?;
            let contexts = view.contexts(&columns);
            let facets = view.facets.into_iter().zip(&contexts);
            let facets = facets.map(|(facet, context)| {
                let values = FacetValues::new(db, tenant, &columns, facet.field, context);
                values.search(&facet.query.q, facet.query.limit, facet.query.selected)
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
            Ok(view.counts(&index.read(db, tenant, &view.columns())?))
        })
        .await
    }
}

/// The values of one facet, and where their names are.
struct FacetValues<'a> {
    db: Db<'a>,
    tenant: Tenant,
    field: LeadField,
    counted: CountedValues<'a>,
}

impl<'a> FacetValues<'a> {
    fn new(
        db: Db<'a>,
        tenant: Tenant,
        columns: &'a Columns,
        field: LeadField,
        context: &FacetContext,
    ) -> Self {
        Self {
            db,
            tenant,
            field,
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
        Ok(shown.into_result(self.field, |value| {
            let named = names.iter().find(|(named, _)| named.order(value).is_eq());
            named.map(|(_, item)| item.clone())
        }))
    }

    /// Converts a filter value to the form that is counted.
    fn counted_form(&self, value: &str) -> Result<Value, StoreError> {
        Ok(match ValueNames::of(self.field) {
            ValueNames::Written => Value::Text(fold(value)),
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

    fn spellings(&self) -> String {
        let (written, folded) = (self.field, Source::of(ColumnId::Lead(self.field)).column);
        let logo = if self.field == LeadField::Company {
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
pub(super) fn names_of(field: LeadField) -> Option<NamesOf> {
    use LeadField as F;
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
