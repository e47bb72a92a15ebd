//! Pulse of an account (how outreach to it is going), as the panel renders it.

use lead_workspace_api::{AccountPulse, BestSignal};

pub use self::conversations::{AccountCampaign, Conversation, PulseLead};
pub use self::funnel::Funnel;
pub use self::reply_class::{ReplyClass, Tone, description, odd};
use super::lead::{filled, initials};

pub mod bar_chart;
mod conversations;
mod funnel;
pub mod pulse_queue;
mod reply_class;
pub mod reply_rate;
pub mod timeline;
pub mod weeks;

/// Pulse of an account, ready to be rendered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pulse {
    pub funnel: Funnel,
    /// Classes of the replies, most frequent first.
    pub classes: Vec<ReplyClass>,
    /// Number of further classes whose count could not be read.
    pub odd_classes: u64,
    pub best: Option<PulseSignal>,
    /// Campaigns that reach the account, largest first.
    pub campaigns: Vec<AccountCampaign>,
    /// Recent conversations, latest first.
    pub chats: Vec<Conversation>,
}

/// The conversation most worth acting on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PulseSignal {
    /// Id of the lead; `None` if the server sends none, so that no details can be opened.
    pub lead: Option<String>,
    /// Name of the lead; never empty.
    pub name: String,
    /// Up to two letters for the avatar.
    pub initials: String,
    /// Class of the reply.
    pub class: Option<ReplyClass>,
    /// Name of the campaign that it is from.
    pub campaign: Option<String>,
}

/// How far outreach to an account is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutreachStage {
    /// The server reports nothing about it.
    Unknown,
    /// The account has no leads.
    NoLeads,
    /// No conversation yet.
    Silent,
    /// There are conversations or replies.
    Going,
}

impl Pulse {
    /// Reads a pulse. Missing and invalid parts are left out.
    pub fn new(pulse: AccountPulse) -> Self {
        let best = pulse.best_signal.and_then(PulseSignal::new);
        let chats = Conversation::all(pulse.chats.as_deref().unwrap_or_default());
        let known = best.iter().filter_map(PulseSignal::person);
        let known = known.chain(chats.iter().filter_map(|chat| chat.person.clone()));
        let campaigns = AccountCampaign::all(
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
            classes: ReplyClass::all(counts.known),
            best,
            campaigns,
            chats,
        }
    }

    pub fn stage(&self) -> OutreachStage {
        let has = |count: Option<u64>| count.is_some_and(|count| count > 0);
        let funnel = &self.funnel;
        let talks = has(funnel.talking) || has(funnel.replied);
        let classes = self.classes.len() as u64 + self.odd_classes;
        if talks || classes > 0 || self.best.is_some() || !self.chats.is_empty() {
            OutreachStage::Going
        } else if funnel.leads == Some(0) && self.campaigns.is_empty() {
            OutreachStage::NoLeads
        } else if has(funnel.leads) || funnel.talking.is_some() || !self.campaigns.is_empty() {
            OutreachStage::Silent
        } else {
            OutreachStage::Unknown
        }
    }
}

impl PulseSignal {
    fn new(signal: BestSignal) -> Option<Self> {
        let lead = filled(signal.lead_id.map(String::from));
        let name = filled(signal.lead_name);
        let class = filled(signal.classification).map(|token| ReplyClass::new(&token, 0));
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

    fn person(&self) -> Option<PulseLead> {
        Some(PulseLead {
            id: self.lead.clone()?,
            name: Some(self.name.clone()),
        })
    }
}
