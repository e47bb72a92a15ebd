//! The operations on leads, except facets and scoring.

use std::collections::BTreeSet;

use jiff::Timestamp;
use lead_workspace_api::endpoints::NoParams;
use lead_workspace_api::shapes::{CampaignRef, Shape};
use lead_workspace_api::{
    CampaignMembership, CurrentAccount, Intent, LeadDetail, LeadField, LeadId, LeadListItem,
    LeadListMembership, LeadQuery, LeadUpdate, LeadUpdated, LeadsUpdate, LeadsUpdated,
    NewApprovalStatus, Nurture, Page, Raw,
};
use lead_workspace_demo as demo;
use lead_workspace_index::{ChangeKind, Part, Query};
use lead_workspace_logic::iso;

use crate::Workspace;
use crate::error::Error;
use crate::records::{Lead, in_order, list_ref, list_scores};

impl Workspace {
    pub(crate) fn query_leads(
        &mut self,
        query: LeadQuery,
        _: Timestamp,
    ) -> Result<Page<LeadListItem>, Error> {
        let leads = Query::of_leads(&query, &self.custom_keys)?;
        let part = Part::of(query.page, query.page_size);
        let found = leads.page(&self.columns(leads.columns()), part)?;
        let rows = found.rows.iter().filter_map(|row| self.lead_numbered(*row));
        Ok(Page {
            data: rows.map(|lead| self.list_item(lead)).collect(),
            total: Some(found.total),
            has_more: Some(found.has_more(part)),
            page: Some(query.page),
            page_size: Some(query.page_size),
            ..Page::default()
        })
    }

    fn find_lead(&self, lead_id: &LeadId) -> Option<usize> {
        let mut leads = self.leads.iter();
        leads.position(|lead| lead.row.lead_id == lead_id.as_str())
    }

    /// Returns the place of a lead by its number.
    pub(crate) fn place_of_lead(&self, number: i64) -> Option<usize> {
        let place = self.leads.binary_search_by_key(&number, |lead| lead.number);
        place.ok()
    }

    /// Returns a lead by its number.
    pub(crate) fn lead_numbered(&self, number: i64) -> Option<&Lead> {
        Some(&self.leads[self.place_of_lead(number)?])
    }

    pub(crate) fn get_lead(
        &mut self,
        lead_id: LeadId,
        _: NoParams,
        _: Timestamp,
    ) -> Result<LeadDetail, Error> {
        let found = self.lead(&lead_id);
        found.ok_or_else(|| Error::unknown("lead", lead_id.as_str()))
    }

    /// Returns a lead by id.
    pub fn lead(&self, lead_id: &LeadId) -> Option<LeadDetail> {
        let lead = &self.leads[self.find_lead(lead_id)?];
        let intents = lead.intents();
        let row = lead.row.clone();
        Some(LeadDetail {
            id: Some(row.lead_id.into()),
            provider_id: row.provider_id,
            name: row.name,
            headline: row.headline,
            profile_url: row.profile_url,
            profile_picture_url: row.profile_picture_url,
            background_image_url: row.background_image_url,
            is_premium: row.is_premium,
            profile_data: parsed(row.profile_data),
            custom_data: parsed(row.custom_data),
            current_account: self.current_account(lead),
            approval_status: Some(lead.status.into()),
            list_scores: Some(list_scores(&lead.scores, self.catalog())),
            lead_lists: Some(self.memberships(lead)),
            campaigns: Some(self.campaign_memberships(lead)),
            intents: Some(
                intents
                    .into_iter()
                    .map(|one| raw(&self.intent(one)))
                    .collect(),
            ),
            nurture: lead.outreach.nurture.as_ref().map(nurture),
            chat_id: chat_id(lead),
        })
    }

