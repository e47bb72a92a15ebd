//! Accounts: query and detail.
//!
//! spec: not shown; an account is promoted when the team took it up. An account that exists only
//! because a lead names its company is not promoted, and is omitted unless `include_unpromoted` is
//! true.

mod detail;
mod row;

use lead_workspace_api::{Account, AccountQuery, AccountSort, Page, SortDir};

use super::filter::Filters;
use super::search::Search;
use super::sorted_scan::{Slice, Sort};
use super::sql::Conditions;
use super::{Store, StoreError, Tenant};

const TABLE: &str = "accounts a";

impl Store {
    pub async fn query_accounts(
        &self,
        tenant: Tenant,
        filters: Filters,
        query: AccountQuery,
    ) -> Result<Page<Account>, StoreError> {
        let count_cache = self.count_cache();
        self.read_in(tenant, move |connection| {
            let mut conditions = Conditions::of(tenant, "a");
            if !query.include_unpromoted {
                conditions.and("a.is_promoted = 1");
            }
            let list_id = query.list_id.as_ref().map(|id| id.as_str().to_owned());
            if let Some(list_id) = &list_id {
                let value = conditions.value(list_id.clone());
                conditions.and(&format!(
                    "a.id IN (SELECT account FROM account_list_items WHERE tenant = ?1 AND list_id = {value})"
                ));
            }
            filters.add_to(&mut conditions);
            Search::of(query.search.as_deref()).add_to_accounts(&mut conditions);
            let count = |conditions: &Conditions| count_cache.count(connection, tenant, TABLE, conditions);
            let scanned = Conditions::of(tenant, "a");
            let all = count(&scanned)?;
            let total = count(&conditions)?;
            let offset = u64::from(query.page - 1) * u64::from(query.page_size);
            let limit = u64::from(query.page_size);
            let slice = Slice { offset, limit, total, all };
            let sort = sort(query.sort_by, query.sort_dir);
            let ids = sort.page(connection, &conditions, &scanned, slice)?;
            Ok(Page {
                data: row::accounts(connection, tenant, &ids, list_id.as_deref())?,
                total: Some(total),
                has_more: Some(offset + (ids.len() as u64) < total),
                page: Some(query.page),
                page_size: Some(query.page_size),
                row_errors: Vec::new(),
                problems: Vec::new(),
            })
        })
        .await
    }
}

fn sort(by: AccountSort, dir: SortDir) -> Sort {
    let (column, index) = match by {
        AccountSort::Name => ("a.name_key", "accounts_by_name"),
        AccountSort::Industry => ("a.industry_key", "accounts_by_industry"),
        AccountSort::StaffCountRange => ("a.staff_rank", "accounts_by_staff_rank"),
        AccountSort::Location => ("a.location_key", "accounts_by_location"),
        AccountSort::LeadCount => ("a.lead_count", "accounts_by_lead_count"),
        AccountSort::IcpScore => ("a.icp_score", "accounts_by_icp_score"),
        AccountSort::CreatedAt => ("a.created_at", "accounts_by_created_at"),
    };
    let descending = dir == SortDir::Desc;
    Sort {
        table: TABLE,
        alias: "a",
        column,
        index,
        descending,
    }
}
