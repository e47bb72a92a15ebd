//! Scoring one account of the store.

use rusqlite::{Connection, OptionalExtension, params};

use super::Facts;
use super::leads::{Scoring, StoredSign, signs};
use crate::store::StoreError;
use crate::store::insert::insert_account_score;

impl Scoring<'_> {
    /// Scores an account for each of its lists, and for the list that was asked for. False when
    /// there is no such account.
    pub(super) fn account(
        &self,
        connection: &Connection,
        account: i64,
        list: Option<&str>,
    ) -> Result<bool, StoreError> {
        let facts: Option<[Option<String>; 3]> = connection
            .prepare_cached(
                "SELECT industry, staff_count_range, location FROM accounts
                 WHERE id = ?1 AND tenant = ?2",
            )?
            .query_row(params![account, self.tenant.0], |row| {
                Ok([row.get(0)?, row.get(1)?, row.get(2)?])
            })
            .optional()?;
        let Some([industry, size, location]) = facts else {
            return Ok(false);
        };
        let mut titles = connection.prepare_cached(
            "SELECT title FROM leads WHERE tenant = ?2 AND account = ?1 AND title IS NOT NULL
             ORDER BY id",
        )?;
        let titles = titles.query_map(params![account, self.tenant.0], |row| row.get(0))?;
        let titles = titles.collect::<Result<Vec<String>, _>>()?;
        let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
        let signs = signs(
            connection,
            "SELECT event_type, intents.created_at, NULL
             FROM leads JOIN intents ON intents.lead = leads.id
             WHERE leads.tenant = ?2 AND leads.account = ?1 ORDER BY intents.created_at DESC",
            params![account, self.tenant.0],
            self.as_of,
        )?;
        let intents: Vec<_> = signs.iter().map(StoredSign::as_sign).collect();
        let score = self.scorer.score(&Facts {
            industry: industry.as_deref(),
            size: size.as_deref(),
            titles: &titles,
            location: location.as_deref(),
            company_location: None,
            intents: &intents,
        });
        let mut lists = connection
            .prepare_cached("SELECT list_id FROM account_list_items WHERE account = ?1")?;
        let lists = lists.query_map([account], |row| row.get::<_, String>(0))?;
        let mut lists = lists.collect::<Result<Vec<_>, _>>()?;
        if let Some(list) = list.filter(|list| !lists.iter().any(|known| known == list)) {
            lists.push(list.to_owned());
        }
        if lists.is_empty() {
            lists.push(String::new());
        }
        connection
            .prepare_cached("DELETE FROM account_scores WHERE account = ?1")?
            .execute([account])?;
        for list_id in &lists {
            insert_account_score(connection, self.tenant, account, &self.row(list_id, &score))?;
        }
        connection
            .prepare_cached(
                "UPDATE accounts SET icp_score = ?2, icp_tier = ?3, icp_reasoning = ?4 WHERE id = ?1",
            )?
            .execute(params![account, f64::from(score.points), score.tier, score.reasoning()])?;
        Ok(true)
    }
}
