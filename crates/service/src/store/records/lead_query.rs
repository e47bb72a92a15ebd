//! The leads query: filters, order, and one page of leads.

use lead_workspace_api::{LeadListItem, LeadQuery, Page};
use lead_workspace_index::{Filters, Part, Query};

use super::encoded::Encoded;
use super::leads;
use crate::store::error::StoreError;
use crate::store::handle::Store;
use crate::store::tenant::Tenant;

impl Store {
    pub async fn query_leads(
        &self,
        tenant: Tenant,
        filters: Filters,
        query: LeadQuery,
    ) -> Result<Encoded<Page<LeadListItem>>, StoreError> {
        let (pages, lead_cache) = (self.0.pages.clone(), self.0.lead_cache.clone());
        self.read_in(tenant, move |db| {
            let part = Part::of(query.page, query.page_size);
            let page = pages.page(db, tenant, &Query::of_leads(filters, &query), part)?;
            Encoded::new(&Page {
                has_more: Some(part.offset + (page.rows.len() as u64) < page.total),
                data: leads::encoded_items(db, &lead_cache, tenant, &page.rows)?,
                total: Some(page.total),
                page: Some(query.page),
                page_size: Some(query.page_size),
                row_errors: Vec::new(),
                problems: Vec::new(),
            })
        })
        .await
    }
}
