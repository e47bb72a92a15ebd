//! What a row says of a lead.

use lead_workspace_api::LeadListItem;

use super::link::web_address;

/// A lead, ready to be shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lead {
    /// The id; empty where the server gave none, and the lead cannot be decided.
    pub id: String,
    /// The name; never empty.
    pub name: String,
    /// Up to two letters for the avatar.
    pub initials: String,
    /// The title, else the headline.
    pub title: Option<String>,
    /// The line under the name, where it says more than title and company.
    pub headline: Option<String>,
    /// Name of the company.
    pub company: Option<String>,
    /// Size of the company as a range of heads.
    pub company_size: Option<String>,
    /// Industry of the company.
    pub industry: Option<String>,
    /// Where the lead is, else where the company is.
    pub location: Option<String>,
    /// Fit with the ideal customer profile, 0 to 100.
    pub score: Option<f64>,
    /// The score before, where it was given anew since the list was loaded.
    pub was: Option<f64>,
    /// Tier of the fit.
    pub tier: Option<String>,
    /// Why it fits.
    pub reasoning: Option<String>,
    /// The latest sign of intent, in words.
    pub intent: Option<String>,
    /// When the lead came in, ISO 8601.
    pub created: Option<String>,
    /// The profile, if its address is safe to link.
    pub profile: Option<String>,
    /// The picture, if its address is safe to load.
    pub picture: Option<String>,
}

impl Lead {
    /// Reads what a row needs out of a list item.
    pub fn of(item: LeadListItem) -> Self {
        let best = item.best_score().unwrap_or_default();
        let (location, title) = (item.profile().location, filled(item.title()));
        let account = item.current_account.unwrap_or_default();
        let name = filled(item.name).unwrap_or_else(|| "Unnamed lead".into());
        let headline = filled(item.headline);
        Self {
            id: item.lead_id.map(String::from).unwrap_or_default(),
            initials: initials(&name),
            name,
            headline: headline
                .clone()
                .filter(|line| says_more(line, title.as_deref())),
            title: title.or(headline),
            company: filled(account.name),
            company_size: filled(account.staff_count_range),
            industry: filled(account.industry),
            location: filled(location).or_else(|| filled(account.location)),
            score: best.icp_score,
            was: None,
            tier: filled(best.icp_tier),
            reasoning: filled(best.icp_reasoning),
            intent: item
                .intent
                .and_then(|intent| filled(intent.event_type))
                .map(|event| words(&event)),
            created: item.created_at.map(|created| created.0),
            profile: safe(item.profile_url),
            picture: safe(item.profile_picture_url),
        }
    }
}

/// What scoring says of a lead.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scored {
    /// Fit with the ideal customer profile, 0 to 100.
    pub score: Option<f64>,
    /// Tier of the fit.
    pub tier: Option<String>,
    /// Why it fits.
    pub reasoning: Option<String>,
}

impl Scored {
    /// The lead with this score in place of the one before.
    pub fn put(self, lead: &mut Lead) {
        lead.was = changed(lead.score, self.score).or(lead.was);
        (lead.score, lead.tier, lead.reasoning) = (self.score, self.tier, self.reasoning);
    }
}

/// The score before, where the new one is another as it is shown.
pub fn changed(before: Option<f64>, now: Option<f64>) -> Option<f64> {
    before.filter(|before| now.is_some_and(|now| now.round() != before.round()))
}

/// The address, if it is safe to use.
pub(super) fn safe(address: Option<String>) -> Option<String> {
    web_address(&address?).map(str::to_owned)
}

/// Many headlines are just the title, with the company behind it.
fn says_more(headline: &str, title: Option<&str>) -> bool {
    title.is_some_and(|title| !headline.starts_with(title))
}

/// The text, unless it is blank.
pub(super) fn filled(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.trim().is_empty())
}

/// `pending_approval` as "Pending approval".
pub fn words(token: &str) -> String {
    let mut text = token.replace('_', " ");
    // Tokens are ASCII; the tables for all other scripts would weigh more than this file.
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

/// The first letters of the first and the last word, as they are written; the style sheet makes
/// them capitals.
pub fn initials(name: &str) -> String {
    let letter = |word: &str| word.chars().find(|c| c.is_alphanumeric());
    let mut letters = name.split_whitespace().filter_map(letter);
    let first = letters.next();
    let last = letters.next_back();
    first.into_iter().chain(last).collect()
}
