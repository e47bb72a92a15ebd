//! Campaigns, their leads, and recent conversations.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use lead_workspace_api::Raw;
use lead_workspace_api::shapes::{FacetOption, PulseCampaign, PulseChat, Shape};
use serde_json::Value;

use super::reply_class::ReplyClass;
use crate::app::model::lead::filled;
use crate::app::model::time::instant;

/// A lead: its id and, if known, its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PulseLead {
    /// Never empty.
    pub id: String,
    pub name: Option<String>,
}

/// A campaign that reaches an account.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccountCampaign {
    /// Empty if the server sent no id.
    pub id: String,
    /// Name, else id; never empty.
    pub name: String,
    /// Number of the account's leads in the campaign.
    pub count: Option<u64>,
    /// Those leads, as far as the server names them.
    pub people: Vec<PulseLead>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conversation {
    /// The lead; `None` if the server does not send its id.
    pub person: Option<PulseLead>,
    /// Name of the lead; never empty.
    pub name: String,
    /// Class of the reply.
    pub class: Option<ReplyClass>,
    /// Time of the last message, ISO 8601.
    pub last: Option<String>,
}

impl AccountCampaign {
    /// Returns all campaigns, largest first. `by_lead` maps leads to campaigns, and may contain
    /// campaigns that `raw` does not. `known` are leads with known names.
    pub(super) fn all(raw: &[Raw], by_lead: Option<&Raw>, known: Vec<PulseLead>) -> Vec<Self> {
        let mut all: Vec<Self> = raw.iter().filter_map(Self::from_raw).collect();
        let names: BTreeMap<String, String> = known
            .into_iter()
            .filter_map(|person| Some((person.id, person.name?)))
            .collect();
        let mut indices: BTreeMap<String, usize> = BTreeMap::new();
        for (index, campaign) in all.iter().enumerate() {
            indices.entry(campaign.id.clone()).or_insert(index);
        }
        for (lead, campaign) in by_lead.map(memberships).unwrap_or_default() {
            let person = PulseLead {
                name: names.get(&lead).cloned(),
                id: lead,
            };
            let at = *indices.entry(campaign).or_insert_with_key(|id| {
                all.push(Self {
                    id: id.clone(),
                    name: id.clone(),
                    ..Self::default()
                });
                all.len() - 1
            });
            // A lead occurs once, with all its campaigns, so that comparing with the last one is
            // enough.
            if all[at].people.last() != Some(&person) {
                all[at].people.push(person);
            }
        }
        for campaign in &mut all {
            // Leads with a name first: users can tell them apart.
            campaign.people.sort_by_key(|person| person.name.is_none());
            let named = campaign.people.len() as u64;
            campaign.count = campaign.count.or((named > 0).then_some(named));
        }
        all.sort_by(|one, other| {
            let by_count = other.count.cmp(&one.count);
            by_count.then_with(|| one.name.cmp(&other.name))
        });
        all
    }

    fn from_raw(raw: &Raw) -> Option<Self> {
        let shape = PulseCampaign::read(raw).unwrap_or_default();
        let named = NamedRef::from_raw(raw);
        let id = filled(shape.campaign_id).or(named.id);
        let name = filled(shape.campaign_name).or(named.name);
        Some(Self {
            name: name.or_else(|| id.clone())?,
            id: id.unwrap_or_default(),
            count: shape.lead_count.or(named.count),
            people: Vec::new(),
        })
    }
}

impl Conversation {
    /// Returns all conversations, latest first; those without a valid time are last.
    pub(super) fn all(raw: &[Raw]) -> Vec<Self> {
        let mut all: Vec<Self> = raw.iter().filter_map(Self::from_raw).collect();
        let time = |chat: &Self| chat.last.as_deref().and_then(instant);
        all.sort_by_key(|chat| Reverse(time(chat)));
        all
    }

    fn from_raw(raw: &Raw) -> Option<Self> {
        let chat = PulseChat::read(raw).unwrap_or_default();
        let NamedRef { id, name, .. } = NamedRef::from_raw(raw);
        let name = filled(chat.lead_name).or_else(|| name.filter(|name| Some(name) != id.as_ref()));
        let lead = filled(chat.lead_id);
        let class = filled(chat.classification).map(|token| ReplyClass::new(&token, 0));
        let last = filled(chat.last_message_at);
        if id.is_none() && lead.is_none() && name.is_none() && class.is_none() && last.is_none() {
            return None;
        }
        let person = lead.map(|id| PulseLead {
            id,
            name: name.clone(),
        });
        Some(Self {
            person,
            name: name.unwrap_or_else(|| "Unnamed lead".to_owned()),
            class,
            last,
        })
    }
}

/// Data of a plain text, or of an object with other member names.
#[derive(Default)]
struct NamedRef {
    id: Option<String>,
    name: Option<String>,
    count: Option<u64>,
}

impl NamedRef {
    fn from_raw(raw: &Raw) -> Self {
        let Some(option) = FacetOption::read(raw) else {
            return Self::default();
        };
        Self {
            id: filled(Some(option.value)),
            name: filled(Some(option.label)),
            count: option.count,
        }
    }
}

/// Returns pairs of lead and campaign. Anything that is not a list of campaigns is skipped.
fn memberships(raw: &Raw) -> Vec<(String, String)> {
    let Value::Object(leads) = raw.value() else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for (lead, campaigns) in leads {
        let campaigns = match campaigns {
            Value::Array(campaigns) => campaigns,
            one => vec![one],
        };
        for campaign in campaigns {
            if let Some(id) = NamedRef::from_raw(&campaign.into()).id
                && !lead.is_empty()
            {
                all.push((lead.clone(), id));
            }
        }
    }
    all
}
