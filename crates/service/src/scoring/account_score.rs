//! Scores one stored account.

use rusqlite::{Connection, OptionalExtension, params};

use lead_workspace_logic::scoring::StoredIntentSignal;

use super::lead_scores::{ScoringRun, read_signals};
use super::{Attributes, Score};
use crate::store::StoreError;
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
        connection: &Connection,
        account: i64,
        list: Option<&str>,
    ) -> Result<Option<AccountScore>, StoreError> {
        let attributes: Option<[Option<String>; 3]> = connection
            .prepare_cached(
                "SELECT industry, staff_count_range, location FROM accounts
                 WHERE id = ?1 AND tenant = ?2",
            )?
            .query_row(params![account, self.tenant.0], |row| {
                Ok([row.get(0)?, row.get(1)?, row.get(2)?])
            })
            .optional()?;
        let Some([industry, size, location]) = attributes else {
            return Ok(None);
        };
        let mut titles = connection.prepare_cached(ACCOUNT_TITLES)?;
        let titles = titles.query_map(params![account, self.tenant.0], |row| row.get(0))?;
        let titles = titles.collect::<Result<Vec<String>, _>>()?;
        let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
        let signals = read_signals(
            connection,
            "SELECT event_type, intents.created_at, NULL
             FROM leads JOIN intents ON intents.lead = leads.id
             WHERE leads.tenant = ?2 AND leads.account = ?1 ORDER BY intents.created_at DESC",
            params![account, self.tenant.0],
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
        let mut lists = connection.prepare_cached(
            "SELECT list_id FROM account_list_items WHERE account = ?1 AND tenant = ?2",
        )?;
        let lists = lists.query_map([account, self.tenant.0], |row| row.get::<_, String>(0))?;
        let mut lists = lists.collect::<Result<Vec<_>, _>>()?;
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
    pub(super) fn write(
        &self,
        connection: &Connection,
        scoring: &ScoringRun,
    ) -> Result<bool, StoreError> {
        let Self { id, score, .. } = self;
        let found = connection
            .prepare_cached(
                "UPDATE accounts SET icp_score = ?3, icp_tier = ?4, icp_reasoning = ?5
                 WHERE id = ?1 AND tenant = ?2",
            )?
            .execute(params![
                id,
                scoring.tenant.0,
                f64::from(score.points),
                score.tier,
                score.reasoning()
            ])?;
        if found == 0 {
            return Ok(false);
        }
        connection
            .prepare_cached("DELETE FROM account_scores WHERE account = ?1 AND tenant = ?2")?
            .execute([*id, scoring.tenant.0])?;
        for list_id in &self.lists {
            let row = scoring.row(list_id, score);
            insert_score(connection, scoring.tenant, Scored::Account(*id), &row)?;
        }
        Ok(true)
    }
}
