//! The leads query: filters, order, and one page of leads.

use lead_workspace_api::{LeadListItem, LeadQuery, Page};
use lead_workspace_index::{CustomKeys, Page as Rows, Part, Query};
use lead_workspace_logic::custom::have_custom_field;

use super::encoded::Encoded;
use super::leads;
use crate::store::caches::lead_cache::EncodedLead;
use crate::store::custom_keys;
use crate::store::db::Db;
use crate::store::error::StoreError;
use crate::store::handle::Store;
use crate::store::tenant::Tenant;

/// Validates a query of leads.
///
/// # Errors
/// [`StoreError::Invalid`], if it is not valid.
pub fn list_of_leads(db: Db<'_>, tenant: Tenant, query: &LeadQuery) -> Result<Query, StoreError> {
    let keys = match has_custom_field(query) {
        true => custom_keys::of(db, tenant)?,
        false => CustomKeys::default(),
    };
    Ok(Query::of_leads(query, &keys)?)
}

fn has_custom_field(query: &LeadQuery) -> bool {
    query.sort_by.column().is_none() || have_custom_field(&query.filters)
}

impl Store {
    /// Like [`list_of_leads`].
    pub(crate) async fn list_of_leads(
        &self,
        tenant: Tenant,
        query: &LeadQuery,
    ) -> Result<Query, StoreError> {
        if !has_custom_field(query) {
            return Ok(Query::of_leads(query, &CustomKeys::default())?);
        }
        let query = query.clone();
        let list = move |db: Db<'_>| list_of_leads(db, tenant, &query);
        self.read_in(tenant, list).await
    }

    pub async fn query_leads(
        &self,
        tenant: Tenant,
        query: LeadQuery,
    ) -> Result<Encoded<Page<LeadListItem>>, StoreError> {
        let list = self.list_of_leads(tenant, &query).await?;
        let part = Part::of(query.page, query.page_size);
        let encoded = move |page: Rows, data| {
            Encoded::new(&Page {
                has_more: Some(page.has_more(part)),
                data,
                total: Some(page.total),
                page: Some(query.page),
                page_size: Some(query.page_size),
                row_errors: Vec::new(),
                problems: Vec::new(),
            })
        };
        let host = self.index();
        let (pages, lead_cache) = (self.0.pages.clone(), self.0.lead_cache.clone());
        let cached = {
            let (pages, lead_cache, list) = (pages.clone(), lead_cache.clone(), list.clone());
            move |db: Db<'_>| {
                let version = host.version(db, tenant)?;
                let page = pages.cached(tenant, version, &list, part);
                let leads = page.and_then(|page| {
                    let leads = lead_cache.get(tenant, version, &page.rows).into_iter();
                    Some((page, leads.collect::<Option<Vec<EncodedLead>>>()?))
                });
                leads.map(|(page, data)| encoded(page, data)).transpose()
            }
        };
        let read = move |db: Db<'_>| {
            let (version, page) = pages.page(db, tenant, &list, part)?;
            let data = leads::encoded_items(db, &lead_cache, (tenant, version), &page.rows)?;
            encoded(page, data)
        };
        self.read_unless_cached(tenant, cached, read).await
    }
}
