//! Writes the demo data.

use std::collections::HashMap;
use std::ops::Range;

use lead_workspace_demo::{Catalog, Demo, IMPORT_DURATION, Lead};

use crate::scoring::Score;
use crate::store::db::{Db, List, params};
use crate::store::insert::{
    CampaignLeadRow, NewLead, NewRow, NewRows, RowNumbers, ScoreRow, columns, folded,
};
use crate::store::{StoreError, Tenant};
use crate::time::iso;
use lead_workspace_logic::rows::{AccountRow, account_row, lead_row};

pub(super) fn write_accounts(
    db: Db<'_>,
    tenant: Tenant,
    demo: &Demo,
    numbers: Range<u64>,
) -> Result<(), StoreError> {
    let mut new = NewRows::new(tenant);
    let mut ids = RowNumbers::new("accounts", numbers.clone().count());
    for number in numbers {
        let company = demo.company(number);
        let (account, row) = (ids.next(db)?, account_row(&company));
        for item in demo.account_lists(number, &company) {
            let columns = columns! {
                list_id: &demo.catalog.lists[item.list].id,
                item_id: item.item_id,
                added_at: row.created_at.clone(),
            };
            new.add(NewRow::AccountListItem, account, columns);
        }
        new.add_account(account, row);
    }
    new.write(db)
}

pub(super) fn write_leads(
    db: Db<'_>,
    tenant: Tenant,
    demo: &Demo,
    leads: &[Lead<Score>],
) -> Result<(), StoreError> {
    let sql = "SELECT account_id, id FROM accounts WHERE tenant = ?1
                 AND account_id IN (SELECT value FROM json_each(?2))";
    let account_ids = leads.iter().map(|lead| lead.company.account_id.clone());
    let values = params![tenant.0, List::texts(account_ids)];
    let accounts: HashMap<String, i64> =
        db.rows(sql, values, |row| Ok((row.get(0)?, row.get(1)?)))?;
    let scored_at = iso(demo.scored_at());
    let mut new = NewRows::new(tenant);
    let mut ids = RowNumbers::new("leads", leads.len());
    for lead in leads {
        let id = ids.next(db)?;
        let account = accounts.get(&lead.company.account_id);
        let missing = || StoreError::Unexpected("a demo account is missing".into());
        let account = *account.ok_or_else(missing)?;
        new.add_lead(id, lead_of(lead, (account, &account_row(&lead.company))));
        add_scores_and_lists(&mut new, &demo.catalog, &scored_at, (id, lead));
        add_intents(&mut new, &demo.catalog, (id, lead));
        add_outreach(&mut new, (id, lead));
    }
    new.write(db)
}

fn lead_of<'a, 'b>(lead: &'a Lead<Score>, account: (i64, &'b AccountRow)) -> NewLead<'a, 'b> {
    let campaign = lead.outreach.campaign.as_ref();
    let chat = lead.outreach.chat.as_ref();
    let sender = campaign.and_then(|campaign| campaign.sender_name.as_ref());
    let more = columns! {
        icp_score: f64::from(lead.best.points),
        icp_tier: lead.best.tier,
        intent_type: lead.intents.first().map(|intent| intent.event_type),
        campaign_lead_status: campaign.map(|campaign| campaign.status),
        connection: campaign.map(|campaign| campaign.connection),
        reply: campaign.map(|campaign| if campaign.replied { "replied" } else { "none" }),
        sender: sender,
        sender_folded: folded(sender),
        current_node: campaign.and_then(|campaign| campaign.current_node),
        rate_limited_by: campaign.and_then(|campaign| campaign.rate_limited_by),
        has_pending_approval: campaign.map(|campaign| campaign.has_pending_approval),
        chat_id: chat.map(|chat| &chat.chat_id),
        chat_label: chat.and_then(|chat| chat.label),
        reply_classification: chat.and_then(|chat| chat.classification),
        network_account: campaign.and_then(|campaign| campaign.network_account.as_ref()),
    };
    NewLead {
        row: lead_row(lead),
        approval_status: lead.status,
        account: Some(account),
        more,
    }
}

fn add_scores_and_lists<'a>(
    new: &mut NewRows<'a>,
    catalog: &'a Catalog,
    scored_at: &'a str,
    (id, lead): (i64, &'a Lead<Score>),
) {
    let score_row = |list_id, score: &'a Score| ScoreRow {
        list_id,
        icp_score: f64::from(score.points),
        icp_tier: score.tier,
        icp_reasoning: score.reasoning(),
        scored_at,
        job_id: None,
    };
    if let Some(score) = &lead.score {
        new.add_score(NewRow::LeadScore, id, score_row("", score));
    }
    for (item, score) in &lead.lists {
        let list_id = &catalog.lists[item.list].id;
        new.add_score(NewRow::LeadScore, id, score_row(list_id, score));
        let columns = columns! {
            list_id: list_id,
            item_id: &item.item_id,
            added_at: iso(lead.created_at),
        };
        new.add(NewRow::ListItem, id, columns);
    }
}

