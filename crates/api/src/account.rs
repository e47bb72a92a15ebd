//! Accounts: list items, detail and pulse.

use crate::counts::Counts;
use crate::ids::{AccountId, LeadId};
use crate::model::model;
use crate::raw::Raw;
use crate::wire::Timestamp;

/// The usual headcount ranges, each with its lower and upper bound.
///
/// spec: not shown; `staff_count_range` may also be another text.
pub const STAFF_COUNT_RANGES: [(&str, i64, i64); 9] = [
    ("1", 1, 1),
    ("2-10", 2, 10),
    ("11-50", 11, 50),
    ("51-200", 51, 200),
    ("201-500", 201, 500),
    ("501-1000", 501, 1000),
    ("1001-5000", 1001, 5000),
    ("5001-10000", 5001, 10_000),
    ("10001+", 10_001, i64::MAX),
];

/// Declares the account models.
///
/// The detail is the list item with more fields. serde's `flatten` would buffer the object and lose the raw
/// JSON, so this macro puts the shared fields into both.
macro_rules! accounts {
    ($($(#[doc = $doc:literal])* $name:ident + { $($more:tt)* })*) => {
        model! {@aliased $(
            $(#[doc = $doc])*
            $name {
                /// Id of the account.
                id: AccountId,
                /// Identifier on the professional network. Also read from the upstream's `linkedin_id`;
                /// `network_id` wins if both are present.
                network_id: String,
                /// Company name.
                name: String,
                /// Name of the company on the professional network.
                network_username: String,
                /// URL of the company's page on the professional network.
                network_url: String,
                /// URL of the logo.
                logo_url: String,
                /// Industry.
                industry: String,
                /// Headcount range, e.g. `51-200`.
                staff_count_range: String,
                /// Location of the company.
                location: String,
                /// Tagline of the company.
                tagline: String,
                /// The company's description of itself.
                description: String,
                /// Number of leads who work for the company.
                lead_count: u64,
                /// Tier of the fit, from `A` (best) to `D`.
                icp_tier: String,
                /// Fit with the ideal customer profile, 0 to 100.
                icp_score: f64,
                /// Explanation of the score.
                icp_reasoning: String,
                /// Scores, one per list; see [`ListScore`](crate::shapes::ListScore).
                list_scores: Vec<Raw>,
                /// Id of the account's entry in the queried list.
                list_item_id: String,
                /// When the account was added to the workspace.
                created_at: Timestamp,
                $($more)*
            }
            network_id = linkedin_id
        )*}
    };
}

accounts! {
    /// An account as an element of `data` in the accounts query (spec: Account).
    Account + {
        /// Number of the account's leads that are approved. An extension of our service: the contract does not have
        /// it, and other servers leave it out.
        approved_count: u64,
    }

    /// An account in full (spec: Account detail).
    AccountDetail + {
        /// Whether the account was promoted; the meaning is not shown.
        is_promoted: bool,
        /// The lists that contain the account; their shape is not shown.
        lists: Vec<Raw>,
        /// The account's leads; see [`AccountLead`](crate::shapes::AccountLead).
        leads: Vec<Raw>,
    }
}

model! {
    /// Outreach summary of an account (spec: Account pulse response).
    AccountPulse {
        /// Number of leads at the account.
        total_leads: u64,
        /// Number of these leads with a conversation.
        leads_with_conversations: u64,
        /// Number of these leads who replied.
        leads_replied: u64,
        /// Number of conversations by class of their reply; the classes are not shown. Values that are not
        /// integers from 0 are left out.
        classification_counts: Counts,
        /// The conversation most worth acting on.
        best_signal: BestSignal,
        /// Campaigns that reach the account; see [`PulseCampaign`](crate::shapes::PulseCampaign).
        campaigns: Vec<Raw>,
        /// Recent conversations; see [`PulseChat`](crate::shapes::PulseChat).
        chats: Vec<Raw>,
        /// Campaigns by lead: a free-form object. Our service returns `{lead_id: [campaign_id]}`.
        lead_campaigns: Raw,
    }

    /// The conversation most worth acting on (spec: best_signal).
    BestSignal {
        /// Id of the lead.
        lead_id: LeadId,
        /// Name of the lead.
        lead_name: String,
        /// Class of the reply.
        classification: String,
        /// Name of the campaign that it came from.
        campaign_name: String,
    }
}
