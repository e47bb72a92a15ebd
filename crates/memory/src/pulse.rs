//! The pulse of an account: the state of the outreach to it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use jiff::Timestamp;
use lead_workspace_api::endpoints::NoParams;
use lead_workspace_api::shapes::{PulseCampaign, PulseChat, Shape};
use lead_workspace_api::{AccountId, AccountPulse, BestSignal, Raw};
use lead_workspace_demo::Chat;
use lead_workspace_logic::iso;
use lead_workspace_logic::replies::rank;
use serde_json::json;

use crate::Workspace;
use crate::error::Error;
use crate::records::Lead;

/// Maximum number of conversations in a pulse, latest first.
const CHATS: usize = 50;

impl Workspace {
    pub(crate) fn get_account_pulse(
        &mut self,
        account_id: AccountId,
        _: NoParams,
        _: Timestamp,
    ) -> Result<AccountPulse, Error> {
        let account = self.find_account(&account_id)?;
        let leads: Vec<&Lead> = self.leads_of(account).collect();
        let chats = leads.iter().copied();
        let chats = chats.filter_map(|lead| Some((lead, lead.outreach.chat.as_ref()?)));
        let mut chats: Vec<(&Lead, &Chat)> = chats.collect();
        chats.sort_by_key(|(lead, chat)| Reverse((chat.last_message_at, lead.number)));
        let replied = chats.iter().filter(|(lead, _)| {
            let campaign = lead.outreach.campaign.as_ref();
            campaign.is_some_and(|campaign| campaign.replied)
        });
        let mut classes: BTreeMap<String, u64> = BTreeMap::new();
        for class in chats.iter().filter_map(|(_, chat)| chat.classification) {
            *classes.entry(class.to_owned()).or_default() += 1;
        }
        Ok(AccountPulse {
            total_leads: Some(leads.len() as u64),
            leads_with_conversations: Some(chats.len() as u64),
            leads_replied: Some(replied.count() as u64),
            classification_counts: Some(classes.into()),
            best_signal: self.best_signal(&chats),
            campaigns: Some(self.pulse_campaigns(&leads)),
            chats: Some(chats.iter().take(CHATS).map(pulse_chat).collect()),
            lead_campaigns: Some(lead_campaigns(&leads)),
        })
    }

    /// `chats` are sorted, latest first.
    fn best_signal(&self, chats: &[(&Lead, &Chat)]) -> Option<BestSignal> {
        let classified = chats
            .iter()
            .filter_map(|(lead, chat)| Some((*lead, chat.classification?)));
        let (lead, classification) = classified.min_by_key(|(_, class)| rank(class))?;
        let campaign = self.campaign_of(lead);
        Some(BestSignal {
            lead_id: Some(lead.row.lead_id.as_str().into()),
            lead_name: lead.row.name.clone(),
            classification: Some(classification.to_owned()),
            campaign_name: campaign.map(|(campaign, _)| campaign.named.name.to_string()),
        })
    }

    fn pulse_campaigns(&self, leads: &[&Lead]) -> Vec<Raw> {
        let mut counts: BTreeMap<(&str, &str), u64> = BTreeMap::new();
        for (campaign, _) in leads.iter().filter_map(|lead| self.campaign_of(lead)) {
            let named = &campaign.named;
            *counts.entry((&*named.name, &*named.id)).or_default() += 1;
        }
        // Stable: campaigns with as many leads stay in the order of their names.
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|(_, count)| Reverse(*count));
        let raw = |((name, id), count): ((&str, &str), u64)| {
            let campaign = PulseCampaign {
                campaign_id: Some(id.to_owned()),
                campaign_name: Some(name.to_owned()),
                lead_count: Some(count),
            };
            campaign.to_raw()
        };
        counts.into_iter().map(raw).collect()
    }
}

fn pulse_chat((lead, chat): &(&Lead, &Chat)) -> Raw {
    let chat = PulseChat {
        chat_id: Some(chat.chat_id.clone()),
        lead_id: Some(lead.row.lead_id.clone()),
        lead_name: lead.row.name.clone(),
        classification: chat.classification.map(str::to_owned),
        last_message_at: Some(iso(chat.last_message_at)),
    };
    chat.to_raw()
}

fn lead_campaigns(leads: &[&Lead]) -> Raw {
    let mut by_lead: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for lead in leads {
        if let Some(campaign) = &lead.outreach.campaign {
            by_lead.insert(&lead.row.lead_id, vec![&campaign.campaign_id]);
        }
    }
    json!(by_lead).into()
}
