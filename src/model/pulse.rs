//! How outreach to an account is going, brought into what the panel draws.

use lead_workspace_api::{AccountPulse, BestSignal};

use super::lead::{filled, initials};

pub use self::class::{Class, Tone, odd, said};
pub use self::funnel::Funnel;
pub use self::outreach::{Campaign, Chat, Person};

pub mod chart;
mod class;
mod funnel;
mod outreach;
pub mod queue;
pub mod rate;

/// The pulse of an account, ready to be shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pulse {
    /// Leads, conversations, replies.
    pub funnel: Funnel,
    /// The classes of the replies, the most frequent one first.
    pub classes: Vec<Class>,
    /// How many classes besides have a count that is none.
    pub odd_classes: u64,
    /// The one conversation most worth acting on.
    pub best: Option<Signal>,
    /// Campaigns that reach the account, the largest one first.
    pub campaigns: Vec<Campaign>,
    /// Recent conversations, the latest one first.
    pub chats: Vec<Chat>,
}

/// The conversation most worth acting on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signal {
    /// The lead; none where the server names none, and nothing can be opened.
    pub lead: Option<String>,
    /// The lead's name; never empty.
    pub name: String,
    /// Up to two letters for the avatar.
    pub initials: String,
    /// The class of the reply.
    pub class: Option<Class>,
    /// The campaign it came from.
    pub campaign: Option<String>,
}

/// How far outreach to an account is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The server says nothing of it.
    Unknown,
    /// There is nobody to write to.
    NoLeads,
    /// Nobody was written to yet.
    Silent,
    /// There are conversations.
    Going,
}

impl Pulse {
    /// Reads a pulse. Whatever is missing or odd is left out, and the rest stands.
    pub fn of(pulse: AccountPulse) -> Self {
        let best = pulse.best_signal.and_then(Signal::of);
        let chats = Chat::all(pulse.chats.as_deref().unwrap_or_default());
        let known = best.iter().filter_map(Signal::person);
        let known = known.chain(chats.iter().filter_map(|chat| chat.person.clone()));
        let campaigns = Campaign::all(
            pulse.campaigns.as_deref().unwrap_or_default(),
            pulse.lead_campaigns.as_ref(),
            known.collect(),
        );
        let counts = pulse.classification_counts.unwrap_or_default();
        Self {
            funnel: Funnel {
                leads: pulse.total_leads,
                talking: pulse.leads_with_conversations,
                replied: pulse.leads_replied,
            },
            odd_classes: counts.unreadable,
            classes: Class::all(counts.known),
            best,
            campaigns,
            chats,
        }
    }

    /// How far it is.
    pub fn stage(&self) -> Stage {
        let has = |count: Option<u64>| count.is_some_and(|count| count > 0);
        let funnel = &self.funnel;
        let talks = has(funnel.talking) || has(funnel.replied);
        let classes = self.classes.len() as u64 + self.odd_classes;
        if talks || classes > 0 || self.best.is_some() || !self.chats.is_empty() {
            Stage::Going
        } else if funnel.leads == Some(0) && self.campaigns.is_empty() {
            Stage::NoLeads
        } else if has(funnel.leads) || funnel.talking.is_some() || !self.campaigns.is_empty() {
            Stage::Silent
        } else {
            Stage::Unknown
        }
    }
}

impl Signal {
    fn of(signal: BestSignal) -> Option<Self> {
        let lead = filled(signal.lead_id.map(String::from));
        let name = filled(signal.lead_name);
        let class = filled(signal.classification).map(|token| Class::of(&token, 0));
        if lead.is_none() && name.is_none() {
            return None;
        }
        let name = name.unwrap_or_else(|| "Unnamed lead".to_owned());
        Some(Self {
            lead,
            initials: initials(&name),
            name,
            class,
            campaign: filled(signal.campaign_name),
        })
    }

    fn person(&self) -> Option<Person> {
        Some(Person {
            id: self.lead.clone()?,
            name: Some(self.name.clone()),
        })
    }
}
