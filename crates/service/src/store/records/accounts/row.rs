//! Accounts as list elements.

use std::collections::HashMap;

use lead_workspace_api::shapes::{ListScore, Shape};
use lead_workspace_api::{Account, Raw};

use super::StoreError;
use crate::store::db::{Db, Fixed, List, Row, numbers, params};
use crate::store::records::leads::{nullable, score, text};
use crate::store::tenant::Tenant;

/// A scoring writes the same reasoning for each list. `?1` is the workspace: each table is compared with it, so that a
/// distributed database runs the statement on one shard.
pub(super) const COLUMNS: &str = "a.id, a.account_id, a.network_id, a.name, a.network_username, \
     a.network_url, a.logo_url, a.industry, a.staff_count_range, a.location, a.tagline, \
     a.description, a.icp_tier, a.icp_score, a.created_at, (SELECT s.icp_reasoning \
     FROM account_scores s WHERE s.tenant = ?1 AND s.account = a.id ORDER BY s.icp_score DESC LIMIT 1) AS icp_reasoning, \
     (SELECT count(*) FROM leads l WHERE l.tenant = ?1 AND l.account = a.id) AS lead_count";

/// Returns the accounts with these row numbers, in this order, with their `list_item_id` and `approved_count`.
pub(in crate::store) fn accounts(
    db: Db<'_>,
    tenant: Tenant,
    ids: &[i64],
    list_id: Option<&str>,
) -> Result<Vec<Account>, StoreError> {
    let page = numbers(ids);
    let mut scores = scores(db, tenant, &page)?;
    // spec: not shown; without a list in the query, the item of the first list that contains the
    // account.
    let sql = Fixed(format!(
        "SELECT {COLUMNS}, (SELECT item_id FROM account_list_items i WHERE i.tenant = ?1 AND i.account = a.id
           AND (?2 IS NULL OR i.list_id = ?2) ORDER BY i.added_at, i.list_id LIMIT 1) AS list_item_id,
           (SELECT count(*) FROM leads l WHERE l.tenant = ?1 AND l.account = a.id
             AND l.approval_status = 'approved') AS approved_count
         FROM json_each(?3) page CROSS JOIN accounts a WHERE a.tenant = ?1 AND a.id = page.value"
    ));
    let mut found: HashMap<i64, Account> =
        db.rows(&sql, params![tenant.0, list_id, page], |row| {
            let mut account = account(row)?;
            account.list_item_id = nullable(row, "list_item_id")?;
            account.approved_count = Some(row.get::<i64>("approved_count")?.unsigned_abs());
            Ok((row.get(0)?, account))
        })?;
    let accounts = ids.iter().filter_map(|id| {
        let mut account = found.remove(id)?;
        account.list_scores = Some(scores.remove(id).unwrap_or_default());
        Some(account)
    });
    Ok(accounts.collect())
}

pub(super) fn account(row: &Row<'_>) -> Result<Account, StoreError> {
    Ok(Account {
        id: text(row, "account_id")?,
        network_id: nullable(row, "network_id")?,
        name: nullable(row, "name")?,
        network_username: nullable(row, "network_username")?,
        network_url: nullable(row, "network_url")?,
        logo_url: nullable(row, "logo_url")?,
        industry: nullable(row, "industry")?,
        staff_count_range: nullable(row, "staff_count_range")?,
        location: nullable(row, "location")?,
        tagline: nullable(row, "tagline")?,
        description: nullable(row, "description")?,
        lead_count: nullable::<i64>(row, "lead_count")?.map(i64::unsigned_abs),
        icp_tier: nullable(row, "icp_tier")?,
        icp_score: nullable(row, "icp_score")?,
        icp_reasoning: nullable(row, "icp_reasoning")?,
        created_at: text(row, "created_at")?,
        ..Account::default()
    })
}

/// Returns the scores of accounts, by row number.
pub(super) fn scores(
    db: Db<'_>,
    tenant: Tenant,
    page: &List,
) -> Result<HashMap<i64, Vec<Raw>>, StoreError> {
    let mut found: HashMap<i64, Vec<Raw>> = HashMap::new();
    db.each(
        "SELECT s.account, nullif(s.list_id, '') AS list_id, n.name, s.icp_score, s.icp_tier,
           s.icp_reasoning, s.scored_at
         FROM json_each(?1) page CROSS JOIN account_scores s
         LEFT JOIN lists n ON n.tenant = s.tenant AND n.list_id = s.list_id
         WHERE s.tenant = ?2 AND s.account = page.value
         ORDER BY s.account, s.icp_score DESC, s.list_id",
        params![page, tenant.0],
        |row| {
            let score = ListScore {
                list_name: nullable(row, "name")?,
                ..score(row)?
            };
            found.entry(row.get(0)?).or_default().push(score.to_raw());
            Ok::<_, StoreError>(())
        },
    )?;
    Ok(found)
}
