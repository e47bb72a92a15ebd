//! Inserting scores of leads and accounts.

use super::columns;
use crate::store::db::Db;
use crate::store::error::StoreError;
use crate::store::tenant::Tenant;

/// A score for a list; the empty `list_id` is a score outside any list.
pub(crate) struct ScoreRow<'a> {
    pub list_id: &'a str,
    pub icp_score: f64,
    pub icp_tier: &'a str,
    pub icp_reasoning: String,
    pub scored_at: &'a str,
    pub job_id: Option<&'a str>,
}

/// The row number of what was scored.
#[derive(Clone, Copy)]
pub(crate) enum Scored {
    Lead(i64),
    Account(i64),
}

pub(crate) fn insert_score(
    db: Db<'_>,
    tenant: Tenant,
    scored: Scored,
    row: &ScoreRow<'_>,
) -> Result<(), StoreError> {
    let (table, owner) = match scored {
        Scored::Lead(lead) => ("lead_scores", columns! { lead: lead }),
        Scored::Account(account) => ("account_scores", columns! { account: account }),
    };
    let score = columns! {
        tenant: tenant.0,
        list_id: row.list_id,
        icp_score: row.icp_score,
        icp_tier: row.icp_tier,
        icp_reasoning: &row.icp_reasoning,
        scored_at: row.scored_at,
        job_id: row.job_id,
    };
    owner.and(score).insert(db, table)
}
