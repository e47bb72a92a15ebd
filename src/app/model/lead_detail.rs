//! Details of a lead, as the details pane renders them.

#[cfg(feature = "embed")]
use std::sync::Arc;

use lead_workspace_api::shapes::{ListScore, ProfileData, Shape};
use lead_workspace_api::{ApprovalStatus, CurrentAccount, LeadDetail, Raw};

pub use self::experience::Position;
use self::experience::{EXPERIENCE, experience};
pub use self::memberships::{LeadCampaign, ListMembership, Nurturing};
pub use self::reason::Reason;
pub use self::score_criteria::{Score, ScoreCriterion, scores};
pub use self::timeline_event::{SUMMARY, TimelineEvent, timeline};
#[cfg(feature = "embed")]
use super::kept::Kept;
use super::lead::{LeadItem, filled, initials, picture, safe};

mod experience;
mod memberships;
mod reason;
mod score_criteria;
mod timeline_event;

/// Profile members that are shown elsewhere and therefore left out of the profile tree.
const SHOWN_ELSEWHERE: &[&str] = &[
    EXPERIENCE,
    "location",
    "connections_count",
    "follower_count",
];

/// All details of a lead, ready to be rendered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LeadProfile {
    /// Id that was requested.
    pub id: String,
    /// Whether these are only the data of the list, shown until the details are loaded.
    pub is_preview: bool,
    /// Never empty.
    pub name: String,
    /// Up to two letters for the avatar.
    pub initials: String,
    /// Title, else headline.
    pub title: Option<String>,
    /// Headline, unless it is used as the title.
    pub headline: Option<String>,
    /// URL of the picture, if it is safe to load.
    pub picture: Option<String>,
    /// URL of the profile, if it is safe to link.
    pub profile: Option<String>,
    /// URL of the background image, if it is safe to link.
    pub background: Option<String>,
    /// Whether the lead has a premium profile.
    pub premium: Option<bool>,
    pub location: Option<String>,
    /// Number of connections and number of followers.
    pub reach: (Option<u64>, Option<u64>),
    /// Status on the server.
    pub status: Option<ApprovalStatus>,
    /// Best first.
    pub scores: Vec<Score>,
    pub company: Company,
    /// Intent events, newest first.
    pub timeline: Vec<TimelineEvent>,
    pub lists: Vec<ListMembership>,
    pub campaigns: Vec<LeadCampaign>,
    pub warming: Option<Nurturing>,
    pub conversation: Option<Conversation>,
    /// Positions that the lead has held, newest first.
    pub experience: Vec<Position>,
    /// Custom data, unless it is empty.
    pub custom_data: Option<Raw>,
    /// Profile data and the names of its members that are shown elsewhere; `None` if it has no others.
    pub profile_data: Option<(Raw, &'static [&'static str])>,
    /// Labels and ids of the lead and of everything around it.
    pub ids: Vec<(String, String)>,
    /// The lead as the server sent it, for the section of a host page.
    #[cfg(feature = "embed")]
    pub detail: Option<Kept<LeadDetail>>,
}

/// What is known of the conversation with a lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversation {
    /// Whether the lead replied; `None` if it is not known.
    pub replied: Option<bool>,
    /// Name of the campaign that it belongs to, with its sender.
    pub campaign: Option<String>,
}

/// The company that a lead works for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Company {
    /// Id of the account.
    pub account: Option<String>,
    pub name: Option<String>,
    /// URL of its page, if it is safe to link.
    pub page: Option<String>,
    /// URL of its logo, if it is safe to load.
    pub logo: Option<String>,
    pub industry: Option<String>,
    /// Headcount range.
    pub size: Option<String>,
    /// Founding year.
    pub founded: Option<i64>,
    /// Location, unless the lead has the same.
    pub location: Option<String>,
    /// Title of the lead there, if the profile has a different one.
    pub title: Option<String>,
    pub tagline: Option<String>,
    pub description: Option<String>,
}

