//! A lead as a row of the list, and helpers for texts of leads and accounts.

use lead_workspace_api::{LeadDetail, LeadListItem, ScorePart};

use super::humanize::humanize;
use super::kept::JsonText;
use crate::client::web_url::web_url;

/// Reasoning with more parts than this is shown as text.
pub(super) const MAX_PARTS: usize = 12;

/// A lead, ready to be rendered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LeadItem {
    /// Empty if the server sent no id: such a lead cannot be decided.
    pub id: String,
    /// Never empty.
    pub name: String,
    /// Up to two letters for the avatar.
    pub initials: String,
    /// Title, else headline.
    pub title: Option<String>,
    /// Headline, if it says more than the title and company.
    pub headline: Option<String>,
    /// Name of the company.
    pub company: Option<String>,
    /// Up to two letters for the company.
    pub company_initials: String,
    /// Id of the company's account.
    pub account: Option<String>,
    /// Headcount range of the company.
    pub company_size: Option<String>,
    /// Industry of the company.
    pub industry: Option<String>,
    /// Location of the lead, else of the company.
    pub location: Option<String>,
    /// ICP score (fit with the ideal customer profile), 0 to 100.
    pub score: Option<f64>,
    /// Previous score, if it was scored again since the list was loaded.
    pub previous_score: Option<f64>,
    pub tier: Option<String>,
    /// Reasoning of the score.
    pub reasoning: Option<String>,
    /// When it was scored, ISO 8601; `None` also if it was scored again since the list was loaded.
    pub scored: Option<String>,
    /// Latest intent event in words.
    pub intent: Option<String>,
    /// When the intent event was found, ISO 8601.
    pub intent_at: Option<String>,
    /// When the lead was created, ISO 8601.
    pub created: Option<String>,
    /// URL of the profile, if it is safe to link.
    pub profile: Option<String>,
    /// URL of the picture, if it is safe to load.
    pub picture: Option<String>,
    /// The user's own data.
    pub custom_data: Option<JsonText>,
}

impl LeadItem {
    pub fn new(item: LeadListItem) -> Self {
        let best = item.best_score().unwrap_or_default();
        let (location, title) = (item.profile().location, filled(item.title()));
        let account = item.current_account.unwrap_or_default();
        let intent = item.intent.unwrap_or_default();
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
            company_initials: account.name.as_deref().map(initials).unwrap_or_default(),
            company: filled(account.name),
            account: filled(account.account_id.map(String::from)),
            company_size: filled(account.staff_count_range),
            industry: filled(account.industry),
            location: filled(location).or_else(|| filled(account.location)),
            score: best.icp_score,
            previous_score: None,
            tier: filled(best.icp_tier),
            reasoning: filled(best.icp_reasoning),
            scored: filled(best.scored_at),
            intent: filled(intent.event_type).map(|event| humanize(&event)),
            intent_at: intent.created_at.map(|created| created.0),
            created: item.created_at.map(|created| created.0),
            profile: safe(item.profile_url),
            picture: picture(item.profile_picture_url),
            custom_data: item.custom_data.map(JsonText),
        }
    }
}

impl LeadItem {
    /// Returns a lead as it is now, with the score that this one had.
    #[must_use]
    pub fn followed_by(&self, mut now: Self) -> Self {
        now.previous_score = changed(self.score, now.score).or(self.previous_score);
        now
    }

    /// Returns the lead with what its details say.
    #[must_use]
    pub fn with_detail(&self, detail: LeadDetail) -> Self {
        let now = Self::new(with_detail(LeadListItem::default(), detail));
        Self {
            id: self.id.clone(),
            // Details have these in another form.
            intent: self.intent.clone(),
            intent_at: self.intent_at.clone(),
            created: self.created.clone(),
            ..now
        }
    }

    /// Returns the parts of the score; none if the reasoning has another form, or too many to show.
    pub fn score_parts(&self) -> Vec<ScorePart> {
        let reasoning = self.reasoning.as_deref().unwrap_or_default();
        let mut parts = ScorePart::read_all(reasoning);
        if parts.len() > MAX_PARTS {
            parts.clear();
        }
        parts
    }
}

/// Returns a lead of a list with what its details say, but for what they have in another form.
pub fn with_detail(item: LeadListItem, detail: LeadDetail) -> LeadListItem {
    LeadListItem {
        name: detail.name,
        headline: detail.headline,
        profile_url: detail.profile_url,
        profile_picture_url: detail.profile_picture_url,
        profile_data: detail.profile_data,
        custom_data: detail.custom_data,
        current_account: detail.current_account,
        approval_status: detail.approval_status,
        list_scores: detail.list_scores,
        ..item
    }
}

/// Returns the previous score if the score as shown (rounded) changed.
pub fn changed(before: Option<f64>, now: Option<f64>) -> Option<f64> {
    before.filter(|before| now.is_some_and(|now| now.round() != before.round()))
}

/// Returns the URL if a picture may be loaded from it: the page's Content-Security-Policy allows only https.
pub(super) fn picture(address: Option<String>) -> Option<String> {
    let is_https = |url: &String| {
        url.get(..6)
            .is_some_and(|scheme| scheme.eq_ignore_ascii_case("https:"))
    };
    safe(address).filter(is_https)
}

/// Returns the URL if it is safe to use.
pub(super) fn safe(address: Option<String>) -> Option<String> {
    web_url(&address?).map(str::to_owned)
}

/// Many headlines only repeat the title, followed by the company.
fn says_more(headline: &str, title: Option<&str>) -> bool {
    title.is_some_and(|title| !headline.starts_with(title))
}

/// Returns the text unless it is blank.
pub(super) fn filled(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.trim().is_empty())
}

/// Returns the first letters of the first and of the last word. The style sheet converts them to
/// upper case.
pub fn initials(name: &str) -> String {
    let letter = |word: &str| word.chars().find(|c| c.is_alphanumeric());
    let mut letters = name.split_whitespace().filter_map(letter);
    let first = letters.next();
    let last = letters.next_back();
    first.into_iter().chain(last).collect()
}
