//! Demo leads as the screen has them.

use fastrand::Rng;
use lead_workspace::app::model::approval_model::LeadFacts;
use lead_workspace::app::model::lead::LeadItem;
use lead_workspace_api::shapes::{ListScore, ProfileData, Shape};
use lead_workspace_api::{CurrentAccount, Intent, LeadListItem};
use lead_workspace_demo::Lead;
use lead_workspace_service::demo::{EXAMPLE_NOW, ScoredDemo};
use lead_workspace_service::scoring::Score;

/// A lead with what the model sees of it, and what reviewers decide by.
pub struct ReviewLead {
    pub id: String,
    pub facts: LeadFacts,
    pub score: f64,
    pub title: String,
    pub industry: String,
    /// Lower bound of the headcount range.
    pub heads: i64,
    pub country: String,
    /// Type of the latest intent event; empty if there is none.
    pub intent: String,
    pub founded: i64,
    pub number: u64,
}

/// Returns the leads of a seed with the service's scores, in random order: the first leads of the
/// demo work for few companies.
pub fn queue(seed: u64, count: u64) -> Vec<ReviewLead> {
    let demo = ScoredDemo::new(seed, count, EXAMPLE_NOW);
    let leads = (0..count).map(|number| ReviewLead::new(demo.lead(number)));
    let mut leads: Vec<ReviewLead> = leads.collect();
    let mut random = Rng::with_seed(seed);
    random.shuffle(&mut leads);
    leads
}

impl ReviewLead {
    fn new(lead: Lead<Score>) -> Self {
        let intent = lead.intents.first().map(|intent| intent.event_type);
        let item = LeadItem::new(item(&lead));
        let heads = lead.company.size.split(['-', '+']).next();
        Self {
            facts: LeadFacts::new(&item),
            score: f64::from(lead.best.points),
            industry: lead.company.industry().to_owned(),
            heads: heads.and_then(|heads| heads.parse().ok()).unwrap_or(0),
            country: lead
                .location
                .rsplit(", ")
                .next()
                .unwrap_or_default()
                .to_owned(),
            intent: intent.unwrap_or_default().to_owned(),
            founded: lead.company.founded,
            number: lead.number,
            id: lead.lead_id,
            title: lead.title,
        }
    }
}

/// Returns the list item as the service answers it, as far as the model reads it.
fn item(lead: &Lead<Score>) -> LeadListItem {
    let score = ListScore {
        icp_score: Some(f64::from(lead.best.points)),
        icp_tier: Some(lead.best.tier.to_owned()),
        icp_reasoning: Some(lead.best.reasoning()),
        ..ListScore::default()
    };
    let profile = ProfileData {
        title: Some(lead.title.clone()),
        location: Some(lead.location.clone()),
        ..ProfileData::default()
    };
    LeadListItem {
        lead_id: Some(lead.lead_id.clone().into()),
        name: Some(lead.name.clone()),
        profile_data: Some(profile.to_raw()),
        current_account: Some(CurrentAccount {
            name: Some(lead.company.name.clone()),
            industry: Some(lead.company.industry().to_owned()),
            staff_count_range: Some(lead.company.size.to_owned()),
            location: Some(lead.company.location()),
            ..CurrentAccount::default()
        }),
        list_scores: Some(vec![score.to_raw()]),
        intent: lead.intents.first().map(|intent| Intent {
            event_type: Some(intent.event_type.to_owned()),
            ..Intent::default()
        }),
        ..LeadListItem::default()
    }
}
