//! The pulse of an account: the state of the outreach to it.
//!
//! spec: not shown; the counts cover the account's leads. A lead has a conversation if there is a
//! chat with it, and has replied if one of its chats has a reply. Classifications are counted per
//! chat. The best signal is the chat with the most promising classification; among equals, the
//! latest.

use std::collections::BTreeMap;

use lead_workspace_api::shapes::{PulseCampaign, PulseChat, Shape};
use lead_workspace_api::{AccountId, AccountPulse, BestSignal, Raw};
use lead_workspace_logic::replies::{OTHER_RANK, RANKS};
use serde_json::json;

use super::leads::{nullable, text};
use crate::store::db::{Db, Fixed, Row, Sql, params};
use crate::store::error::StoreError;
use crate::store::handle::Store;
use crate::store::tenant::Tenant;

/// Maximum number of conversations in a pulse, latest first.
const CHATS: i64 = 50;

/// The plus keeps SQLite from reading all leads of the workspace in this order.
const LEAD_CAMPAIGNS: &str = "SELECT l.lead_id, m.campaign_id
    FROM leads l CROSS JOIN campaign_leads m
    WHERE l.tenant = ?1 AND l.account = ?2 AND m.tenant = l.tenant AND m.lead = l.id
    ORDER BY +l.id, m.created_at, m.campaign_id";

impl Store {
    /// Returns the pulse of an account, promoted or not.
    pub async fn pulse(
        &self,
        tenant: Tenant,
        account_id: AccountId,
    ) -> Result<Option<AccountPulse>, StoreError> {
        self.read_in(tenant, move |db| {
            let find = "SELECT id FROM accounts WHERE tenant = ?1 AND account_id = ?2";
            let account = db.row(find, params![tenant.0, account_id.as_str()], |row| {
                row.get(0)
            })?;
            account
                .map(|account| {
                    PulseReader {
                        db,
                        tenant,
                        account,
                    }
                    .pulse()
                })
                .transpose()
        })
        .await
    }
}

struct PulseReader<'a> {
    db: Db<'a>,
    tenant: Tenant,
    account: i64,
}

