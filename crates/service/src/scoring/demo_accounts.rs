//! Scores for demo data.

use std::sync::Arc;

use jiff::Timestamp;

use super::account_score::write_accounts;
use super::lead_scores::ScoringRun;
use super::{Rules, Scorer};
use crate::store::Store;
use crate::store::db::params;
use crate::store::{StoreError, Tenant};

/// Number of accounts per change.
const ACCOUNTS_PER_CHANGE: i64 = 200;

/// Scores accounts by the default rules, without a job, with intent ages as of a given time. `scored_at` is stored.
///
/// With `all` it scores all accounts, otherwise only those without a score.
pub(crate) async fn score_demo_accounts(
    store: &Store,
    tenant: Tenant,
    (as_of, scored_at): (Timestamp, Timestamp),
    all: bool,
    mut progress: impl FnMut(u64),
) -> Result<(), StoreError> {
    let mut done = 0;
    let scoring = Arc::new(ScoringRun {
        tenant,
        scorer: Arc::new(Scorer::new(Rules::default())),
        as_of,
        scored_at: crate::time::iso(scored_at),
        job_id: None,
    });
    let mut last = 0;
    loop {
        let scoring = Arc::clone(&scoring);
        let next = store.write_in(tenant, move |db| {
            let sql = "SELECT id FROM accounts INDEXED BY accounts_by_tenant
                       WHERE tenant = ?1 AND id > ?2 AND (?3 = 1 OR icp_score IS NULL)
                       ORDER BY id LIMIT ?4";
            let values = params![tenant.0, last, all, ACCOUNTS_PER_CHANGE];
            let ids: Vec<i64> = db.rows(sql, values, |row| row.get(0))?;
            let scores = scoring.accounts(db, &ids, None)?;
            write_accounts(db, &scoring, &scores)?;
            Ok((ids.last().copied(), ids.len() as u64))
        });
        let (Some(id), scored) = next.await? else {
            return Ok(());
        };
        last = id;
        done += scored;
        progress(done);
    }
}
