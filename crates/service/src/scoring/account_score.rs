//! Scores stored accounts.

use std::collections::HashMap;

use lead_workspace_index::ChangeKind;
use lead_workspace_logic::scoring::StoredIntentSignal;

use super::lead_scores::{ScoringRun, read_signal};
use super::{Attributes, Score};
use crate::store::StoreError;
use crate::store::db::{Db, List, Params, Row, params};
use crate::store::insert::{NewRow, NewRows};

/// The plus keeps SQLite from reading all leads of the workspace in this order.
pub(crate) const ACCOUNT_TITLES: &str = "SELECT account, title FROM leads
    WHERE tenant = ?2 AND account IN (SELECT value FROM json_each(?1)) AND title IS NOT NULL
    ORDER BY +id";

/// The computed score of an account, not written yet.
pub(super) struct AccountScore {
    id: i64,
    /// The lists that it is for; an empty string means outside any list.
    lists: Vec<String>,
    score: Score,
}

impl ScoringRun {
    /// Returns how many of the accounts, which are in order, have about this many leads together; one at least.
    pub(super) fn accounts_with_leads(
        &self,
        db: Db<'_>,
        accounts: &[i64],
        leads: i64,
    ) -> Result<usize, StoreError> {
        let sql = "SELECT account, count(*) FROM leads
                   WHERE tenant = ?2 AND account IN (SELECT value FROM json_each(?1))
                   GROUP BY account";
        let ids = List::integers(accounts.iter().copied());
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let counts: HashMap<i64, i64> = db.rows(sql, params![ids, self.tenant.0], read)?;
        let mut before = 0;
        let fit = accounts.iter().take_while(|account| {
            let fits = before < leads;
            before += counts.get(account).copied().unwrap_or(0);
            fits
        });
        Ok(fit.count())
    }

    /// Computes the scores of accounts, each for its lists and for the requested list. Accounts that do not exist have
    /// none.
    pub(super) fn accounts(
        &self,
        db: Db<'_>,
        accounts: &[i64],
        list: Option<&str>,
    ) -> Result<Vec<AccountScore>, StoreError> {
        let ids = List::integers(accounts.iter().copied());
        let of_accounts = params![ids, self.tenant.0];
        let mut titles: HashMap<i64, Vec<String>> =
            by_account(db, ACCOUNT_TITLES, of_accounts, |row| row.get(1))?;
        let sql = "SELECT leads.account, event_type, intents.created_at, NULL
             FROM leads CROSS JOIN intents
             WHERE leads.tenant = ?2 AND leads.account IN (SELECT value FROM json_each(?1))
               AND intents.tenant = leads.tenant AND intents.lead = leads.id
             ORDER BY intents.created_at DESC";
        let mut signals: HashMap<i64, Vec<StoredIntentSignal>> =
            by_account(db, sql, of_accounts, |row| read_signal(row, 1, self.as_of))?;
        let sql = "SELECT account, list_id FROM account_list_items
             WHERE tenant = ?2 AND account IN (SELECT value FROM json_each(?1))";
        let mut lists: HashMap<i64, Vec<String>> =
            by_account(db, sql, of_accounts, |row| row.get(1))?;
        let sql = "SELECT id, industry, staff_count_range, location FROM accounts
             WHERE tenant = ?2 AND id IN (SELECT value FROM json_each(?1)) ORDER BY id";
        db.rows(sql, of_accounts, |row| {
            let id = row.get(0)?;
            let [industry, size, location]: [Option<String>; 3] =
                [row.get(1)?, row.get(2)?, row.get(3)?];
            let titles = titles.remove(&id).unwrap_or_default();
            let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
            let signals = signals.remove(&id).unwrap_or_default();
            let intents: Vec<_> = signals
                .iter()
                .map(StoredIntentSignal::as_intent_signal)
                .collect();
            let score = self.scorer.score(&Attributes {
                industry: industry.as_deref(),
                size: size.as_deref(),
                titles: &titles,
                location: location.as_deref(),
                company_location: None,
                intents: &intents,
            });
            let mut lists = lists.remove(&id).unwrap_or_default();
            if let Some(list) = list.filter(|list| !lists.iter().any(|known| known == list)) {
                lists.push(list.to_owned());
            }
            if lists.is_empty() {
                lists.push(String::new());
            }
            Ok(AccountScore { id, lists, score })
        })
    }
}

/// Reads rows whose first column is the account, grouped by it, in their order.
fn by_account<T>(
    db: Db<'_>,
    sql: &'static str,
    params: Params<'_>,
    read: impl Fn(&Row<'_>) -> Result<T, StoreError>,
) -> Result<HashMap<i64, Vec<T>>, StoreError> {
    let mut groups: HashMap<i64, Vec<T>> = HashMap::new();
    db.each(sql, params, |row| {
        groups.entry(row.get(0)?).or_default().push(read(row)?);
        Ok::<_, StoreError>(())
    })?;
    Ok(groups)
}

/// Writes the scores, and returns how many of the accounts still exist.
pub(super) fn write_accounts(
    db: Db<'_>,
    scoring: &ScoringRun,
    accounts: &[AccountScore],
) -> Result<usize, StoreError> {
    let tenant = scoring.tenant;
    let mut new = NewRows::new(tenant);
    let mut found = Vec::new();
    for AccountScore { id, lists, score } in accounts {
        let sql = "UPDATE accounts SET icp_score = ?3, icp_tier = ?4 WHERE id = ?1 AND tenant = ?2";
        let points = f64::from(score.points);
        if db.execute(sql, params![id, tenant.0, points, score.tier])? == 0 {
            continue;
        }
        db.touch(tenant, ChangeKind::ACCOUNT, *id);
        for list_id in lists {
            new.add_score(NewRow::AccountScore, *id, scoring.row(list_id, score));
        }
        found.push(*id);
    }
    let written = found.len();
    let sql = "DELETE FROM account_scores
               WHERE tenant = ?1 AND account IN (SELECT value FROM json_each(?2))";
    db.execute(sql, params![tenant.0, List::integers(found)])?;
    new.write(db)?;
    Ok(written)
}
