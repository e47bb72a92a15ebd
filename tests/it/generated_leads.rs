//! Generated leads, and logs of decisions on them, for tests of the approval model.

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

/// Reproducible random numbers (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % end
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }

    pub fn lead(&mut self, number: usize) -> LeadItem {
        let text = |text: &str| Some(text.to_owned());
        let score = self.below(101);
        LeadItem {
            id: format!("lead-{number}"),
            name: format!("Lead {number}"),
            title: text(self.pick(&TITLES)),
            company: Some(format!("Company {}", self.below(400))),
            company_size: text(self.pick(&SIZES)),
            industry: text(self.pick(&INDUSTRIES)),
            location: text(self.pick(&PLACES)),
            score: Some(score as f64),
            tier: text(match score {
                85.. => "A",
                70.. => "B",
                55.. => "C",
                _ => "D",
            }),
            intent: self.pick(&EVENTS).map(str::to_owned),
            ..LeadItem::default()
        }
    }

    pub fn leads(&mut self, count: usize) -> Vec<LeadItem> {
        (0..count).map(|number| self.lead(number)).collect()
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
