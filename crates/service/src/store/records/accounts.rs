//! Accounts: query and detail.
//!
//! spec: not shown; an account is promoted when the team took it up. An account that exists only
//! because a lead names its company is not promoted, and is omitted unless `include_unpromoted` is
//! true.

mod detail;
pub(in crate::store) mod row;

use lead_workspace_api::{Account, AccountQuery, Page};
use lead_workspace_index::{Filters, Part, Query};

use crate::store::error::StoreError;
use crate::store::handle::Store;
use crate::store::tenant::Tenant;

impl Store {
    pub async fn query_accounts(
        &self,
        tenant: Tenant,
        filters: Filters,
        query: AccountQuery,
    ) -> Result<Page<Account>, StoreError> {
        let pages = self.0.pages.clone();
        let list = query_of(filters, &query)?;
        self.read_in(tenant, move |db| {
            let part = Part::of(query.page, query.page_size);
            let (_, page) = pages.page(db, tenant, &list, part)?;
            let list_id = query.list_id.as_ref().map(|id| id.as_str());
            Ok(Page {
                data: row::accounts(db, tenant, &page.rows, list_id)?,
                total: Some(page.total),
                has_more: Some(page.has_more(part)),
                page: Some(query.page),
                page_size: Some(query.page_size),
                row_errors: Vec::new(),
                problems: Vec::new(),
            })
        })
        .await
    }
}

/// Returns which accounts a list has, and their order.
pub(in crate::store) fn query_of(
    filters: Filters,
    query: &AccountQuery,
) -> Result<Query, StoreError> {
    Query::of_accounts(filters, query)
        .map_err(|_| StoreError::Unexpected("the parameters are no filters".into()))
}
