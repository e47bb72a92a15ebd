//! What the peek says of a lead: its detail, brought into sections that are ready to be drawn.

use lead_workspace_api::shapes::{ProfileData, Shape};
use lead_workspace_api::{ApprovalStatus, CurrentAccount, LeadDetail, Raw};

use super::lead::{filled, initials, safe};

pub use self::event::{Event, SUMMARY, timeline};
pub use self::outreach::{Campaign, Membership, Warming};
pub use self::score::{Part, Score, scores};

mod event;
mod outreach;
mod score;

/// Members of a profile that are shown as facts, and not once more in its tree.
pub const PROFILE_FACTS: &[&str] = &["location", "connections_count", "follower_count"];

/// A lead in full, ready to be shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Detail {
    /// The id that it was asked for with.
    pub id: String,
    /// The name; never empty.
    pub name: String,
    /// Up to two letters for the avatar.
    pub initials: String,
    /// The title, else the headline.
    pub title: Option<String>,
    /// The line under the name, unless it stands for the title.
    pub headline: Option<String>,
    /// The picture, if its address is safe to load.
    pub picture: Option<String>,
    /// The profile, if its address is safe to link.
    pub profile: Option<String>,
    /// The picture behind the profile, if its address is safe to link.
    pub background: Option<String>,
    /// Whether the profile is a paid one.
    pub premium: Option<bool>,
    /// Where the lead is.
    pub location: Option<String>,
    /// How many connections and how many followers the profile has.
    pub reach: (Option<u64>, Option<u64>),
    /// The decision that the server holds.
    pub status: Option<ApprovalStatus>,
    /// Scores, the best one first.
    pub scores: Vec<Score>,
    /// The company.
    pub company: Company,
    /// Signs of intent, the newest one first.
    pub timeline: Vec<Event>,
    /// Lists that hold the lead.
    pub lists: Vec<Membership>,
    /// Campaigns that hold the lead.
    pub campaigns: Vec<Campaign>,
    /// How the lead is being warmed up.
    pub warming: Option<Warming>,
    /// The conversation with the lead.
    pub conversation: Option<String>,
    /// What the workspace keeps besides.
    pub custom_data: Option<Raw>,
    /// What the profile says.
    pub profile_data: Option<Raw>,
    /// What tells the lead and all around it from others: a word and the id.
    pub ids: Vec<(String, String)>,
}

/// The company that a lead works for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Company {
    /// The account.
    pub account: Option<String>,
    /// Its name.
    pub name: Option<String>,
    /// Its page, if the address is safe to link.
    pub page: Option<String>,
    /// Its logo, if the address is safe to load.
    pub logo: Option<String>,
    /// Industry.
    pub industry: Option<String>,
    /// Size as a range of heads.
    pub size: Option<String>,
    /// Year of foundation.
    pub founded: Option<i64>,
    /// Where it is.
    pub location: Option<String>,
    /// The lead's title there, where the profile says another.
    pub title: Option<String>,
    /// Its tagline.
    pub tagline: Option<String>,
    /// What it says of itself.
    pub description: Option<String>,
}

impl Detail {
    /// Reads a detail that was asked for with this id.
    pub fn of(id: &str, detail: LeadDetail) -> Self {
        let profile = detail.profile_data.as_ref().and_then(ProfileData::read);
        let profile = profile.unwrap_or_default();
        let account = detail.current_account.unwrap_or_default();
        let name = filled(detail.name).unwrap_or_else(|| "Unnamed lead".into());
        let headline = filled(detail.headline);
        let title = filled(profile.title).or_else(|| filled(account.title.clone()));
        let lists = Membership::all(detail.lead_lists.as_deref());
        let campaigns = Campaign::all(detail.campaigns.as_deref());

        let mut ids = Ids::default();
        ids.add("Lead", detail.id.map(String::from).as_deref().or(Some(id)));
        ids.add("Source", detail.provider_id.as_deref());
        ids.add(
            "Account",
            account.account_id.clone().map(String::from).as_deref(),
        );
        ids.add(
            "Company on the network",
            account.network_username.as_deref(),
        );
        for list in &lists {
            ids.add(&format!("List {}", list.name), list.id.as_deref());
            ids.add(&format!("Place in {}", list.name), list.item.as_deref());
        }
        for campaign in &campaigns {
            let name = &campaign.name;
            ids.add(&format!("Campaign {name}"), campaign.id.as_deref());
            ids.add(&format!("Place in {name}"), campaign.place.as_deref());
        }
        if let Some(nurture) = &detail.nurture {
            ids.add("Tracked profile", nurture.tracker_profile_id.as_deref());
        }

        Self {
            id: id.to_owned(),
            initials: initials(&name),
            name,
            picture: safe(detail.profile_picture_url),
            profile: safe(detail.profile_url),
            background: safe(detail.background_image_url),
            premium: detail.is_premium,
            location: filled(profile.location),
            reach: (profile.connections_count, profile.follower_count),
            status: detail.approval_status,
            scores: scores(detail.list_scores.as_deref().unwrap_or_default()),
            timeline: timeline(detail.intents.as_deref().unwrap_or_default(), &lists),
            company: Company::of(account, title.as_deref()),
            headline: headline.clone().filter(|_| title.is_some()),
            title: title.or(headline),
            lists,
            campaigns,
            conversation: detail.chat_id.map(String::from),
            warming: detail.nurture.map(Warming::of),
            custom_data: something(detail.custom_data, &[]),
            profile_data: something(detail.profile_data, PROFILE_FACTS),
            ids: ids.0,
        }
    }

    /// The best score.
    pub fn best(&self) -> Option<&Score> {
        self.scores.first()
    }
}

impl Company {
    fn of(account: CurrentAccount, title: Option<&str>) -> Self {
        Self {
            account: filled(account.account_id.map(String::from)),
            name: filled(account.name),
            page: safe(account.network_url),
            logo: safe(account.logo_url),
            industry: filled(account.industry),
            size: filled(account.staff_count_range),
            founded: account.founded_year,
            location: filled(account.location),
            title: filled(account.title).filter(|own| Some(own.as_str()) != title),
            tagline: filled(account.tagline),
            description: filled(account.description),
        }
    }
}

/// Words and ids, without those that are not there.
#[derive(Default)]
struct Ids(Vec<(String, String)>);

impl Ids {
    fn add(&mut self, what: &str, id: Option<&str>) {
        if let Some(id) = id.filter(|id| !id.trim().is_empty()) {
            self.0.push((what.to_owned(), id.to_owned()));
        }
    }
}

/// The object or list, if anything of it is left to be shown. A bare value of another kind stays.
fn something(raw: Option<Raw>, hidden: &[&str]) -> Option<Raw> {
    use super::tree::{Node, level};
    let raw = raw?;
    match Node::of(&raw) {
        Node::Nothing => None,
        Node::Branch(..) => (level(&raw, 0, 1, hidden).total > 0).then_some(raw),
        _ => Some(raw),
    }
}