    fn list_item(&self, lead: &Lead) -> LeadListItem {
        let row = lead.row.clone();
        let latest = lead.intents().into_iter().next();
        let lists = in_order(&lead.lists, self.catalog());
        LeadListItem {
            lead_id: Some(row.lead_id.into()),
            provider_id: row.provider_id,
            name: row.name,
            headline: row.headline,
            profile_url: row.profile_url,
            profile_picture_url: row.profile_picture_url,
            profile_data: parsed(row.profile_data),
            custom_data: parsed(row.custom_data),
            current_account: self.current_account(lead),
            list_scores: Some(list_scores(&lead.scores, self.catalog())),
            intent: latest.map(|latest| self.intent(latest)),
            import_job_id: row.import_job_id.map(Into::into),
            approval_status: Some(lead.status.into()),
            created_at: Some(row.created_at.into()),
            chat_id: chat_id(lead),
            resolved_timezone: row.resolved_timezone,
            timezone_label: row.timezone_label,
            lists: Some(lists.into_iter().map(list_ref).collect()),
            campaigns: Some(self.campaign_refs(lead)),
        }
    }

    fn current_account(&self, lead: &Lead) -> Option<CurrentAccount> {
        let company = self.account_of(lead)?.row.clone();
        Some(CurrentAccount {
            account_id: Some(company.account_id.into()),
            name: company.name,
            logo_url: company.logo_url,
            network_url: company.network_url,
            network_username: company.network_username,
            industry: company.industry,
            staff_count_range: company.staff_count_range,
            title: lead.row.title.clone(),
            tagline: company.tagline,
            founded_year: company.founded_year,
            description: company.description,
            location: company.location,
        })
    }

    fn memberships(&self, lead: &Lead) -> Vec<LeadListMembership> {
        let lists = in_order(&lead.lists, self.catalog());
        let membership = |(list, item): (&demo::Named, &demo::ListItem)| LeadListMembership {
            lead_list_id: Some(list.id.as_str().into()),
            lead_list_name: Some(list.name.to_string()),
            lead_list_item_id: Some(item.item_id.clone()),
            added_at: Some(lead.row.created_at.as_str().into()),
        };
        lists.into_iter().map(membership).collect()
    }