impl LeadProfile {
    /// Reads the details that were requested with this id.
    pub fn new(id: &str, detail: LeadDetail) -> Self {
        #[cfg(feature = "embed")]
        let kept = Kept(Arc::new(detail.clone()));
        let profile = detail.profile_data.as_ref().and_then(ProfileData::read);
        let profile = profile.unwrap_or_default();
        let account = detail.current_account.unwrap_or_default();
        let name = filled(detail.name).unwrap_or_else(|| "Unnamed lead".into());
        let headline = filled(detail.headline);
        let title = filled(profile.title).or_else(|| filled(account.title.clone()));
        let lists = ListMembership::all(detail.lead_lists.as_deref());
        let campaigns = LeadCampaign::all(detail.campaigns.as_deref());

        let location = filled(profile.location);
        let experience = detail.profile_data.as_ref().map(experience);
        let experience = experience.unwrap_or_default();
        let shown = if experience.is_empty() {
            &SHOWN_ELSEWHERE[1..]
        } else {
            SHOWN_ELSEWHERE
        };

        let mut ids = LabelledIds::default();
        ids.add("Lead", detail.id.map(String::from).as_deref().or(Some(id)));
        ids.add("Provider", detail.provider_id.as_deref());
        ids.add(
            "Account",
            account.account_id.clone().map(String::from).as_deref(),
        );
        ids.add("Network username", account.network_username.as_deref());
        for list in &lists {
            ids.add(&format!("List {}", list.name), list.id.as_deref());
            ids.add(&format!("Entry in {}", list.name), list.item.as_deref());
        }
        for campaign in &campaigns {
            let name = &campaign.name;
            ids.add(&format!("Campaign {name}"), campaign.id.as_deref());
            ids.add(&format!("Entry in {name}"), campaign.entry_id.as_deref());
        }
        let chat = detail.chat_id.map(String::from);
        ids.add("Conversation", chat.as_deref());
        if let Some(nurture) = &detail.nurture {
            ids.add("Tracked profile", nurture.tracker_profile_id.as_deref());
        }

        Self {
            id: id.to_owned(),
            is_preview: false,
            initials: initials(&name),
            name,
            picture: picture(detail.profile_picture_url),
            profile: safe(detail.profile_url),
            background: safe(detail.background_image_url),
            premium: detail.is_premium,
            conversation: Conversation::new(chat.is_some(), &campaigns),
            company: Company::new(account, title.as_deref(), location.as_deref()),
            location,
            experience,
            reach: (profile.connections_count, profile.follower_count),
            status: detail.approval_status,
            scores: scores(detail.list_scores.as_deref().unwrap_or_default()),
            timeline: timeline(detail.intents.as_deref().unwrap_or_default(), &lists),
            headline: headline.clone().filter(|_| title.is_some()),
            title: title.or(headline),
            lists,
            campaigns,
            warming: detail.nurture.map(Nurturing::new),
            custom_data: something(detail.custom_data, &[]),
            profile_data: something(detail.profile_data, shown).map(|raw| (raw, shown)),
            ids: ids.0,
            #[cfg(feature = "embed")]
            detail: Some(kept),
        }
    }
}

impl LeadProfile {
    /// Takes what the list knows of a lead: enough to decide.
    pub fn preview(lead: &LeadItem, status: &ApprovalStatus) -> Self {
        let has_score = lead.score.is_some() || lead.tier.is_some() || lead.reasoning.is_some();
        let score = ListScore {
            icp_score: lead.score,
            icp_tier: lead.tier.clone(),
            icp_reasoning: lead.reasoning.clone(),
            scored_at: lead.scored.clone(),
            ..ListScore::default()
        };
        let signal = lead.intent.clone().map(|what| TimelineEvent {
            what,
            when: lead.intent_at.clone(),
            ..TimelineEvent::default()
        });
        Self {
            id: lead.id.clone(),
            is_preview: true,
            name: lead.name.clone(),
            initials: lead.initials.clone(),
            title: lead.title.clone(),
            picture: lead.picture.clone(),
            profile: lead.profile.clone(),
            location: lead.location.clone(),
            status: Some(status.clone()),
            scores: has_score.then(|| Score::new(score)).into_iter().collect(),
            company: Company {
                account: lead.account.clone(),
                name: lead.company.clone(),
                ..Company::default()
            },
            timeline: signal.into_iter().collect(),
            ..Self::default()
        }
    }
}

impl Conversation {
    /// Returns the conversation, if there is one: a chat, or a reply in a campaign.
    fn new(has_chat: bool, campaigns: &[LeadCampaign]) -> Option<Self> {
        // `Some(true)` is the greatest.
        let campaign = campaigns.iter().max_by_key(|campaign| campaign.replied);
        let replied = campaign.and_then(|campaign| campaign.replied);
        (has_chat || replied == Some(true)).then(|| Self {
            replied,
            campaign: campaign.map(|campaign| match &campaign.sender {
                Some(sender) => [&*campaign.name, ", by ", sender].concat(),
                None => campaign.name.clone(),
            }),
        })
    }
}

impl Company {
    fn new(account: CurrentAccount, title: Option<&str>, lead_location: Option<&str>) -> Self {
        Self {
            account: filled(account.account_id.map(String::from)),
            name: filled(account.name),
            page: safe(account.network_url),
            logo: picture(account.logo_url),
            industry: filled(account.industry),
            size: filled(account.staff_count_range),
            founded: account.founded_year,
            location: filled(account.location).filter(|own| Some(own.as_str()) != lead_location),
            title: filled(account.title).filter(|own| Some(own.as_str()) != title),
            tagline: filled(account.tagline),
            description: filled(account.description),
        }
    }
}

/// Labels and ids. Blank ids are skipped.
#[derive(Default)]
struct LabelledIds(Vec<(String, String)>);

impl LabelledIds {
    fn add(&mut self, what: &str, id: Option<&str>) {
        if let Some(id) = id.filter(|id| !id.trim().is_empty()) {
            self.0.push((what.to_owned(), id.to_owned()));
        }
    }
}

/// Returns the value unless it is empty. An object or a list counts as empty if all of its members
/// are hidden.
fn something(raw: Option<Raw>, hidden: &[&str]) -> Option<Raw> {
    use super::json_tree::{TreeValue, level};
    let raw = raw?;
    match TreeValue::from_raw(&raw) {
        TreeValue::Nothing => None,
        TreeValue::Branch(..) => (level(&raw, 0, 1, hidden).total > 0).then_some(raw),
        _ => Some(raw),
    }
}
