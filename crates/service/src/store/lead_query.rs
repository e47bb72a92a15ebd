//! The leads query: filters, order, and one page of leads.

use lead_workspace_api::{LeadListItem, LeadQuery, LeadSort, Page, SortDir};
use rusqlite::Connection;

use super::columns::{Columns, MatchingPage, Table};
use super::count_cache::CountCache;
use super::db::Db;
use super::filter::Filters;
use super::search::Search;
use super::sorted_scan::{Slice, Sort};
use super::sql::Conditions;
use super::{Store, StoreError, Tenant, leads};

const STATUS: &str = "l.approval_status";

/// So many rows of a list without conditions are found by its index in no time.
const FIRST_ROWS: u64 = 1_000;

impl Store {
    pub async fn query_leads(
        &self,
        tenant: Tenant,
        filters: Filters,
        query: LeadQuery,
    ) -> Result<Page<LeadListItem>, StoreError> {
        let (columns, count_cache) = (self.columns(), self.count_cache());
        self.read_in(tenant, move |connection| {
            let search = Search::of(query.search.as_deref());
            let sort = sort(query.sort_by, query.sort_dir, &filters);
            let limit = u64::from(query.page_size);
            let offset = u64::from(query.page - 1) * limit;
            let matching = (&filters, &search);
            let page = in_columns(
                &columns,
                connection,
                tenant,
                matching,
                sort,
                (offset, limit),
            )?;
            let (ids, total) = match page {
                Some(page) => (page.rows, page.total),
                None => in_sql(
                    &count_cache,
                    connection,
                    tenant,
                    matching,
                    sort,
                    (offset, limit),
                )?,
            };
            Ok(Page {
                data: leads::items(Db::from(connection), &ids)?,
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

/// Returns a page by the columns in memory. The first pages of a list without conditions need none.
fn in_columns(
    columns: &Columns,
    connection: &Connection,
    tenant: Tenant,
    (filters, search): (&Filters, &Search),
    sort: Sort,
    (offset, limit): (u64, u64),
) -> Result<Option<MatchingPage>, StoreError> {
    if filters.is_empty() && search.is_empty() && offset < FIRST_ROWS {
        return Ok(None);
    }
    let Some(snapshot) = columns.snapshot(connection, tenant)? else {
        return Ok(None);
    };
    let order = (sort.column, sort.descending);
    snapshot.page((Table::Leads, filters, search), order, (offset, limit))
}

fn in_sql(
    count_cache: &CountCache,
    connection: &Connection,
    tenant: Tenant,
    (filters, search): (&Filters, &Search),
    sort: Sort,
    (offset, limit): (u64, u64),
) -> Result<(Vec<i64>, u64), StoreError> {
    let (mut conditions, scanned) = limited(tenant, filters, &sort);
    search.add_to_leads(tenant, &mut conditions);
    let all = maintained_count(connection, &scanned)?;
    let total = if search.is_empty() && filters.only_on(STATUS) {
        maintained_count(connection, &conditions)?
    } else {
        count_cache.count(connection, tenant, "leads l", &conditions)?
    };
    let slice = Slice {
        offset,
        limit,
        total,
        all,
    };
    Ok((sort.page(connection, &conditions, &scanned, slice)?, total))
}

/// Returns the conditions of the filters, and the part of them that the index of the sort answers.
///
/// That part comes first, so that its placeholders are the same in both.
fn limited(tenant: Tenant, filters: &Filters, sort: &Sort) -> (Conditions, Conditions) {
    let mut conditions = Conditions::of(tenant, "l");
    let mut scanned = Conditions::of(tenant, "l");
    if sort.index.starts_with("leads_by_status") {
        filters.first_on(STATUS).add_to(&mut conditions);
        filters.on(STATUS).add_to(&mut scanned);
    } else {
        filters.add_to(&mut conditions);
    }
    (conditions, scanned)
}

/// Returns the total for conditions on the status only, from the maintained counts.
fn maintained_count(connection: &Connection, conditions: &Conditions) -> Result<u64, StoreError> {
    let sql = format!(
        "SELECT coalesce(sum(l.leads), 0) FROM status_counts l WHERE {}",
        conditions.text()
    );
    let values = rusqlite::params_from_iter(conditions.values());
    let total: i64 = connection
        .prepare_cached(&sql)?
        .query_row(values, |row| row.get(0))?;
    Ok(total.unsigned_abs())
}

/// Returns the column of a sort and the index in its order.
fn sort(by: LeadSort, dir: SortDir, filters: &Filters) -> Sort {
    // The most common orders within a status have their own indexes.
    let in_status = filters.pins(STATUS);
    let (column, index) = match by {
        LeadSort::Name if in_status => ("l.name_key", "leads_by_status_name"),
        LeadSort::CreatedAt if in_status => ("l.created_at", "leads_by_status_created"),
        LeadSort::IcpScore if in_status => ("l.icp_score", "leads_by_status_score"),
        LeadSort::Name => ("l.name_key", "leads_by_name"),
        LeadSort::Headline => ("l.headline_key", "leads_by_headline"),
        LeadSort::ApprovalStatus => ("l.approval_status", "leads_by_approval_status"),
        LeadSort::CreatedAt => ("l.created_at", "leads_by_created_at"),
        LeadSort::Location => ("l.location_key", "leads_by_location"),
        LeadSort::ConnectionsCount => ("l.connections_count", "leads_by_connections_count"),
        LeadSort::FollowerCount => ("l.follower_count", "leads_by_follower_count"),
        LeadSort::IsPremium => ("l.is_premium", "leads_by_is_premium"),
        LeadSort::Title => ("l.title_key", "leads_by_title"),
        LeadSort::Company => ("l.company_key", "leads_by_company"),
        LeadSort::Industry => ("l.industry_key", "leads_by_industry"),
        LeadSort::CompanySize => ("l.company_size_rank", "leads_by_company_size_rank"),
        LeadSort::CompanyLocation => ("l.company_location_key", "leads_by_company_location"),
        LeadSort::CompanyTagline => ("l.company_tagline_key", "leads_by_company_tagline"),
        LeadSort::CompanyFoundedYear => ("l.company_founded_year", "leads_by_company_founded_year"),
        LeadSort::IcpScore => ("l.icp_score", "leads_by_icp_score"),
        LeadSort::IcpTier => ("l.icp_tier", "leads_by_icp_tier"),
        LeadSort::CampaignLeadStatus => ("l.campaign_lead_status", "leads_by_campaign_lead_status"),
        LeadSort::Connection => ("l.connection", "leads_by_connection"),
        LeadSort::Reply => ("l.reply", "leads_by_reply"),
        LeadSort::Sender => ("l.sender_key", "leads_by_sender"),
        LeadSort::CurrentNode => ("l.current_node", "leads_by_current_node"),
        LeadSort::RateLimitedBy => ("l.rate_limited_by", "leads_by_rate_limited_by"),
        LeadSort::HasPendingApproval => ("l.has_pending_approval", "leads_by_has_pending_approval"),
    };
    let descending = dir == SortDir::Desc;
    Sort {
        table: "leads l",
        alias: "l",
        column,
        index,
        descending,
    }
}

#[cfg(test)]
mod tests {
    use lead_workspace_api::{LeadField, LeadSort, SortDir, filter};
    use rusqlite::{Connection, params_from_iter};

    use super::{Conditions, Filters, Slice, Tenant, limited, sort};
    use crate::store::{functions, schema};

    /// Forty leads in two statuses, some without values, half of them managers.
    const LEADS: &str = "INSERT INTO tenants (tenant, tenant_id, name, created_at) VALUES (1, 'default', '', '');
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
        INSERT INTO leads (tenant, lead_id, name_key, title_key, icp_score, approval_status, created_at)
        SELECT 1, 'l' || i, nullif('n' || (i % 7), 'n3'), iif(i % 2, 'sales manager', 'clerk'),
          nullif(i % 5, 2), iif(i % 3, 'pending_approval', 'approved'), '2026-01-' || (i % 9)
        FROM n";

    fn ids(connection: &Connection, sql: &str, conditions: &Conditions) -> Vec<i64> {
        let mut statement = connection.prepare(sql).unwrap();
        let values = params_from_iter(conditions.values());
        let rows = statement.query_map(values, |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    }

    fn plan(connection: &Connection, sql: &str, conditions: &Conditions) -> String {
        let mut statement = connection
            .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))
            .unwrap();
        let rows = statement.query_map(params_from_iter(conditions.values()), |row| {
            row.get::<_, String>("detail")
        });
        rows.unwrap()
            .map(Result::unwrap)
            .collect::<Vec<_>>()
            .join("\n")
    }

    #[test]
    fn every_sort_uses_a_covering_index() {
        let mut connection = Connection::open_in_memory().unwrap();
        functions::add(&connection).unwrap();
        schema::migrate(&mut connection, "memory".as_ref()).unwrap();
        let all = Conditions::of(Tenant(1), "l");
        for &by in LeadSort::ALL {
            for dir in [SortDir::Asc, SortDir::Desc] {
                let sort = sort(by, dir, &Filters::default());
                for valued in [true, false] {
                    let sql = sort.scan_sql(all.text(), valued);
                    let plan = plan(&connection, &sql, &all);
                    assert!(plan.contains("COVERING INDEX"), "{by} {dir}: {plan}");
                    assert!(!plan.contains("TEMP B-TREE"), "{by} {dir}: {plan}");
                }
            }
        }
    }

    #[test]
    fn review_tabs_use_a_covering_index() {
        let mut connection = Connection::open_in_memory().unwrap();
        functions::add(&connection).unwrap();
        schema::migrate(&mut connection, "memory".as_ref()).unwrap();
        let pending = [filter(LeadField::ApprovalStatus).eq("pending_approval")];
        let filters = Filters::of_leads(&pending).unwrap();
        let mut conditions = Conditions::of(Tenant(1), "l");
        filters.add_to(&mut conditions);
        for by in [LeadSort::Name, LeadSort::CreatedAt, LeadSort::IcpScore] {
            let sql = sort(by, SortDir::Desc, &filters).scan_sql(conditions.text(), true);
            let plan = plan(&connection, &sql, &conditions);
            assert!(plan.contains("COVERING INDEX"), "{by}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{by}: {plan}");
        }
    }

    /// A long scan collects the matching row numbers first, and still uses its index.
    #[test]
    fn deep_pages_use_a_covering_index() {
        let mut connection = Connection::open_in_memory().unwrap();
        functions::add(&connection).unwrap();
        schema::migrate(&mut connection, "memory".as_ref()).unwrap();
        connection.execute_batch(LEADS).unwrap();
        let titled = filter(LeadField::Title).contains("manager");
        let pending = filter(LeadField::ApprovalStatus).eq("pending_approval");
        let slice = Slice {
            offset: 40_000,
            limit: 50,
            total: 50_000,
            all: 60_000,
        };
        let mut rows = 0;
        for specs in [
            vec![titled.clone()],
            vec![pending.clone(), titled.clone()],
            vec![titled, pending],
        ] {
            let filters = Filters::of_leads(&specs).unwrap();
            for &by in LeadSort::ALL {
                for dir in [SortDir::Asc, SortDir::Desc] {
                    let sort = sort(by, dir, &filters);
                    let (conditions, scanned) = limited(Tenant(1), &filters, &sort);
                    let scan_conditions = sort.scan_conditions(&conditions, &scanned, slice);
                    let in_status = sort.index.starts_with("leads_by_status");
                    for valued in [true, false] {
                        let plan = plan(
                            &connection,
                            &sort.scan_sql(&scan_conditions, valued),
                            &conditions,
                        );
                        assert!(plan.contains("COVERING INDEX"), "{by} {dir}: {plan}");
                        assert!(!plan.contains("TEMP B-TREE"), "{by} {dir}: {plan}");
                        let scan = plan.lines().next().unwrap_or_default();
                        assert_eq!(
                            scan.contains("approval_status=?"),
                            in_status,
                            "{by} {dir}: {plan}"
                        );
                        let found = ids(
                            &connection,
                            &sort.scan_sql(&scan_conditions, valued),
                            &conditions,
                        );
                        let all = sort.scan_sql(conditions.text(), valued);
                        let all = all.replace(&format!("INDEXED BY {}", sort.index), "");
                        assert_eq!(found, ids(&connection, &all, &conditions), "{by} {dir}");
                        rows += found.len();
                    }
                }
            }
        }
        assert!(rows > 1000, "{rows}");
    }
}