fn add_intents<'a>(
    new: &mut NewRows<'a>,
    catalog: &'a Catalog,
    (id, lead): (i64, &'a Lead<Score>),
) {
    for intent in &lead.intents {
        let columns = columns! {
            intent_id: &intent.intent_id,
            event_type: intent.event_type,
            event_data: &intent.event_data,
            signal_run_id: &intent.signal_run_id,
            lead_list_id: intent.list.map(|list| &catalog.lists[list].id),
            signal_id: &intent.signal_id,
            feed_post_id: &intent.feed_post_id,
            created_at: iso(intent.created_at),
        };
        new.add(NewRow::Intent, id, columns);
    }
}

fn add_outreach<'a>(new: &mut NewRows<'a>, (id, lead): (i64, &'a Lead<Score>)) {
    let outreach = &lead.outreach;
    if let Some(campaign) = &outreach.campaign {
        let row = CampaignLeadRow {
            campaign_id: campaign.campaign_id.clone(),
            campaign_lead_id: campaign.campaign_lead_id.clone(),
            lead_status: campaign.status,
            connection_accepted: campaign.connection == "connected",
            message_replied: campaign.replied,
            assigned_sender_name: campaign.sender_name.clone(),
            created_at: iso(campaign.created_at),
        };
        new.add_campaign_lead(id, row);
    }
    if let (Some(campaign), Some(chat)) = (&outreach.campaign, &outreach.chat) {
        let columns = columns! {
            chat_id: &chat.chat_id,
            classification: chat.classification,
            label: chat.label,
            campaign_id: &campaign.campaign_id,
            network_account: &campaign.network_account,
            replied: campaign.replied,
            last_message_at: iso(chat.last_message_at),
        };
        new.add(NewRow::Chat, id, columns);
    }
    if let Some(nurture) = &outreach.nurture {
        let columns = columns! {
            tracker_profile_id: &nurture.tracker_profile_id,
            like_mode: nurture.like_mode,
            is_active: nurture.is_active,
            created_at: iso(nurture.created_at),
        };
        new.add(NewRow::Nurture, id, columns);
    }
}

pub(super) fn write_catalog(
    db: Db<'_>,
    tenant: Tenant,
    catalog: &Catalog,
) -> Result<(), StoreError> {
    for (at, list) in catalog.lists.iter().enumerate() {
        db.execute(
            "INSERT INTO lists (tenant, list_id, name, is_discovery, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING",
            params![
                tenant.0,
                list.id,
                &*list.name,
                Catalog::is_discovery(at),
                iso(list.created_at)
            ],
        )?;
    }
    for campaign in &catalog.campaigns {
        let named = &campaign.named;
        db.execute(
            "INSERT INTO campaigns (tenant, campaign_id, name, status, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING",
            params![
                tenant.0,
                named.id,
                &*named.name,
                campaign.status,
                iso(named.created_at)
            ],
        )?;
    }
    for signal in &catalog.signals {
        db.execute(
            "INSERT INTO signals (tenant, signal_id, name) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
            params![tenant.0, signal.named.id, &*signal.named.name],
        )?;
        for run in &signal.runs {
            db.execute(
                "INSERT INTO signal_runs (tenant, signal_run_id, signal_id, name, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING",
                params![
                    tenant.0,
                    run.id,
                    signal.named.id,
                    run.name,
                    iso(run.created_at)
                ],
            )?;
        }
    }
    for post in &catalog.posts {
        db.execute(
            "INSERT INTO feed_posts (tenant, feed_post_id, label) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
            params![tenant.0, post.id, &*post.name],
        )?;
    }
    for sender in &catalog.senders {
        db.execute(
            "INSERT INTO network_accounts (tenant, network_account, name) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
            params![tenant.0, sender.id, &*sender.name],
        )?;
    }
    for import in &catalog.imports {
        let created_at = iso(import.created_at);
        db.execute(
            "INSERT INTO import_jobs (tenant, import_job_id, file_name, created_at)
             VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
            params![tenant.0, import.id, &*import.name, created_at],
        )?;
    }
    Ok(())
}

pub(super) fn count_imports(
    db: Db<'_>,
    tenant: Tenant,
    catalog: &Catalog,
) -> Result<(), StoreError> {
    for import in &catalog.imports {
        db.execute(
            "UPDATE import_jobs SET finished_at = ?3, inserted =
               (SELECT count(*) FROM leads WHERE tenant = ?1 AND import_job_id = ?2)
             WHERE tenant = ?1 AND import_job_id = ?2",
            params![
                tenant.0,
                import.id,
                iso(import.created_at + IMPORT_DURATION)
            ],
        )?;
    }
    Ok(())
}
