//! Accounts: list items, detail and pulse.

use crate::counts::Counts;
use crate::ids::{AccountId, LeadId};
use crate::model::model;
use crate::raw::Raw;
use crate::wire::Timestamp;

/// The detail is the list item with more fields; serde's `flatten` would buffer the object and
/// lose the raw JSON, so the shared fields are written once here and set into both.
macro_rules! accounts {
    ($($(#[doc = $doc:literal])* $name:ident + { $($more:tt)* })*) => {
        model! {@aliased $(
            $(#[doc = $doc])*
            $name {
                /// The account.
                id: AccountId,
                /// Identifier on the professional network. The upstream's `linkedin_id` is read
                /// too, also when both are present.
                network_id: String,
                /// Name of the company.
                name: String,
                /// Name of the company on the professional network.
                network_username: String,
                /// Address of the company's page on the professional network.
                network_url: String,
                /// Address of the logo.
                logo_url: String,
                /// Industry.
                industry: String,
                /// Size as a range of heads, e.g. `51-200`.
                staff_count_range: String,
                /// Where the company is.
                location: String,
                /// The company's tagline.
                tagline: String,
                /// What the company says of itself.
                description: String,
                /// How many leads work for it.
                lead_count: u64,
                /// Tier of the fit, best first `A` to `D`.
                icp_tier: String,
                /// Fit with the ideal customer profile, 0 to 100.
                icp_score: f64,
                /// Why it fits.
                icp_reasoning: String,
                /// Scores, one per list; see [`ListScore`](crate::shapes::ListScore).
                list_scores: Vec<Raw>,
                /// The account's place in the list that was asked for.
                list_item_id: String,
                /// When the account came into the workspace.
                created_at: Timestamp,
                $($more)*
            }
            network_id = linkedin_id
        )*}
    };
}

accounts! {
    /// An account as an element of `data` in the accounts query (spec: Account).
    Account + {}

    /// An account in full (spec: Account detail).
    AccountDetail + {
        /// Whether the account was taken up; the meaning is not shown.
        is_promoted: bool,
        /// The lists that hold the account; the shape is not shown.
        lists: Vec<Raw>,
        /// The account's leads; see [`AccountLead`](crate::shapes::AccountLead).
        leads: Vec<Raw>,
    }
}

model! {
    /// How outreach to an account is going (spec: Account pulse response).
    AccountPulse {
        /// Leads at the account.
        total_leads: u64,
        /// Of these, leads with a conversation.
        leads_with_conversations: u64,
        /// Of these, leads who answered.
        leads_replied: u64,
        /// Conversations by the class of their reply; the classes are not shown. What is no whole number from 0 is
        /// left out.
        classification_counts: Counts,
        /// The one conversation most worth acting on.
        best_signal: BestSignal,
        /// Campaigns that reach the account; see [`PulseCampaign`](crate::shapes::PulseCampaign).
        campaigns: Vec<Raw>,
        /// Recent conversations; see [`PulseChat`](crate::shapes::PulseChat).
        chats: Vec<Raw>,
        /// Campaigns by lead: a free object, as our service gives it `{lead_id: [campaign_id]}`.
        lead_campaigns: Raw,
    }

    /// The conversation most worth acting on (spec: best_signal).
    BestSignal {
        /// The lead.
        lead_id: LeadId,
        /// The lead's name.
        lead_name: String,
        /// The class of the reply.
        classification: String,
        /// The campaign it came from.
        campaign_name: String,
    }
}
