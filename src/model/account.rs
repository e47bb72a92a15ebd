//! What a row says of an account.

use lead_workspace_api::{Account as Item, Timestamp};

use super::lead::{filled, initials};
use super::link::web_address;

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
    /// Tier of the fit.
    pub tier: Option<String>,
    /// When the account came in, ISO 8601.
    pub created: Option<String>,
    /// The company's page, if its address is safe to link.
    pub page: Option<String>,
}

impl Account {
    /// Reads what a row needs out of a list item.
    pub fn of(item: &Item) -> Self {
        let name = filled(item.name.clone()).unwrap_or_else(|| "Unnamed account".into());
        let page = item.network_url.as_deref().and_then(web_address);
        Self {
            id: item.id.clone().unwrap_or_default().into(),
            initials: initials(&name),
            name,
            industry: filled(item.industry.clone()),
            size: filled(item.staff_count_range.clone()),
            location: filled(item.location.clone()),
            leads: item.lead_count,
            score: item.icp_score,
            tier: filled(item.icp_tier.clone()),
            created: item
                .created_at
                .as_ref()
                .map(Timestamp::as_str)
                .map(str::to_owned),
            page: page.map(str::to_owned),
        }
    }
}
