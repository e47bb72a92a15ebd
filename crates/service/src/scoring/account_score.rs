//! Scores one stored account.

use lead_workspace_index::ChangeKind;
use lead_workspace_logic::scoring::StoredIntentSignal;

use super::lead_scores::{ScoringRun, read_signals};
use super::{Attributes, Score};
use crate::store::StoreError;
use crate::store::db::{Db, params};
use crate::store::insert::{Scored, insert_score};

/// The plus keeps SQLite from reading all leads of the workspace in this order.
pub(crate) const ACCOUNT_TITLES: &str = "SELECT title FROM leads
    WHERE tenant = ?2 AND account = ?1 AND title IS NOT NULL ORDER BY +id";

/// The computed score of an account, not written yet.
pub(super) struct AccountScore {
    id: i64,
    /// The lists that it is for; an empty string means outside any list.
    lists: Vec<String>,
    score: Score,
    /// Number of rows read to compute it.
    pub rows: usize,
}

impl ScoringRun {
    /// Computes the score of an account, for each of its lists and for the requested list.
    ///
    /// Returns `None` if the account does not exist.
    pub(super) fn account(
        &self,
        db: Db<'_>,
        account: i64,
        list: Option<&str>,
    ) -> Result<Option<AccountScore>, StoreError> {
        let key = params![account, self.tenant.0];
        let attributes: Option<[Option<String>; 3]> = db.row(
            "SELECT industry, staff_count_range, location FROM accounts
             WHERE id = ?1 AND tenant = ?2",
            key,
            |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?]),
        )?;
        let Some([industry, size, location]) = attributes else {
            return Ok(None);
        };
        let titles: Vec<String> = db.rows(ACCOUNT_TITLES, key, |row| row.get(0))?;
        let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
        let signals = read_signals(
            db,
            "SELECT event_type, intents.created_at, NULL
             FROM leads CROSS JOIN intents
             WHERE leads.tenant = ?2 AND leads.account = ?1
               AND intents.tenant = leads.tenant AND intents.lead = leads.id
             ORDER BY intents.created_at DESC",
            key,
            self.as_of,
        )?;
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
        let sql = "SELECT list_id FROM account_list_items WHERE account = ?1 AND tenant = ?2";
        let mut lists: Vec<String> = db.rows(sql, key, |row| row.get(0))?;
        if let Some(list) = list.filter(|list| !lists.iter().any(|known| known == list)) {
            lists.push(list.to_owned());
        }
        if lists.is_empty() {
            lists.push(String::new());
        }
        let rows = 1 + titles.len() + signals.len() + lists.len();
        Ok(Some(AccountScore {
            id: account,
            lists,
            score,
            rows,
        }))
    }
}

impl AccountScore {
    /// Writes the score; returns false if the account no longer exists.
    pub(super) fn write(&self, db: Db<'_>, scoring: &ScoringRun) -> Result<bool, StoreError> {
        let Self { id, score, .. } = self;
        let found = db.execute(
            "UPDATE accounts SET icp_score = ?3, icp_tier = ?4 WHERE id = ?1 AND tenant = ?2",
            params![id, scoring.tenant.0, f64::from(score.points), score.tier],
        )?;
        if found == 0 {
            return Ok(false);
        }
        db.touch(scoring.tenant, ChangeKind::ACCOUNT, *id);
        let key = params![id, scoring.tenant.0];
        db.execute(
            "DELETE FROM account_scores WHERE account = ?1 AND tenant = ?2",
            key,
        )?;
        for list_id in &self.lists {
            let row = scoring.row(list_id, score);
            insert_score(db, scoring.tenant, Scored::Account(*id), &row)?;
        }
        Ok(true)
    }
}
