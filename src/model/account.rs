//! What a row says of an account.

use lead_workspace_api::Account as Item;

use super::lead::{filled, initials, safe};

/// An account, ready to be shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Account {
    /// The id; empty where the server gave none.
    pub id: String,
    /// The name; never empty.
    pub name: String,
    /// Up to two letters for the avatar.
    pub initials: String,
    /// Industry.
    pub industry: Option<String>,
    /// Size as a range of heads.
    pub size: Option<String>,
    /// Where the company is.
    pub location: Option<String>,
    /// How many leads work for it.
    pub leads: Option<u64>,
    /// Fit with the ideal customer profile, 0 to 100.
    pub score: Option<f64>,
    /// The score before, where it was given anew since the list was loaded.
    pub was: Option<f64>,
    /// Tier of the fit.
    pub tier: Option<String>,
    /// When the account came in, ISO 8601.
    pub created: Option<String>,
    /// What it says of itself in a line.
    pub tagline: Option<String>,
    /// Why it fits.
    pub reasoning: Option<String>,
    /// The logo, if its address is safe to load.
    pub logo: Option<String>,
    /// The company's page, if its address is safe to link.
    pub page: Option<String>,
}

impl Account {
    /// Reads what a row needs out of a list item.
    pub fn of(item: Item) -> Self {
        let name = filled(item.name).unwrap_or_else(|| "Unnamed account".into());
        Self {
            id: item.id.map(String::from).unwrap_or_default(),
            initials: initials(&name),
            name,
            industry: filled(item.industry),
            size: filled(item.staff_count_range),
            location: filled(item.location),
            leads: item.lead_count,
            score: item.icp_score,
            was: None,
            tier: filled(item.icp_tier),
            created: item.created_at.map(|created| created.0),
            tagline: filled(item.tagline),
            reasoning: filled(item.icp_reasoning),
            logo: safe(item.logo_url),
            page: safe(item.network_url),
        }
    }
}
