//! Writes the rows of the demo data.

use rusqlite::{Connection, params};

use super::Demo;
use super::catalog::{ACCOUNT_LISTS, FIRST_DISCOVERY, LAST_DISCOVERY};
use super::clock;
use super::ids::id;
use super::lead::DemoLead;
use super::random::{Kind, Random};
use crate::scoring::Score;
use crate::store::insert::{
    ListMembership, ScoreRow, Scored, columns, insert_account, insert_campaign_lead, insert_chat,
    insert_intent, insert_lead, insert_list_item, insert_nurture, insert_score, key,
};
use crate::store::{StoreError, Tenant};

pub(super) fn write_accounts(
    connection: &Connection,
    tenant: Tenant,
    demo: &Demo,
    numbers: std::ops::Range<u64>,
) -> Result<(), StoreError> {
    let mut add = connection.prepare_cached(
        "INSERT INTO account_list_items (account, tenant, list_id, item_id, added_at)
         VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for number in numbers {
        let row = demo.account_row(number, &demo.company(number));
        let account = insert_account(connection, tenant, &row)?;
        let mut random = Random::new(demo.seed, Kind::Story, u64::MAX - number);
        for (list, share) in ACCOUNT_LISTS {
            if row.is_promoted && random.percent(share) {
                let item = id(demo.seed, "account_item", number * 2 + list as u64 % 2, 0);
                let list = &demo.catalog.lists[list].id;
                add.execute(params![account, tenant.0, list, item, row.created_at])?;
            }
        }
    }
    Ok(())
}

pub(super) fn write_lead(
    connection: &Connection,
    tenant: Tenant,
    demo: &Demo,
    made: &DemoLead,
) -> Result<(), StoreError> {
    let account: i64 = connection
        .prepare_cached("SELECT id FROM accounts WHERE tenant = ?1 AND account_id = ?2")?
        .query_row(params![tenant.0, made.account.account_id], |row| row.get(0))?;
    let outreach = &made.story.outreach;
    let columns = columns! {
        icp_score: f64::from(made.best.points),
        icp_tier: made.best.tier,
        intent_type: made.intents.first().map(|intent| intent.event_type),
        campaign_lead_status: outreach.campaign_lead_status,
        connection: outreach.connection,
        reply: outreach.reply,
        sender: &outreach.sender,
        sender_key: key(outreach.sender.as_ref()),
        current_node: outreach.current_node,
        rate_limited_by: outreach.rate_limited_by,
        has_pending_approval: outreach.has_pending_approval,
        chat_id: &outreach.chat_id,
        chat_label: outreach.chat_label,
        reply_classification: outreach.reply_classification,
        network_account: &outreach.network_account,
    };
    let account = Some((account, &made.account));
    let lead = insert_lead(connection, tenant, &made.row, made.status, account, columns)?;
    let scored_at = clock::text(demo.clock.today - clock::days(1) / 8);
    let score = |list_id: &str, score: &Score| {
        let row = ScoreRow {
            list_id,
            icp_score: f64::from(score.points),
            icp_tier: score.tier,
            icp_reasoning: score.reasoning(),
            scored_at: &scored_at,
            job_id: None,
        };
        insert_score(connection, tenant, Scored::Lead(lead), &row)
    };
    if let Some(alone) = &made.score {
        score("", alone)?;
    }
    for (list, on_list) in &made.lists {
        let list_id = &demo.catalog.lists[*list].id;
        score(list_id, on_list)?;
        let item = ListMembership {
            list_id,
            item_id: id(
                demo.seed,
                "item",
                made.number * 32 + *list as u64,
                made.created,
            ),
            added_at: &made.row.created_at,
        };
        insert_list_item(connection, tenant, lead, &item)?;
    }
    for intent in &made.intents {
        insert_intent(connection, tenant, lead, &intent.row)?;
    }
    if let Some(row) = &made.story.campaign {
        insert_campaign_lead(connection, tenant, lead, row)?;
    }
    if let Some(row) = &made.story.chat {
        insert_chat(connection, tenant, lead, row)?;
    }
    if let Some(row) = &made.story.nurture {
        insert_nurture(connection, tenant, lead, row)?;
    }
    Ok(())
}

pub(super) fn write_catalog(
    connection: &Connection,
    tenant: Tenant,
    demo: &Demo,
) -> Result<(), StoreError> {
    let catalog = &demo.catalog;
    for (at, list) in catalog.lists.iter().enumerate() {
        connection.execute(
            "INSERT OR IGNORE INTO lists (tenant, list_id, name, is_discovery, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5)",
            params![
                tenant.0,
                list.id,
                list.name,
                (FIRST_DISCOVERY..=LAST_DISCOVERY).contains(&at),
                clock::text(list.created_at)
            ],
        )?;
    }
    for campaign in &catalog.campaigns {
        let named = &campaign.named;
        connection.execute(
            "INSERT OR IGNORE INTO campaigns (tenant, campaign_id, name, status, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5)",
            params![
                tenant.0,
                named.id,
                named.name,
                campaign.status,
                clock::text(named.created_at)
            ],
        )?;
    }
    for signal in &catalog.signals {
        connection.execute(
            "INSERT OR IGNORE INTO signals (tenant, signal_id, name) VALUES (?1, ?2, ?3)",
            params![tenant.0, signal.named.id, signal.named.name],
        )?;
        for run in &signal.runs {
            connection.execute(
                "INSERT OR IGNORE INTO signal_runs (tenant, signal_run_id, signal_id, name, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
                params![tenant.0, run.id, signal.named.id, run.name, clock::text(run.created_at)],
            )?;
        }
    }
    for post in &catalog.posts {
        connection.execute(
            "INSERT OR IGNORE INTO feed_posts (tenant, feed_post_id, label) VALUES (?1, ?2, ?3)",
            params![tenant.0, post.id, post.name],
        )?;
    }
    for sender in &catalog.senders {
        connection.execute(
            "INSERT OR IGNORE INTO network_accounts (tenant, network_account, name) VALUES (?1, ?2, ?3)",
            params![tenant.0, sender.id, sender.name],
        )?;
    }
    for import in &catalog.imports {
        let created_at = clock::text(import.created_at);
        connection.execute(
            "INSERT OR IGNORE INTO import_jobs (tenant, import_job_id, file_name, created_at)
             VALUES (?1, ?2, ?3, ?4)",
            params![tenant.0, import.id, import.name, created_at],
        )?;
    }
    Ok(())
}

pub(super) fn count_imports(
    connection: &Connection,
    tenant: Tenant,
    demo: &Demo,
) -> Result<(), StoreError> {
    for import in &demo.catalog.imports {
        connection.execute(
            "UPDATE import_jobs SET finished_at = ?3, inserted =
               (SELECT count(*) FROM leads WHERE tenant = ?1 AND import_job_id = ?2)
             WHERE tenant = ?1 AND import_job_id = ?2",
            params![
                tenant.0,
                import.id,
                clock::text(import.created_at + 300_000)
            ],
        )?;
    }
    Ok(())
}
