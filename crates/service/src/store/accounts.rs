//! Accounts: query and detail.
//!
//! spec: not shown; an account is promoted when the team took it up. An account that exists only
//! because a lead names its company is not promoted, and is omitted unless `include_unpromoted` is
//! true.

mod detail;
pub(super) mod row;

use lead_workspace_api::{
    Account, AccountField, AccountQuery, AccountSort, FilterSpec, Page, SortDir, filter,
};

use super::columns::Table;
use super::filter::Filters;
use super::search::Search;
use super::sorted_page::{Part, Query, Sort};
use super::{Store, StoreError, Tenant};

impl Store {
    pub async fn query_accounts(
        &self,
        tenant: Tenant,
        filters: Filters,
        query: AccountQuery,
    ) -> Result<Page<Account>, StoreError> {
        let pages = self.0.pages.clone();
        let rows = rows_of(filters, &query)?;
        self.read_in(tenant, move |db| {
            let part = Part::of(query.page, query.page_size);
            let page = pages.page(db, tenant, &rows, part)?;
            let list_id = query.list_id.as_ref().map(|id| id.as_str());
            Ok(Page {
                data: row::accounts(db, tenant, &page.rows, list_id)?,
                total: Some(page.total),
                has_more: Some(part.offset + (page.rows.len() as u64) < page.total),
                page: Some(query.page),
                page_size: Some(query.page_size),
                row_errors: Vec::new(),
                problems: Vec::new(),
            })
        })
        .await
    }
}

/// Returns which rows a list has, and their order.
pub(super) fn rows_of(filters: Filters, query: &AccountQuery) -> Result<Query, StoreError> {
    Ok(Query {
        table: Table::Accounts,
        filters: filters.and(own_filters(query)?),
        search: Search::of(query.search.as_deref()),
        sort: sort(query.sort_by, query.sort_dir),
    })
}

/// Returns the filters for the query's own parameters.
fn own_filters(query: &AccountQuery) -> Result<Filters, StoreError> {
    let promoted = (!query.include_unpromoted).then(|| filter(AccountField::IsPromoted).eq(true));
    let list = query.list_id.as_ref();
    let in_list = list.map(|id| filter(AccountField::ListId).eq(id.as_str()));
    let specs: Vec<FilterSpec> = promoted.into_iter().chain(in_list).collect();
    Filters::of_accounts(&specs)
        .map_err(|_| StoreError::Unexpected("the parameters are no filters".into()))
}

fn sort(by: AccountSort, dir: SortDir) -> Sort {
    let column = match by {
        AccountSort::Name => "a.name_key",
        AccountSort::Industry => "a.industry_key",
        AccountSort::StaffCountRange => "a.staff_rank",
        AccountSort::Location => "a.location_key",
        AccountSort::LeadCount => "a.lead_count",
        AccountSort::IcpScore => "a.icp_score",
        AccountSort::CreatedAt => "a.created_at",
    };
    Sort {
        column,
        descending: dir == SortDir::Desc,
    }
}