impl PulseReader<'_> {
    fn pulse(&self) -> Result<AccountPulse, StoreError> {
        let mut pulse = self.counts()?;
        pulse.classification_counts = Some(self.classes()?.into());
        pulse.best_signal = self.best_signal()?;
        pulse.campaigns = Some(self.campaigns()?);
        pulse.chats = Some(self.chats()?);
        pulse.lead_campaigns = Some(self.lead_campaigns()?);
        Ok(pulse)
    }

    fn rows<T>(
        &self,
        sql: impl Sql,
        read: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let values = params![self.tenant.0, self.account];
        self.db.rows(sql, values, read)
    }

    fn counts(&self) -> Result<AccountPulse, StoreError> {
        let mut counts = self.rows(
            "SELECT count(*),
               count(*) FILTER (WHERE EXISTS
                 (SELECT 1 FROM chats h WHERE h.tenant = ?1 AND h.lead = l.id)),
               count(*) FILTER (WHERE EXISTS
                 (SELECT 1 FROM chats h WHERE h.tenant = ?1 AND h.lead = l.id AND h.replied = 1))
             FROM leads l WHERE l.tenant = ?1 AND l.account = ?2",
            |row| {
                let count = |index| row.get::<i64>(index).map(i64::unsigned_abs).map(Some);
                Ok(AccountPulse {
                    total_leads: count(0)?,
                    leads_with_conversations: count(1)?,
                    leads_replied: count(2)?,
                    ..AccountPulse::default()
                })
            },
        )?;
        Ok(counts.pop().unwrap_or_default())
    }

    fn classes(&self) -> Result<BTreeMap<String, u64>, StoreError> {
        let rows = self.rows(
            "SELECT h.classification, count(*) FROM leads l CROSS JOIN chats h
             WHERE l.tenant = ?1 AND l.account = ?2 AND h.tenant = l.tenant AND h.lead = l.id AND h.classification IS NOT NULL GROUP BY 1",
            |row| Ok((row.get(0)?, row.get::<i64>(1)?.unsigned_abs())),
        )?;
        Ok(rows.into_iter().collect())
    }

    fn best_signal(&self) -> Result<Option<BestSignal>, StoreError> {
        let sql = Fixed(format!(
            "SELECT l.lead_id, l.name, h.classification, c.name AS campaign_name
             FROM leads l CROSS JOIN chats h
             LEFT JOIN campaigns c ON c.tenant = h.tenant AND c.campaign_id = h.campaign_id
             WHERE l.tenant = ?1 AND l.account = ?2 AND h.tenant = l.tenant AND h.lead = l.id
               AND h.classification IS NOT NULL
             ORDER BY {}, h.last_message_at DESC, h.id DESC LIMIT 1",
            rank("h.classification")
        ));
        let mut rows = self.rows(&sql, |row| {
            Ok(BestSignal {
                lead_id: text(row, "lead_id")?,
                lead_name: nullable(row, "name")?,
                classification: nullable(row, "classification")?,
                campaign_name: nullable(row, "campaign_name")?,
            })
        })?;
        Ok(rows.pop())
    }

    fn campaigns(&self) -> Result<Vec<Raw>, StoreError> {
        self.rows(
            "SELECT c.campaign_id, c.name, count(*) AS leads
             FROM leads l CROSS JOIN campaign_leads m
             JOIN campaigns c ON c.tenant = m.tenant AND c.campaign_id = m.campaign_id
             WHERE l.tenant = ?1 AND l.account = ?2 AND m.tenant = l.tenant AND m.lead = l.id
             GROUP BY c.campaign_id, c.name ORDER BY leads DESC, c.name, c.campaign_id",
            |row| {
                Ok(PulseCampaign {
                    campaign_id: nullable(row, "campaign_id")?,
                    campaign_name: nullable(row, "name")?,
                    lead_count: nullable::<i64>(row, "leads")?.map(i64::unsigned_abs),
                }
                .to_raw())
            },
        )
    }

    fn chats(&self) -> Result<Vec<Raw>, StoreError> {
        let sql = Fixed(format!(
            "SELECT h.chat_id, l.lead_id, l.name, h.classification, h.last_message_at
             FROM leads l CROSS JOIN chats h
             WHERE l.tenant = ?1 AND l.account = ?2 AND h.tenant = l.tenant AND h.lead = l.id
             ORDER BY h.last_message_at DESC, h.id DESC LIMIT {CHATS}"
        ));
        self.rows(&sql, |row| {
            Ok(PulseChat {
                chat_id: nullable(row, "chat_id")?,
                lead_id: nullable(row, "lead_id")?,
                lead_name: nullable(row, "name")?,
                classification: nullable(row, "classification")?,
                last_message_at: nullable(row, "last_message_at")?,
            }
            .to_raw())
        })
    }

    fn lead_campaigns(&self) -> Result<Raw, StoreError> {
        let rows: Vec<(String, String)> =
            self.rows(LEAD_CAMPAIGNS, |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut by_lead: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (lead_id, campaign_id) in rows {
            by_lead.entry(lead_id).or_default().push(campaign_id);
        }
        Ok(json!(by_lead).into())
    }
}

/// Returns the SQL for the rank of a classification.
fn rank(column: &str) -> String {
    let cases = RANKS.map(|(known, rank)| format!("WHEN '{known}' THEN {rank} "));
    format!("CASE {column} {}ELSE {OTHER_RANK} END", cases.concat())
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::LEAD_CAMPAIGNS;
    use crate::scoring::ACCOUNT_TITLES;
    use crate::store::sqlite::{functions, schema};

    #[test]
    fn the_leads_of_an_account_are_found_by_its_index() {
        let mut connection = Connection::open_in_memory().unwrap();
        functions::add(&connection).unwrap();
        schema::migrate(&mut connection, "memory".as_ref()).unwrap();
        for sql in [LEAD_CAMPAIGNS, ACCOUNT_TITLES] {
            let mut plan = connection
                .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))
                .unwrap();
            let plan = plan.query_row([1, 1], |row| row.get::<_, String>("detail"));
            let plan = plan.unwrap();
            assert!(plan.contains("leads_by_account_status"), "{plan}");
        }
    }
}
