//! The columns of exported leads. An import reads each into the field of the same name.

use serde_json::{Map, Value, json};

use super::Place::{First, Last, List, More};
use super::{ExportColumn, Exported, text};
use crate::lead::{CurrentAccount, LeadListItem};
use crate::shapes::ListScore;

/// A lead, with what only our service knows of it. Before other servers these cells are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExportedLead {
    /// The lead as an element of a list.
    pub lead: LeadListItem,
    /// URL of the profile's background image.
    pub background_image_url: Option<String>,
    /// Whether the lead has a paid profile.
    pub is_premium: Option<bool>,
    /// Domain of the company's website.
    pub company_website: Option<String>,
    /// When the lead got its status, ISO 8601.
    pub decided_at: Option<String>,
    /// The key by which the lead got its status: its name, or else its id.
    pub decided_by: Option<String>,
}

impl ExportedLead {
    fn profile(&self, member: &str) -> Value {
        let profile: Option<Map<String, Value>> =
            self.lead.profile_data.as_ref().and_then(|raw| raw.read());
        profile
            .and_then(|mut profile| profile.remove(member))
            .unwrap_or_default()
    }

    fn company(&self, get: fn(&CurrentAccount) -> Option<&String>) -> Value {
        text(self.lead.current_account.as_ref().and_then(get))
    }

    fn score(&self) -> ListScore {
        self.lead.best_score().unwrap_or_default()
    }

    /// Joins the names of the lists in the form in which an import splits them.
    fn lists(&self) -> Value {
        let lists = self.lead.lists.as_deref().unwrap_or_default();
        let names: Vec<&str> = lists
            .iter()
            .filter_map(|list| list.list_name.as_deref())
            .collect();
        let mut joined = names.join("; ");
        if names.len() == 1 && joined.contains([',', '|', '\n']) {
            joined.push(';');
        }
        text(Some(joined).filter(|joined| !joined.is_empty()).as_ref())
    }

    /// Returns the campaign that the lead came into first.
    fn campaign(&self) -> Value {
        let first = self.lead.campaigns.as_deref().unwrap_or_default().first();
        first
            .map(|first| first.value()["campaign_name"].take())
            .unwrap_or_default()
    }
}

impl Exported for ExportedLead {
    const HAS_CUSTOM: bool = true;
    const COLUMNS: &'static [ExportColumn<Self>] = &LEAD_COLUMNS;

    fn alias(list_column: &str) -> Option<&'static [&'static str]> {
        match list_column {
            // Learned by the browser, and not by the service.
            "fit" | "likely" => Some(&[]),
            "signal" => Some(&["last_signal", "last_signal_at"]),
            _ => None,
        }
    }

    fn custom(&self) -> Map<String, Value> {
        let custom = self.lead.custom_data.as_ref();
        custom.and_then(|raw| raw.read()).unwrap_or_default()
    }
}

/// The columns with fixed headers, those of the list in its default order.
pub const LEAD_COLUMNS: [ExportColumn<ExportedLead>; 37] = columns! {
    First "lead_id" |of| json!(of.lead.lead_id);
    List "name" |of| text(of.lead.name.as_ref());
    List "title" |of| text(of.lead.title().as_ref());
    List "company" |of| of.company(|company| company.name.as_ref());
    List "last_signal" |of| json!(of.lead.intent.as_ref().and_then(|intent| intent.event_type.as_deref()));
    List "last_signal_at" |of| json!(of.lead.intent.as_ref().and_then(|intent| intent.created_at.as_ref()));
    List "industry" |of| of.company(|company| company.industry.as_ref());
    List "location" |of| text(of.lead.profile().location.as_ref());
    List "created_at" |of| json!(of.lead.created_at);
    More "first_name" |of| of.profile("first_name");
    More "last_name" |of| of.profile("last_name");
    More "headline" |of| text(of.lead.headline.as_ref());
    More "summary" |of| of.profile("summary");
    More "profile_url" |of| text(of.lead.profile_url.as_ref());
    More "profile_picture_url" |of| text(of.lead.profile_picture_url.as_ref());
    More "background_image_url" |of| text(of.background_image_url.as_ref());
    More "provider_id" |of| text(of.lead.provider_id.as_ref());
    More "connections_count" |of| of.profile("connections_count");
    More "follower_count" |of| of.profile("follower_count");
    More "is_premium" |of| json!(of.is_premium);
    More "timezone" |of| text(of.lead.resolved_timezone.as_ref());
    More "company_url" |of| of.company(|company| company.network_url.as_ref());
    More "company_website" |of| text(of.company_website.as_ref());
    More "company_size" |of| of.company(|company| company.staff_count_range.as_ref());
    More "company_location" |of| of.company(|company| company.location.as_ref());
    More "company_founded_year" |of| json!(of.lead.current_account.as_ref().and_then(|company| company.founded_year));
    More "company_tagline" |of| of.company(|company| company.tagline.as_ref());
    More "company_description" |of| of.company(|company| company.description.as_ref());
    More "company_logo_url" |of| of.company(|company| company.logo_url.as_ref());
    More "lists" ExportedLead::lists;
    More "campaign" ExportedLead::campaign;
    Last "approval_status" |of| json!(of.lead.approval_status.as_ref().map(|status| status.as_str()));
    Last "decided_at" |of| text(of.decided_at.as_ref());
    Last "decided_by" |of| text(of.decided_by.as_ref());
    Last "icp_score" |of| json!(of.score().icp_score);
    Last "icp_tier" |of| text(of.score().icp_tier.as_ref());
    Last "icp_reason" |of| text(of.score().icp_reasoning.as_ref());
};
