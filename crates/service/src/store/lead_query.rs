//! The leads query: filters, order, and one page of leads.

use super::columns::{Columns, Table};
use super::db::Db;
use super::filter::Filters;
use super::search::Search;
use super::sorted_page::{Sort, SortedPage};
use super::sql::Conditions;
use super::{Encoded, Store, StoreError, Tenant, leads};
use lead_workspace_api::{LeadListItem, LeadQuery, LeadSort, Page, SortDir};

const STATUS: &str = "l.approval_status";
const ICP_SCORE: &str = "l.icp_score";

/// So many rows of the default list are found by an index in no time.
const FIRST_ROWS: u64 = 1_000;

impl Store {
    pub async fn query_leads(
        &self,
        tenant: Tenant,
        filters: Filters,
        query: LeadQuery,
    ) -> Result<Encoded<Page<LeadListItem>>, StoreError> {
        let (columns, lead_cache) = (self.columns(), self.0.lead_cache.clone());
        self.read_in(tenant, move |db| {
            let search = Search::of(query.search.as_deref());
            let sort = sort(query.sort_by, query.sort_dir);
            let limit = u64::from(query.page_size);
            let offset = u64::from(query.page - 1) * limit;
            let matching = (&filters, &search);
            let part = (offset, limit);
            let page = in_columns(&columns, db, tenant, matching, sort, part)?;
            let page = match page {
                Some(page) => page,
                None => in_sql(db, tenant, matching, sort, part)?,
            };
            Encoded::new(&Page {
                has_more: Some(offset + (page.rows.len() as u64) < page.total),
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

/// Returns a page by the columns in memory. The first pages of the default list need none.
fn in_columns(
    columns: &Columns,
    db: Db<'_>,
    tenant: Tenant,
    (filters, search): (&Filters, &Search),
    sort: Sort,
    (offset, limit): (u64, u64),
) -> Result<Option<SortedPage>, StoreError> {
    let is_all = filters.is_empty() && search.is_empty();
    let is_default = is_all && sort.column == ICP_SCORE && sort.descending;
    if is_default && offset < FIRST_ROWS {
        return Ok(None);
    }
    let Some(snapshot) = columns.snapshot(db, tenant)? else {
        return Ok(None);
    };
    let order = (sort.column, sort.descending);
    snapshot.page((Table::Leads, filters, search), order, (offset, limit))
}

fn in_sql(
    db: Db<'_>,
    tenant: Tenant,
    (filters, search): (&Filters, &Search),
    sort: Sort,
    part: (u64, u64),
) -> Result<SortedPage, StoreError> {
    let mut conditions = Conditions::of(tenant, "l");
    filters.add_to(&mut conditions);
    let is_counted = search.is_empty() && filters.only_on(STATUS);
    let total = is_counted.then(|| maintained_count(db, &conditions));
    search.add_to_leads(&mut conditions);
    sort.page(db, &conditions, total.transpose()?, part)
}

/// Returns the total for conditions on the status only, from the maintained counts.
fn maintained_count(db: Db<'_>, conditions: &Conditions) -> Result<u64, StoreError> {
    let sql = format!(
        "SELECT coalesce(sum(l.leads), 0) FROM status_counts l WHERE {}",
        conditions.text()
    );
    let total: i64 = db.value(&sql, &conditions.values())?;
    Ok(total.unsigned_abs())
}

fn sort(by: LeadSort, dir: SortDir) -> Sort {
    let column = match by {
        LeadSort::Name => "l.name_key",
        LeadSort::Headline => "l.headline_key",
        LeadSort::ApprovalStatus => STATUS,
        LeadSort::CreatedAt => "l.created_at",
        LeadSort::Location => "l.location_key",
        LeadSort::ConnectionsCount => "l.connections_count",
        LeadSort::FollowerCount => "l.follower_count",
        LeadSort::IsPremium => "l.is_premium",
        LeadSort::Title => "l.title_key",
        LeadSort::Company => "l.company_key",
        LeadSort::Industry => "l.industry_key",
        LeadSort::CompanySize => "l.company_size_rank",
        LeadSort::CompanyLocation => "l.company_location_key",
        LeadSort::CompanyTagline => "l.company_tagline_key",
        LeadSort::CompanyFoundedYear => "l.company_founded_year",
        LeadSort::IcpScore => ICP_SCORE,
        LeadSort::IcpTier => "l.icp_tier",
        LeadSort::CampaignLeadStatus => "l.campaign_lead_status",
        LeadSort::Connection => "l.connection",
        LeadSort::Reply => "l.reply",
        LeadSort::Sender => "l.sender_key",
        LeadSort::CurrentNode => "l.current_node",
        LeadSort::RateLimitedBy => "l.rate_limited_by",
        LeadSort::HasPendingApproval => "l.has_pending_approval",
    };
    Sort {
        table: "leads l",
        alias: "l",
        column,
        descending: dir == SortDir::Desc,
    }
}

#[cfg(test)]
mod tests {
    use lead_workspace_api::LeadQuery;
    use rusqlite::Connection;

    use super::{Conditions, Tenant, sort};
    use crate::store::{functions, schema};

    /// The first read of a large workspace, before its columns are in memory.
    #[test]
    fn the_default_list_is_in_the_order_of_an_index() {
        let mut connection = Connection::open_in_memory().unwrap();
        functions::add(&connection).unwrap();
        schema::migrate(&mut connection, "memory".as_ref()).unwrap();
        let all = Conditions::of(Tenant(1), "l");
        let LeadQuery {
            sort_by, sort_dir, ..
        } = LeadQuery::default();
        let sql = sort(sort_by, sort_dir).sql(&all);
        let mut plan = connection
            .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))
            .unwrap();
        let steps = plan.query_map([1], |row| row.get::<_, String>("detail"));
        let steps: Vec<String> = steps.unwrap().map(Result::unwrap).collect();
        assert_eq!(steps.len(), 1, "{steps:?}");
        assert!(steps[0].contains("leads_by_icp_score"), "{steps:?}");
    }
}
