//! An account as a row of the list.

use lead_workspace_api::Account;

use super::lead::{filled, initials, picture};

/// An account, ready to be rendered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AccountItem {
    /// Empty if the server sent no id.
    pub id: String,
    /// Never empty.
    pub name: String,
    /// Up to two letters for the avatar.
    pub initials: String,
    pub industry: Option<String>,
    /// Headcount range.
    pub size: Option<String>,
    pub location: Option<String>,
    /// Number of leads that work for it.
    pub leads: Option<u64>,
    /// Number of these leads that are approved; `None` if the server does not count them.
    pub approved: Option<u64>,
    /// ICP score (fit with the ideal customer profile), 0 to 100.
    pub score: Option<f64>,
    /// Previous score, if it was scored again since the list was loaded.
    pub previous_score: Option<f64>,
    pub tier: Option<String>,
    /// When the account was created, ISO 8601.
    pub created: Option<String>,
    pub tagline: Option<String>,
    /// Reasoning of the score.
    pub reasoning: Option<String>,
    /// URL of the logo, if it is safe to load.
    pub logo: Option<String>,
}

impl AccountItem {
    pub fn new(item: Account) -> Self {
        let name = filled(item.name).unwrap_or_else(|| "Unnamed account".into());
        Self {
            id: item.id.map(String::from).unwrap_or_default(),
            initials: initials(&name),
            name,
            industry: filled(item.industry),
            size: filled(item.staff_count_range),
            location: filled(item.location),
            leads: item.lead_count,
            approved: item.approved_count,
            score: item.icp_score,
            previous_score: None,
            tier: filled(item.icp_tier),
            created: item.created_at.map(|created| created.0),
            tagline: filled(item.tagline),
            reasoning: filled(item.icp_reasoning),
            logo: picture(item.logo_url),
        }
    }
}
