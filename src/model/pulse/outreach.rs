//! Campaigns, their leads, and recent conversations.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use lead_workspace_api::Raw;
use lead_workspace_api::shapes::{FacetOption, PulseCampaign, PulseChat, Shape};
use serde_json::Value;

use super::class::Class;
use crate::model::lead::filled;
use crate::model::time::instant;

/// A lead, by its id and, where somebody said it, its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Person {
    /// The id; never empty.
    pub id: String,
    /// The name.
    pub name: Option<String>,
}

/// A campaign that reaches an account.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Campaign {
    /// The id; empty where the server gave none.
    pub id: String,
    /// Its name, else its id; never empty.
    pub name: String,
    /// How many of the account's leads it holds.
    pub count: Option<u64>,
    /// Those leads, as far as they are named.
    pub people: Vec<Person>,
}

/// A conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chat {
    /// The lead; none where the server does not say who.
    pub person: Option<Person>,
    /// The lead's name; never empty.
    pub name: String,
    /// The class of the reply.
    pub class: Option<Class>,
    /// When somebody last wrote, ISO 8601.
    pub last: Option<String>,
}

impl Campaign {
    /// Every campaign, the largest one first. `by_lead` says which lead is in which; a campaign that
    /// only it names is one, too. `known` are leads whose names are known.
    pub(super) fn all(raw: &[Raw], by_lead: Option<&Raw>, known: Vec<Person>) -> Vec<Self> {
        let mut all: Vec<Self> = raw.iter().filter_map(Self::of).collect();
        let names: BTreeMap<String, String> = known
            .into_iter()
            .filter_map(|person| Some((person.id, person.name?)))
            .collect();
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        for (place, campaign) in all.iter().enumerate() {
            places.entry(campaign.id.clone()).or_insert(place);
        }
        for (lead, campaign) in by_lead.map(memberships).unwrap_or_default() {
            let person = Person {
                name: names.get(&lead).cloned(),
                id: lead,
            };
            let at = *places.entry(campaign).or_insert_with_key(|id| {
                all.push(Self {
                    id: id.clone(),
                    name: id.clone(),
                    ..Self::default()
                });
                all.len() - 1
            });
            // A lead comes once, with all its campaigns.
            if all[at].people.last() != Some(&person) {
                all[at].people.push(person);
            }
        }
        for campaign in &mut all {
            // Those with a name first: they can be told apart.
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

    fn of(raw: &Raw) -> Option<Self> {
        let shape = PulseCampaign::read(raw).unwrap_or_default();
        let named = Named::of(raw);
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

impl Chat {
    /// Every conversation, the latest one first, those without a time last.
    pub(super) fn all(raw: &[Raw]) -> Vec<Self> {
        let mut all: Vec<Self> = raw.iter().filter_map(Self::of).collect();
        let time = |chat: &Self| chat.last.as_deref().and_then(instant);
        all.sort_by_key(|chat| Reverse(time(chat)));
        all
    }

    fn of(raw: &Raw) -> Option<Self> {
        let chat = PulseChat::read(raw).unwrap_or_default();
        let Named { id, name, .. } = Named::of(raw);
        let name = filled(chat.lead_name).or_else(|| name.filter(|name| Some(name) != id.as_ref()));
        let lead = filled(chat.lead_id);
        let class = filled(chat.classification).map(|token| Class::of(&token, 0));
        let last = filled(chat.last_message_at);
        if id.is_none() && lead.is_none() && name.is_none() && class.is_none() && last.is_none() {
            return None;
        }
        let person = lead.map(|id| Person {
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

/// What a text says, or an object that names its members otherwise.
#[derive(Default)]
struct Named {
    id: Option<String>,
    name: Option<String>,
    count: Option<u64>,
}

impl Named {
    fn of(raw: &Raw) -> Self {
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

/// Which lead is in which campaign. What is no list of campaigns is passed over.
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
            if let Some(id) = Named::of(&campaign.into()).id
                && !lead.is_empty()
            {
                all.push((lead.clone(), id));
            }
        }
    }
    all
}
