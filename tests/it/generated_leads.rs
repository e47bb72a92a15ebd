//! Generated leads, and logs of decisions on them, for tests of the approval model.

use fastrand::Rng;
use lead_workspace::app::model::approval_model::{DecisionLog, LeadFacts};
use lead_workspace::app::model::lead::LeadItem;

const INDUSTRIES: [&str; 4] = ["Maritime logistics", "Banking", "Retail", "Hospitality"];
const SIZES: [&str; 5] = ["2-10", "11-50", "51-200", "201-500", "1001-5000"];
const TITLES: [&str; 4] = ["VP Sales", "Head of Marketing", "Buyer", "Junior Buyer"];
const PLACES: [&str; 4] = [
    "Berlin, Germany",
    "Oslo, Norway",
    "Paris, France",
    "Lagos, Nigeria",
];
const EVENTS: [Option<&str>; 3] = [None, Some("Hiring"), Some("Job change")];

/// Returns leads that are the same for the same seed.
pub fn generated(seed: u64, count: usize) -> Vec<LeadItem> {
    let mut random = Rng::with_seed(seed);
    (0..count).map(|number| lead(number, &mut random)).collect()
}

fn lead(number: usize, random: &mut Rng) -> LeadItem {
    let mut pick = |of: &[&str]| Some(of[random.usize(..of.len())].to_owned());
    let (title, size, industry, place) = (
        pick(&TITLES),
        pick(&SIZES),
        pick(&INDUSTRIES),
        pick(&PLACES),
    );
    let score = random.u32(..=100);
    let tier = match score {
        85.. => "A",
        70.. => "B",
        55.. => "C",
        _ => "D",
    };
    LeadItem {
        id: format!("lead-{number}"),
        name: format!("Lead {number}"),
        title,
        company: Some(format!("Company {}", random.u32(..400))),
        company_size: size,
        industry,
        location: place,
        score: Some(score.into()),
        tier: Some(tier.to_owned()),
        intent: random.choice(EVENTS).flatten().map(str::to_owned),
        ..LeadItem::default()
    }
}

pub fn log_of(leads: &[LeadItem], mut approves: impl FnMut(&LeadItem) -> bool) -> DecisionLog {
    let mut log = DecisionLog::default();
    for lead in leads {
        log.record(&lead.id, &LeadFacts::new(lead), approves(lead));
    }
    log
}

pub fn is_maritime(lead: &LeadItem) -> bool {
    lead.industry.as_deref() == Some("Maritime logistics")
}
