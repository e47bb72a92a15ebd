//! Lists and campaigns of a lead, and how it is nurtured.

use lead_workspace_api::{CampaignMembership, LeadListMembership, Nurture};

use crate::app::model::humanize::humanize;
use crate::app::model::lead::filled;

/// A list that contains a lead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListMembership {
    /// Name of the list, else its id; never empty.
    pub name: String,
    /// Id of the list.
    pub id: Option<String>,
    /// Id of the lead's item in the list.
    pub item: Option<String>,
    /// When the lead was added, ISO 8601.
    pub added: Option<String>,
}

/// A campaign that contains a lead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeadCampaign {
    /// Name of the campaign, else its id; never empty.
    pub name: String,
    /// Id of the campaign.
    pub id: Option<String>,
    /// Id of the lead in the campaign.
    pub entry_id: Option<String>,
    /// Status of the campaign in words.
    pub status: Option<String>,
    /// Status of the lead in the campaign, in words.
    pub lead_status: Option<String>,
    /// Whether the lead accepted the connection.
    pub accepted: Option<bool>,
    pub replied: Option<bool>,
    /// Name of the assigned sender.
    pub sender: Option<String>,
    /// When the lead was added, ISO 8601.
    pub added: Option<String>,
}

/// How a lead is nurtured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nurturing {
    pub active: Option<bool>,
    /// Like mode in words.
    pub likes: Option<String>,
    /// When it began, ISO 8601.
    pub began: Option<String>,
}

impl ListMembership {
    pub(super) fn all(lists: Option<&[LeadListMembership]>) -> Vec<Self> {
        let lists = lists.unwrap_or_default().iter().map(|list| {
            let id = list.lead_list_id.as_ref().map(|id| id.as_str().to_owned());
            Self {
                name: named(list.lead_list_name.clone(), &id, "Unnamed list"),
                id,
                item: filled(list.lead_list_item_id.clone()),
                added: list.added_at.as_ref().map(|added| added.0.clone()),
            }
        });
        lists.collect()
    }
}

impl LeadCampaign {
    pub(super) fn all(campaigns: Option<&[CampaignMembership]>) -> Vec<Self> {
        let in_words = |token: &Option<String>| filled(token.clone()).map(|token| humanize(&token));
        let campaigns = campaigns.unwrap_or_default().iter().map(|campaign| {
            let id = campaign.campaign_id.as_ref();
            let id = id.map(|id| id.as_str().to_owned());
            Self {
                name: named(campaign.campaign_name.clone(), &id, "Unnamed campaign"),
                id,
                entry_id: filled(campaign.campaign_lead_id.clone()),
                status: in_words(&campaign.campaign_status),
                lead_status: in_words(&campaign.lead_status),
                accepted: campaign.connection_accepted,
                replied: campaign.message_replied,
                sender: filled(campaign.assigned_sender_name.clone()),
                added: campaign.created_at.as_ref().map(|at| at.0.clone()),
            }
        });
        campaigns.collect()
    }
}

impl Nurturing {
    pub(super) fn new(nurture: Nurture) -> Self {
        Self {
            active: nurture.is_active,
            likes: filled(nurture.like_mode).map(|mode| humanize(&mode)),
            began: nurture.created_at.map(|created| created.0),
        }
    }
}

fn named(name: Option<String>, id: &Option<String>, other: &str) -> String {
    filled(name)
        .or_else(|| filled(id.clone()))
        .unwrap_or_else(|| other.to_owned())
}
