//! Invented companies whose name, industry, size, place and texts match.

use jiff::Timestamp;
use lead_workspace_api::STAFF_COUNT_RANGES;

use crate::Demo;
use crate::catalog::{ACCOUNT_LISTS, DAYS};
use crate::clock::{self, Clock, YEAR};
use crate::ids::id;
use crate::list_item::ListItem;
use crate::random::{Kind, Random};
use crate::text::{article, capital, slug};
use crate::vocabulary::industries::{INDUSTRIES, Industry};
use crate::vocabulary::names::CULTURES;
use crate::vocabulary::places::{PLACES, Place};
use crate::vocabulary::words;

/// A company, as a pure function of seed and number.
#[derive(Debug, PartialEq)]
pub struct Company {
    pub account_id: String,
    pub network_id: String,
    pub name: String,
    /// Unique among the companies of a seed.
    pub slug: String,
    pub(crate) industry: &'static Industry,
    pub(crate) place: &'static Place,
    /// Headcount range.
    pub size: &'static str,
    /// Lower bound of the range.
    pub(crate) heads: i64,
    pub founded: i64,
    pub tagline: String,
    pub description: String,
    /// False for companies that discovery found and no user has promoted.
    pub promoted: bool,
    pub created_at: Timestamp,
}

/// Returns how many companies the first `leads` leads work for: about one for six of them.
pub(crate) fn company_count(leads: u64) -> u64 {
    if leads == 0 {
        return 0;
    }
    leads.next_power_of_two().max(256) / 6
}

/// Returns the company of a lead. Larger companies have more leads, and so do those with low
/// numbers. The result does not depend on the total number of leads, so a larger demo starts with
/// the same leads.
pub(crate) fn company_of(seed: u64, lead: u64) -> u64 {
    let companies = company_count(lead + 1);
    let mut random = Random::new(seed, Kind::LeadCompany, lead);
    let mut number = random.below(companies);
    for _ in 0..6 {
        let keep = match trade(seed, number).size {
            0 => 5,
            1 => 14,
            2 => 35,
            3 => 70,
            _ => 100,
        };
        if random.percent(keep) {
            break;
        }
        number = random.below(companies);
    }
    number
}

struct Trade {
    industry: &'static Industry,
    /// Index into `STAFF_COUNT_RANGES`.
    size: usize,
}

fn trade(seed: u64, number: u64) -> Trade {
    let mut random = Random::new(seed, Kind::CompanySize, number);
    let industry = &INDUSTRIES[random.weighted(INDUSTRIES.iter().map(|i| i.weight))];
    Trade {
        industry,
        size: random.weighted(industry.scale.weights()),
    }
}

impl Demo {
    /// Returns a company by its number, which is less than `companies`.
    pub fn company(&self, number: u64) -> Company {
        Company::new(self.seed, number, self.clock)
    }

    /// Returns the lists of accounts that a company is on.
    pub fn account_lists(&self, number: u64, company: &Company) -> Vec<ListItem> {
        let mut random = Random::new(self.seed, Kind::Outreach, u64::MAX - number);
        let mut items = Vec::new();
        for (list, share) in ACCOUNT_LISTS {
            if company.promoted && random.percent(share) {
                let number = number * 2 + list as u64 % 2;
                let item_id = id(self.seed, "account_item", number, Timestamp::UNIX_EPOCH);
                items.push(ListItem { list, item_id });
            }
        }
        items
    }
}

impl Company {
    fn new(seed: u64, number: u64, clock: Clock) -> Self {
        let Trade { industry, size } = trade(seed, number);
        let mut random = Random::new(seed, Kind::Company, number);
        let place = &PLACES[random.weighted(PLACES.iter().map(|place| place.weight))];
        let (size, heads, most) = STAFF_COUNT_RANGES[size];
        let short = name(&mut random, industry, place);
        let name = match random.below(100) {
            0..=24 if !place.legal_form.is_empty() => format!("{short} {}", place.legal_form),
            _ => short.clone(),
        };
        // Larger companies are older.
        let age = match heads {
            ..=10 => random.between(1, 12),
            11..=50 => random.between(2, 25),
            51..=500 => random.between(5, 60),
            _ => random.between(12, 130),
        };
        let founded = (YEAR - age).max(industry.oldest);
        let offer = random.index(industry.offers.len());
        let second = (offer + 1 + random.index(industry.offers.len() - 1)) % industry.offers.len();
        let audience = random.pick(industry.audiences);
        let offer = industry.offers[offer];
        let tagline = match random.below(4) {
            0 => format!("{} for {audience}", capital(offer)),
            1 => format!("{} that {audience} rely on", capital(offer)),
            2 => format!("We bring {offer} to {audience}"),
            _ => format!("{}, made in {}", capital(offer), place.city),
        };
        let exact = random.between(heads, most.min(heads.saturating_mul(4)));
        let people = match exact {
            1 => "It is run by one person.".to_owned(),
            exact => format!("{exact} people work there."),
        };
        let description = format!(
            "{short} is {} from {}, founded in {founded}. It offers {offer} and {} to {audience}. {people}",
            article(industry.kind),
            place.city,
            industry.offers[second],
        );
        let promoted = random.percent(88);
        let mut random = Random::new(seed, Kind::Catalog, number + 1);
        let created_at = clock::within(&mut random, DAYS.unsigned_abs());
        Self {
            account_id: id(seed, "acc", number, created_at),
            network_id: (10_000_000 + random.below(80_000_000)).to_string(),
            slug: format!("{}-{number}", slug(&short)),
            name,
            industry,
            place,
            size,
            heads,
            founded,
            tagline,
            description,
            promoted,
            created_at: clock.moved(created_at),
        }
    }

    pub fn industry(&self) -> &'static str {
        self.industry.name
    }

    pub fn location(&self) -> String {
        self.place.text()
    }

    /// Domain of its website and e-mail addresses.
    pub fn domain(&self) -> String {
        format!("{}.example", self.slug)
    }

    /// Its page on the professional network.
    pub fn network_url(&self) -> String {
        format!("https://companies.example/company/{}", self.slug)
    }
}

fn name(random: &mut Random, industry: &Industry, place: &Place) -> String {
    let noun = random.pick(industry.nouns);
    match random.below(10) {
        0..=4 => format!("{} {noun}", stem(random)),
        5..=7 => {
            let start = random.pick(words::COMPOUND_STARTS);
            format!("{start}{} {noun}", random.pick(words::COMPOUND_ENDS))
        }
        8 => {
            let families: Vec<_> = CULTURES[place.culture].family.split_whitespace().collect();
            let first = random.pick(&families);
            format!("{first} & {}", random.pick(&families))
        }
        _ => stem(random),
    }
}

fn stem(random: &mut Random) -> String {
    let mut stem = random.pick(words::STEM_STARTS).to_owned();
    stem += random.pick(words::STEM_MIDDLES);
    if random.percent(40) {
        stem += random.pick(words::STEM_MIDDLES);
    }
    stem + random.pick(words::STEM_ENDS)
}
