//! The detail of one account.

use lead_workspace_api::shapes::{AccountLead, Shape};
use lead_workspace_api::{AccountDetail, AccountId, ListRef, Raw};

use super::{StoreError, row};
use crate::store::db::{Db, Fixed, numbers, params};
use crate::store::handle::Store;
use crate::store::records::leads::{nullable, raw, text};
use crate::store::tenant::Tenant;

/// Maximum number of leads in a detail, best scores first: an account can have thousands. The leads
/// query (filter `account_id`) returns all of them.
const LEADS: i64 = 100;

impl Store {
    /// Returns an account by id; unpromoted ones only with `include_unpromoted`.
    pub async fn account(
        &self,
        tenant: Tenant,
        account_id: AccountId,
        include_unpromoted: bool,
    ) -> Result<Option<AccountDetail>, StoreError> {
        self.read_in(tenant, move |db| {
            let sql = Fixed(format!(
                "SELECT {}, a.is_promoted FROM accounts a
                 WHERE a.tenant = ?1 AND a.account_id = ?2 AND (?3 = 1 OR a.is_promoted = 1)",
                row::COLUMNS
            ));
            let values = params![tenant.0, account_id.as_str(), include_unpromoted];
            let found = db.row(&sql, values, |found| {
                let id: i64 = found.get("id")?;
                Ok((id, row::account(found)?, found.get("is_promoted")?))
            })?;
            let Some((id, account, is_promoted)) = found else {
                return Ok(None);
            };
            let lists = lists(db, tenant, id)?;
            let mut scores = row::scores(db, tenant, &numbers(&[id]))?;
            Ok(Some(AccountDetail {
                id: account.id,
                network_id: account.network_id,
                name: account.name,
                network_username: account.network_username,
                network_url: account.network_url,
                logo_url: account.logo_url,
                industry: account.industry,
                staff_count_range: account.staff_count_range,
                location: account.location,
                tagline: account.tagline,
                description: account.description,
                lead_count: account.lead_count,
                icp_tier: account.icp_tier,
                icp_score: account.icp_score,
                icp_reasoning: account.icp_reasoning,
                list_scores: Some(scores.remove(&id).unwrap_or_default()),
                list_item_id: lists.first().and_then(|first| first.item_id.clone()),
                created_at: account.created_at,
                is_promoted,
                lists: Some(lists.iter().map(raw).collect::<Result<_, _>>()?),
                leads: Some(leads(db, tenant, id)?),
            }))
        })
        .await
    }
}

fn lists(db: Db<'_>, tenant: Tenant, account: i64) -> Result<Vec<ListRef>, StoreError> {
    db.rows(
        "SELECT i.list_id, n.name, i.item_id
         FROM account_list_items i JOIN lists n ON n.tenant = i.tenant AND n.list_id = i.list_id
         WHERE i.tenant = ?1 AND i.account = ?2 ORDER BY i.added_at, i.list_id",
        params![tenant.0, account],
        |row| {
            Ok(ListRef {
                list_id: text(row, "list_id")?,
                list_name: nullable(row, "name")?,
                item_id: nullable(row, "item_id")?,
            })
        },
    )
}

fn leads(db: Db<'_>, tenant: Tenant, account: i64) -> Result<Vec<Raw>, StoreError> {
    db.rows(
        "SELECT lead_id, name, title, approval_status, icp_score FROM leads
         WHERE tenant = ?1 AND account = ?2
         ORDER BY icp_score IS NULL, icp_score DESC, id DESC LIMIT ?3",
        params![tenant.0, account, LEADS],
        |row| {
            Ok(AccountLead {
                lead_id: nullable(row, "lead_id")?,
                name: nullable(row, "name")?,
                title: nullable(row, "title")?,
                approval_status: nullable(row, "approval_status")?,
                icp_score: nullable(row, "icp_score")?,
            }
            .to_raw())
        },
    )
}
