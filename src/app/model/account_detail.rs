//! Details of an account, as the details pane renders them.

use lead_workspace_api::shapes::{AccountLead, FacetOption, ListScore, Shape};
use lead_workspace_api::{AccountDetail, ApprovalStatus, ListRef, Raw};

use super::lead::{filled, initials, picture, safe};
use super::lead_detail::{Score, scores};

/// All details of an account, ready to be rendered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AccountProfile {
    /// Id that was requested.
    pub id: String,
    /// Never empty.
    pub name: String,
    /// Up to two letters for the avatar.
    pub initials: String,
    /// URL of the logo, if it is safe to load.
    pub logo: Option<String>,
    /// URL of the company's page, if it is safe to link.
    pub page: Option<String>,
    /// Name on the professional network.
    pub username: Option<String>,
    pub industry: Option<String>,
    /// Headcount range.
    pub size: Option<String>,
    pub location: Option<String>,
    pub tagline: Option<String>,
    pub description: Option<String>,
    /// When it was added to the workspace, ISO 8601.
    pub created: Option<String>,
    /// Whether it was promoted, if the server reports it.
    pub promoted: Option<bool>,
    /// The account's own score is first, unless it has none. It is not repeated if a list has the
    /// same.
    pub scores: Vec<Score>,
    /// Lists that contain it: name and id.
    pub lists: Vec<(String, Option<String>)>,
    /// Its leads, as far as they are in the response.
    pub leads: Vec<AccountMember>,
    /// Total number of leads.
    pub lead_count: u64,
    /// Labels and ids of the account and of everything around it.
    pub ids: Vec<(String, String)>,
}

/// A lead of an account.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AccountMember {
    pub id: String,
    /// Never empty.
    pub name: String,
    pub title: Option<String>,
    /// Status on the server.
    pub status: Option<ApprovalStatus>,
    /// ICP score, 0 to 100.
    pub score: Option<f64>,
}

impl AccountProfile {
    /// Reads the details that were requested with this id.
    pub fn new(id: &str, item: AccountDetail) -> Self {
        let name = filled(item.name).unwrap_or_else(|| "Unnamed account".into());
        let lists = item.lists.iter().flatten().filter_map(list);
        let lists: Vec<_> = lists.collect();
        let leads = item.leads.iter().flatten().filter_map(AccountMember::read);
        let leads: Vec<_> = leads.collect();
        let own = ListScore {
            icp_score: item.icp_score,
            icp_tier: item.icp_tier,
            icp_reasoning: item.icp_reasoning,
            ..ListScore::default()
        };
        let ids = [
            ("Account", item.id.map(String::from).or(Some(id.to_owned()))),
            ("Network", item.network_id),
            ("List entry", item.list_item_id),
        ];
        let ids = ids.into_iter().filter_map(|(what, id)| {
            let id = filled(id)?;
            Some((what.to_owned(), id))
        });
        let of_lists = lists.iter().filter_map(|(name, id)| {
            let id = id.clone()?;
            Some((["List ", name].concat(), id))
        });
        Self {
            id: id.to_owned(),
            initials: initials(&name),
            name,
            logo: picture(item.logo_url),
            page: safe(item.network_url),
            username: filled(item.network_username),
            industry: filled(item.industry),
            size: filled(item.staff_count_range),
            location: filled(item.location),
            tagline: filled(item.tagline),
            description: filled(item.description),
            created: item.created_at.map(|created| created.0),
            promoted: item.is_promoted,
            scores: with_own(own, &item.list_scores.unwrap_or_default()),
            lead_count: item.lead_count.unwrap_or(leads.len() as u64),
            leads,
            ids: ids.chain(of_lists).collect(),
            lists,
        }
    }
}

impl AccountMember {
    /// Returns the status on the server, or `unknown`.
    pub fn status(&self) -> ApprovalStatus {
        self.status.clone().unwrap_or_else(|| "unknown".into())
    }

    /// Reads a lead. One without an id cannot be decided, and is skipped.
    // spec: the shape is not shown.
    fn read(raw: &Raw) -> Option<Self> {
        let lead = AccountLead::read(raw)?;
        Some(Self {
            id: filled(lead.lead_id)?,
            name: filled(lead.name).unwrap_or_else(|| "Unnamed lead".into()),
            title: filled(lead.title),
            status: filled(lead.approval_status).map(|status| ApprovalStatus::from(&*status)),
            score: lead.icp_score,
        })
    }
}

/// Returns the scores of lists after the account's own score. An equal score of a list replaces it.
fn with_own(own: ListScore, lists: &[Raw]) -> Vec<Score> {
    let mut scores = scores(lists);
    let own = Score::new(own);
    let says = |score: &Score| score.points.is_some() || score.tier.is_some();
    let same = |other: &Score| {
        let all = |score: &Score| (score.points, score.tier.clone(), score.parts.clone());
        all(other) == all(&own) && (own.reasoning.is_none() || own.reasoning == other.reasoning)
    };
    match scores.iter().position(same) {
        Some(at) => {
            let first = scores.remove(at);
            scores.insert(0, first);
        }
        None if says(&own) => scores.insert(0, own),
        None => {}
    }
    scores
}

/// Returns the name of a list, or else its id, and the id.
// spec: the shape is not shown; our service sends the same references as for leads.
fn list(raw: &Raw) -> Option<(String, Option<String>)> {
    let known = raw.read::<ListRef>().unwrap_or_default();
    let id = known.list_id.map(String::from);
    if let Some(name) = filled(known.list_name).or_else(|| id.clone()) {
        return Some((name, id));
    }
    let other = FacetOption::read(raw)?;
    Some((other.label, Some(other.value)))
}
