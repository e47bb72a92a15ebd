//! The values of the fields that leads and accounts are filtered and sorted by, in the form of stored values.

use lead_workspace_api::{AccountField, LeadField};
use lead_workspace_logic::filter::Value;
use lead_workspace_logic::{fold, iso};

use crate::Workspace;
use crate::records::{Account, Lead};

fn one(value: impl Into<Value>) -> Vec<Value> {
    vec![value.into()]
}

fn some(value: Option<impl Into<Value>>) -> Vec<Value> {
    value.into_iter().map(Into::into).collect()
}

impl Workspace {
    /// Returns the values of a lead; a field of lists, campaigns or signals may have several.
    pub(crate) fn lead_values(&self, lead: &Lead, field: LeadField) -> Vec<Value> {
        use LeadField as F;
        let Lead { record, .. } = lead;
        let company = &record.company;
        let campaign = record.outreach.campaign.as_ref();
        let chat = record.outreach.chat.as_ref();
        let intents = record.intents.iter();
        match field {
            F::Name
            | F::Headline
            | F::Location
            | F::Title
            | F::Company
            | F::Industry
            | F::CompanyLocation
            | F::CompanyTagline
            | F::Sender => some(written(lead, field).map(|text| fold(&text))),
            F::ApprovalStatus => one(lead.status.as_str()),
            F::CreatedAt => one(iso(record.created_at)),
            F::ConnectionsCount => one(record.connections_count),
            F::FollowerCount => one(record.follower_count),
            F::IsPremium => one(record.is_premium),
            F::CompanySize => one(company.size),
            F::CompanyFoundedYear => one(company.founded),
            F::IcpScore => one(lead.icp_score),
            F::IcpTier => one(lead.icp_tier),
            F::CampaignLeadStatus => some(campaign.map(|campaign| campaign.status)),
            F::Connection => some(campaign.map(|campaign| campaign.connection)),
            F::Reply => {
                some(campaign.map(|campaign| if campaign.replied { "replied" } else { "none" }))
            }
            F::CurrentNode => some(campaign.map(|campaign| campaign.current_node)),
            F::RateLimitedBy => some(campaign.and_then(|campaign| campaign.rate_limited_by)),
            F::HasPendingApproval => some(campaign.map(|campaign| campaign.has_pending_approval)),
            F::IntentType => some(record.intents.first().map(|intent| intent.event_type)),
            F::ListId => {
                let lists = lead
                    .list_items()
                    .map(|item| &self.catalog().lists[item.list]);
                lists.map(|list| list.id.as_str().into()).collect()
            }
            F::CampaignId => some(campaign.map(|campaign| campaign.campaign_id.as_str())),
            F::SignalId => distinct(intents.map(|intent| intent.signal_id.as_str())),
            F::SignalRunId => distinct(intents.map(|intent| intent.signal_run_id.as_str())),
            F::FeedPost => distinct(intents.filter_map(|intent| intent.feed_post_id.as_deref())),
            F::ImportJobId => some(record.import_job_id.as_deref()),
            F::ReplyClassification => some(chat.and_then(|chat| chat.classification)),
            F::ChatLabel => some(chat.and_then(|chat| chat.label)),
            F::NetworkAccount => some(campaign.map(|campaign| campaign.network_account.as_str())),
            F::AccountId => one(company.account_id.as_str()),
        }
    }

    /// Returns the values of an account.
    pub(crate) fn account_values(&self, account: &Account, field: AccountField) -> Vec<Value> {
        use AccountField as F;
        let Account { record, score, .. } = account;
        let score = score.as_ref();
        match field {
            F::Name => one(fold(&record.name)),
            F::Industry => one(fold(record.industry())),
            F::StaffCountRange => one(record.size),
            F::Location => one(fold(&record.location())),
            F::LeadCount => one(self.leads_of(account).count() as i64),
            F::IcpScore => some(score.map(|score| f64::from(score.points))),
            F::CreatedAt => one(iso(record.created_at)),
            F::IcpTier => some(score.map(|score| score.tier)),
            F::ListId => {
                let lists = account
                    .lists
                    .iter()
                    .map(|item| &self.catalog().lists[item.list]);
                lists.map(|list| list.id.as_str().into()).collect()
            }
            F::IsPromoted => one(record.promoted),
        }
    }

    /// Returns the leads of an account, in order.
    pub(crate) fn leads_of(&self, account: &Account) -> impl Iterator<Item = &Lead> {
        let number = account.number;
        self.leads.iter().filter(move |lead| lead.account == number)
    }
}

/// Returns the value of a text field as it was written.
pub(crate) fn written(lead: &Lead, field: LeadField) -> Option<String> {
    use LeadField as F;
    let Lead { record, .. } = lead;
    let company = &record.company;
    let campaign = record.outreach.campaign.as_ref();
    Some(match field {
        F::Name => record.name.clone(),
        F::Headline => record.headline.clone(),
        F::Location => record.location.clone(),
        F::Title => record.title.clone(),
        F::Company => company.name.clone(),
        F::Industry => company.industry().to_owned(),
        F::CompanyLocation => company.location(),
        F::CompanyTagline => company.tagline.clone(),
        F::Sender => campaign?.sender_name.to_owned(),
        _ => return None,
    })
}

/// Returns each text once.
fn distinct<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<Value> {
    let mut texts: Vec<_> = texts.collect();
    texts.sort_unstable();
    texts.dedup();
    texts.into_iter().map(Value::from).collect()
}
