//! The values of the fields that leads and accounts are filtered and sorted by, as the index counts them.

use lead_workspace_api::{AccountField, LeadField};
use lead_workspace_demo::ListItem;
use lead_workspace_logic::filter::Value;
use lead_workspace_logic::fold;

use crate::Workspace;
use crate::records::{Account, Lead};

pub(crate) fn one(value: impl Into<Value>) -> Vec<Value> {
    vec![value.into()]
}

pub(crate) fn folded(text: Option<&str>) -> Vec<Value> {
    some(text.map(fold))
}

fn some(value: Option<impl Into<Value>>) -> Vec<Value> {
    value.into_iter().map(Into::into).collect()
}

impl Workspace {
    /// Returns the values of a lead; a field of lists, campaigns or signals may have several.
    pub(crate) fn lead_values(&self, lead: &Lead, field: LeadField) -> Vec<Value> {
        use LeadField as F;
        let row = &lead.row;
        let company = self.account_of(lead).map(|account| &account.row);
        let campaign = lead.outreach.campaign.as_ref();
        let begun = campaign.filter(|campaign| campaign.current_node.is_some());
        let chat = lead.outreach.chat.as_ref();
        let intents = lead.intents.iter();
        match field {
            F::Name
            | F::Headline
            | F::Location
            | F::Title
            | F::Company
            | F::Industry
            | F::CompanyLocation
            | F::CompanyTagline
            | F::Sender => folded(self.written(lead, field)),
            F::ApprovalStatus => one(lead.status.as_str()),
            F::CreatedAt => one(row.created_at.as_str()),
            F::ConnectionsCount => some(row.connections_count),
            F::FollowerCount => some(row.follower_count),
            F::IsPremium => some(row.is_premium),
            F::CompanySize => {
                some(company.and_then(|company| company.staff_count_range.as_deref()))
            }
            F::CompanyFoundedYear => some(company.and_then(|company| company.founded_year)),
            F::IcpScore => one(lead.icp_score),
            F::IcpTier => one(lead.icp_tier),
            F::CampaignLeadStatus => some(campaign.map(|campaign| campaign.status)),
            F::Connection => some(begun.map(|campaign| campaign.connection)),
            F::Reply => {
                some(begun.map(|campaign| if campaign.replied { "replied" } else { "none" }))
            }
            F::CurrentNode => some(begun.and_then(|campaign| campaign.current_node)),
            F::RateLimitedBy => some(begun.and_then(|campaign| campaign.rate_limited_by)),
            F::HasPendingApproval => some(begun.map(|campaign| campaign.has_pending_approval)),
            F::IntentType => some(lead.intents.first().map(|intent| intent.event_type)),
            F::ListId => self.list_ids(&lead.lists),
            F::CampaignId => some(campaign.map(|campaign| campaign.campaign_id.as_str())),
            F::SignalId => distinct(intents.map(|intent| intent.signal_id.as_str())),
            F::SignalRunId => distinct(intents.map(|intent| intent.signal_run_id.as_str())),
            F::FeedPost => distinct(intents.filter_map(|intent| intent.feed_post_id.as_deref())),
            F::ImportJobId => some(row.import_job_id.as_deref()),
            F::ReplyClassification => some(chat.and_then(|chat| chat.classification)),
            F::ChatLabel => some(chat.and_then(|chat| chat.label)),
            F::NetworkAccount => {
                some(campaign.and_then(|campaign| campaign.network_account.as_deref()))
            }
            F::AccountId => some(lead.account),
        }
    }

    /// Returns the value of a text field as it was written.
    pub(crate) fn written<'a>(&'a self, lead: &'a Lead, field: LeadField) -> Option<&'a str> {
        use LeadField as F;
        let row = &lead.row;
        let company = || self.account_of(lead).map(|account| &account.row);
        let text = match field {
            F::Name => &row.name,
            F::Headline => &row.headline,
            F::Location => &row.location,
            F::Title => &row.title,
            F::Company => &company()?.name,
            F::Industry => &company()?.industry,
            F::CompanyLocation => &company()?.location,
            F::CompanyTagline => &company()?.tagline,
            F::Sender => &lead.outreach.campaign.as_ref()?.sender_name,
            _ => return None,
        };
        text.as_deref()
    }

    fn list_ids(&self, items: &[ListItem]) -> Vec<Value> {
        let lists = items.iter().map(|item| &self.catalog().lists[item.list]);
        lists.map(|list| list.id.as_str().into()).collect()
    }

    /// Returns the values of an account.
    pub(crate) fn account_values(&self, account: &Account, field: AccountField) -> Vec<Value> {
        use AccountField as F;
        let Account { row, score, .. } = account;
        let score = score.as_ref();
        match field {
            F::Name => folded(row.name.as_deref()),
            F::Industry => folded(row.industry.as_deref()),
            F::StaffCountRange => some(row.staff_count_range.as_deref()),
            F::Location => folded(row.location.as_deref()),
            F::LeadCount => one(account.leads.len() as i64),
            F::IcpScore => some(score.map(|score| f64::from(score.points))),
            F::CreatedAt => one(row.created_at.as_str()),
            F::IcpTier => some(score.map(|score| score.tier)),
            F::ListId => self.list_ids(&account.lists),
            F::IsPromoted => one(row.is_promoted),
        }
    }

    /// Returns the leads of an account, in order.
    pub(crate) fn leads_of<'a>(&'a self, account: &'a Account) -> impl Iterator<Item = &'a Lead> {
        let leads = account.leads.iter();
        leads.filter_map(|number| self.lead_numbered(*number))
    }
}

/// Returns each text once.
fn distinct<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<Value> {
    let mut texts: Vec<_> = texts.collect();
    texts.sort_unstable();
    texts.dedup();
    texts.into_iter().map(Value::from).collect()
}
