//! The leads query: filters, order, and one page of leads.

use super::columns::Table;
use super::filter::Filters;
use super::search::Search;
use super::sorted_page::{Part, Query, Sort};
use super::{Encoded, Store, StoreError, Tenant, leads};
use lead_workspace_api::{LeadListItem, LeadQuery, LeadSort, Page, SortDir};

const ICP_SCORE: &str = "l.icp_score";

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
            let page = pages.page(db, tenant, &rows_of(filters, &query), part)?;
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

impl Query {
    /// Returns whether this is the list that is shown first, all leads by their score.
    pub(super) fn is_default(&self) -> bool {
        let is_all = self.filters.is_empty() && self.search.is_empty();
        is_all && self.sort.column == ICP_SCORE && self.sort.descending
    }
}

pub(super) fn rows_of(filters: Filters, query: &LeadQuery) -> Query {
    Query {
        table: Table::Leads,
        filters,
        search: Search::of(query.search.as_deref()),
        sort: sort(query.sort_by, query.sort_dir),
    }
}

fn sort(by: LeadSort, dir: SortDir) -> Sort {
    let column = match by {
        LeadSort::Name => "l.name_key",
        LeadSort::Headline => "l.headline_key",
        LeadSort::ApprovalStatus => "l.approval_status",
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
        column,
        descending: dir == SortDir::Desc,
    }
}

#[cfg(test)]
mod tests {
    use lead_workspace_api::LeadQuery;
    use rusqlite::Connection;

    use super::{Filters, Tenant, rows_of};
    use crate::store::{functions, schema};

    /// The first read of a large workspace, before its columns are in memory.
    #[test]
    fn the_default_list_is_in_the_order_of_an_index() {
        let mut connection = Connection::open_in_memory().unwrap();
        functions::add(&connection).unwrap();
        schema::migrate(&mut connection, "memory".as_ref()).unwrap();
        let list = rows_of(Filters::default(), &LeadQuery::default());
        assert!(list.is_default());
        let sql = list.sql(&list.conditions(Tenant(1)));
        let mut plan = connection
            .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))
            .unwrap();
        let steps = plan.query_map([1], |row| row.get::<_, String>("detail"));
        let steps: Vec<String> = steps.unwrap().map(Result::unwrap).collect();
        assert_eq!(steps.len(), 1, "{steps:?}");
        assert!(steps[0].contains("leads_by_icp_score"), "{steps:?}");
    }
}
