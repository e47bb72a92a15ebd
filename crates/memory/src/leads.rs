//! The operations on leads, except facets and scoring.

use jiff::Timestamp;
use lead_workspace_api::endpoints::NoParams;
use lead_workspace_api::shapes::{CampaignRef, Shape};
use lead_workspace_api::{
    CampaignMembership, CurrentAccount, Intent, LeadDetail, LeadField, LeadId, LeadListItem,
    LeadListMembership, LeadQuery, LeadUpdate, LeadUpdated, LeadsUpdate, LeadsUpdated, Nurture,
    Page, Raw,
};
use lead_workspace_demo as demo;
use lead_workspace_logic::filter::{self, Filter};
use lead_workspace_logic::search::Search;
use lead_workspace_logic::{fold, iso};

use crate::Workspace;
use crate::error::Error;
use crate::page;
use crate::records::{Lead, in_order, list_ref, list_scores};

impl Workspace {
    pub(crate) fn query_leads(
        &mut self,
        query: LeadQuery,
        _: Timestamp,
    ) -> Result<Page<LeadListItem>, Error> {
        let filters = filter::read::<LeadField>(&query.filters)?;
        let search = Search::of(query.search.as_deref());
        let mut found: Vec<&Lead> = self.leads.iter().collect();
        found.retain(|lead| self.matches(lead, &filters, &search));
        // Every sort column is also a field to filter by.
        if let Ok(field) = query.sort_by.as_str().parse::<LeadField>() {
            let values = |lead: &&Lead, field| self.lead_values(lead, field);
            page::sort(&mut found, field, query.sort_dir, values, |lead| {
                lead.number
            });
        }
        let item = |lead: &&Lead| self.list_item(lead);
        Ok(page::page(&found, query.page, query.page_size, item))
    }

    /// Returns whether all filters and the search match a lead.
    pub(crate) fn matches(
        &self,
        lead: &Lead,
        filters: &[Filter<LeadField>],
        search: &Search,
    ) -> bool {
        let holds =
            |filter: &Filter<LeadField>| filter.holds(&self.lead_values(lead, filter.field));
        let record = &lead.record;
        let texts = [
            &record.name,
            &record.headline,
            &record.title,
            &record.company.name,
        ];
        filters.iter().all(holds)
            && (search.words().is_empty() || search.finds(&texts.map(|text| fold(text))))
    }

    fn find_lead(&self, lead_id: &LeadId) -> Option<usize> {
        let mut leads = self.leads.iter();
        leads.position(|lead| lead.record.lead_id == lead_id.as_str())
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
        let record = &lead.record;
        Some(LeadDetail {
            id: Some(record.lead_id.as_str().into()),
            provider_id: Some(record.provider_id.clone()),
            name: Some(record.name.clone()),
            headline: Some(record.headline.clone()),
            profile_url: Some(record.profile_url.clone()),
            profile_picture_url: None,
            background_image_url: None,
            is_premium: Some(record.is_premium),
            profile_data: Raw::parse(record.profile_data.clone()).ok(),
            custom_data: Raw::parse(record.custom_data.clone()).ok(),
            current_account: Some(current_account(record)),
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
            nurture: record.outreach.nurture.as_ref().map(nurture),
            chat_id: chat_id(record),
        })
    }

    fn list_item(&self, lead: &Lead) -> LeadListItem {
        let record = &lead.record;
        let latest = lead.intents().into_iter().next();
        let lists = in_order(lead.list_items(), self.catalog());
        LeadListItem {
            lead_id: Some(record.lead_id.as_str().into()),
            provider_id: Some(record.provider_id.clone()),
            name: Some(record.name.clone()),
            headline: Some(record.headline.clone()),
            profile_url: Some(record.profile_url.clone()),
            profile_picture_url: None,
            profile_data: Raw::parse(record.profile_data.clone()).ok(),
            custom_data: Raw::parse(record.custom_data.clone()).ok(),
            current_account: Some(current_account(record)),
            list_scores: Some(list_scores(&lead.scores, self.catalog())),
            intent: latest.map(|latest| self.intent(latest)),
            import_job_id: record.import_job_id.as_deref().map(Into::into),
            approval_status: Some(lead.status.into()),
            created_at: Some(iso(record.created_at).into()),
            chat_id: chat_id(record),
            resolved_timezone: Some(record.timezone.to_owned()),
            timezone_label: Some(record.timezone_label.to_owned()),
            lists: Some(lists.into_iter().map(list_ref).collect()),
            campaigns: Some(self.campaign_refs(lead)),
        }
    }

    fn memberships(&self, lead: &Lead) -> Vec<LeadListMembership> {
        let lists = in_order(lead.list_items(), self.catalog());
        let membership = |(list, item): (&demo::Named, &demo::ListItem)| LeadListMembership {
            lead_list_id: Some(list.id.as_str().into()),
            lead_list_name: Some(list.name.to_owned()),
            lead_list_item_id: Some(item.item_id.clone()),
            added_at: Some(iso(lead.record.created_at).into()),
        };
        lists.into_iter().map(membership).collect()
    }

    /// Returns the lead's campaign, with its membership: at most one.
    pub(crate) fn campaign_of<'a>(
        &'a self,
        lead: &'a Lead,
    ) -> Option<(&'a demo::Campaign, &'a demo::CampaignLead)> {
        let member = lead.record.outreach.campaign.as_ref()?;
        let mut campaigns = self.catalog().campaigns.iter();
        let campaign = campaigns.find(|campaign| campaign.named.id == member.campaign_id)?;
        Some((campaign, member))
    }

    fn campaign_refs(&self, lead: &Lead) -> Vec<Raw> {
        let campaign = self
            .campaign_of(lead)
            .map(|(campaign, member)| CampaignRef {
                campaign_id: Some(campaign.named.id.clone()),
                campaign_name: Some(campaign.named.name.to_owned()),
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
                campaign_name: Some(campaign.named.name.to_owned()),
                campaign_status: Some(campaign.status.to_owned()),
                lead_status: Some(member.status.to_owned()),
                connection_accepted: Some(member.connection == "connected"),
                message_replied: Some(member.replied),
                assigned_sender_name: Some(member.sender_name.to_owned()),
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
        self.leads[at].status = update.approval_status;
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
            let ids: std::collections::BTreeSet<&str> =
                update.lead_ids.iter().map(LeadId::as_str).collect();
            for lead in &mut self.leads {
                if ids.contains(lead.record.lead_id.as_str()) {
                    lead.status = status;
                    updated += 1;
                }
            }
        }
        Ok(LeadsUpdated {
            updated: Some(updated),
        })
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
        self.leads.remove(at);
        Ok(())
    }
}

fn chat_id(record: &demo::Lead<impl Sized>) -> Option<lead_workspace_api::ChatId> {
    let chat = record.outreach.chat.as_ref();
    chat.map(|chat| chat.chat_id.as_str().into())
}

fn current_account(record: &demo::Lead<impl Sized>) -> CurrentAccount {
    let company = &record.company;
    CurrentAccount {
        account_id: Some(company.account_id.as_str().into()),
        name: Some(company.name.clone()),
        logo_url: None,
        network_url: Some(company.network_url()),
        network_username: Some(company.slug.clone()),
        industry: Some(company.industry().to_owned()),
        staff_count_range: Some(company.size.to_owned()),
        title: Some(record.title.clone()),
        tagline: Some(company.tagline.clone()),
        founded_year: Some(company.founded),
        description: Some(company.description.clone()),
        location: Some(company.location()),
    }
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