    /// Returns the lead's campaign, with its membership: at most one.
    pub(crate) fn campaign_of<'a>(
        &'a self,
        lead: &'a Lead,
    ) -> Option<(&'a demo::Campaign, &'a demo::CampaignLead)> {
        let member = lead.outreach.campaign.as_ref()?;
        let mut campaigns = self.catalog().campaigns.iter();
        let campaign = campaigns.find(|campaign| campaign.named.id == member.campaign_id)?;
        Some((campaign, member))
    }

    fn campaign_refs(&self, lead: &Lead) -> Vec<Raw> {
        let campaign = self
            .campaign_of(lead)
            .map(|(campaign, member)| CampaignRef {
                campaign_id: Some(campaign.named.id.clone()),
                campaign_name: Some(campaign.named.name.to_string()),
                campaign_status: Some(campaign.status.to_owned()),
                lead_status: Some(member.status.to_owned()),
            });
        campaign.iter().map(Shape::to_raw).collect()
    }

    fn campaign_memberships(&self, lead: &Lead) -> Vec<CampaignMembership> {
        let membership =
            |(campaign, member): (&demo::Campaign, &demo::CampaignLead)| CampaignMembership {
                campaign_lead_id: Some(member.campaign_lead_id.clone()),
                campaign_id: Some(campaign.named.id.as_str().into()),
                campaign_name: Some(campaign.named.name.to_string()),
                campaign_status: Some(campaign.status.to_owned()),
                lead_status: Some(member.status.to_owned()),
                connection_accepted: Some(member.connection == "connected"),
                message_replied: Some(member.replied),
                assigned_sender_name: member.sender_name.clone(),
                created_at: Some(iso(member.created_at).into()),
            };
        self.campaign_of(lead).map(membership).into_iter().collect()
    }

    fn intent(&self, intent: &demo::Intent) -> Intent {
        let list = intent.list.map(|list| &self.catalog().lists[list]);
        Intent {
            id: Some(intent.intent_id.clone()),
            event_type: Some(intent.event_type.to_owned()),
            event_data: Raw::parse(intent.event_data.clone()).ok(),
            signal_run_id: Some(intent.signal_run_id.as_str().into()),
            lead_list_id: list.map(|list| list.id.as_str().into()),
            signal_id: Some(intent.signal_id.as_str().into()),
            created_at: Some(iso(intent.created_at).into()),
        }
    }

    pub(crate) fn update_lead(
        &mut self,
        lead_id: LeadId,
        update: LeadUpdate,
        _: Timestamp,
    ) -> Result<LeadUpdated, Error> {
        let Some(at) = self.find_lead(&lead_id) else {
            return Err(Error::unknown("lead", lead_id.as_str()));
        };
        self.decide(&[at], update.approval_status);
        Ok(LeadUpdated {
            lead_id: Some(lead_id),
            approval_status: Some(update.approval_status.into()),
        })
    }

    /// A repeated id counts once, an unknown one not at all. A lead that already has the status is counted. Without a
    /// status nothing changes.
    pub(crate) fn update_leads(
        &mut self,
        update: LeadsUpdate,
        _: Timestamp,
    ) -> Result<LeadsUpdated, Error> {
        let mut updated = 0;
        if let Some(status) = update.approval_status.value() {
            let ids: BTreeSet<&str> = update.lead_ids.iter().map(LeadId::as_str).collect();
            let leads = self.leads.iter().enumerate();
            let known = leads.filter(|(_, lead)| ids.contains(lead.row.lead_id.as_str()));
            let known: Vec<usize> = known.map(|(at, _)| at).collect();
            self.decide(&known, status);
            updated = known.len() as u64;
        }
        Ok(LeadsUpdated {
            updated: Some(updated),
        })
    }

    fn decide(&mut self, leads: &[usize], status: NewApprovalStatus) {
        for at in leads {
            let lead = &mut self.leads[*at];
            let number = lead.number;
            if std::mem::replace(&mut lead.status, status) != status {
                self.note_lead(number, ChangeKind::STATUS);
            }
        }
        let numbers: Vec<i64> = leads.iter().map(|at| self.leads[*at].number).collect();
        self.set(LeadField::ApprovalStatus, &numbers, &status.as_str().into());
    }

    pub(crate) fn delete_lead(
        &mut self,
        lead_id: LeadId,
        _: NoParams,
        _: Timestamp,
    ) -> Result<(), Error> {
        let Some(at) = self.find_lead(&lead_id) else {
            return Err(Error::unknown("lead", lead_id.as_str()));
        };
        let lead = self.leads.remove(at);
        self.note_deleted(lead.number, lead.row.lead_id);
        if let Some(account) = lead.account {
            self.note_account(account);
        }
        self.move_lead(lead.number, lead.account, None);
        self.changed(ChangeKind::ALL);
        Ok(())
    }
}

fn chat_id(lead: &Lead) -> Option<lead_workspace_api::ChatId> {
    let chat = lead.outreach.chat.as_ref();
    chat.map(|chat| chat.chat_id.as_str().into())
}

fn parsed(json: Option<String>) -> Option<Raw> {
    Raw::parse(json?).ok()
}

fn nurture(nurture: &demo::Nurture) -> Nurture {
    Nurture {
        tracker_profile_id: Some(nurture.tracker_profile_id.clone()),
        like_mode: Some(nurture.like_mode.to_owned()),
        is_active: Some(nurture.is_active),
        created_at: Some(iso(nurture.created_at).into()),
    }
}

/// Returns a model as free-form JSON.
pub(crate) fn raw(model: &impl serde::Serialize) -> Raw {
    serde_json::to_value(model)
        .map(Raw::from)
        .unwrap_or_default()
}
